import { copyFile, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { syncFolder, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
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

/** Where the files lie that a head had before, each in a folder named after its making. */
const earlierFolder = 'earlier';

/** Where a making's files come from: the folder, and what is known of it. */
interface Files {
  folder: string;
  making: Making;
}

/**
 * Gives a head another file, and keeps the one that it has. What a person said of the head stays: name, tags,
 * notes, takes.
 *
 * Whatever ends it half-way, nothing is lost and it can be done again: the old files are first copied aside
 * and the record says so; then the new ones come; last the record says what they are.
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
  await libraries.rescanModel(id);
}

/** Gives a head a file back that it had. @throws Failure `not_found`, `storage` */
export async function bringBack(libraries: Libraries, id: string, version: string): Promise<void> {
  const folder = libraries.modelFolder(id);
  const making = earlierOf(id, await readRecord(folder), version);
  await giveFile(libraries, id, { folder: join(folder, earlierFolder, version), making });
}

/** Deletes a file that a head had. @throws Failure `not_found`, `storage` */
export async function removeEarlier(libraries: Libraries, id: string, version: string): Promise<void> {
  const folder = libraries.modelFolder(id);
  const before = await readRecord(folder);
  const gone = earlierOf(id, before, version);
  const earlier = before.earlier.filter((one) => versionOf(id, one) !== version);
  await writeRecord(folder, { ...before, earlier, changedAt: libraries.options.clock() });
  await dropUnknown(folder, id, [gone], earlier);
  await libraries.rescanModel(id);
}

function earlierOf(id: string, { earlier }: LikenessRecord, version: string): Making {
  const found = earlier.find((one) => versionOf(id, one) === version);
  if (!found) throw new Failure('not_found', t('library.no_earlier'), { hint: t('library.moved_outside') });
  return found;
}

/** Copies a head's files to where earlier ones lie; done already where an earlier life got so far. */
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

/** The record with one more earlier making, and without the one that becomes the present one. */
function withEarlier(record: LikenessRecord, id: string, making: Making, next: string): LikenessRecord {
  const version = versionOf(id, making);
  const others = record.earlier.filter((one) => ![version, next].includes(versionOf(id, one)));
  return { ...record, earlier: [making, ...others].slice(0, maxEarlierVersions) };
}

/** Puts files in place of a head's; each change is whole. */
async function replaced(folder: string, from: string): Promise<void> {
  await writeFileAtomically(join(folder, modelFile), await readModelFile(from, modelFile));
  const picture = await readFile(join(from, thumbnailFile)).catch((error: unknown) => {
    if (fileErrorCode(error) !== 'ENOENT') throw error;
    return null;
  });
  if (picture && picture.length <= maxPictureBytes)
    await writeFileAtomically(join(folder, thumbnailFile), picture);
  else await rm(join(folder, thumbnailFile), { force: true });
}

/** Deletes the files of makings that the record names no longer. */
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
