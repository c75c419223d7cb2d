import type { DatabaseSync } from 'node:sqlite';
import { WalFlush } from '../wal_flush.ts';
import { transaction } from './database.ts';
import { storageFailure } from './storage_failure.ts';

interface Part {
  durable: boolean;
  /** Does the work within the transaction, and stores its outcome. */
  attempt(): void;
  /** Reports the outcome. */
  settle(): void;
  /** The whole transaction failed. */
  fail(error: unknown): void;
}

/**
 * Group commit: parts of many writers share one transaction and one flush of the write-ahead log, on another
 * thread. Parts that arrive during a flush go into the next transaction. Each part is atomic by itself.
 *
 * The database is opened with `normal` durability.
 */
export class TransactionGroup {
  readonly #db: DatabaseSync;
  readonly #onFlushed: () => void;
  readonly #wal: WalFlush;
  #parts: Part[] = [];
  /** Durable parts that are committed but not flushed yet. */
  #committed: Part[] = [];
  #turn: NodeJS.Immediate | undefined;
  #flushing = false;
  #closed = false;

  /**
   * @param onFlushed - Called when durable parts are on disk, before their promises resolve. Must not throw.
   */
  constructor(db: DatabaseSync, onFlushed: () => void = () => {}) {
    this.#db = db;
    this.#onFlushed = onFlushed;
    this.#wal = new WalFlush(db);
  }

  /**
   * @param work - Synchronous. What it throws undoes this part alone.
   * @param durability - `full`: resolves when it would survive a power cut; `normal`: when it is committed.
   * @throws what `work` throws, Failure `storage` where the disk refuses.
   */
  run<T>(work: () => T, durability: 'full' | 'normal'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let settle = (): void => {};
      this.#parts.push({
        durable: durability === 'full' && this.#wal.path !== null,
        attempt: () => {
          try {
            const result = transaction(this.#db, work);
            settle = () => resolve(result);
          } catch (error) {
            // SQLite itself undoes the whole transaction on some errors (disk full).
            if (!this.#db.isTransaction) throw error;
            settle = () => reject(error);
          }
        },
        settle: () => settle(),
        fail: reject,
      });
      if (!this.#flushing) this.#turn ??= setImmediate(() => this.commit());
    });
  }

  /** Commits the waiting parts now. */
  commit(): void {
    this.#commitParts();
    void this.#flush();
  }

  /** Commits the waiting parts. Closing the database afterwards flushes it. */
  close(): void {
    this.#closed = true;
    this.#commitParts();
    for (const part of this.#committed.splice(0)) part.settle();
    if (!this.#flushing) void this.#wal.close();
  }

  #commitParts(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    const parts = this.#parts.splice(0);
    if (parts.length === 0) return;
    try {
      // A single part has its own transaction.
      if (parts.length === 1) parts[0]!.attempt();
      else {
        transaction(this.#db, () => {
          for (const part of parts) part.attempt();
        });
      }
    } catch (error) {
      for (const part of parts) part.fail(error);
      return;
    }
    for (const part of parts) {
      if (part.durable) this.#committed.push(part);
      else part.settle();
    }
  }

  async #flush(): Promise<void> {
    if (this.#flushing || this.#wal.path === null) return;
    this.#flushing = true;
    while (this.#committed.length > 0) {
      const parts = this.#committed.splice(0);
      try {
        await this.#wal.flushed();
        this.#onFlushed();
        for (const part of parts) part.settle();
      } catch (error) {
        for (const part of parts) part.fail(storageFailure(error, this.#wal.path));
      }
      if (!this.#closed) this.#commitParts();
    }
    this.#flushing = false;
    if (this.#closed) await this.#wal.close();
  }
}
