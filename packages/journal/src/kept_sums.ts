import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { transaction } from '@likeness/node-kit/storage/database.ts';
import { monthOf } from './spending.ts';

type Sums = Record<string, SQLInputValue>;

const ofMonth = 'SELECT * FROM usage WHERE month = ?';
const ofProfile = 'SELECT * FROM usage WHERE month = ? AND profileId = ? AND currency = ?';
/** Sums only grow, even if two processes write them. */
const raise = `
  INSERT INTO usage (month, profileId, currency, profileName, calls, failed, seconds, frames, models, cost)
  VALUES ($month, $profileId, $currency, $profileName, $calls, $failed, $seconds, $frames, $models, $cost)
  ON CONFLICT DO UPDATE SET
    calls = max(calls, excluded.calls), failed = max(failed, excluded.failed),
    seconds = max(seconds, excluded.seconds), frames = max(frames, excluded.frames),
    models = max(models, excluded.models), cost = max(cost, excluded.cost)`;

/**
 * Keeps a copy of the journal's monthly sums in the head. Spending caps and caps of a service's keys are
 * compared with these sums. Without the copy, a damaged or removed journal would reset every cap.
 */
export class KeptSums {
  readonly #journal: DatabaseSync;
  readonly #copy: DatabaseSync;
  /** Sums that grew since the last copy. */
  readonly #changed = new Map<string, [month: string, profileId: string, currency: string]>();

  /** @param copy - The head's database. */
  constructor(journal: DatabaseSync, copy: DatabaseSync) {
    this.#journal = journal;
    this.#copy = copy;
  }

  grew({ at, profileId, currency }: { at: number; profileId: string; currency: string }): void {
    const month = monthOf(at);
    this.#changed.set(JSON.stringify([month, profileId, currency]), [month, profileId, currency]);
  }

  /** Copies the changed sums. */
  copy(): void {
    if (this.#changed.size === 0) return;
    const read = this.#journal.prepare(ofProfile);
    const rows = [...this.#changed.values()].map((key) => read.get(...key));
    put(this.#copy, rows);
    this.#changed.clear();
  }

  /** Copies all sums of a month: the head may be new. */
  copyMonth(at: number): void {
    put(this.#copy, this.#journal.prepare(ofMonth).all(monthOf(at)));
  }

  /** Restores the sums after a loss to their earlier values, whatever entries remain. */
  restore(): void {
    put(this.#journal, this.#copy.prepare('SELECT * FROM usage').all());
  }
}

function put(db: DatabaseSync, rows: readonly (Sums | undefined)[]): void {
  if (rows.length === 0) return;
  const write = db.prepare(raise);
  transaction(db, () => {
    for (const row of rows) if (row) write.run(row);
  });
}
