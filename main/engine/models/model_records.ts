import type { DatabaseSync } from 'node:sqlite';
import type { HeadCorrections } from '#proto/head_corrections.ts';
import type { Text } from '../http/language.ts';

/** `status` of a model, as the interface numbers it. */
export const modelState = { success: 1, processing: 3, fail: 4 } as const;
export type ModelState = (typeof modelState)[keyof typeof modelState];

/** A model as the database knows it. */
export interface ModelRecord {
  /** Place in the order of arrival. */
  sequence: number;
  /** UUID; `modelId` in the interface. */
  id: string;
  state: ModelState;
  /** SHA-256 of the photo's bytes, hex. */
  photo: string;
  sex: 0 | 1;
  eyelidType: 1 | 2 | null;
  corrections: Partial<HeadCorrections> | null;
  /** Made although a rule of quality speaks against the photo. */
  anyway: boolean;
  /** Last part of the download link, without `.glb`. Not derived from the id: the link is its own secret. */
  file: string;
  /** Address of the result in the store of results; null until there is one. */
  result: string | null;
  /** Times that the making was begun. */
  attempts: number;
  failure: Text | null;
}

export type NewModel = Pick<
  ModelRecord,
  'id' | 'photo' | 'sex' | 'eyelidType' | 'corrections' | 'anyway' | 'file'
> & {
  idempotencyKey: string | null;
  createdAt: number;
};

/** A finished head's file, wherever models refer to it. */
export interface ResultRecord {
  address: string;
  /** Of the file's bytes, hex. */
  sha256: string;
  bytes: number;
  /** Seconds that the making took. */
  seconds: number;
}

type Row = Record<string, unknown>;

const toModel = (row: Row): ModelRecord => ({
  sequence: row.sequence as number,
  id: row.id as string,
  state: row.state as ModelState,
  photo: row.photo as string,
  sex: row.sex as 0 | 1,
  eyelidType: row.eyelid_type as 1 | 2 | null,
  corrections:
    row.corrections === null ? null : (JSON.parse(row.corrections as string) as Partial<HeadCorrections>),
  anyway: row.anyway === 1,
  file: row.file as string,
  result: row.result as string | null,
  attempts: row.attempts as number,
  failure: row.failure_en === null ? null : { en: row.failure_en as string, zh: row.failure_zh as string },
});

const toResult = (row: Row): ResultRecord => ({
  address: row.address as string,
  sha256: row.sha256 as string,
  bytes: row.bytes as number,
  seconds: row.seconds as number,
});

export type ModelRecords = ReturnType<typeof createModelRecords>;

/** The tables `model` and `result` as functions. Times are milliseconds since 1970 UTC. */
export function createModelRecords(database: DatabaseSync) {
  const insert = database.prepare(
    'INSERT INTO model (id, state, photo, sex, eyelid_type, corrections, anyway, idempotency_key, file, created_at) VALUES (?, 3, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const byId = database.prepare('SELECT * FROM model WHERE id = ?');
  const byFile = database.prepare('SELECT * FROM model WHERE file = ?');
  const byKey = database.prepare('SELECT * FROM model WHERE idempotency_key = ?');
  const processing = database.prepare('SELECT * FROM model WHERE state = 3 ORDER BY sequence');
  const attempt = database.prepare('UPDATE model SET attempts = attempts + ? WHERE id = ?');
  const succeed = database.prepare(
    'UPDATE model SET state = 1, result = ?, finished_at = ? WHERE id = ? AND state = 3',
  );
  const fail = database.prepare(
    'UPDATE model SET state = 4, failure_en = ?, failure_zh = ?, finished_at = ? WHERE id = ? AND state = 3',
  );
  const remove = database.prepare('DELETE FROM model WHERE id = ?');
  const old = database.prepare('SELECT * FROM model WHERE state <> 3 AND finished_at < ?');
  const photoInUse = database.prepare(
    'SELECT 1 FROM model WHERE photo = ? AND state = 3 UNION ALL SELECT 1 FROM image_task WHERE photo = ? LIMIT 1',
  );

  const resultInUse = database.prepare('SELECT 1 FROM model WHERE result = ? LIMIT 1');
  const putResult = database.prepare(
    'INSERT OR REPLACE INTO result (address, sha256, bytes, seconds, created_at, used_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const result = database.prepare('SELECT * FROM result WHERE address = ?');
  const results = database.prepare('SELECT * FROM result ORDER BY used_at DESC, address');
  const touch = database.prepare('UPDATE result SET used_at = ? WHERE address = ?');
  const removeResult = database.prepare('DELETE FROM result WHERE address = ?');
  const removeModelsOf = database.prepare('DELETE FROM model WHERE result = ?');
  const unusedResults = database.prepare(
    'SELECT * FROM result WHERE used_at < ? AND NOT EXISTS (SELECT 1 FROM model WHERE model.result = result.address)',
  );
  const speeds = database.prepare('SELECT seconds FROM result ORDER BY created_at DESC LIMIT 20');

  const one = <T>(row: Row | undefined, read: (row: Row) => T): T | null => (row ? read(row) : null);
  return {
    add(model: NewModel): void {
      const { id, photo, sex, eyelidType, corrections, anyway, idempotencyKey, file, createdAt } = model;
      const corrected = corrections && JSON.stringify(corrections);
      insert.run(id, photo, sex, eyelidType, corrected, Number(anyway), idempotencyKey, file, createdAt);
    },
    byId: (id: string): ModelRecord | null => one(byId.get(id), toModel),
    byFile: (file: string): ModelRecord | null => one(byFile.get(file), toModel),
    byIdempotencyKey: (key: string): ModelRecord | null => one(byKey.get(key), toModel),
    /** Waiting or being made, oldest first. */
    processing: (): ModelRecord[] => processing.all().map(toModel),
    /** @param by 1 when the making begins, −1 where it was broken off without anybody's fault. */
    countAttempt(id: string, by: 1 | -1): void {
      attempt.run(by, id);
    },
    succeed(id: string, address: string, at: number): void {
      succeed.run(address, at, id);
    },
    fail(id: string, failure: Text, at: number): void {
      fail.run(failure.en, failure.zh, at, id);
    },
    remove(id: string): void {
      remove.run(id);
    },
    finishedBefore: (time: number): ModelRecord[] => old.all(time).map(toModel),
    /** Whether a model that isn't finished, or an image task, still needs this photo. */
    isPhotoInUse: (photo: string): boolean => photoInUse.get(photo, photo) !== undefined,

    putResult({ address, sha256, bytes, seconds }: ResultRecord, at: number): void {
      putResult.run(address, sha256, bytes, seconds, at, at);
    },
    result: (address: string): ResultRecord | null => one(result.get(address), toResult),
    isResultInUse: (address: string): boolean => resultInUse.get(address) !== undefined,
    /** Most recently used first. */
    results: (): ResultRecord[] => results.all().map(toResult),
    touchResult(address: string, at: number): void {
      touch.run(at, address);
    },
    /** With the models that refer to it: there is nothing left to download. */
    removeResult(address: string): void {
      removeModelsOf.run(address);
      removeResult.run(address);
    },
    /** Results that no model refers to and nobody has used since. */
    resultsUnusedSince: (time: number): ResultRecord[] => unusedResults.all(time).map(toResult),
    /** Seconds that the latest heads took, newest first. */
    speeds: (): number[] => speeds.all().map((row) => row.seconds as number),
  };
}
