import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { imageHeadBytes, imageKind, takenKinds } from '@likeness/node-kit/image_kind.ts';
import { pathInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { maxPicture } from '@likeness/proto/picture_limits.ts';
import sharp from 'sharp';
import type { Libraries } from '../libraries.ts';
import type { LikenessRecord } from './likeness_record.ts';
import { hashFile, openModelFile, readRecord, thumbnailFile } from './model_folder.ts';

/**
 * Where the photo of a model lies, as far as it may be read: the copy in its folder, or the file elsewhere
 * that its record names, where this studio has named it. A picture in any case.
 *
 * @returns Absolute path; null where there is none, or it is not to be read
 */
async function portraitFile(libraries: Libraries, id: string): Promise<string | null> {
  const folder = libraries.modelFolder(id);
  const photo = (await readRecord(folder).catch(() => null))?.photo;
  if (!photo) return null;
  return photoPath(libraries, id, folder, photo);
}

/** As `portraitFile`, of a record that was read already. */
export async function photoPath(
  libraries: Libraries,
  id: string,
  folder: string,
  photo: Pick<NonNullable<LikenessRecord['photo']>, 'sha256' | 'file' | 'reference'>,
): Promise<string | null> {
  if (photo.file) {
    if (!(await isPicture(openModelFile(folder, photo.file)))) return null;
    return pathInside(dirname(folder), join(folder, photo.file));
  }
  const { reference } = photo;
  const may = reference === null ? 'no' : libraries.index.mayRefer(id, reference);
  if (reference === null || may === 'no' || !(await isPicture(open(reference)))) return null;
  if (may === 'if_same') {
    // Noted down before anybody asked whose word it was: only the very file that the record names counts.
    const hash = await hashFile(open(reference), reference).catch(() => '');
    if (hash !== photo.sha256) return null;
    libraries.index.ownReference(id, reference);
  }
  return reference;
}

/** Pixels of a thumbnail that the page is given: a small file may say that it is a wall. */
const thumbnailPixels = 4096 * 4096;

/** Where a picture for the page lies; null where it is none, or of more pixels than a page should decode. */
export async function shownPicture(
  libraries: Libraries,
  kind: 'thumbnail' | 'portrait',
  id: string,
): Promise<string | null> {
  const folder = libraries.modelFolder(id);
  const thumbnail = join(folder, thumbnailFile);
  const path =
    kind === 'portrait'
      ? await portraitFile(libraries, id)
      : (await isPicture(openModelFile(folder, thumbnailFile)))
        ? await pathInside(dirname(folder), thumbnail)
        : null;
  if (path === null) return null;
  const { width, height } = await sharp(path, { limitInputPixels: false })
    .metadata()
    // What can't be read here is too little to be a bomb, or broken: the page says so.
    .catch(() => ({ width: 1, height: 1 }));
  return width * height <= (kind === 'portrait' ? maxPicture.pixels : thumbnailPixels) ? path : null;
}

/** Whether a file begins like a picture that photos and thumbnails are; it is closed afterwards. */
async function isPicture(opened: Promise<FileHandle>): Promise<boolean> {
  const file = await opened.catch(() => null);
  if (!file) return false;
  try {
    const head = Buffer.alloc(imageHeadBytes);
    await file.read(head, 0, imageHeadBytes, 0);
    return takenKinds.has(imageKind(head) ?? '');
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
