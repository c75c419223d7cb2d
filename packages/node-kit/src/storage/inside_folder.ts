import {
  close as closeWithCallback,
  constants,
  fstat,
  open as openWithCallback,
  read as readWithCallback,
  type Stats,
} from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { promisify } from 'node:util';
import { t } from '@likeness/messages';
import { fileErrorCode } from '../error_codes.ts';
import { Failure } from '../failure.ts';

/** True if `real` is `root` or below it; both as returned by `realpath`. */
export const liesWithin = (real: string, root: string): boolean =>
  real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);

/**
 * Opens a file in a folder of untrusted origin: only a regular file, not a link, and only if it really is in
 * the folder. The check applies to the opened file: a link that replaces it meanwhile is not followed.
 *
 * @param folder - May itself contain links, because the person chose it.
 * @throws Failure `storage` if a link leads elsewhere, or it isn't a file; otherwise the error of `open`
 */
export const openInside = (
  folder: string,
  path: string,
  mode: 'read' | 'change' = 'read',
): Promise<FileHandle> => despiteReplacement(path, () => openOnce(folder, path, mode));

async function openOnce(folder: string, path: string, mode: 'read' | 'change'): Promise<FileHandle> {
  const file = await open(path, flagsFor(mode)).catch((error: unknown) => refuseLink(error, path));
  try {
    await mustLieInside(file.stat(), folder, path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens as `openInside` does. @throws the same, and Failure `storage` beyond `max` bytes */
export async function openBounded(folder: string, path: string, max: number): Promise<FileHandle> {
  const file = await openInside(folder, path);
  const { size } = await file.stat();
  if (size <= max) return file;
  await file.close();
  throw new Failure('storage', t('storage.too_large', { file: basename(path), size, most: max }));
}

/**
 * Returns the content of a file that `openInside` opens.
 *
 * @param options.root - The folder's real path, if known, when reading many of its files.
 * @param options.first - Reads only this many bytes of a longer file.
 * @throws as `openInside`, and Failure `storage` beyond `max` bytes
 */
export const readInside = (
  folder: string,
  path: string,
  max: number,
  options: ReadInsideOptions = {},
): Promise<Buffer> => despiteReplacement(path, () => readOnce(folder, path, max, options));

interface ReadInsideOptions {
  root?: string | undefined;
  first?: number;
}

async function readOnce(
  folder: string,
  path: string,
  max: number,
  { root, first }: ReadInsideOptions,
): Promise<Buffer> {
  // By descriptor: a scan reads thousands of small files, and a FileHandle costs more than reading one.
  const file = await openDescriptor(path, flagsFor('read')).catch((error: unknown) =>
    refuseLink(error, path),
  );
  try {
    const { size } = await mustLieInside(statDescriptor(file), folder, path, root);
    if (size > max)
      throw new Failure('storage', t('storage.too_large', { file: basename(path), size, most: max }));
    const bytes = Buffer.allocUnsafeSlow(Math.min(size, first ?? size));
    let read = 0;
    while (read < bytes.length) {
      const { bytesRead } = await readDescriptor(file, bytes, read, bytes.length - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await closeDescriptor(file);
  }
}

const openDescriptor = promisify(openWithCallback);
const statDescriptor = promisify(fstat) as (file: number) => Promise<Stats>;
const readDescriptor = promisify(readWithCallback);
const closeDescriptor = promisify(closeWithCallback);

/** Non-blocking: opening a pipe would wait for a writer. */
const flagsFor = (mode: 'read' | 'change'): number =>
  (mode === 'read' ? constants.O_RDONLY : constants.O_RDWR) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

function refuseLink(error: unknown, path: string): never {
  throw fileErrorCode(error) === 'ELOOP' ? leadsElsewhere(path) : error;
}

/** @throws Failure `storage` if it isn't a regular file, or no longer the one at that path */
async function mustLieInside(
  stats: Promise<Stats>,
  folder: string,
  path: string,
  knownRoot?: string,
): Promise<Stats> {
  const [opened, isLink, real, root] = await Promise.all([
    stats,
    // Opening has refused a link already, except on Windows, which has no O_NOFOLLOW.
    constants.O_NOFOLLOW === undefined && lstat(path).then((named) => named.isSymbolicLink()),
    realpath(path),
    knownRoot ?? realpath(folder),
  ]);
  if (isLink || !liesWithin(real, root)) throw leadsElsewhere(path);
  if (!opened.isFile()) throw new Failure('storage', t('storage.no_file', { file: basename(path) }));
  if (!isSame(opened, await stat(real))) throw new ReplacedError();
  return opened;
}

/** A file was replaced between opening and checking it: by a link, or by its next version. */
class ReplacedError extends Error {}

/** How often a file may be replaced while it is opened, until it counts as a link. */
const maxReplacements = 5;

async function despiteReplacement<T>(path: string, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ReplacedError)) throw error;
      if (count === maxReplacements) throw leadsElsewhere(path);
    }
  }
}

/** Returns the real path of a file that `openInside` would open; otherwise null. */
export async function pathInside(folder: string, path: string): Promise<string | null> {
  const file = await openInside(folder, path).catch(() => null);
  await file?.close();
  return file && (await realpath(path).catch(() => null));
}

const isSame = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.dev === b.dev;

const leadsElsewhere = (path: string): Failure =>
  new Failure('storage', t('storage.link', { file: basename(path) }), {
    hint: t('storage.put_file'),
  });
