import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';

/** A take that is being made of others has this before its name: nobody lists it. */
const prefix = '.made-';

/** Writes all of a take into its folder; it is given the take's id and time, milliseconds since 1970. */
export type MakeTake = (folder: string, id: string, now: number) => Promise<void>;

/**
 * Makes a take's folder. It has its name when it is whole.
 *
 * @param takes the folder of takes @throws what `make` throws, Failure `storage`; then there is no such take
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

/** Removes what a crash left of takes that were being made. */
export async function removeHalfMade(takes: string): Promise<void> {
  for (const name of await readdir(takes))
    if (name.startsWith(prefix)) await rm(join(takes, name), { recursive: true, force: true });
}
