import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { type FileLock, tryFileLock } from '@likeness/node-kit/storage/file_lock.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';

/** Where a service keeps what; these paths are built nowhere else. */
export interface ServiceFolder {
  /** Absolute; the keys' file lies in it. */
  path: string;
  journal: string;
  engine: string;
  /** What the service remembers beside journal and engine. */
  database: string;
}

const pathsOf = (path: string): ServiceFolder => ({
  path,
  journal: join(path, 'journal'),
  engine: join(path, 'engine'),
  database: join(path, 'service.db'),
});

/** Whether a service has ever kept something there. Makes nothing. */
export const hasServiceRun = (path: string): boolean => existsSync(join(pathsOf(path).journal, 'journal.db'));

/** @throws Failure `storage` where it can't be made */
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

/** Takes the folder for one running service. @throws Failure `conflict` where another one runs on it */
export function lockServiceFolder({ path }: ServiceFolder): FileLock {
  const lock = tryFileLock(join(path, 'service.lock'));
  if (lock) return lock;
  throw new Failure('conflict', t('service.runs_already', { folder: path }), {
    hint: t('service.other_folder'),
  });
}
