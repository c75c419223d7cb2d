import { type FileHandle, open } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { fileErrorCode } from './error_codes.ts';

/**
 * Group commit: flushes of a database's write-ahead log, on another thread, each shared by all who wait for it.
 *
 * The database is opened with `synchronous = NORMAL`: a commit survives the end of this process at once, and a power
 * cut once the log is flushed. `FULL` flushes too, but for each commit alone and on the thread that commits.
 */
export class WalFlush {
  /** Path of the write-ahead log; null where commits reach the disk without one. */
  readonly path: string | null;
  #log: FileHandle | undefined;
  /** The flush under way, or the last one. Never rejects. */
  #last: Promise<void> = Promise.resolve();
  /** The one after it, where somebody waits for that. */
  #next: Promise<void> | null = null;

  constructor(db: DatabaseSync) {
    const path = db.location();
    // Some network disks support no write-ahead log; there every commit is flushed.
    const hasLog = db.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal';
    this.path = path !== null && hasLog ? `${path}-wal` : null;
  }

  /** Resolves when all that is committed by now would survive a power cut. @throws the disk's error */
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

  /** Before the database is closed, or after. */
  async close(): Promise<void> {
    await this.#next?.catch(() => undefined);
    await this.#last;
    const log = this.#log;
    this.#log = undefined;
    await log?.close();
  }

  async #flush(path: string): Promise<void> {
    try {
      this.#log ??= await open(path, 'r+');
    } catch (error) {
      // Closing the database wrote all of it into its file.
      if (fileErrorCode(error) === 'ENOENT') return;
      throw error;
    }
    await this.#log.datasync();
  }
}
