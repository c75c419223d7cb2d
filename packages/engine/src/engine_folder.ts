import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDamagedDatabase } from '@likeness/node-kit/error_codes.ts';
import { WalFlush } from '@likeness/node-kit/wal_flush.ts';
import { newerRecords, unusable, usedElsewhere } from './unusable_folder.ts';

/** The engine's folder on disk, locked by this process until `release`. */
export interface EngineFolder {
  /** Absolute. */
  path: string;
  /** Uploads while they arrive; emptied at each start. */
  incoming: string;
  /** Photos that models or image tasks still need, by the SHA-256 of their bytes. */
  photos: string;
  /** Finished heads, by a hash of photo, parameters and engine version. */
  results: string;
  database: DatabaseSync;
  /** Answers that promise durability wait for this flush: the database itself doesn't wait for the disk. */
  wal: Pick<WalFlush, 'flushed'>;
  /** File name of a damaged database that was moved aside, and the damage found. */
  damaged: { fileName: string; reason: string } | null;
  release(): Promise<void>;
}

/** Names within an engine's folder. */
export const engineFiles = { database: 'engine.sqlite', photos: 'photos', results: 'results' } as const;

/** Engines that can run side by side on one data folder: the desktop, a `serve`, some command lines. */
const maxSides = 16;

/**
 * Claims a folder for this process. Two engines in one folder would make the same models twice, so the first
 * takes `folder/1` and the next `folder/2`. The lock is SQLite's own lock on a file, so it ends with the
 * process, even after a crash.
 *
 * @param clock Milliseconds since 1970 UTC.
 * @param isOnly Whether no other engine may run on the folder.
 * @throws UnusableFolder if the disk fails, access is denied, a newer version wrote the records, or another
 * process has the folder of the only engine
 */
export function takeEngineFolder(folder: string, clock: () => number, isOnly = false): EngineFolder {
  for (let side = 1; side <= (isOnly ? 1 : maxSides); side++) {
    const path = join(folder, String(side));
    try {
      const taken = takeSide(path, clock);
      if (taken) return taken;
    } catch (error) {
      throw unusable(error, path);
    }
  }
  if (isOnly) throw usedElsewhere(join(folder, '1'));
  throw new Error(`${maxSides} engines are running on ${folder} already.`);
}

/** @returns null if another process has it */
function takeSide(path: string, clock: () => number): EngineFolder | null {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = lockFolder(path);
  if (!lock) return null;
  const opened: DatabaseSync[] = [lock];
  try {
    const incoming = join(path, 'incoming');
    const photos = join(path, engineFiles.photos);
    const results = join(path, engineFiles.results);
    rmSync(incoming, { recursive: true, force: true });
    for (const part of [incoming, photos, results]) mkdirSync(part, { recursive: true, mode: 0o700 });
    const { database, damaged } = openDatabase(path, clock);
    opened.push(database);
    const wal = new WalFlush(database);
    return {
      path,
      incoming,
      photos,
      results,
      database,
      wal,
      damaged,
      async release() {
        await wal.close();
        database.close();
        lock.close();
      },
    };
  } catch (error) {
    for (const one of opened.toReversed()) one.close();
    throw error;
  }
}

/** SQLite would make it readable for everybody; its side files take over these permissions. */
function makePrivate(file: string): string {
  // Not if it exists: closing any descriptor of it would release a lock of this process.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  return file;
}

function lockFolder(path: string): DatabaseSync | null {
  const lock = new DatabaseSync(makePrivate(join(path, 'lock.sqlite')), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (/locked|busy/i.test(String(error))) return null;
    throw error;
  }
}

/**
 * The owner of a model; '' means no particular owner. Models are found through this index, so a query never
 * reads another owner's rows. A completion is written once, together with its model's success.
 */
const ofOwners = `
  CREATE UNIQUE INDEX model_by_owner ON model (owner, kind, id);
  CREATE INDEX model_by_end ON model (finished_at) WHERE finished_at IS NOT NULL;
  CREATE TABLE completion (
    cursor INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    seconds REAL NOT NULL
  ) STRICT;
`;
/** Runs after each of tens of thousands of models: does anything still need this photo? */
const byNeededPhotos = `
  CREATE INDEX model_by_needed_photo ON model (photo) WHERE state = 3;
  CREATE INDEX model_with_others ON model (sequence) WHERE state = 3 AND others IS NOT NULL;
`;
/** The paying account, stored with the model: the service may not have recorded it yet. */
const billedAccounts = 'ALTER TABLE completion ADD COLUMN account TEXT;';
/**
 * Names this database, so that a reader of its completions recognises another database, whose numbers start
 * again. `isFirst`: cursors written before this table existed have no name and belong to this database.
 */
const origin = (isFirst: 0 | 1): string => `
  CREATE TABLE origin (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    name TEXT NOT NULL,
    isFirst INTEGER NOT NULL
  ) STRICT;
  INSERT INTO origin VALUES (1, lower(hex(randomblob(8))), ${isFirst});
`;
const schemaVersion = 9;
const schema = `
  CREATE TABLE model (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state INTEGER NOT NULL CHECK (state IN (1, 3, 4)),
    photo TEXT NOT NULL,
    sex INTEGER NOT NULL,
    eyelid_type INTEGER,
    corrections TEXT,
    options TEXT,
    anyway INTEGER NOT NULL DEFAULT 0,
    preview INTEGER NOT NULL DEFAULT 0,
    idempotency_key TEXT UNIQUE,
    file TEXT NOT NULL UNIQUE,
    result TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    failure_en TEXT,
    failure_zh TEXT,
    owner TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT 'head',
    priority INTEGER NOT NULL DEFAULT 0,
    others TEXT,
    photos TEXT,
    account TEXT
  ) STRICT;
  CREATE INDEX model_by_state ON model (state, sequence);
  CREATE INDEX model_by_photo ON model (photo);
  CREATE INDEX model_by_result ON model (result);
  CREATE TABLE result (
    address TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    photos TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE image_task (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    photo TEXT NOT NULL,
    media_type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    owner TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX image_task_by_photo ON image_task (photo);
  ${ofOwners}
  ${byNeededPhotos}
  ${billedAccounts}
  ${origin(0)}
`;

/** The migration from each older version, in order. */
const laterSchemas = [
  'ALTER TABLE model ADD COLUMN corrections TEXT;',
  'ALTER TABLE model ADD COLUMN anyway INTEGER NOT NULL DEFAULT 0;',
  `ALTER TABLE model ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ALTER TABLE model ADD COLUMN kind TEXT NOT NULL DEFAULT 'head';
   ALTER TABLE model ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE image_task ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ${ofOwners}`,
  'ALTER TABLE model ADD COLUMN options TEXT;',
  // Further photos of a person, and the result of each.
  `ALTER TABLE model ADD COLUMN others TEXT;
   ALTER TABLE model ADD COLUMN photos TEXT;
   ALTER TABLE result ADD COLUMN photos TEXT;`,
  `${byNeededPhotos} ALTER TABLE model ADD COLUMN account TEXT; ${billedAccounts}`,
  origin(1),
  'ALTER TABLE model ADD COLUMN preview INTEGER NOT NULL DEFAULT 0;',
];

function openDatabase(
  path: string,
  clock: () => number,
): { database: DatabaseSync; damaged: EngineFolder['damaged'] } {
  const file = join(path, engineFiles.database);
  try {
    return { database: openUndamaged(file), damaged: null };
  } catch (error) {
    if (!isDamaged(error)) throw unusable(error, file);
    try {
      const fileName = setAside(path, clock());
      return { database: openUndamaged(file), damaged: { fileName, reason: error.message } };
    } catch (again) {
      throw unusable(again, file);
    }
  }
}

/** `PRAGMA quick_check` found damage. */
class FailedCheck extends Error {}

const isDamaged = (error: unknown): error is Error =>
  error instanceof FailedCheck || isDamagedDatabase(error);

/**
 * Renames the write-ahead log first: left beside a new database, SQLite would replay it into that one. Under
 * these names SQLite finds the log again beside the damaged database.
 */
function setAside(path: string, at: number): string {
  const fileName = `${engineFiles.database}.damaged-${at}`;
  for (const part of ['-wal', '-shm', '']) {
    const from = join(path, engineFiles.database + part);
    if (existsSync(from)) renameSync(from, join(path, fileName + part));
  }
  return fileName;
}

/** Read-only, so that closing a damaged database, or one of a newer version, leaves its write-ahead log. */
function check(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (version > schemaVersion) throw newerRecords(file, version, schemaVersion);
    const result = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (result !== 'ok') throw new FailedCheck(String(result));
  } finally {
    database.close();
  }
}

function openUndamaged(file: string): DatabaseSync {
  check(makePrivate(file));
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('PRAGMA foreign_keys = ON');
    const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
    // With a write-ahead log, `wal` flushes for many at once.
    database.exec(`PRAGMA synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'}`);
    // Overwrite deleted data: the hashes of photos can reveal whose photos were used.
    database.exec('PRAGMA secure_delete = ON');
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (version === 0) inOneStep(database, schema);
    else if (version < schemaVersion) inOneStep(database, laterSchemas.slice(version - 1).join(' '));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function inOneStep(database: DatabaseSync, sql: string): void {
  database.exec(`BEGIN; ${sql} PRAGMA user_version = ${schemaVersion}; COMMIT`);
}
