import { type FileHandle, open } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Backoff, backoffPause } from './backoff.ts';
import { fileErrorCode } from './error_codes.ts';
import { storageFailure } from './storage/storage_failure.ts';

/** A failed flush is repeated before the callers hear of it: what they committed can't be undone. */
const maxFlushAttempts = 3;
const flushBackoff: Backoff = { first: 20, longest: 100 };

/**
 * Group commit: flushes a database's write-ahead log on another thread; concurrent callers share a flush.
 *
 * Open the database with `synchronous = NORMAL`. A commit then survives a crash of this process at once, and
 * a power cut once the log is flushed. `FULL` also flushes, but for each commit separately and on the
 * committing thread.
 */
export class WalFlush {
  /** Path of the write-ahead log; null if commits reach the disk without one. */
  readonly path: string | null;
  #log: FileHandle | undefined;
  /** The current or last flush. Never rejects. */
  #last: Promise<void> = Promise.resolve();
  /** The flush after it, if anybody waits for that. */
  #next: Promise<void> | null = null;

  constructor(db: DatabaseSync) {
    const path = db.location();
    // Some network disks support no write-ahead log; there every commit is flushed.
    const hasLog = db.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal';
    this.path = path !== null && hasLog ? `${path}-wal` : null;
  }

  /** Resolves when all commits so far would survive a power cut. @throws Failure `storage` */
  flushed(): Promise<void> {
    const { path } = this;
    if (path === null) return Promise.resolve();
    this.#next ??= this.#last.then(() => {
      this.#next = null;
      const flush = this.#flush(path);
      this.#last = flush.catch(() => undefined);
      return flush;
    });
    return this.#next;
  }

  /** Call before or after closing the database. */
  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#last;
    const log = this.#log;
    this.#log = undefined;
    await log?.close();
  }

  async #flush(path: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#flushOnce(path);
      } catch (error) {
        if (attempt === maxFlushAttempts) throw storageFailure(error, path);
        await pause(backoffPause(attempt, flushBackoff));
      }
    }
  }

  async #flushOnce(path: string): Promise<void> {
    try {
      this.#log ??= await open(path, 'r+');
    } catch (error) {
      // Closing the database has written the log into its file.
      if (fileErrorCode(error) === 'ENOENT') return;
      throw error;
    }
    await this.#log.datasync();
  }
}
