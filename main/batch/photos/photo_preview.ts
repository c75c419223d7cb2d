import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { mostPicture } from '#proto/picture_limits.ts';
import { unfinishedPath } from '../../storage/atomic_file.ts';
import type { PhotoRow } from './photo_row.ts';

/** Longest side of a small photo, pixels. */
const smallSide = 320;
/** Longest side of the large one: formats that a page can't show, and enough for any screen. */
const largeSide = 2400;
/** Formats that every page shows by itself. */
const shown = new Set(['jpeg', 'png', 'webp', 'avif']);

/** Pictures being made, so that none is made twice at once. */
const underWay = new Map<string, Promise<string | null>>();

/**
 * A photo small enough for a list of thousands, upright, as WebP; made once, kept in `folder`.
 *
 * @returns Absolute path; null where the photo can't be read.
 */
export const smallPhoto = (photo: PhotoRow, folder: string): Promise<string | null> =>
  made(photo, join(folder, `${photo.sha256}-small.webp`), smallSide);

/** A photo to look at closely: the file itself where a page can show it, else a WebP of it. */
export const largePhoto = (photo: PhotoRow, folder: string): Promise<string | null> =>
  shown.has(photo.format)
    ? Promise.resolve(existsSync(photo.path) ? photo.path : null)
    : made(photo, join(folder, `${photo.sha256}-large.webp`), largeSide);

/** Removes the pictures of photos of which `gone` says so, by their hash. @returns How many. */
export function removePreviews(folder: string, gone: (hash: string) => boolean): number {
  const hashOf = (name: string): string => /^([0-9a-f]{64})-(?:small|large)\.webp$/.exec(name)?.[1] ?? '';
  const names = previewsIn(folder).filter((name) => gone(hashOf(name)));
  for (const name of names) rmSync(join(folder, name), { force: true });
  return names.length;
}

const previewsIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function made(photo: PhotoRow, path: string, side: number): Promise<string | null> {
  if (existsSync(path)) return Promise.resolve(path);
  const running = underWay.get(path);
  if (running !== undefined) return running;
  const making = make(photo, path, side);
  underWay.set(path, making);
  const over = (): boolean => underWay.delete(path);
  making.then(over, over);
  return making;
}

async function make(photo: PhotoRow, path: string, side: number): Promise<string | null> {
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    const temporary = unfinishedPath(path);
    if ((await stat(photo.path)).size > mostPicture.bytes) return null;
    const picture = await sharp(await readFile(photo.path), { limitInputPixels: mostPicture.pixels })
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
    await writeFile(temporary, picture, { mode: 0o600 });
    await rename(temporary, path);
    return path;
  } catch {
    return null;
  }
}
