import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder, writeFileAtomically } from '../storage/atomic_file.ts';
import { safeName } from '../storage/safe_name.ts';
import { fileErrorCode, storageFailure } from '../storage/storage_failure.ts';
import { type LikenessRecord, parseRecord, recordText } from './likeness_record.ts';

export const modelFile = 'model.glb';
export const thumbnailFile = 'thumbnail.webp';
export const recordFile = 'likeness.json';

/** How a folder is named that is being filled; the scan passes it over. */
const incomingPrefix = '.incoming-';

/** Name of a model's folder: its first name, and enough of its id that two never meet. It stays when it is renamed. */
export const folderNameOf = (name: string, id: string): string =>
  `${safeName(name, { maxBytes: 80 })} ${id.slice(0, 8)}`;

export const incomingFolder = (library: string, id: string): string => join(library, incomingPrefix + id);

/** Ids of the models that are being filled, or were when a process died. */
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

/** What the outside of a model's folder looks like, and changes when somebody edits it. */
export interface FolderStamp {
  /** Modification times and sizes in one text. */
  stamp: string;
  hasRecord: boolean;
  /** -1 where there is no `model.glb`. */
  modelBytes: number;
  hasThumbnail: boolean;
}

export async function stampOf(folder: string): Promise<FolderStamp> {
  const [record, model, thumbnail] = await Promise.all(
    [recordFile, modelFile, thumbnailFile].map((name) => stat(join(folder, name)).catch(() => null)),
  );
  const one = (file: Awaited<ReturnType<typeof stat>> | null | undefined): string =>
    file?.isFile() ? `${Number(file.mtimeMs)}:${Number(file.size)}` : '-';
  return {
    stamp: `${one(record)} ${one(model)} ${one(thumbnail)}`,
    hasRecord: record?.isFile() === true,
    modelBytes: model?.isFile() ? Number(model.size) : -1,
    hasThumbnail: thumbnail?.isFile() === true,
  };
}

/** @throws Failure `storage` where it can't be read. */
export async function readRecord(folder: string): Promise<LikenessRecord> {
  const path = join(folder, recordFile);
  let json: string;
  try {
    json = await readFile(path, 'utf8');
  } catch (error) {
    throw storageFailure(error, path);
  }
  return parseRecord(json);
}

/** Writes the record of a model that is being filled: nobody reads it before its folder has its name. */
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

/** Gives a filled folder its name, durably. What has the name already is left, and the filled one goes. */
export async function commitFolder(incoming: string, folder: string, library: string): Promise<void> {
  try {
    await syncFolder(incoming);
    await rename(incoming, folder);
    await syncFolder(library);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(fileErrorCode(error))) throw storageFailure(error, folder);
    await rm(incoming, { recursive: true, force: true });
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

/** SHA-256 of a file, hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    throw storageFailure(error, path);
  }
  return hash.digest('hex');
}

/** Why a file is no binary glTF 2.0, by its header (glTF 2.0, 4.4.2); empty where it is one. */
export async function glbFault(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null);
  if (!file) return 'it is not there';
  try {
    const header = Buffer.alloc(12);
    const { bytesRead } = await file.read(header, 0, 12, 0);
    if (bytesRead < 12 || header.toString('latin1', 0, 4) !== 'glTF') return 'it is no binary glTF file';
    const version = header.readUInt32LE(4);
    if (version !== 2) return `it is glTF ${version}; only 2.0 is known`;
    const { size } = await file.stat();
    const said = header.readUInt32LE(8);
    return said === size ? '' : `it should have ${said} bytes and has ${size}`;
  } finally {
    await file.close();
  }
}
