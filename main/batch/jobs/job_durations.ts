import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Durations of a profile's models, learned from finished ones. Seconds. */
export interface Learned {
  /** From submission to done. */
  each: number;
  /** Between two finished models while the queue is busy. */
  between: number;
  samples: number;
}

/** Minimum interval between two writes, milliseconds: a fast queue would write for each job. */
const writePause = 1000;

/** Weight of the newest sample after the first few. */
const newest = 0.2;

/** Learns and stores durations, one row per profile. */
export class JobDurations {
  readonly #remember: StatementSync;
  readonly #learned = new Map<string, Learned>();
  /** When the last job of a profile finished (monotonic clock), milliseconds. */
  readonly #lastDone = new Map<string, number>();
  /** When a profile's row was last written (monotonic clock), milliseconds. */
  readonly #written = new Map<string, number>();

  constructor(db: DatabaseSync) {
    this.#remember = db.prepare(
      'INSERT OR REPLACE INTO durations (profileId, each, between_, samples) VALUES (?, ?, ?, ?)',
    );
    for (const row of db.prepare('SELECT * FROM durations').all()) {
      this.#learned.set(String(row.profileId), {
        each: Number(row.each),
        between: Number(row.between_),
        samples: Number(row.samples),
      });
    }
  }

  /** A profile starts to work after idle time, which must not count as the interval between two models. */
  begins(profileId: string, elapsed: number): void {
    this.#lastDone.set(profileId, elapsed);
  }

  /**
   * Records a finished job.
   *
   * @param seconds - From submission to done; null if unknown (it began in an earlier run).
   * @param elapsed - Milliseconds on a monotonic clock.
   */
  done(profileId: string, seconds: number | null, elapsed: number): void {
    const last = this.#lastDone.get(profileId);
    this.#lastDone.set(profileId, elapsed);
    if (seconds === null) return;
    const gap = last === undefined ? seconds : (elapsed - last) / 1000;
    const before = this.#learned.get(profileId);
    const weight = before ? Math.max(newest, 1 / (before.samples + 1)) : 1;
    const mixed = (old: number | undefined, value: number): number =>
      old === undefined ? value : old + weight * (value - old);
    const learned = {
      each: mixed(before?.each, seconds),
      between: mixed(before?.between, gap),
      samples: (before?.samples ?? 0) + 1,
    };
    this.#learned.set(profileId, learned);
    if (elapsed - (this.#written.get(profileId) ?? Number.NEGATIVE_INFINITY) < writePause) return;
    this.#written.set(profileId, elapsed);
    this.#write(profileId, learned);
  }

  /** Called before the database is closed. */
  close(): void {
    for (const profileId of this.#written.keys()) this.#write(profileId, this.#learned.get(profileId));
  }

  #write(profileId: string, learned: Learned | undefined): void {
    if (learned) this.#remember.run(profileId, learned.each, learned.between, learned.samples);
  }

  learned(profileId: string): Learned | null {
    return this.#learned.get(profileId) ?? null;
  }
}
