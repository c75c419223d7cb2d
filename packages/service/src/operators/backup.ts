import { constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { engineFiles } from '@likeness/engine/engine_folder.ts';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { renameDurably, unfinishedPath } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { hasServiceRun } from '../service_folder.ts';
import { noService } from '../service_reading.ts';

/** All pages in one step: SQLite repeats a copy in several steps when another process writes in between. */
const pagesPerStep = 2 ** 31 - 1;

/**
 * Copies a service's folder to a new one, also while the service runs. A service can start on the copy.
 *
 * The order keeps the copy consistent. A model that is ordered meanwhile is unknown there instead of unbilled. The
 * audit log is never shorter than its head says.
 *
 * @param target Absolute path of a folder that does not exist yet. It appears when the copy is complete.
 * @throws Failure `not_found` if no service ever ran there, `storage`
 */
export async function backUpService(folder: string, target: string): Promise<void> {
  if (!hasServiceRun(folder)) throw noService(folder);
  if (existsSync(target))
    throw new Failure('storage', t('storage.there_already', { name: basename(target) }), {
      hint: t('storage.move_elsewhere'),
    });
  const unfinished = unfinishedPath(target);
  try {
    await copyService(folder, unfinished);
    await renameDurably(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw storageFailure(error, target);
  }
}

async function copyService(folder: string, target: string): Promise<void> {
  mkdirSync(target, { mode: 0o700 });
  const engines = readdirSync(join(folder, 'engine')).map((side) => join('engine', side));
  const databases = [
    ...engines.map((engine) => join(engine, engineFiles.database)),
    'service.db',
    'journal/journal-head.db',
    'journal/journal.db',
  ];
  // Once more afterwards: a photo is removed when its head is made, and the head appears then.
  const copyFiles = async (): Promise<void> => {
    for (const engine of engines) {
      for (const part of [engineFiles.photos, engineFiles.results])
        await copyFolder(folder, target, join(engine, part));
    }
  };
  await copyFiles();
  for (const database of databases) await copyDatabase(join(folder, database), join(target, database));
  await copyFiles();
  for (const file of ['keys.json', 'webhook.key']) await copyNew(join(folder, file), join(target, file));
}

async function copyFolder(from: string, to: string, part: string): Promise<void> {
  if (!existsSync(join(from, part))) return;
  mkdirSync(join(to, part), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(join(from, part)))
    await copyNew(join(from, part, name), join(to, part, name));
}

/** A file that is gone or already copied is skipped. */
async function copyNew(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(fileErrorCode(error))) throw error;
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(database, to, { rate: pagesPerStep });
  } finally {
    database.close();
  }
}
