/** Reads the figures that benchmarks print (`report` in test/bench/limits.ts) and compares two commits' figures. */
import { percentile } from '@likeness/proto/percentile.ts';

export interface PrintedFigure {
  name: string;
  value: number;
  unit: string;
  /** Whether higher is better: the limit is a minimum. */
  moreIsBetter: boolean;
}

const printedFigure = /^[✓✗] (.+): (\S+) (\S.*) \(([≤≥]) \S+\)$/;

/** The figures in a benchmark's output; other lines are skipped. */
export function readFigures(output: string): PrintedFigure[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [, name, value, unit, sign] = printedFigure.exec(line) ?? [];
    if (name === undefined || unit === undefined || !Number.isFinite(Number(value))) return [];
    return [{ name, value: Number(value), unit, moreIsBetter: sign === '≥' }];
  });
}

/**
 * A table of each figure's median at both commits, and of now ÷ then with its lowest and highest value over
 * the turns. The last column says where every turn agrees that the figure became worse or better.
 *
 * @param then, now - One list of figures for each turn, in the same order.
 * @param ref - Names the older commit in the head of the table.
 */
export function compareFigures(
  ref: string,
  then: readonly PrintedFigure[][],
  now: readonly PrintedFigure[][],
): string {
  const units = new Map([...then, ...now].flat().map((figure) => [figure.name, figure]));
  const rows = [...units.values()].map(({ name, unit, moreIsBetter }) => {
    const [before, after] = [valuesOf(name, then), valuesOf(name, now)];
    const ratios = before.flatMap((value, turn) => {
      const ratio = (after[turn] ?? Number.NaN) / value;
      return Number.isFinite(ratio) ? [ratio] : [];
    });
    const worse = ratios.map((ratio) => (moreIsBetter ? ratio < 1 : ratio > 1));
    const better = ratios.map((ratio) => (moreIsBetter ? ratio > 1 : ratio < 1));
    const agreed = worse.every(Boolean) ? 'worse' : better.every(Boolean) ? 'better' : '';
    return [
      `${name}, ${unit}`,
      medianText(before),
      medianText(after),
      medianText(ratios),
      ratios.length === 0 ? '—' : `${short(Math.min(...ratios))}–${short(Math.max(...ratios))}`,
      ratios.length > 1 ? agreed : '',
    ];
  });
  return inColumns([['figure', ref, 'now', 'ratio', 'turns', ''], ...rows]);
}

/** A figure's value in each turn; NaN if a turn did not print it. */
const valuesOf = (name: string, turns: readonly PrintedFigure[][]): number[] =>
  turns.map((figures) => figures.find((figure) => figure.name === name)?.value ?? Number.NaN);

function medianText(values: readonly number[]): string {
  const measured = values.filter((value) => !Number.isNaN(value));
  return measured.length === 0 ? '—' : short(percentile(measured, 0.5));
}

/** Three digits, without an exponent. */
const short = (value: number): string => String(Number(value.toPrecision(value >= 1000 ? 4 : 3)));

/** The first column on the left, the others under each other's right edge. */
function inColumns(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
