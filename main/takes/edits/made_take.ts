import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';

/** Name prefix of a take that is being made from others: such folders are not listed. */
const prefix = '.made-';

/** Writes all files of a take into its folder; receives the take's id and time, milliseconds since 1970. */
export type MakeTake = (folder: string, id: string, now: number) => Promise<void>;

/**
 * Makes a take's folder, which is renamed when complete.
 *
 * @param takes the folder of takes @throws errors of `make`, Failure `storage`; then the take does not exist
 */
export async function makeTakeFolder(takes: string, id: string, now: number, make: MakeTake): Promise<void> {
  const folder = join(takes, `${prefix}${id}`);
  try {
    await mkdir(folder, { mode: 0o700 });
    await make(folder, id, now);
    await rename(folder, join(takes, id));
    await syncFolder(takes);
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    throw storageFailure(error, folder);
  }
}

/** Removes partly made takes after a crash. */
export async function removeHalfMade(takes: string): Promise<void> {
  for (const name of await readdir(takes))
    if (name.startsWith(prefix)) await rm(join(takes, name), { recursive: true, force: true });
}
