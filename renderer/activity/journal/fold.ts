import type { JournalEntry } from '#contract';

/** A row of the table: an entry, and the looks at the same head that lie folded under it. */
export interface FoldedRow {
  entry: JournalEntry;
  /** What the row opens and closes; undefined where nothing is folded. */
  fold?: { key: string; count: number; open: boolean };
  /** One of the looks of an open fold. */
  inside: boolean;
}

const keyOf = ({ operation, outcome, profileId, subject }: JournalEntry): string | undefined =>
  operation === 'get_model' && outcome === 'ok' && subject ? `${profileId} ${subject}` : undefined;

/**
 * A head that is waited for is asked after again and again: those looks become one row, at the newest of
 * them. What failed stays a row of its own, as it must be seen.
 *
 * @param entries newest first
 * @param opened keys of folds that show what is in them
 */
export function foldLooks(entries: readonly JournalEntry[], opened: ReadonlySet<string>): FoldedRow[] {
  const looks = Map.groupBy(entries, keyOf);
  const told = new Set<string>();
  return entries.flatMap((entry): FoldedRow[] => {
    const key = keyOf(entry);
    const same = key === undefined ? undefined : looks.get(key);
    if (key === undefined || !same || same.length === 1) return [{ entry, inside: false }];
    if (told.has(key)) return [];
    told.add(key);
    const open = opened.has(key);
    return [
      { entry, fold: { key, count: same.length, open }, inside: false },
      ...(open ? same.slice(1).map((look) => ({ entry: look, inside: true })) : []),
    ];
  });
}
