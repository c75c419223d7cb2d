import type { NameRow, NameTable, ShapePart } from '@likeness/gltf/formats/names/name_table.ts';
import { type CsvField, csvLine, fieldText, readCsv } from '@likeness/node-kit/csv.ts';
import { NameEntry, nameTableColumns, type nameTableFaults } from '#contract';

/** Maximum entries of a table. */
const maxEntries = 2000;

/**
 * Returns a table's rows as entries: one per shape of each alternative, in order. An alternative without
 * shapes has one empty entry.
 */
export const entriesOf = (rows: readonly NameRow[]): NameEntry[] =>
  rows.flatMap(({ name, alternatives }) =>
    alternatives.flatMap((parts, at): NameEntry[] =>
      parts.length === 0
        ? [{ name, variant: at + 1, shape: '', weight: 1, side: null }]
        : parts.map((part) => ({ name, variant: at + 1, ...part })),
    ),
  );

/** Builds a table from entries; entries of the same name belong together, in any order. */
export function tableOf(id: string, entries: readonly NameEntry[]): NameTable {
  const names = new Map<string, Map<number, ShapePart[]>>();
  for (const { name, variant, shape, weight, side } of entries) {
    const alternatives = names.get(name) ?? new Map<number, ShapePart[]>();
    const parts = alternatives.get(variant) ?? [];
    if (shape !== '') parts.push({ shape, weight, side });
    names.set(name, alternatives.set(variant, parts));
  }
  return {
    id,
    rows: [...names].map(([name, alternatives]) => ({
      name,
      alternatives: [...alternatives].toSorted(([a], [b]) => a - b).map(([, parts]) => parts),
    })),
  };
}

/** A table as CSV with the columns `name,variant,shape,weight,side`. */
export const csvOfEntries = (entries: readonly NameEntry[]): string =>
  [
    nameTableColumns,
    ...entries.map(({ name, variant, shape, weight, side }) => [name, variant, shape, weight, side]),
  ]
    .map(csvLine)
    .join('');

type Column = (typeof nameTableColumns)[number];
export interface EntryFault {
  line: number;
  column: number;
  fault: (typeof nameTableFaults)[number];
  /** The subject of the error; empty if it is the line or the whole table. */
  value: string;
}

/**
 * Parses a table from CSV: columns in any order, `name` and `shape` required. An empty variant is the first, an
 * empty weight 1.
 *
 * @returns Its entries, and every error by line and column; don't use a table with errors
 */
export function entriesOfCsv(csv: string): { entries: NameEntry[]; faults: EntryFault[] } {
  const { lines, open } = readCsv(csv);
  const faults: EntryFault[] = [];
  const note = (
    { line, column }: { line: number; column: number },
    fault: EntryFault['fault'],
    value = '',
  ) => {
    faults.push({ line, column, fault, value: value.length > 100 ? `${value.slice(0, 100)}…` : value });
  };
  const start = { line: 1, column: 1 };
  if (open) note(open, 'open_quote');
  const [header, ...body] = lines.filter((fields) => fields.some((field) => fieldText(field) !== ''));
  if (!header || body.length === 0) note(start, 'empty');
  if (!header || faults.length > 0) return { entries: [], faults };
  const columns = header.map((field) => {
    const given = fieldText(field).toLowerCase();
    // Tables of earlier versions call the variant so.
    const title = given === 'way' ? 'variant' : given;
    const found = nameTableColumns.find((name) => name === title);
    if (!found && title !== '') note(field, 'unknown_column', title);
    return found;
  });
  for (const needed of ['name', 'shape'] as const)
    if (!columns.includes(needed)) note(start, 'no_column', needed);
  if (body.length > maxEntries) note(body[maxEntries]![0]!, 'too_many', String(maxEntries));
  if (faults.length > 0) return { entries: [], faults };
  const entries = body.flatMap((fields) => entryOf(fields, columns, note) ?? []);
  return { entries, faults };
}

function entryOf(
  fields: readonly CsvField[],
  columns: readonly (Column | undefined)[],
  note: (at: CsvField, fault: EntryFault['fault'], value?: string) => void,
): NameEntry | null {
  const of = (column: Column): string => {
    const field = fields[columns.indexOf(column)];
    return field ? fieldText(field) : '';
  };
  const given = {
    name: of('name').trim(),
    variant: of('variant') === '' ? 1 : Number(of('variant')),
    shape: of('shape').trim(),
    // A spreadsheet with German or French settings writes a comma.
    weight: of('weight') === '' ? 1 : Number(of('weight').replace(',', '.')),
    side: of('side').toLowerCase() || null,
  };
  const { success, data, error } = NameEntry.safeParse(given);
  if (success) return data;
  const tooLong = (column: 'name' | 'shape') => (given[column] === '' ? 'name_missing' : 'too_long');
  const kinds = {
    name: tooLong('name'),
    shape: tooLong('shape'),
    variant: 'no_variant',
    weight: 'no_weight',
    side: 'no_side',
  } as const;
  for (const { path } of error.issues) {
    const column = path[0] as Column;
    note(fields[columns.indexOf(column)] ?? fields[0]!, kinds[column], of(column));
  }
  return null;
}
