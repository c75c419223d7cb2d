import { createHash } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { glbFileFault } from '@likeness/gltf/glb_fault.ts';
import { type GlbFault, glbLimits } from '@likeness/gltf/glb_limits.ts';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readPart } from '@likeness/node-kit/read_part.ts';
import { syncFolder, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { openInside, readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { safeName } from '@likeness/node-kit/storage/safe_name.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { type FileMetadata, readFileMetadata } from './file_metadata.ts';
import { type LikenessRecord, parseRecord, recordText } from './likeness_record.ts';

export const modelFile = 'model.glb';
export const thumbnailFile = 'thumbnail.webp';
export const recordFile = 'likeness.json';

/** Maximum bytes of a record, and of a picture beside it. */
const maxRecordBytes = 4 * 1024 * 1024;
export const maxPictureBytes = 64 * 1024 * 1024;

/** Name prefix of a folder that is being filled; the scan ignores it. */
const incomingPrefix = '.incoming-';

/**
 * Returns the name of a model's folder: its first name, and enough of its id to be unique. Renaming the model
 * keeps it.
 */
export const folderNameOf = (name: string, id: string): string =>
  `${safeName(name, { maxBytes: 80 })} ${id.slice(0, 8)}`;

export const incomingFolder = (library: string, id: string): string => join(library, incomingPrefix + id);

/** Ids of models whose folders are being filled, or were when a process crashed. */
export async function incomingIds(library: string): Promise<string[]> {
  const names = await readdir(library).catch(() => []);
  return names
    .filter((name) => name.startsWith(incomingPrefix))
    .map((name) => name.slice(incomingPrefix.length));
}

/** Names of folders in a library that may be models. @throws Failure `storage` */
export async function modelFolderNames(library: string): Promise<string[]> {
  try {
    const entries = await readdir(library, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  } catch (error) {
    throw storageFailure(error, library);
  }
}

/** A stamp of a model's folder, which changes when a file in it is edited. */
export interface FolderStamp {
  /** Modification times and sizes in one text. */
  stamp: string;
  hasRecord: boolean;
  /** -1 where there is no `model.glb`. */
  modelBytes: number;
  hasThumbnail: boolean;
}

/** The part of a stamp that changes with `model.glb`. */
export const modelPart = (stamp: string): string => stamp.split(' ')[1] ?? '';

/** Links are ignored: a folder from someone else must not expose files elsewhere. */
export async function stampOf(folder: string): Promise<FolderStamp> {
  const [record, model, thumbnail] = await Promise.all(
    [recordFile, modelFile, thumbnailFile].map((name) => lstat(join(folder, name)).catch(() => null)),
  );
  const one = (file: Awaited<ReturnType<typeof lstat>> | null | undefined): string =>
    file?.isFile() ? `${Number(file.mtimeMs)}:${Number(file.size)}` : '-';
  return {
    stamp: `${one(record)} ${one(model)} ${one(thumbnail)}`,
    hasRecord: record?.isFile() === true,
    modelBytes: model?.isFile() ? Number(model.size) : -1,
    hasThumbnail: thumbnail?.isFile() === true,
  };
}

/**
 * Opens one of a model's files, after checking that it is really inside its library.
 *
 * @throws as `openInside`
 */
export const openModelFile = (folder: string, name: string) =>
  openInside(dirname(folder), join(folder, name));

/** Reads one of a model's files. @throws Failure `storage` if it is not a file, a link, or too large */
export async function readModelFile(
  folder: string,
  name: string,
  max: number = glbLimits.fileBytes,
): Promise<Buffer> {
  const path = join(folder, name);
  return readInside(dirname(folder), path, max).catch((error: unknown) => {
    throw storageFailure(error, path);
  });
}

/**
 * Reads the metadata in a model's file.
 *
 * @param root - The library's real path, if known.
 */
export const readModelMetadata = (folder: string, root?: string): Promise<FileMetadata> =>
  readFileMetadata((first) =>
    readInside(dirname(folder), join(folder, modelFile), Number.POSITIVE_INFINITY, { root, first }),
  );

/**
 * @param root - The library's real path, if known.
 * @throws Failure `storage` if it can't be read.
 */
export async function readRecord(folder: string, root?: string): Promise<LikenessRecord> {
  const path = join(folder, recordFile);
  let json: string;
  try {
    json = (await readInside(dirname(folder), path, maxRecordBytes, { root })).toString('utf8');
  } catch (error) {
    throw storageFailure(error, path);
  }
  return parseRecord(json);
}

/** Writes the record of a model whose folder is being filled: nobody reads it before the rename. */
export async function writeFirstRecord(folder: string, record: LikenessRecord): Promise<void> {
  const path = join(folder, recordFile);
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(recordText(record));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw storageFailure(error, path);
  }
}

export const writeRecord = (folder: string, record: LikenessRecord): Promise<void> =>
  writeFileAtomically(join(folder, recordFile), recordText(record));

/**
 * Renames a filled folder to its final name, durably. If the name is taken, the filled folder is removed.
 *
 * @returns Whether the rename happened.
 */
export async function commitFolder(incoming: string, folder: string, library: string): Promise<boolean> {
  try {
    await syncFolder(incoming);
    await rename(incoming, folder);
    await syncFolder(library);
    return true;
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(fileErrorCode(error))) throw storageFailure(error, folder);
    await rm(incoming, { recursive: true, force: true });
    return false;
  }
}

export async function makeIncoming(library: string, id: string): Promise<string> {
  const folder = incomingFolder(library, id);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (fileErrorCode(error) !== 'EEXIST') throw storageFailure(error, folder);
  }
  return folder;
}

/** Bytes to hash in one step. */
const hashChunkBytes = 256 * 1024;

/** Returns the SHA-256 of an open file as hex, and closes the file. */
export async function hashFile(opened: Promise<FileHandle>, path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    const file = await opened;
    try {
      for (let at = 0; ; ) {
        const piece = await readPart(file, at, hashChunkBytes);
        hash.update(piece);
        at += piece.length;
        if (piece.length < hashChunkBytes) return hash.digest('hex');
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw storageFailure(error, path);
  }
}

/**
 * Returns the problem of a GLB; null if it may be decoded.
 *
 * @param also - Reads other data from the file before it is closed.
 */
export async function faultOfGlb(
  opened: Promise<FileHandle>,
  also?: (file: FileHandle) => Promise<void>,
): Promise<GlbFault | null> {
  let file: FileHandle;
  try {
    file = await opened;
  } catch (error) {
    if (error instanceof Failure) return { kind: 'refused', text: error.userMessage };
    if (fileErrorCode(error) === 'ENOENT') return { kind: 'damaged', text: t('library.no_file') };
    // It may be intact: a file that can't be opened now proves nothing.
    throw storageFailure(error, modelFile);
  }
  try {
    const fault = await glbFileFault(file);
    await also?.(file);
    return fault;
  } finally {
    await file.close();
  }
}
