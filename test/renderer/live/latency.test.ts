import { expect, test } from 'vitest';
import { adviceOf, LatencyStats } from '../../../renderer/live/latency.ts';

const row = (solve: number) => ({ capture: 10, send: 2, solve, return: 1, render: 7 });

test('figures are of a session that has settled, and of its newest frames', () => {
  const book = new LatencyStats();
  // A first second in which everything is started.
  for (let frame = 0; frame < 60; frame++) book.add(row(400));
  expect(book.figures()).toBeNull();
  for (let frame = 0; frame < 600; frame++) book.add(row(frame < 300 ? 30 : 50));
  expect(book.figures()).toMatchObject({
    solve: { p50: 30, p95: 50 },
    capture: { p50: 10, p95: 10 },
    total: { p50: 50, p95: 70 },
  });
  for (let frame = 0; frame < 540; frame++) book.add(row(20));
  expect(book.figures()!.solve).toEqual({ p50: 20, p95: 50 });
  for (let frame = 0; frame < 60; frame++) book.add(row(20));
  expect(book.figures()!.solve).toEqual({ p50: 20, p95: 20 });
});

test('who is later than acceptable is told what to change, and nobody else', () => {
  const figures = (changes: Partial<Record<'capture' | 'send' | 'solve' | 'return' | 'render', number>>) => {
    const stage = { capture: 20, send: 5, solve: 5, return: 2, render: 10, ...changes };
    const total = Object.values(stage).reduce((sum, value) => sum + value, 0);
    return Object.fromEntries(
      Object.entries({ ...stage, total }).map(([name, p95]) => [name, { p50: p95, p95 }]),
    ) as Parameters<typeof adviceOf>[0];
  };
  expect(adviceOf(figures({}), { lookahead: 60, rate: 20 })).toEqual([]);
  expect(adviceOf(figures({ capture: 90 }), { lookahead: 20, rate: 60 })).toEqual(['lookahead', 'device']);
  expect(adviceOf(figures({ solve: 60 }), { lookahead: 0, rate: 60 })).toEqual(['busy']);
  expect(adviceOf(figures({ render: 90 }), { lookahead: 0, rate: 20 })).toEqual(['busy', 'drawing']);
  expect(adviceOf(figures({ capture: 55, send: 30 }), { lookahead: 0, rate: 60 })).toEqual(['busy']);
});
