import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { engineFiles } from '../engine_folder.ts';

/** The models and photos to remove from an engine. */
export interface ForgottenModels {
  /** `modelId`s of finished models. */
  models: readonly string[];
  /** Photos by the SHA-256 of their bytes, hex. */
  photos: readonly string[];
}

/**
 * Removes models, their photos, and the heads stored for repeated orders.
 *
 * Covers all engines of a folder, running or not, and the damaged databases moved aside. A model in progress
 * stays. Can be repeated.
 *
 * @param folder The folder of all engines.
 * @returns The numbers of removed files and rows, and whether anything blocked the removal.
 */
export function forgetModels(
  folder: string,
  forgotten: ForgottenModels,
): { removed: number; isClean: boolean } {
  let removed = 0;
  let isClean = true;
  for (const side of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, side);
    if (!/^\d+$/.test(side) || !existsSync(join(path, engineFiles.database))) continue;
    try {
      removed += forgetIn(path, forgotten);
    } catch {
      isClean = false;
    }
  }
  return { removed, isClean };
}

function forgetIn(path: string, { models, photos }: ForgottenModels): number {
  let removed = 0;
  const removeFile = (file: string): void => {
    if (!existsSync(file)) return;
    rmSync(file, { force: true });
    removed += 1;
  };
  for (const name of readdirSync(path)) {
    if (name.startsWith(`${engineFiles.database}.damaged-`)) removeFile(join(path, name));
  }
  // This waits briefly for a running engine, and the engine waits for this.
  const database = new DatabaseSync(join(path, engineFiles.database), { timeout: 5000 });
  try {
    database.exec('PRAGMA secure_delete = ON');
    const hasOthers = Number(database.prepare('PRAGMA user_version').get()?.user_version) >= 6;
    const others = hasOthers ? 'model.others' : 'NULL';
    const over = database.prepare(
      `SELECT id, photo, result, ${others} AS others FROM model WHERE state <> 3
       AND (id = ?1 OR photo = ?2 OR EXISTS (SELECT 1 FROM json_each(${others}) WHERE value = ?2))`,
    );
    const rows = [
      ...models.map((id) => over.all(id, '')),
      ...photos.map((photo) => over.all('', photo)),
    ].flat();
    const found = { photos: new Set(photos), results: new Set<string>() };
    for (const { photo, others: further, result } of rows) {
      for (const one of [String(photo), ...furtherOf(further)]) found.photos.add(one);
      if (result !== null) found.results.add(String(result));
    }
    database.exec('BEGIN IMMEDIATE');
    for (const address of found.results) {
      database.prepare('DELETE FROM model WHERE result = ?').run(address);
      database.prepare('DELETE FROM result WHERE address = ?').run(address);
    }
    for (const photo of found.photos) {
      database
        .prepare(
          `DELETE FROM model WHERE state <> 3
           AND (photo = ?1 OR EXISTS (SELECT 1 FROM json_each(${others}) WHERE value = ?1))`,
        )
        .run(photo);
      database.prepare('DELETE FROM image_task WHERE photo = ?').run(photo);
    }
    // Rows that no model refers to have no known owner any more.
    const ownerless = 'NOT EXISTS (SELECT 1 FROM model WHERE model.result = result.address)';
    for (const { address } of database.prepare(`SELECT address FROM result WHERE ${ownerless}`).all())
      found.results.add(String(address));
    database.exec(`DELETE FROM result WHERE ${ownerless}`);
    database.exec('COMMIT');
    removed += rows.length;
    const needed = database.prepare(
      `SELECT 1 FROM model WHERE photo = ?1 OR EXISTS (SELECT 1 FROM json_each(${others}) WHERE value = ?1) LIMIT 1`,
    );
    for (const address of found.results) removeFile(join(path, engineFiles.results, `${address}.glb`));
    for (const photo of found.photos)
      if (!needed.get(photo)) removeFile(join(path, engineFiles.photos, photo));
    database.exec('VACUUM');
    const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
    if (busy !== 0) throw new Error('another process reads the database');
    return removed;
  } finally {
    database.close();
  }
}

const furtherOf = (others: unknown): string[] =>
  typeof others === 'string' ? (JSON.parse(others) as string[]) : [];
