import { randomUUID } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { storageFailure } from './storage_failure.ts';

/** The person's own umask; null before `makeFilesPrivate`. */
let personsMask: number | null = null;

/**
 * From here on every file and folder that this process creates is private to its owner (0600, 0700),
 * including those of SQLite, image libraries and Chromium. Every entry calls it first.
 */
export function makeFilesPrivate(): void {
  const before = process.umask(0o077);
  personsMask ??= before;
}

/**
 * Runs `work`, which must be synchronous, with the person's own umask: for files that belong to the person,
 * and for starting their programs.
 */
export function asThePerson<T>(work: () => T): T {
  if (personsMask === null) return work();
  process.umask(personsMask);
  try {
    return work();
  } finally {
    process.umask(0o077);
  }
}

/**
 * Writes a file to a path that the person chose, with the permissions of their other files. An existing file
 * stays until the new one is complete; a pipe, a device or a link's target is written to directly.
 *
 * @throws Failure `storage`
 */
export async function saveForThePerson(
  path: string,
  data: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const before = lstatSync(path, { throwIfNoEntry: false });
  const isPlain = before === undefined || before.isFile();
  const target = isPlain ? `${path}.${randomUUID().slice(0, 8)}.part` : path;
  try {
    asThePerson(() => closeSync(openSync(target, isPlain ? 'wx' : 'a')));
    await writeFile(target, data);
    if (!isPlain) return;
    if (before) await chmod(target, before.mode & 0o777);
    await rename(target, path);
  } catch (error) {
    if (isPlain) await rm(target, { force: true });
    throw storageFailure(error, path);
  }
}

/** Gives a file that another program wrote into the person's folder the permissions of their other files. */
export async function giveToThePerson(path: string): Promise<void> {
  if (personsMask !== null) await chmod(path, 0o666 & ~personsMask);
}

/** Creates a folder for the person if it is missing. @throws Failure `storage` */
export function makeFolderForThePerson(path: string): void {
  try {
    asThePerson(() => mkdirSync(path, { recursive: true }));
  } catch (error) {
    throw storageFailure(error, path);
  }
}
