import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** How long models of a profile take, learned from those that were made. Seconds. */
export interface Learned {
  /** From submit to done. */
  each: number;
  /** Between two that become done while the queue is busy. */
  between: number;
  samples: number;
}

/** Shortest time between two writes, milliseconds: a fast queue would write with each job. */
const writePause = 1000;

/** Weight of the newest sample once a few are there. */
const newest = 0.2;

/** Learns and remembers durations, one row a profile. */
export class JobDurations {
  readonly #remember: StatementSync;
  readonly #learned = new Map<string, Learned>();
  /** When the last job of a profile became done, on the clock that only goes forward; milliseconds. */
  readonly #lastDone = new Map<string, number>();
  /** When a profile's row was written last, on the same clock. */
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

  /** A profile begins to work after a rest: the time of the rest is no time between two models. */
  begins(profileId: string, elapsed: number): void {
    this.#lastDone.set(profileId, elapsed);
  }

  /**
   * A job became done.
   *
   * @param seconds - From submit to done; null where that is not known (it was begun in an earlier run).
   * @param elapsed - Milliseconds on a clock that only goes forward.
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

  /** Before the database is closed. */
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
