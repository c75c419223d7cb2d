import { inEnglish } from '@likeness/messages';
import { csvLine } from '@likeness/node-kit/csv.ts';
import { hashedFields } from './entry_hash.ts';
import type { Journal } from './journal.ts';
import type { JournalEntry, JournalFilter } from './journal_entry.ts';

export type ExportFormat = 'csv' | 'jsonl';

const fields = [...hashedFields, 'hash'] as const;

export const exportMediaType: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

/**
 * Exports the journal as a file, piece by piece, oldest first.
 *
 * CSV follows RFC 4180, with a byte order mark (without it Excel guesses another encoding) and times in ISO
 * 8601. Texts that a spreadsheet would run as a formula get a `'` in front. JSON lines carry each entry
 * unchanged, hash included, so that the chain can be checked without the studio (see `entryHash`).
 */
export async function* exportJournal(
  journal: Pick<Journal, 'matching'>,
  format: ExportFormat,
  filter: JournalFilter,
): AsyncGenerator<string> {
  if (format === 'csv') yield `\ufeff${csvLine(fields)}`;
  for await (const entries of journal.matching(filter)) {
    yield entries.map(format === 'csv' ? tableLine : jsonLine).join('');
  }
}

function jsonLine(entry: JournalEntry): string {
  return `${JSON.stringify(Object.fromEntries(fields.map((field) => [field, plainValue(entry, field)])))}\n`;
}

const tableLine = (entry: JournalEntry): string =>
  csvLine(
    fields.map((field) => (field === 'at' ? new Date(entry.at).toISOString() : plainValue(entry, field))),
  );

/** Returns the message in English, as the hash covers it. */
const plainValue = (entry: JournalEntry, field: (typeof fields)[number]): string | number | null => {
  const value = entry[field];
  return typeof value === 'object' && value !== null ? inEnglish(value) : value;
};
