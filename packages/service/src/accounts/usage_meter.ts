import type { Units } from '@likeness/engine/http/access.ts';
import type { Journal } from '@likeness/journal/journal.ts';
import { monthOf } from '@likeness/journal/spending.ts';
import { isDiskTrouble } from '@likeness/node-kit/error_codes.ts';
import type { ServiceKey } from '../keys/service_key.ts';
import { capReached } from './account_refusals.ts';
import { noUnits, unitNames } from './accounts.ts';

export interface UsageMeterOptions {
  journal: Pick<Journal, 'database'>;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  /** Models that a key has ordered and that are neither made nor failed. */
  orderedModels: (keyId: string) => number;
}

/**
 * Tracks each key's usage of this month, and what concurrent calls have reserved, so that together they can't
 * exceed a cap. It starts with the journal's sums and counts on from there: an entry may still be on its way
 * to the disk when the next call comes.
 */
export class UsageMeter {
  readonly #options: UsageMeterOptions;
  readonly #sums: (month: string, keyId: string) => Units;
  readonly #used = new Map<string, { month: string; units: Units }>();
  readonly #reserved = new Map<string, Units>();

  constructor(options: UsageMeterOptions) {
    this.#options = options;
    const sums = options.journal.database.prepare(
      "SELECT seconds, frames, models FROM usage WHERE month = ? AND profileId = ? AND currency = ''",
    );
    this.#sums = (month, keyId) => {
      const row = sums.get(month, keyId);
      return {
        seconds: Number(row?.seconds ?? 0),
        frames: Number(row?.frames ?? 0),
        models: Number(row?.models ?? 0),
      };
    };
  }

  /**
   * Counts usage. Call it before the entry goes to the journal, whose sums are read only once. If they can't be read now,
   * they will contain the entry later.
   */
  use(keyId: string, { seconds, frames, models }: Readonly<Units>): void {
    let used: Units;
    try {
      used = this.#usedBy(keyId);
    } catch (error) {
      if (isDiskTrouble(error)) return;
      throw error;
    }
    used.seconds += seconds;
    used.frames += frames;
    used.models += models;
  }

  /**
   * Reserves the usage that a call may need, until the returned function is called.
   *
   * @throws {Refusal} 402 `cap_reached`; then nothing is reserved
   */
  reserve({ id, caps }: ServiceKey, planned: Readonly<Units>): () => void {
    const reserved = this.#reserved.get(id) ?? noUnits;
    const used = this.#usedBy(id);
    for (const unit of unitNames) {
      const cap = caps[unit];
      if (cap === null || planned[unit] === 0) continue;
      const ordered = unit === 'models' ? this.#options.orderedModels(id) : 0;
      // Sums of fractions: the tolerance admits a call that just reaches the cap.
      if (used[unit] + reserved[unit] + ordered + planned[unit] > cap * (1 + 1e-9)) {
        throw capReached(unit, { cap, used: used[unit], pending: reserved[unit] + ordered });
      }
    }
    this.#add(id, planned, 1);
    return () => this.#add(id, planned, -1);
  }

  /** A key's usage of this month. */
  #usedBy(keyId: string): Units {
    const month = monthOf(this.#options.clock());
    const known = this.#used.get(keyId);
    if (known?.month === month) return known.units;
    const units = this.#sums(month, keyId);
    this.#used.set(keyId, { month, units });
    return units;
  }

  #add(id: string, units: Readonly<Units>, by: 1 | -1): void {
    const reserved = this.#reserved.get(id) ?? noUnits;
    const sum = {
      seconds: reserved.seconds + by * units.seconds,
      frames: reserved.frames + by * units.frames,
      models: reserved.models + by * units.models,
    };
    // Rounding leaves a tiny remainder; without calls in progress the reservation is zero.
    if (unitNames.every((unit) => Math.abs(sum[unit]) < 1e-6)) this.#reserved.delete(id);
    else this.#reserved.set(id, sum);
  }
}
