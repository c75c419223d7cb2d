import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { type FileLock, tryFileLock } from '@likeness/node-kit/storage/file_lock.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';

/** The paths in a service's folder; only this module builds them. */
export interface ServiceFolder {
  /** Absolute path; contains the key file. */
  path: string;
  journal: string;
  engine: string;
  /** The service's data besides journal and engine. */
  database: string;
}

const pathsOf = (path: string): ServiceFolder => ({
  path,
  journal: join(path, 'journal'),
  engine: join(path, 'engine'),
  database: join(path, 'service.db'),
});

/** Whether a service has ever stored data in the folder. Creates nothing. */
export const hasServiceRun = (path: string): boolean => existsSync(join(pathsOf(path).journal, 'journal.db'));

/** @throws Failure `storage` if it can't be created */
export function serviceFolder(path: string): ServiceFolder {
  const paths = pathsOf(path);
  try {
    for (const folder of [path, paths.journal, paths.engine])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageFailure(error, path);
  }
  return paths;
}

/** Locks the folder for one running service. @throws Failure `conflict` if another one runs on it */
export function lockServiceFolder({ path }: ServiceFolder): FileLock {
  const lock = tryFileLock(join(path, 'service.lock'));
  if (lock) return lock;
  throw new Failure('conflict', t('service.runs_already', { folder: path }), {
    hint: t('service.other_folder'),
  });
}
