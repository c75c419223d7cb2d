import type { DatabaseSync } from 'node:sqlite';
import { type Message, t } from '@likeness/messages';
import type { HeadMark } from './chain_head.ts';

/** The entries lost since the journal was last written. */
export interface ChainLoss {
  /** First sequence that is missing or was replaced; null if unknown. */
  firstLost: number | null;
  detail: Message;
}

/**
 * Compares the journal's end with the head.
 *
 * @param mark - Null if the head is empty.
 * @param wasQuarantined - A damaged predecessor was found and kept.
 * @returns Null if nothing is missing.
 */
export function chainLoss(
  db: DatabaseSync,
  entries: number,
  mark: HeadMark | null,
  wasQuarantined: boolean,
): ChainLoss | null {
  if (mark === null) {
    if (entries === 0 && !wasQuarantined) return null;
    return { firstLost: null, detail: t('journal.end_missing', { entries }) };
  }
  if (mark.entries > entries) {
    const aside = wasQuarantined ? 'kept_aside' : 'none';
    return {
      firstLost: entries + 1,
      detail: t('journal.missing_end', { entries: entries + 1, last: mark.entries, aside }),
    };
  }
  if (mark.entries === 0) return null;
  const row = db.prepare('SELECT hash FROM entries WHERE sequence = ?').get(mark.entries);
  if (row?.hash === mark.hash) return null;
  return { firstLost: mark.entries, detail: t('journal.other_entry', { entries: mark.entries }) };
}
