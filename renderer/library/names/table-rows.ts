import type { NameEntry } from '#contract';
import { nameEntryLimits } from '#contract/constants.ts';

/** A line of a table as it is typed. */
export interface TableRow {
  /** Unique while the table is open. */
  key: number;
  shape: string;
  name: string;
  weight: string;
  side: NonNullable<NameEntry['side']> | '';
  variant: string;
}

/** A new line; its key is above all of the others'. */
export const newRow = (rows: readonly TableRow[]): TableRow => ({
  key: Math.max(0, ...rows.map(({ key }) => key)) + 1,
  shape: '',
  name: '',
  weight: '1',
  side: '',
  variant: '1',
});

export const rowsOf = (entries: readonly NameEntry[]): TableRow[] =>
  entries.map(({ name, variant, shape, weight, side }, at) => ({
    key: at + 1,
    shape,
    name,
    weight: String(weight),
    side: side ?? '',
    variant: String(variant),
  }));

/** The parsed lines; null for one that is not valid yet. */
export const entriesOf = (rows: readonly TableRow[]): (NameEntry | null)[] => rows.map(entryOf);

export function entryOf({ name, variant, shape, weight, side }: TableRow): NameEntry | null {
  const number = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')));
  const given = {
    name: name.trim(),
    variant: number(variant),
    shape: shape.trim(),
    weight: number(weight),
    side: side || null,
  };
  const limits = nameEntryLimits;
  const isIn = (value: number, { least, most }: { least: number; most: number }): boolean =>
    value >= least && value <= most;
  const fits =
    isIn(given.name.length, limits.name) &&
    given.shape.length <= limits.shape.most &&
    Number.isInteger(given.variant) &&
    isIn(given.variant, limits.variant) &&
    isIn(given.weight, limits.weight);
  return fits ? given : null;
}
