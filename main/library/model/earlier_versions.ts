import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, syncFolder, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { pathInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { Libraries } from '../libraries.ts';
import {
  type LikenessRecord,
  type Making,
  makingOf,
  maxEarlierVersions,
  versionOf,
} from './likeness_record.ts';
import {
  maxPictureBytes,
  modelFile,
  readModelFile,
  readRecord,
  thumbnailFile,
  writeRecord,
} from './model_folder.ts';

/** Folder of a head's earlier files, one subfolder per version. */
const earlierFolder = 'earlier';

/** The source of a version's files: its folder and record. */
interface Files {
  folder: string;
  making: Making;
}

/**
 * Replaces a head's file and keeps the current one as an earlier version. The user's data stays: name, tags,
 * notes, takes.
 *
 * An interruption loses nothing, and the call can be repeated. It copies the old files and saves that in the
 * record. Then it writes the new files, and finally updates the record.
 *
 * @throws Failure `not_found`, `storage`
 */
export async function giveFile(libraries: Libraries, id: string, files: Files): Promise<void> {
  const folder = libraries.modelFolder(id);
  const before = await readRecord(folder);
  const to = versionOf(id, files.making);
  if (versionOf(id, before) === to) return;
  try {
    await keepAside(folder, id, before);
    const kept = withEarlier(before, id, makingOf(before), to);
    await writeRecord(folder, kept);
    await replaced(folder, files.folder);
    await writeRecord(folder, {
      ...kept,
      ...files.making,
      thumbnailVersion: before.thumbnailVersion + 1,
      changedAt: libraries.options.clock(),
    });
    await dropUnknown(folder, id, [...before.earlier, files.making], kept.earlier);
  } catch (error) {
    throw storageFailure(error, folder);
  }
  libraries.onReplaced?.(id, versionOf(id, before));
  await libraries.rescanModel(id);
}

/** Restores an earlier file of a head. @throws Failure `not_found`, `storage` */
export async function bringBack(libraries: Libraries, id: string, version: string): Promise<void> {
  const folder = libraries.modelFolder(id);
  const making = earlierOf(id, await readRecord(folder), version);
  await giveFile(libraries, id, { folder: join(folder, earlierFolder, version), making });
}

/**
 * Deletes an earlier file of a head.
 *
 * @returns A function that puts it back: it holds the file in memory.
 * @throws Failure `not_found`, `storage`
 */
export async function removeEarlier(
  libraries: Libraries,
  id: string,
  version: string,
): Promise<() => Promise<void>> {
  const folder = libraries.modelFolder(id);
  const before = await readRecord(folder);
  const gone = earlierOf(id, before, version);
  const files = await filesOf(join(folder, earlierFolder, version));
  const at = before.earlier.indexOf(gone);
  const earlier = before.earlier.filter((one) => one !== gone);
  await writeRecord(folder, { ...before, earlier, changedAt: libraries.options.clock() });
  await dropUnknown(folder, id, [gone], earlier);
  await libraries.rescanModel(id);
  return async () => {
    // It may be in another library now.
    const to = libraries.modelFolder(id);
    const now = await readRecord(to);
    if ([now, ...now.earlier].some((one) => versionOf(id, one) === version)) return;
    await mkdir(join(to, earlierFolder, version), { recursive: true, mode: 0o700 });
    for (const { name, bytes } of files)
      await writeFileAtomically(join(to, earlierFolder, version, name), bytes);
    const all = now.earlier.toSpliced(at, 0, gone).slice(0, maxEarlierVersions);
    await writeRecord(to, { ...now, earlier: all });
    await dropUnknown(to, id, now.earlier, all);
    await libraries.rescanModel(id);
  };
}

async function filesOf(folder: string): Promise<{ name: string; bytes: Buffer }[]> {
  const files: { name: string; bytes: Buffer }[] = [];
  for (const name of [modelFile, thumbnailFile]) {
    const bytes = await readFileIfThere(join(folder, name));
    if (bytes) files.push({ name, bytes });
  }
  return files;
}

/** Absolute path of a file of an earlier version for the page; null if it does not exist. */
export async function earlierFile(
  libraries: Libraries,
  id: string,
  version: string,
  kind: 'model' | 'thumbnail',
): Promise<string | null> {
  const folder = libraries.modelFolder(id);
  const { earlier } = await readRecord(folder);
  if (!earlier.some((one) => versionOf(id, one) === version)) return null;
  const name = kind === 'model' ? modelFile : thumbnailFile;
  return pathInside(dirname(folder), join(folder, earlierFolder, version, name));
}

function earlierOf(id: string, { earlier }: LikenessRecord, version: string): Making {
  const found = earlier.find((one) => versionOf(id, one) === version);
  if (!found) throw new Failure('not_found', t('library.no_earlier'), { hint: t('library.moved_outside') });
  return found;
}

/** Copies a head's files to its earlier versions, unless an earlier process already did. */
async function keepAside(folder: string, id: string, record: LikenessRecord): Promise<void> {
  const target = join(folder, earlierFolder, versionOf(id, record));
  const part = `${target}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  for (const name of [modelFile, thumbnailFile]) {
    try {
      await copyFile(join(folder, name), join(part, name));
      await synced(join(part, name));
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT') throw error;
    }
  }
  try {
    await rename(part, target);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(fileErrorCode(error))) throw error;
    await rm(part, { recursive: true, force: true });
  }
  await syncFolder(dirname(target));
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns the record with one more earlier version, and without the one that becomes current. */
function withEarlier(record: LikenessRecord, id: string, making: Making, next: string): LikenessRecord {
  const version = versionOf(id, making);
  const others = record.earlier.filter((one) => ![version, next].includes(versionOf(id, one)));
  return { ...record, earlier: [making, ...others].slice(0, maxEarlierVersions) };
}

/** Replaces a head's files; each replacement is atomic. */
async function replaced(folder: string, from: string): Promise<void> {
  await writeFileAtomically(join(folder, modelFile), await readModelFile(from, modelFile));
  const picture = await readFileIfThere(join(from, thumbnailFile));
  if (picture && picture.length <= maxPictureBytes)
    await writeFileAtomically(join(folder, thumbnailFile), picture);
  else await rm(join(folder, thumbnailFile), { force: true });
}

/** Deletes the files of versions that were removed from the record. */
async function dropUnknown(
  folder: string,
  id: string,
  makings: readonly Making[],
  kept: readonly Making[],
): Promise<void> {
  const named = new Set(kept.map((one) => versionOf(id, one)));
  for (const making of makings) {
    const version = versionOf(id, making);
    if (!named.has(version)) await rm(join(folder, earlierFolder, version), { recursive: true, force: true });
  }
}
