import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { say } from '#sentences';
import { fileErrorCode } from '../base/error_codes.ts';
import { Failure } from '../failure.ts';

/** True where `real` is `root` or lies below it; both as `realpath` gives them. */
export const liesWithin = (real: string, root: string): boolean =>
  real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);

/**
 * Opens a file in a folder that may come from somebody else: only a regular file, not a link, and only if it
 * really lies in the folder. The check applies to the opened file: a link that replaces it meanwhile is not
 * followed.
 *
 * @param folder - May itself contain links, because the person named it.
 * @throws Failure `storage` where a link leads elsewhere, or it is no file; else what `open` throws
 */
export async function openInside(
  folder: string,
  path: string,
  mode: 'read' | 'change' = 'read',
): Promise<FileHandle> {
  const access = mode === 'read' ? constants.O_RDONLY : constants.O_RDWR;
  let file: FileHandle;
  try {
    // Non-blocking: a pipe would block until somebody writes to it.
    file = await open(path, access | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw fileErrorCode(error) === 'ELOOP' ? leadsElsewhere(path) : error;
  }
  try {
    const [opened, isLink, real, root] = await Promise.all([
      file.stat(),
      // Opening has refused a link already, except on Windows, which has no O_NOFOLLOW.
      constants.O_NOFOLLOW === undefined && lstat(path).then((named) => named.isSymbolicLink()),
      realpath(path),
      realpath(folder),
    ]);
    if (isLink || !liesWithin(real, root)) throw leadsElsewhere(path);
    if (!opened.isFile()) throw new Failure('storage', say('storage.no_file', { file: basename(path) }));
    if (!isSame(opened, await stat(real))) throw leadsElsewhere(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens as `openInside` does. @throws as it, and Failure `storage` beyond `most` bytes */
export async function openBounded(folder: string, path: string, most: number): Promise<FileHandle> {
  const file = await openInside(folder, path);
  const { size } = await file.stat();
  if (size <= most) return file;
  await file.close();
  throw new Failure('storage', say('storage.too_large', { file: basename(path), size, most }));
}

/** The content of a file that `openBounded` opens. @throws as it */
export async function readInside(folder: string, path: string, most: number): Promise<Buffer> {
  const file = await openBounded(folder, path, most);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The real path of a file that `openInside` would open; null where it would not. */
export async function pathInside(folder: string, path: string): Promise<string | null> {
  const file = await openInside(folder, path).catch(() => null);
  await file?.close();
  return file && (await realpath(path).catch(() => null));
}

const isSame = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.dev === b.dev;

const leadsElsewhere = (path: string): Failure =>
  new Failure('storage', say('storage.link', { file: basename(path) }), {
    hint: say('storage.put_file'),
  });
