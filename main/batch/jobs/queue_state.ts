import type { DatabaseSync } from 'node:sqlite';

/** Stores the state of the whole queue on disk. */
export class QueueState {
  readonly #db: DatabaseSync;
  #paused: boolean;
  #batchFrom: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const row = db.prepare('SELECT paused, batchFrom FROM queue').get();
    this.#paused = row?.paused === 1;
    this.#batchFrom = Number(row?.batchFrom ?? 0);
  }

  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    this.#db.prepare('UPDATE queue SET paused = ?').run(paused ? 1 : 0);
    this.#paused = paused;
  }

  /** Jobs queued since this time form the current batch; milliseconds since 1970. */
  get batchFrom(): number {
    return this.#batchFrom;
  }

  set batchFrom(from: number) {
    this.#batchFrom = from;
    this.#db.prepare('UPDATE queue SET batchFrom = ?').run(from);
  }
}
