import type { DatabaseSync } from 'node:sqlite';
import type { Both } from '@likeness/messages';
import type { OtherPhoto } from '@likeness/portrait/contract/head_request.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { Completion } from './model_jobs.ts';
import type { HeadParameters, ModelKind, ModelRecord, ModelState, Owner, Priority } from './model_record.ts';

export type NewModel = HeadParameters &
  Pick<ModelRecord, 'id' | 'createdAt' | 'photo' | 'others' | 'file' | 'owner' | 'kind' | 'priority'> & {
    idempotencyKey: string | null;
    /** The paying account; null: free. */
    account: string | null;
  };

/** A finished head's file, independent of the models that refer to it. */
export interface ResultRecord {
  address: string;
  /** SHA-256 of the file's bytes, hex. */
  sha256: string;
  bytes: number;
  /** Seconds that making it took. */
  seconds: number;
  /** The result for each further photo; null if there were none. */
  photos: readonly OtherPhoto[] | null;
}

type Row = Record<string, unknown>;

const toPhotos = ({ photos }: Row): readonly OtherPhoto[] | null =>
  photos === null ? null : (JSON.parse(photos as string) as OtherPhoto[]);

const toModel = (row: Row): ModelRecord => ({
  sequence: row.sequence as number,
  id: row.id as string,
  state: row.state as ModelState,
  createdAt: row.created_at as number,
  photo: row.photo as string,
  others: row.others === null ? [] : (JSON.parse(row.others as string) as string[]),
  photos: toPhotos(row),
  sex: row.sex as 0 | 1,
  eyelidType: row.eyelid_type as 1 | 2 | null,
  corrections:
    row.corrections === null ? null : (JSON.parse(row.corrections as string) as Partial<HeadCorrections>),
  options: row.options === null ? null : (JSON.parse(row.options as string) as HeadOptions),
  anyway: row.anyway === 1,
  preview: row.preview === 1,
  file: row.file as string,
  result: row.result as string | null,
  attempts: row.attempts as number,
  failure: row.failure_en === null ? null : { en: row.failure_en as string, zh: row.failure_zh as string },
  owner: row.owner === '' ? null : (row.owner as string),
  kind: row.kind as ModelKind,
  priority: row.priority as Priority,
});

/** Two owners may use one key for different orders. */
const keyOf = (owner: Owner, key: string): string => (owner === null ? key : `${owner}\n${key}`);

const toResult = (row: Row): ResultRecord => ({
  address: row.address as string,
  sha256: row.sha256 as string,
  bytes: row.bytes as number,
  seconds: row.seconds as number,
  photos: toPhotos(row),
});

export type ModelRecords = ReturnType<typeof createModelRecords>;

/** Functions on the tables `model` and `result`. Times are milliseconds since 1970 UTC. */
export function createModelRecords(database: DatabaseSync) {
  const insert = database.prepare(
    'INSERT INTO model (id, state, photo, sex, eyelid_type, corrections, options, anyway, preview, idempotency_key, file, created_at, owner, kind, priority, others, account) VALUES (?, 3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const byId = database.prepare(
    'SELECT * FROM model INDEXED BY model_by_owner WHERE owner = ? AND kind = ? AND id = ?',
  );
  const byOwner = database.prepare('SELECT * FROM model INDEXED BY model_by_owner WHERE owner = ?');
  const byFile = database.prepare('SELECT * FROM model WHERE file = ?');
  const byKey = database.prepare('SELECT * FROM model WHERE idempotency_key = ?');
  const processing = database.prepare('SELECT * FROM model WHERE state = 3 ORDER BY sequence');
  const previews = database.prepare('SELECT * FROM model WHERE preview = 1');
  const attempt = database.prepare('UPDATE model SET attempts = attempts + ? WHERE id = ?');
  const succeed = database.prepare(
    `UPDATE model SET state = 1, result = ?1, finished_at = ?2, photos = (SELECT photos FROM result WHERE address = ?1)
     WHERE id = ?3 AND state = 3`,
  );
  const complete = database.prepare(
    `INSERT OR IGNORE INTO completion (model, owner, kind, at, seconds, account)
     SELECT id, owner, kind, ?, ?, account FROM model WHERE id = ? AND owner <> ''`,
  );
  const completions = database.prepare(
    `SELECT completion.*, model.created_at FROM completion LEFT JOIN model ON model.id = completion.model
     WHERE cursor > ? ORDER BY cursor LIMIT ?`,
  );
  const origin = database.prepare(
    `SELECT name, isFirst, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'completion'), 0) AS last FROM origin`,
  );
  /** Returns the number to read after: 0 (everything kept) if the cursor belongs to another database. */
  const numberIn = (cursor: string | null): number => {
    const { name, isFirst, last } = origin.get() ?? {};
    const [number = '', from] = (cursor ?? '').split(':').reverse();
    const isOurs = from === undefined ? isFirst === 1 : from === name;
    // A number beyond the last one: this database is a backup and will assign some numbers again.
    return isOurs && Number(number) <= Number(last) ? Number(number) : 0;
  };
  const oldCompletions = database.prepare('DELETE FROM completion WHERE at < ?');
  const fail = database.prepare(
    'UPDATE model SET state = 4, failure_en = ?, failure_zh = ?, finished_at = ? WHERE id = ? AND state = 3',
  );
  const remove = database.prepare('DELETE FROM model WHERE id = ?');
  const old = database.prepare('SELECT * FROM model WHERE state <> 3 AND finished_at < ?');
  const photoInUse = database.prepare(
    `SELECT 1 FROM model INDEXED BY model_by_needed_photo WHERE photo = ?1 AND state = 3 UNION ALL SELECT 1 FROM image_task WHERE photo = ?1
     UNION ALL SELECT 1 FROM model INDEXED BY model_with_others, json_each(model.others)
       WHERE model.state = 3 AND model.others IS NOT NULL AND json_each.value = ?1 LIMIT 1`,
  );

  const resultInUse = database.prepare('SELECT 1 FROM model WHERE result = ? LIMIT 1');
  const putResult = database.prepare(
    'INSERT OR REPLACE INTO result (address, sha256, bytes, seconds, created_at, used_at, photos) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const result = database.prepare('SELECT * FROM result WHERE address = ?');
  const results = database.prepare('SELECT * FROM result ORDER BY used_at DESC, address');
  const touch = database.prepare('UPDATE result SET used_at = ? WHERE address = ?');
  const removeResultRow = database.prepare('DELETE FROM result WHERE address = ?');
  const removeModelsOf = database.prepare('DELETE FROM model WHERE result = ?');
  const unusedResults = database.prepare(
    'SELECT * FROM result WHERE used_at < ? AND NOT EXISTS (SELECT 1 FROM model WHERE model.result = result.address)',
  );
  const speeds = database.prepare('SELECT seconds FROM result ORDER BY created_at DESC LIMIT ?');

  /** Total of all results, kept as a running sum: there may be a million. */
  let resultBytes = Number(database.prepare('SELECT coalesce(sum(bytes), 0) AS n FROM result').get()?.n);
  const bytesOf = (address: string): number => Number(result.get(address)?.bytes ?? 0);

  function inOneStep<T>(work: () => T): T {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite rolls back by itself on some errors (disk full).
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  function removeResult(address: string): void {
    const before = bytesOf(address);
    removeModelsOf.run(address);
    removeResultRow.run(address);
    resultBytes -= before;
  }

  const one = <T>(row: Row | undefined, read: (row: Row) => T): T | null => (row ? read(row) : null);
  return {
    add(model: NewModel): void {
      const { id, photo, sex, eyelidType, corrections, anyway, idempotencyKey, file, createdAt } = model;
      const { owner, kind, priority } = model;
      const corrected = corrections && JSON.stringify(corrections);
      const key = idempotencyKey === null ? null : keyOf(owner, idempotencyKey);
      insert.run(
        id,
        photo,
        sex,
        eyelidType,
        corrected,
        model.options && JSON.stringify(model.options),
        Number(anyway),
        Number(model.preview ?? false),
        key,
        file,
        createdAt,
        owner ?? '',
        kind,
        priority,
        model.others.length > 0 ? JSON.stringify(model.others) : null,
        model.account,
      );
    },
    byId: (id: string, owner: Owner, kind: ModelKind): ModelRecord | null =>
      one(byId.get(owner ?? '', kind, id), toModel),
    ofOwner: (owner: string): ModelRecord[] => byOwner.all(owner).map(toModel),
    byFile: (file: string): ModelRecord | null => one(byFile.get(file), toModel),
    byIdempotencyKey: (owner: Owner, key: string): ModelRecord | null =>
      one(byKey.get(keyOf(owner, key)), toModel),
    /** Waiting or being made, oldest first. */
    processing: (): ModelRecord[] => processing.all().map(toModel),
    /** In any state. */
    previews: (): ModelRecord[] => previews.all().map(toModel),
    /** @param by 1 when making it begins, −1 if it was interrupted through no fault of the model. */
    countAttempt(id: string, by: 1 | -1): void {
      attempt.run(by, id);
    },
    /**
     * Records the completion and the last use of the result too.
     *
     * @returns false if the model has ended before or is gone: then nothing is written.
     */
    succeed(id: string, { address, at, seconds }: { address: string; at: number; seconds: number }): boolean {
      return inOneStep(() => {
        touch.run(at, address);
        const isNew = succeed.run(address, at, id).changes === 1;
        if (isNew) complete.run(at, seconds, id);
        return isNew;
      });
    },
    completions: (after: string | null, max: number): Completion[] =>
      completions.all(numberIn(after), max).map((row) => ({
        cursor: `${origin.get()?.name}:${row.cursor}`,
        id: row.model as string,
        owner: row.owner as string,
        kind: row.kind as ModelKind,
        at: row.at as number,
        seconds: row.seconds as number,
        orderedAt: row.created_at as number | null,
        account: (row.account as string | null) ?? '',
      })),
    removeCompletionsBefore(time: number): void {
      oldCompletions.run(time);
    },
    /** @returns false if the model has ended before or is gone. */
    fail: (id: string, failure: Both, at: number): boolean =>
      fail.run(failure.en, failure.zh, at, id).changes === 1,
    remove(id: string): void {
      remove.run(id);
    },
    finishedBefore: (time: number): ModelRecord[] => old.all(time).map(toModel),
    /** Whether an unfinished model or an image task still needs this photo. */
    isPhotoInUse: (photo: string): boolean => photoInUse.get(photo) !== undefined,

    putResult({ address, sha256, bytes, seconds, photos }: ResultRecord, at: number): void {
      const before = bytesOf(address);
      putResult.run(address, sha256, bytes, seconds, at, at, photos && JSON.stringify(photos));
      resultBytes += bytes - before;
    },
    /** Bytes of all results together. */
    resultBytes: (): number => resultBytes,
    result: (address: string): ResultRecord | null => one(result.get(address), toResult),
    isResultInUse: (address: string): boolean => resultInUse.get(address) !== undefined,
    /** Most recently used first. */
    results: (): ResultRecord[] => results.all().map(toResult),
    touchResult(address: string, at: number): void {
      touch.run(at, address);
    },
    /** Removes the models that refer to it too: they have nothing left to download. */
    removeResult,
    /** In one transaction. */
    removeResults(results: readonly Pick<ResultRecord, 'address'>[]): void {
      inOneStep(() => {
        for (const { address } of results) removeResult(address);
      });
    },
    /** Results that no model refers to and that were not used since. */
    resultsUnusedSince: (time: number): ResultRecord[] => unusedResults.all(time).map(toResult),
    /** Seconds that making the latest heads took, newest first. */
    speeds: (max: number): number[] => speeds.all(max).map((row) => row.seconds as number),
  };
}
