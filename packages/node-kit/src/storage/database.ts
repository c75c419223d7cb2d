import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { t } from '@likeness/messages';
import { isDamagedDatabase, sqliteCode } from '../error_codes.ts';
import { Failure } from '../failure.ts';
import { quarantinePath } from './quarantine.ts';
import { storageFailure } from './storage_failure.ts';

/** One migration: SQL, or a function if the step must compute. Runs once, in a transaction. */
export type Migration = string | ((db: DatabaseSync) => void);

export type Durability = 'full' | 'normal';

export interface DatabaseOptions {
  /** Absolute path, or `:memory:`. The folder is created (0700) if it is missing. */
  path: string;
  /**
   * All migrations from an empty file to today's schema; the file's `user_version` counts those done. Append
   * only: a released migration never changes.
   */
  migrations: readonly Migration[];
  /**
   * `full`: a committed transaction survives a power cut (an fsync each). `normal`: a power cut may lose the
   * newest transactions, but never order or integrity. Default `full`.
   */
  durability?: Durability;
  /**
   * Treatment of a damaged file. `fail`: throw and leave it (default). `quarantine`: rename it and start a
   * new one, for data that can be rebuilt (an index) or that must not keep the studio from starting.
   */
  damaged?: 'fail' | 'quarantine';
  /** Milliseconds since 1970; names the file in quarantine. */
  clock?: () => number;
}

export interface OpenDatabase {
  db: DatabaseSync;
  /** Path of a damaged predecessor; null if there was none. */
  quarantined: string | null;
}

/** Milliseconds that a statement waits for another process before it gives up. */
const busyTimeoutMs = 5000;

/**
 * Opens a SQLite file and brings its schema up to date.
 *
 * @throws Failure `storage`: written by a newer studio (nothing is changed), damaged, disk full, read-only.
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  try {
    return { db: openUndamaged(options), quarantined: null };
  } catch (error) {
    if (!isDamagedDatabase(error) || options.damaged !== 'quarantine')
      throw storageFailure(error, options.path);
  }
  try {
    const quarantined = quarantineDatabase(options.path, options.clock?.() ?? Date.now());
    return { db: openUndamaged(options), quarantined };
  } catch (error) {
    throw storageFailure(error, options.path);
  }
}

/**
 * Runs `work` in one transaction. Inside another transaction it becomes a savepoint, which can fail on its
 * own.
 *
 * `work` must be synchronous: a transaction that awaits would block every other writer.
 *
 * @param durability - `full`: this transaction and all before it survive a power cut, even if the database
 *   was opened with less. Ignored inside another transaction.
 * @throws whatever `work` throws, and Failure `storage` where the disk refuses.
 */
export function transaction<T>(db: DatabaseSync, work: () => T, durability: Durability = 'normal'): T {
  const nested = db.isTransaction;
  try {
    if (durability === 'full' && !nested) return durably(db, () => transaction(db, work));
    db.exec(nested ? 'SAVEPOINT part' : 'BEGIN IMMEDIATE');
    try {
      const result = work();
      if (result instanceof Promise) throw new TypeError('The work of a transaction must be synchronous.');
      db.exec(nested ? 'RELEASE part' : 'COMMIT');
      return result;
    } catch (error) {
      // SQLite itself rolls back on some errors (disk full); then there is nothing left to undo.
      if (nested && db.isTransaction) db.exec('ROLLBACK TO part; RELEASE part');
      else if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  } catch (error) {
    throw storageFailure(error, db.location() ?? 'database');
  }
}

function durably<T>(db: DatabaseSync, work: () => T): T {
  const { synchronous } = db.prepare('PRAGMA synchronous').get() ?? {};
  db.exec('PRAGMA synchronous = FULL');
  try {
    return work();
  } finally {
    try {
      db.exec(`PRAGMA synchronous = ${Number(synchronous)}`);
    } catch {
      // It stays FULL, which is only slower. The work is done: an error would say that it isn't.
    }
  }
}

function openUndamaged({ path, migrations, durability = 'full' }: DatabaseOptions): DatabaseSync {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite would create it readable for everybody; its -wal and -shm files take over these permissions.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    else if (process.platform !== 'win32') chmodSync(path, 0o600);
  }
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    // Check this before any write: a newer studio's file must not change.
    refuseNewer(db, path, migrations.length);
    db.exec('PRAGMA journal_mode = WAL');
    db.exec(`PRAGMA synchronous = ${durability}`);
    db.exec('PRAGMA trusted_schema = OFF');
    // Overwrite deleted data: most of what the studio keeps is about a person.
    db.exec('PRAGMA secure_delete = ON');
    migrate(db, path, migrations);
    cleanOnce(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** `application_id` of a file in which everything deleted was overwritten: “Like”. */
const cleanId = 0x4c696b65;

/** Older studios only marked deleted data as free. Such a file is rewritten once. */
function cleanOnce(db: DatabaseSync): void {
  if (Number(db.prepare('PRAGMA application_id').get()?.application_id) === cleanId) return;
  try {
    if (Number(db.prepare('PRAGMA page_count').get()?.page_count) > 0) db.exec('VACUUM');
    db.exec(`PRAGMA application_id = ${cleanId}`);
  } catch (error) {
    // Another process is writing, or the disk has no room for a copy: the next start tries again.
    if (sqliteCode(error) === null) throw error;
  }
}

/** How often, and how many milliseconds apart, to try to truncate a log that another process reads. */
const maxTruncateAttempts = 20;
const emptyPause = 100;

/**
 * After a person's rows were deleted: makes sure that nothing of them is left in the file or its log.
 * Overwriting deleted data is not enough, because SQLite leaves copies in gaps when it moves rows between
 * pages. So the file is rewritten, which blocks for about a second per 100 MB.
 *
 * @returns False if another process reads the old state for too long or the disk has no room for a copy: try
 *   again.
 */
export async function wipeDeleted(db: DatabaseSync): Promise<boolean> {
  try {
    db.exec('VACUUM');
  } catch (error) {
    if (sqliteCode(error) === null) throw error;
    return false;
  }
  // SQLite's own waiting would block everything else.
  db.exec('PRAGMA busy_timeout = 0');
  try {
    for (let attempt = 0; attempt < maxTruncateAttempts; attempt += 1) {
      if (db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0) return true;
      await pause(emptyPause);
    }
    return false;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
}

function migrate(db: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  for (;;) {
    const done = transaction(db, () => {
      // Read inside the transaction: another process may be migrating the same file.
      const version = refuseNewer(db, path, migrations.length);
      const step = migrations[version];
      if (step === undefined) return true;
      if (typeof step === 'string') db.exec(step);
      else step(db);
      db.exec(`PRAGMA user_version = ${version + 1}`);
      return false;
    });
    if (done) return;
  }
}

/** @returns The file's schema version. */
function refuseNewer(db: DatabaseSync, path: string, known: number): number {
  const row = db.prepare('PRAGMA user_version').get();
  const version = Number(row?.user_version ?? 0);
  if (version > known) {
    throw new Failure('storage', t('storage.newer_schema', { file: basename(path), version, known }), {
      hint: t('storage.update_file'),
    });
  }
  return version;
}

/** Renames a damaged database and its side files to names that say when it was found. */
function quarantineDatabase(path: string, at: number): string {
  const quarantined = quarantinePath(path, at);
  for (const part of ['-wal', '-shm', '']) {
    if (existsSync(path + part)) renameSync(path + part, quarantined + part);
  }
  return quarantined;
}
