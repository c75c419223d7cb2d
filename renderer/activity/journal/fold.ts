import type { JournalEntry } from '#contract';

/** A row of the table: an entry, with earlier polls of the same head folded under it. */
export interface FoldedRow {
  entry: JournalEntry;
  /** Key of the fold that the row opens and closes; undefined if nothing is folded. */
  fold?: { key: string; count: number; open: boolean };
  /** A poll inside an open fold. */
  inside: boolean;
}

const keyOf = ({ operation, outcome, profileId, subject }: JournalEntry): string | undefined =>
  operation === 'get_model' && outcome === 'ok' && subject ? `${profileId} ${subject}` : undefined;

/**
 * While a head is in progress its state is polled: those entries are folded into one row, at the newest.
 * Failures keep rows of their own, so that they are seen.
 *
 * @param entries newest first
 * @param opened keys of the open folds
 */
export function foldLooks(entries: readonly JournalEntry[], opened: ReadonlySet<string>): FoldedRow[] {
  const groups = Map.groupBy(entries, keyOf);
  const shown = new Set<string>();
  return entries.flatMap((entry): FoldedRow[] => {
    const key = keyOf(entry);
    const same = key === undefined ? undefined : groups.get(key);
    if (key === undefined || !same || same.length === 1) return [{ entry, inside: false }];
    if (shown.has(key)) return [];
    shown.add(key);
    const open = opened.has(key);
    return [
      { entry, fold: { key, count: same.length, open }, inside: false },
      ...(open ? same.slice(1).map((other) => ({ entry: other, inside: true })) : []),
    ];
  });
}
