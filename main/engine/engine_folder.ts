import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { WalFlush } from '../base/wal_flush.ts';

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
  /** What an answer promises waits for it: the database itself doesn't wait for the disk. */
  wal: Pick<WalFlush, 'flushed'>;
  /** File name of a damaged database that was kept aside, with what was wrong. */
  damaged: { fileName: string; reason: string } | null;
  release(): Promise<void>;
}

/** Names within an engine's folder. */
export const engineFiles = { database: 'engine.sqlite', photos: 'photos', results: 'results' } as const;

/** Engines that can run side by side on one data folder: the desktop, a `serve`, some command lines. */
const mostSides = 16;

/**
 * Takes a folder for this process. Each engine needs one of its own, since two would make the same models
 * twice: the first takes `folder/1`, one beside it `folder/2`. The lock is SQLite's own on a file, so it
 * ends with the process, however that ends.
 *
 * @param clock Milliseconds since 1970 UTC.
 */
export function takeEngineFolder(folder: string, clock: () => number): EngineFolder {
  for (let side = 1; side <= mostSides; side++) {
    const path = join(folder, String(side));
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const lock = lockFolder(path);
    if (!lock) continue;
    const incoming = join(path, 'incoming');
    const photos = join(path, engineFiles.photos);
    const results = join(path, engineFiles.results);
    rmSync(incoming, { recursive: true, force: true });
    for (const part of [incoming, photos, results]) mkdirSync(part, { recursive: true, mode: 0o700 });
    const { database, damaged } = openDatabase(path, clock);
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
  }
  throw new Error(`${mostSides} engines are running on ${folder} already.`);
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
 * Whose a model is; '' stands for nobody in particular. The index is what models are found by, so that another's is
 * not even met. A completion is written with its model's success, once.
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
/** Whether a photo is needed still is asked after each model, of tens of thousands. */
const byNeededPhotos = `
  CREATE INDEX model_by_needed_photo ON model (photo) WHERE state = 3;
  CREATE INDEX model_with_others ON model (sequence) WHERE state = 3 AND others IS NOT NULL;
`;
/** Who pays, noted with the model itself: the service's own books may not have heard of it yet. */
const billedAccounts = 'ALTER TABLE completion ADD COLUMN account TEXT;';
const schemaVersion = 7;
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
  PRAGMA user_version = ${schemaVersion};
`;

/** What each older version lacks, in order. */
const laterSchemas = [
  'ALTER TABLE model ADD COLUMN corrections TEXT;',
  'ALTER TABLE model ADD COLUMN anyway INTEGER NOT NULL DEFAULT 0;',
  `ALTER TABLE model ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ALTER TABLE model ADD COLUMN kind TEXT NOT NULL DEFAULT 'head';
   ALTER TABLE model ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE image_task ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ${ofOwners}`,
  'ALTER TABLE model ADD COLUMN options TEXT;',
  // Further photos of a person, and what became of them.
  `ALTER TABLE model ADD COLUMN others TEXT;
   ALTER TABLE model ADD COLUMN photos TEXT;
   ALTER TABLE result ADD COLUMN photos TEXT;`,
  `${byNeededPhotos} ALTER TABLE model ADD COLUMN account TEXT; ${billedAccounts}`,
];

function openDatabase(
  path: string,
  clock: () => number,
): { database: DatabaseSync; damaged: EngineFolder['damaged'] } {
  const file = join(path, engineFiles.database);
  let damaged: EngineFolder['damaged'] = null;
  if (existsSync(file)) {
    const reason = checkDatabase(file);
    if (reason) {
      const fileName = `${engineFiles.database}.damaged-${clock()}`;
      renameSync(file, join(path, fileName));
      for (const name of readdirSync(path)) {
        if (name === 'engine.sqlite-wal' || name === 'engine.sqlite-shm') rmSync(join(path, name));
      }
      damaged = { fileName, reason };
    }
  }
  const database = new DatabaseSync(makePrivate(file), { timeout: 5000 });
  database.exec('PRAGMA foreign_keys = ON');
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  // With a log, `wal` flushes for many at once.
  database.exec(`PRAGMA synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'}`);
  // Overwrite deleted data: hashes of photos can show whose photos were used.
  database.exec('PRAGMA secure_delete = ON');
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (version === 0) database.exec(`BEGIN; ${schema} COMMIT`);
  else if (version < schemaVersion) {
    const lacking = laterSchemas.slice(version - 1).join(' ');
    database.exec(`BEGIN; ${lacking} PRAGMA user_version = ${schemaVersion}; COMMIT`);
  }
  return { database, damaged };
}

/** What is wrong with an existing database; null where it can be used. */
function checkDatabase(file: string): string | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    const check = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (check !== 'ok') return String(check);
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    return version <= schemaVersion ? null : `made by another version of the engine (schema ${version})`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    database?.close();
  }
}
