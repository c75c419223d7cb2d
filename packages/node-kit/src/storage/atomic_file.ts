import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileErrorCode } from '../error_codes.ts';
import { storageFailure } from './storage_failure.ts';

/**
 * The name pattern of unfinished files, so that leftovers of a power cut can be recognised.
 */
export const unfinishedName = /^\.likeness-[0-9a-f]{16}\.part$/;

/** Milliseconds after which an unfinished file counts as abandoned. */
const abandonedAfter = 3_600_000;

export interface AtomicWriteOptions {
  /** Permissions of the file; ignored on Windows. Default 0o600: only the owner. */
  mode?: number;
  /**
   * Checks the complete new file, already on disk under its temporary path, before it replaces the old one.
   * If it throws, the old file stays and the new one is removed.
   */
  verify?: (temporaryPath: string) => Promise<void> | void;
}

/** A temporary path in the same folder (so on the same disk) to write to until `commitFile`. */
export function unfinishedPath(finalPath: string): string {
  return join(dirname(finalPath), `.likeness-${randomBytes(8).toString('hex')}.part`);
}

/**
 * Replaces a file as a whole. After a crash or a power cut, the name has either the old or the complete new
 * content.
 *
 * @param data - errors from it are rethrown, and the old content stays
 * @throws Failure `storage` with a remedy, if the disk is full or read-only.
 */
export async function writeFileAtomically(
  path: string,
  data: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const temporary = unfinishedPath(path);
  try {
    const file = await open(temporary, 'wx', options.mode ?? 0o600);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await options.verify?.(temporary);
    await renameDurably(temporary, path);
  } catch (error) {
    // Report the first error, not that of the removal.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageFailure(error, path);
  }
}

/**
 * Gives a complete file, written under `unfinishedPath(finalPath)`, its final name, durably.
 *
 * @throws Failure `storage`; the unfinished file is then still there.
 */
export async function commitFile(temporaryPath: string, finalPath: string): Promise<void> {
  try {
    // Windows flushes only handles that may write.
    const file = await open(temporaryPath, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await renameDurably(temporaryPath, finalPath);
  } catch (error) {
    throw storageFailure(error, finalPath);
  }
}

/**
 * Makes renames and removals in a folder survive a power cut. Windows has no such call; NTFS journals them.
 *
 * @throws Failure `storage`
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    // Some network and FUSE file systems refuse to sync a folder; the rename itself has happened.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EBADF'].includes(fileErrorCode(error)))
      throw storageFailure(error, folder);
  } finally {
    await handle?.close();
  }
}

/** Returns a file's content, or null if there is no file. */
export async function readFileIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return null;
    throw storageFailure(error, path);
  }
}

/**
 * Removes unfinished files from a folder (not below it). Files written to within the last hour may still be
 * in use, and stay.
 *
 * @param now milliseconds since 1970
 * @returns The number of removed files.
 */
export async function removeUnfinished(folder: string, now = Date.now()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder)) {
    if (!unfinishedName.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs >= now - abandonedAfter) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

/** Renames a file that is on disk, and waits until the new name is on disk too. */
export async function renameDurably(from: string, to: string): Promise<void> {
  // On Windows a virus scanner or indexer may hold either file for a moment.
  for (let pause = 10; ; pause *= 2) {
    try {
      await rename(from, to);
      break;
    } catch (error) {
      const isLocked = ['EPERM', 'EACCES', 'EBUSY'].includes(fileErrorCode(error));
      if (process.platform !== 'win32' || !isLocked || pause > 1000) throw error;
      await wait(pause);
    }
  }
  await syncFolder(dirname(to));
}
