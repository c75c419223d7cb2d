import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { t } from '@likeness/messages';
import { backoffPause } from '../backoff.ts';
import { sqliteCode } from '../error_codes.ts';
import { Failure } from '../failure.ts';
import { storageFailure } from './storage_failure.ts';

/** Held until released or until the process ends, even after a crash. */
export interface FileLock {
  release(): void;
}

/**
 * Takes a lock between processes; null if another process (or another part of this one) has it. The lock is
 * SQLite's own lock on an empty database file: the system drops it with the process, so it can't be left
 * behind.
 *
 * No other code may open the file in this process: POSIX drops a process's locks when any descriptor closes.
 *
 * @throws Failure `storage` if the file can't be created.
 */
export function tryFileLock(path: string): FileLock | null {
  let db: DatabaseSync | undefined;
  try {
    // SQLite would make it readable for everybody.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    db = new DatabaseSync(path, { timeout: 0 });
    // Without a journal nothing is written, so that a lock can be taken on a full disk.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    if (process.platform !== 'win32') chmodSync(path, 0o600);
  } catch (error) {
    db?.close();
    const code = sqliteCode(error);
    if (code === 5 || code === 6) return null;
    throw storageFailure(error, path);
  }
  const lockDb = db;
  return {
    release: () => {
      if (lockDb.isOpen) lockDb.close();
    },
  };
}

/**
 * Runs `work` while no other process runs any under the same lock.
 *
 * @param options.waitMs - Time limit for getting the lock, milliseconds. Default 10,000.
 * @throws Failure `conflict` if another process keeps it.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  options: { waitMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + (options.waitMs ?? 10_000);
  for (let attempt = 1; ; attempt++) {
    const lock = tryFileLock(path);
    if (lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (performance.now() > deadline) {
      throw new Failure('conflict', t('storage.other_copy'), {
        hint: t('storage.wait_for_copy'),
        retryable: true,
      });
    }
    await wait(backoffPause(attempt, { first: 5, longest: 200 }));
  }
}
