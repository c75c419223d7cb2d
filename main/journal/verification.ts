import type { DatabaseSync } from 'node:sqlite';
import type { CallOutput, JournalEntry } from '#contract';
import { entryHash, genesisHash, hashedFields } from './entry_hash.ts';
import type { Head } from './head.ts';
import { monthOf } from './spending.ts';

export type Verification = CallOutput<'journal', 'verify'>;

const limits =
  'This finds entries that were altered, removed, inserted or moved, and a cut-off end. It can’t find that somebody who can write to the data folder rewrote the whole journal and the file that remembers its end; keep exports elsewhere for that.';

/**
 * Reads every entry, works out its hash anew from the one before, compares the end with what the second place
 * remembers, and the usage sums with the entries they sum up.
 *
 * Found: entries altered, removed, inserted, moved or swapped; entries cut off the end while the studio was
 * closed or open; losses that were found at an earlier start; sums that were lowered.
 * Not found: a journal that was rewritten as a whole, hashes included, together with its head file. There is no
 * secret in the chain: the journal must work while the keys are locked.
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
  const broken = (firstBroken: number | null, detail: string): Verification => ({
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
          `Entry ${entries + 1} is missing: after ${entries} comes ${row.sequence}. ${limits}`,
        );
      }
      if (row.hash !== entryHash(hash, row)) {
        return broken(
          row.sequence,
          `Entry ${row.sequence} was altered, or one before it was replaced. ${limits}`,
        );
      }
      entries += 1;
      hash = row.hash;
      if (mark?.entries === entries && mark.hash !== hash) {
        return broken(entries, `Entry ${entries} is not the one that was written. ${limits}`);
      }
      if (row.kind === 'call') addUp(sums, row);
    }
    await nextTurn();
  }

  if (mark === null) return broken(null, `The file that remembers the journal's end is missing. ${limits}`);
  if (mark.entries > entries) {
    return broken(
      entries + 1,
      `Entries ${entries + 1} to ${mark.entries} are missing from the end. ${limits}`,
    );
  }
  const [loss] = head.losses();
  if (loss !== undefined) {
    return broken(
      loss.firstLost,
      `The ${entries} entries belong together, but on ${new Date(loss.at).toISOString()} a loss was found: ${loss.detail} ${limits}`,
    );
  }
  const wrongSum = differingSum(db, sums);
  if (wrongSum !== null) return broken(null, `All entries are as written, but ${wrongSum} ${limits}`);
  return {
    ok: true,
    entries,
    firstBroken: null,
    detail: `All ${entries} entries are as they were written. ${limits}`,
  };
}

function addUp(sums: Map<string, { calls: number; cost: number }>, entry: JournalEntry): void {
  const key = JSON.stringify([monthOf(entry.at), entry.profileId, entry.currency]);
  const sum = sums.get(key) ?? { calls: 0, cost: 0 };
  sum.calls += 1;
  sum.cost += entry.cost;
  sums.set(key, sum);
}

function differingSum(db: DatabaseSync, sums: Map<string, { calls: number; cost: number }>): string | null {
  for (const row of db.prepare('SELECT month, profileId, currency, calls, cost FROM usage').all()) {
    const key = JSON.stringify([row.month, row.profileId, row.currency]);
    const sum = sums.get(key);
    sums.delete(key);
    // Entries of another process may have come in meanwhile: more is no contradiction here, less is.
    const calls = sum?.calls ?? 0;
    const cost = sum?.cost ?? 0;
    if (Number(row.calls) < calls || Number(row.cost) < cost - 1e-6 * Math.max(1, cost)) {
      return `the sums of ${String(row.month)} for “${String(row.profileId)}” are lower than its entries.`;
    }
  }
  return sums.size === 0 ? null : 'the sums of a month are missing.';
}
