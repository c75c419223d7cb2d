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
 * Returns a model's photo if it may be read: the copy in its folder, or the original file named in its record
 * if this studio wrote that path. The file must be a picture.
 *
 * @returns Absolute path; null if there is none or it must not be read
 */
async function portraitFile(libraries: Libraries, id: string): Promise<string | null> {
  const folder = libraries.modelFolder(id);
  const photo = (await readRecord(folder).catch(() => null))?.photo;
  if (!photo) return null;
  return photoPath(libraries, id, folder, photo);
}

/** As `portraitFile`, for a record that is already loaded. */
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
    // Recorded before the studio checked who wrote the path: only the exact file of the record counts.
    const hash = await hashFile(open(reference), reference).catch(() => '');
    if (hash !== photo.sha256) return null;
    libraries.index.ownReference(id, reference);
  }
  return reference;
}

/** Maximum pixels of a thumbnail for the page: a small file may declare a huge image. */
const thumbnailPixels = 4096 * 4096;

/** Returns the path of a picture for the page; null if it is not a picture or has too many pixels. */
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
  return path && pictureOf(path, kind);
}

/** The path, unless its picture has too many pixels for the page. */
export async function pictureOf(path: string, kind: 'thumbnail' | 'portrait'): Promise<string | null> {
  const { width, height } = await sharp(path, { limitInputPixels: false })
    .metadata()
    // A file that can't be parsed here is too small to be a decompression bomb, or broken: the page reports
    // it.
    .catch(() => ({ width: 1, height: 1 }));
  return width * height <= (kind === 'portrait' ? maxPicture.pixels : thumbnailPixels) ? path : null;
}

/** Whether a file starts like a photo or thumbnail; closes the file. */
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
