import type { DatabaseSync } from 'node:sqlite';
import { type Message, t } from '@likeness/messages';
import type { Head } from './chain_head.ts';
import { entryHash, genesisHash, hashedFields } from './entry_hash.ts';
import type { JournalEntry } from './journal_entry.ts';
import { monthOf } from './spending.ts';

/** Result of checking that the journal is complete and unchanged. */
export interface Verification {
  ok: boolean;
  entries: number;
  /** Sequence of the first entry at fault; null if there is none, or if it is unknown. */
  firstBroken: number | null;
  detail: Message;
}

const limits = t('journal.limits');

/**
 * Reads every entry and recomputes its hash from the previous one. Compares the end with the head file, and
 * the usage sums with the entries that they summarise.
 *
 * Detected: entries altered, removed, inserted, moved or swapped; entries cut off the end, while the studio
 * was open or closed. Also losses found at an earlier start, and totals that were lowered. Not detected: a
 * journal rewritten completely, hashes included, together with its head file. There is no secret in the
 * chain: the journal must work while the keys are locked.
 */
export async function verifyEntries(
  db: DatabaseSync,
  head: Head,
  nextTurn: () => Promise<void>,
): Promise<Verification> {
  const page = db.prepare(
    `SELECT ${hashedFields.join(', ')}, hash FROM entries WHERE sequence > ? ORDER BY sequence LIMIT 2000`,
  );
  const mark = head.mark();
  const sums = new Map<string, { calls: number; cost: number }>();
  let entries = 0;
  let hash = genesisHash;
  const broken = (firstBroken: number | null, detail: Message): Verification => ({
    ok: false,
    entries,
    firstBroken,
    detail,
  });

  for (;;) {
    const rows = page.all(entries) as unknown as JournalEntry[];
    if (rows.length === 0) break;
    for (const row of rows) {
      if (row.sequence !== entries + 1) {
        return broken(
          entries + 1,
          t('journal.entry_missing', {
            entries,
            last: entries + 1,
            sequence: row.sequence,
            limits,
          }),
        );
      }
      if (row.hash !== entryHash(hash, row)) {
        return broken(row.sequence, t('journal.entry_altered', { sequence: row.sequence, limits }));
      }
      entries += 1;
      hash = row.hash;
      if (mark?.entries === entries && mark.hash !== hash) {
        return broken(entries, t('journal.entry_other', { entries, limits }));
      }
      if (row.kind === 'call') addUp(sums, row);
    }
    await nextTurn();
  }

  if (mark === null) return broken(null, t('journal.end_file_missing', { limits }));
  if (mark.entries > entries) {
    return broken(
      entries + 1,
      t('journal.end_entries_missing', { entries: entries + 1, last: mark.entries, limits }),
    );
  }
  const [loss] = head.losses();
  if (loss !== undefined) {
    return broken(
      loss.firstLost,
      t('journal.loss_found', {
        entries,
        when: new Date(loss.at).toISOString(),
        detail: loss.detail,
        limits,
      }),
    );
  }
  const wrongSum = differingSum(db, sums);
  if (wrongSum !== null) return broken(null, wrongSum);
  return {
    ok: true,
    entries,
    firstBroken: null,
    detail: t('journal.intact', { entries, limits }),
  };
}

function addUp(sums: Map<string, { calls: number; cost: number }>, entry: JournalEntry): void {
  const key = JSON.stringify([monthOf(entry.at), entry.profileId, entry.currency]);
  const sum = sums.get(key) ?? { calls: 0, cost: 0 };
  sum.calls += 1;
  sum.cost += entry.cost;
  sums.set(key, sum);
}

function differingSum(db: DatabaseSync, sums: Map<string, { calls: number; cost: number }>): Message | null {
  for (const row of db.prepare('SELECT month, profileId, currency, calls, cost FROM usage').all()) {
    const key = JSON.stringify([row.month, row.profileId, row.currency]);
    const sum = sums.get(key);
    sums.delete(key);
    // Another process may have added entries meanwhile, so more entries are fine; fewer are not.
    const calls = sum?.calls ?? 0;
    const cost = sum?.cost ?? 0;
    if (Number(row.calls) < calls || Number(row.cost) < cost - 1e-6 * Math.max(1, cost)) {
      return t('journal.sums_lower', { row: String(row.month), profile: String(row.profileId), limits });
    }
  }
  return sums.size === 0 ? null : t('journal.sums_missing', { limits });
}
