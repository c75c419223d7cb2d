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

/** Milliseconds after which nobody writes on. */
const abandonedAfter = 3_600_000;

export interface AtomicWriteOptions {
  /** Permissions of the file; ignored on Windows. Default 0o600: only the owner. */
  mode?: number;
  /**
   * Looks at the complete new file, already on disk under its temporary path, before it takes the place of
   * the old one. When it throws, the old file stays and the new one goes.
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
    // The first error is the one that the person needs to know.
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
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    // Some network and FUSE file systems refuse to sync a folder; the rename itself has happened.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EBADF'].includes(fileErrorCode(error))) throw error;
  } finally {
    await handle?.close();
  }
}

/** Content of a file, or null where there is none. */
export async function readFileIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return null;
    throw storageFailure(error, path);
  }
}

/**
 * Removes what unfinished writes left in a folder (not below it). Those that somebody wrote to within the hour may
 * belong to a write under way, and stay.
 *
 * @param now milliseconds since 1970
 * @returns How many were removed.
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

/** Renames a file that is on disk, and waits until its name is. */
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
