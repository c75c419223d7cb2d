import { expect, it, vi } from 'vitest';
import { compareFigures, readFigures } from '../../scripts/bench/bench_figures.ts';
import { report } from './limits.ts';

const output = `5000 items, of an item: 3.60 ms through the queue, 0.90 ms through bare undici
✓ queue, overhead of an item: 2.704 ms (≤ 3)
✗ memory of the process, most: 262.1 MB (≤ 250)
✓ index rebuild: 3950 models/s (≥ 1000)
✓ a head: its file: 1.235e+4 KB a head (≤ 2e+4)
`;

it('reads the figures that a benchmark prints, and nothing else', () => {
  expect(readFigures(output)).toEqual([
    { name: 'queue, overhead of an item', value: 2.704, unit: 'ms', moreIsBetter: false },
    { name: 'memory of the process, most', value: 262.1, unit: 'MB', moreIsBetter: false },
    { name: 'index rebuild', value: 3950, unit: 'models/s', moreIsBetter: true },
    { name: 'a head: its file', value: 12350, unit: 'KB a head', moreIsBetter: false },
  ]);
});

it('reads what `report` prints', () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    report({ name: 'index rebuild', value: 3950, unit: 'models/s', limit: 1000, kind: 'least' });
    expect(readFigures(String(print.mock.calls[0]?.[0]))).toEqual([
      { name: 'index rebuild', value: 3950, unit: 'models/s', moreIsBetter: true },
    ]);
  } finally {
    print.mockRestore();
    process.exitCode = 0;
  }
});

/** Figures of one turn. */
const turn = (overhead: number, rebuild: number, more = '') =>
  readFigures(
    `✓ overhead: ${overhead} ms (≤ 3)\n✓ rebuild: ${rebuild} models/s (≥ 1000)\n✓ page: ${(overhead % 2) + 1} ms (≤ 3)\n${more}`,
  );

it('shows medians, ratios with their spread, and in which direction all turns agree', () => {
  const then = [turn(4, 4000), turn(5, 3900), turn(4.6, 3950)];
  const now = [turn(8, 2800), turn(7, 2700), turn(6.9, 2750, '✓ new: 12345 MB (≤ 99999)')];
  expect(compareFigures('22be58d', then, now).split('\n')).toEqual([
    'figure             22be58d    now  ratio      turns',
    'overhead, ms           4.6      7    1.5      1.4–2  worse',
    'rebuild, models/s     3950   2750  0.696  0.692–0.7  worse',
    'page, ms               1.6    1.9      1     1–1.19',
    'new, MB                  —  12350      —          —',
  ]);
});

it('says nothing of a direction after one turn', () => {
  expect(compareFigures('HEAD', [turn(4, 4000)], [turn(2, 8000)])).not.toMatch(/worse|better/);
  expect(compareFigures('HEAD', [turn(4, 4000), turn(4, 4000)], [turn(2, 8000), turn(3, 4100)])).toMatch(
    /^overhead.*better\nrebuild.*better$/m,
  );
});
