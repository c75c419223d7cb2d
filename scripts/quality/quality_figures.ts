/**
 * The figures of docs/quality.md: `docs/quality/figures.json` has today's, `docs/quality/history.csv` those
 * of earlier versions. Benchmarks and quality commands update them with `--write`; `npm run docs` makes the
 * page.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'docs/quality/figures.json');
const historyFile = join(root, 'docs/quality/history.csv');

const short = z.string().max(80);
const values = z.array(z.number()).min(1);
/** One limit for all values, or one for each. `within` limits the absolute value. */
const target = z.union([
  z.strictObject({ max: values }),
  z.strictObject({ min: values }),
  z.strictObject({ within: values }),
]);
const figure = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  area: z.string(),
  figure: short.min(1),
  unit: short,
  target: target.nullable(),
  today: values,
  measured: z.strictObject({ date: z.iso.date(), commit: z.string().regex(/^[0-9a-f]{8}$/) }),
  command: short.min(1),
  note: short.optional(),
  /** The names under which the benchmark prints these values (`report` in test/bench/limits.ts). */
  prints: z.array(z.string()).min(1).optional(),
});
const figuresFile = z.strictObject({
  areas: z.array(z.strictObject({ id: z.string(), title: z.string(), text: z.string() })),
  figures: z.array(figure),
});

export type QualityFigure = z.infer<typeof figure>;
export type QualityFigures = z.infer<typeof figuresFile>;

export const readQualityFigures = (): QualityFigures =>
  figuresFile.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Whether a figure reaches its target; true without a target. */
export function meetsTarget({ target, today }: Pick<QualityFigure, 'target' | 'today'>): boolean {
  return today.every((value, at) => {
    if (target === null) return true;
    const [kind, limits] = Object.entries(target)[0] as ['max' | 'min' | 'within', number[]];
    const limit = limits[limits.length === 1 ? 0 : at] ?? Number.NaN;
    if (kind === 'min') return value >= limit;
    return (kind === 'max' ? value : Math.abs(value)) <= limit;
  });
}

/** Returns the figures with a new value for one of them, with today's date and this commit. */
export function withFigure(
  figures: QualityFigures,
  { id, value, measured }: { id: string; value: readonly number[]; measured: QualityFigure['measured'] },
): QualityFigures {
  const found = figures.figures.find((each) => each.id === id);
  if (!found) throw new Error(`docs/quality/figures.json has no figure “${id}”.`);
  if (value.length !== found.today.length || value.some((each) => !Number.isFinite(each)))
    throw new Error(`Figure “${id}” has ${found.today.length} values; measured: ${value.join('; ')}.`);
  const today = value.map((each) => Number(each.toPrecision(4)));
  // A note belongs to the value before.
  const { note, ...rest } = found;
  const changed: QualityFigure = { ...rest, today, measured };
  return { ...figures, figures: figures.figures.map((each) => (each === found ? changed : each)) };
}

/**
 * Whether the command was started to update the page: `npm run quality -- … --write`, `npm run bench --
 * --write`.
 */
export const writesFigures = (): boolean =>
  process.argv.includes('--write') || process.env.LIKENESS_WRITE_FIGURES === '1';

/** Records a measured value if the command writes figures. The earlier value goes to the history. */
export function recordFigure({ id, value }: { id: string; value: number | readonly number[] }): void {
  if (!writesFigures()) return;
  const before = readQualityFigures();
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const measured = {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short=8', 'HEAD').slice(0, 8),
  };
  const after = withFigure(before, { id, value: [value].flat(), measured });
  const old = before.figures.find((each) => each.id === id);
  if (old)
    appendFileSync(
      historyFile,
      `${id},${old.measured.date} ${old.measured.commit},${old.today.join('; ')}\n`,
    );
  writeFileSync(file, figuresText(after));
}

/** The text of figures.json: each list of numbers on one line, as the formatter has it. */
export const figuresText = (figures: QualityFigures): string =>
  `${JSON.stringify(figures, null, 2).replaceAll(/\[\s+([-\d.,\s]+?)\s+\]/g, (_, list: string) => `[${list.replaceAll(/\s+/g, ' ')}]`)}\n`;

/**
 * Records the numbers of a printed cell, such as `0.77 (2.2) / 0.92 (16.5)`; they belong to `ids` in turn.
 */
export function recordCell(row: { ids: readonly string[]; cell: string | undefined; suffix: string }): void {
  const numbers = row.cell?.match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
  for (const [turn, id] of row.ids.entries()) {
    const value = numbers.filter((_, at) => at % row.ids.length === turn);
    recordFigure({ id: `${id}-${row.suffix}`, value });
  }
}

/** Records a value by its name in the output of a benchmark, if the page shows it. */
export function recordPrintedFigure(
  bench: string,
  printed: { name: string; value: number; unit: string },
): void {
  if (!writesFigures()) return;
  const found = readQualityFigures().figures.find(
    ({ command, prints }) => command.endsWith(`npm run bench -- ${bench}`) && prints?.includes(printed.name),
  );
  if (!found) return;
  if (found.unit !== printed.unit)
    throw new Error(
      `“${printed.name}” is in ${printed.unit}, in docs/quality/figures.json in ${found.unit}.`,
    );
  const at = found.prints?.indexOf(printed.name);
  recordFigure({ id: found.id, value: found.today.map((value, k) => (k === at ? printed.value : value)) });
}
