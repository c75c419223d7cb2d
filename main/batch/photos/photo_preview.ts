import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHeic } from '@likeness/node-kit/image_kind.ts';
import { unfinishedPath } from '@likeness/node-kit/storage/atomic_file.ts';
import { wholePicture } from '@likeness/proto/crop.ts';
import { maxPicture, pixelBounds } from '@likeness/proto/picture_limits.ts';
import sharp from 'sharp';
import type { PortraitChecker } from '../ports.ts';
import type { PhotoRow } from './photo_row.ts';

/** Longest side of a small photo, pixels. */
const smallSide = 320;
/** Longest side of the large one: formats that a page can't show, and enough for any screen. */
const largeSide = 2400;
/** Formats that every page shows by itself. */
const shown = new Set(['jpeg', 'png', 'webp', 'avif']);

/** A photo to be shown, by what is in it. */
export type ShownPhoto = Pick<PhotoRow, 'path' | 'format' | 'sha256'>;

export interface PreviewOptions {
  folder: string;
  /** Decodes what sharp can't read here. */
  crop: PortraitChecker['crop'];
}

/** Pictures being made, so that none is made twice at once. */
const pending = new Map<string, Promise<string | null>>();

/**
 * A photo small enough for a list of thousands, upright, as WebP; made once, kept in `folder`.
 *
 * @returns Absolute path; null where the photo can't be read.
 */
export async function smallPhoto(photo: ShownPhoto, options: PreviewOptions): Promise<string | null> {
  const path = join(options.folder, `${photo.sha256}-small.webp`);
  if (photo.format !== 'heic' || existsSync(path)) return made(photo.path, path, smallSide, options);
  // The engine decodes it once for both.
  const large = await largePhoto(photo, options);
  return large && made(large, path, smallSide, options);
}

/** A photo to look at closely: the file itself where a page can show it, else a WebP of it. */
export const largePhoto = async (photo: ShownPhoto, options: PreviewOptions): Promise<string | null> =>
  (await isShownItself(photo))
    ? photo.path
    : made(photo.path, join(options.folder, `${photo.sha256}-large.webp`), largeSide, options);

/** Whether a page shows the file itself: it knows the format, and decodes no more pixels than it should. */
async function isShownItself({ path, format }: ShownPhoto): Promise<boolean> {
  if (!shown.has(format) || !existsSync(path)) return false;
  const { width, height } = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  return width * height <= maxPicture.pixels;
}

/** Removes the pictures of photos of which `gone` says so, by their hash. @returns How many. */
export function removePreviews(folder: string, gone: (hash: string) => boolean): number {
  const hashOf = (name: string): string => /^([0-9a-f]{64})-(?:small|large)\.webp$/.exec(name)?.[1] ?? '';
  const names = previewsIn(folder).filter((name) => gone(hashOf(name)));
  for (const name of names) rmSync(join(folder, name), { force: true });
  return names.length;
}

const previewsIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function made(photo: string, path: string, side: number, options: PreviewOptions): Promise<string | null> {
  if (existsSync(path)) return Promise.resolve(path);
  const running = pending.get(path);
  if (running !== undefined) return running;
  const making = make(photo, path, side, options);
  pending.set(path, making);
  const over = (): boolean => pending.delete(path);
  making.then(over, over);
  return making;
}

async function make(
  photo: string,
  path: string,
  side: number,
  { crop }: PreviewOptions,
): Promise<string | null> {
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    const temporary = unfinishedPath(path);
    if ((await stat(photo)).size > maxPicture.bytes) return null;
    const file = await readFile(photo);
    const bytes = isHeic(file) ? await crop(file, wholePicture) : file;
    const header = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (header.width * header.height > pixelBounds(header).pixels) return null;
    // As much as there is of a photo that is cut off: the check says what is wrong with it.
    const picture = await sharp(bytes, { limitInputPixels: false, failOn: 'none' })
      .autoOrient()
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
