import type { DatabaseSync } from 'node:sqlite';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { transaction } from '@likeness/node-kit/storage/database.ts';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
import type { PricedCall } from './metered_call.ts';

/** Sums of a profile in a month, in one currency. */
export interface Spending {
  /** Billed by finished calls. */
  spent: number;
  /** Possible cost of calls in progress. */
  reserved: number;
}

/** A reservation of a process that has ended: its call may or may not have been billed. */
export interface Orphan extends Omit<PricedCall, 'monthlyCap' | 'entrusted'> {
  id: number;
  at: number;
}

/**
 * No call takes this long: a reservation older than a day belongs to a process whose id was reused.
 */
const longestCallMs = 24 * 60 * 60 * 1000;

export interface SpendingOptions {
  db: DatabaseSync;
  clock: () => number;
  /** This process and a name for this run of it, because process ids are reused. */
  processId: number;
  run: string;
  isProcessAlive: (processId: number) => boolean;
}

/** The calendar month in UTC, `2026-11`, of a time in milliseconds since 1970. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/**
 * The money spent, and the possible cost of calls in progress. The reservations are in the database, so that
 * parallel calls, also of two processes, can't exceed the cap together. The next start finds those of a
 * crashed process.
 */
export class SpendingStore {
  readonly #options: SpendingOptions;
  readonly #prepare: ReturnType<typeof preparedOnce>;

  constructor(options: SpendingOptions) {
    this.#options = options;
    this.#prepare = preparedOnce(options.db);
  }

  spending(profileId: string, currency: string, month = monthOf(this.#options.clock())): Spending {
    const spent = this.#prepare(
      'SELECT cost FROM usage WHERE month = ? AND profileId = ? AND currency = ?',
    ).get(month, profileId, currency);
    const reserved = this.#prepare(
      'SELECT total(cost) AS cost FROM reservations WHERE month = ? AND profileId = ? AND currency = ?',
    ).get(month, profileId, currency);
    return { spent: Number(spent?.cost ?? 0), reserved: Number(reserved?.cost ?? 0) };
  }

  /** @throws Failure `cap_reached` with the sums. */
  #check(call: Pick<PricedCall, 'profileId' | 'monthlyCap' | 'currency' | 'plannedCost'>): void {
    const { monthlyCap, currency, plannedCost } = call;
    if (monthlyCap === null || !(plannedCost > 0)) return;
    const { spent, reserved } = this.spending(call.profileId, currency);
    // Tolerance for floating-point sums: a call that exactly reaches the cap is allowed.
    if (spent + reserved + plannedCost <= monthlyCap * (1 + 1e-9) + 1e-9) return;
    throw new Failure(
      'cap_reached',
      t('spending.cap', {
        money: money(plannedCost),
        currency,
        money2: money(spent),
        money3: money(monthlyCap),
        underWay: reserved > 0 ? 'under_way' : 'none',
        underWayMoney: money(reserved),
      }),
      {
        hint: t('spending.raise_cap'),
      },
    );
  }

  /**
   * Checks the cap and reserves the money in one step.
   *
   * @returns The reservation's id; null if no reservation is needed.
   * @throws Failure `cap_reached`.
   */
  reserve(call: PricedCall): number | null {
    if (!needsReservation(call)) return null;
    const { db, clock, processId, run } = this.#options;
    return transaction(
      db,
      () => {
        this.#check(call);
        const at = clock();
        const { lastInsertRowid } = this.#prepare(
          `INSERT INTO reservations (at, month, profileId, profileName, operation, subject, currency, cost, processId, run)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          at,
          monthOf(at),
          call.profileId,
          call.profileName,
          call.operation,
          call.subject,
          call.currency,
          call.plannedCost,
          processId,
          run,
        );
        return Number(lastInsertRowid);
      },
      'full',
    );
  }

  /**
   * Raises the reservation of a continuing call; never lowers it.
   *
   * @throws Failure `cap_reached`; then the earlier reservation stays.
   */
  raise(id: number, call: PricedCall): void {
    const { db } = this.#options;
    transaction(
      db,
      () => {
        const reserved = Number(db.prepare('SELECT cost FROM reservations WHERE id = ?').get(id)?.cost ?? 0);
        if (!(call.plannedCost > reserved)) return;
        this.#check({ ...call, plannedCost: call.plannedCost - reserved });
        db.prepare('UPDATE reservations SET cost = ? WHERE id = ?').run(call.plannedCost, id);
      },
      'full',
    );
  }

  /** Releases the reserved money. Can be called again. */
  free(id: number): void {
    const { db } = this.#options;
    transaction(db, () => this.#prepare('DELETE FROM reservations WHERE id = ?').run(id), 'full');
  }

  /** Reservations of dead processes. */
  orphans(): Orphan[] {
    const { db, clock, processId, run, isProcessAlive } = this.#options;
    const now = clock();
    return db
      .prepare('SELECT * FROM reservations ORDER BY id')
      .all()
      .filter((row) => {
        if (row.run === run) return false;
        const sameNumber = Number(row.processId) === processId;
        return sameNumber || now - Number(row.at) > longestCallMs || !isProcessAlive(Number(row.processId));
      })
      .map((row) => ({
        id: Number(row.id),
        at: Number(row.at),
        profileId: String(row.profileId),
        profileName: String(row.profileName),
        operation: String(row.operation),
        subject: String(row.subject),
        currency: String(row.currency),
        plannedCost: Number(row.cost),
      }));
  }
}

/** Whether a call needs a reservation: it costs money, or a server acts on it. */
export function needsReservation({
  plannedCost,
  entrusted,
}: Pick<PricedCall, 'plannedCost' | 'entrusted'>): boolean {
  return entrusted || plannedCost > 0;
}

/** Formats with at least two decimals, and as many as a small price needs. */
function money(amount: number): string {
  if (amount === 0 || amount >= 0.01) {
    const four = amount.toFixed(4);
    return four.endsWith('00') ? amount.toFixed(2) : four;
  }
  return amount.toPrecision(2);
}
