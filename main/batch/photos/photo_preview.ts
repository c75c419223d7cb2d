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

/** Longest side of a thumbnail, pixels. */
const smallSide = 320;
/** Longest side of the large preview, for formats that a page can't show; enough for any screen. */
const largeSide = 2400;
/** Formats that every page supports. */
const shown = new Set(['jpeg', 'png', 'webp', 'avif']);

/** A photo to display, identified by its hash. */
export type ShownPhoto = Pick<PhotoRow, 'path' | 'format' | 'sha256'>;

export interface PreviewOptions {
  folder: string;
  /** Decodes formats that sharp does not support. */
  crop: PortraitChecker['crop'];
}

/** Previews in progress, so that each is made only once. */
const pending = new Map<string, Promise<string | null>>();

/**
 * Makes a thumbnail for lists of thousands: upright, WebP; made once and cached in `folder`.
 *
 * @returns Absolute path; null if the photo can't be read.
 */
export async function smallPhoto(photo: ShownPhoto, options: PreviewOptions): Promise<string | null> {
  const path = join(options.folder, `${photo.sha256}-small.webp`);
  if (photo.format !== 'heic' || existsSync(path)) return made(photo.path, path, smallSide, options);
  // The engine decodes the photo once for both sizes.
  const large = await largePhoto(photo, options);
  return large && made(large, path, smallSide, options);
}

/** Returns a large preview: the file itself if a page supports it, otherwise a WebP of it. */
export const largePhoto = async (photo: ShownPhoto, options: PreviewOptions): Promise<string | null> =>
  (await isShownItself(photo))
    ? photo.path
    : made(photo.path, join(options.folder, `${photo.sha256}-large.webp`), largeSide, options);

/**
 * Whether a page can show the file itself: it supports the format, and the pixel count is within the limit.
 */
async function isShownItself({ path, format }: ShownPhoto): Promise<boolean> {
  if (!shown.has(format) || !existsSync(path)) return false;
  const { width, height } = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  return width * height <= maxPicture.pixels;
}

/** Removes the previews of photos for which `gone` returns true, by hash. @returns How many. */
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
    // Shows the readable part of a truncated photo; the check reports the defect.
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
