import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { syncFolder } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { Libraries } from '../libraries.ts';
import { incomingFolder } from './model_folder.ts';

/** All data needed to erase a model everywhere, even after its folder and row are deleted. */
export interface ErasedModel {
  id: string;
  libraryId: string;
  /** Absolute: its library, and its folder within it. */
  library: string;
  folder: string;
  /** SHA-256, hex; empty for a model without a photo. */
  photoHash: string;
  /** SHA-256 of additional photos of the person. */
  otherHashes: string[];
  /** Path of a photo without a copy; empty if there is a copy. */
  photoPath: string;
  /** The connection that made it; empty for an imported model. */
  profileId: string;
  profileName: string;
  /** Its id at that server. */
  remoteModelId: string;
  /** Makers and names of its earlier files. */
  earlier: { profileId: string; remoteModelId: string }[];
  /** Names of the model, its photo and its folder. */
  names: string[];
}

/** Returns the data of the models to erase; omits models that don't exist. */
export function modelsToErase(libraries: Libraries, ids: readonly string[]): ErasedModel[] {
  const { index } = libraries;
  return ids.flatMap((id) => {
    const placed = index.locate(id);
    const record = index.record(id);
    if (!placed || !record) return [];
    const library = libraries.folder(placed.libraryId);
    return {
      id,
      libraryId: placed.libraryId,
      library,
      folder: join(library, placed.folder),
      photoHash: record.photo?.sha256 ?? '',
      otherHashes: (record.others ?? []).map(({ sha256 }) => sha256).filter((hash) => hash !== ''),
      photoPath: record.photo?.file ? '' : (record.photo?.reference ?? ''),
      profileId: record.profile.id,
      profileName: record.profile.name,
      remoteModelId: record.remoteModelId,
      earlier: (record.earlier ?? []).map((making) => ({
        profileId: making.profile.id,
        remoteModelId: making.remoteModelId,
      })),
      names: [
        ...new Set([
          record.name,
          record.fileName,
          ...(record.others ?? []).flatMap(({ fileName, reference }) => [
            fileName,
            ...(reference ? [basename(reference)] : []),
          ]),
          placed.folder,
        ]),
      ].filter((name) => name !== ''),
    };
  });
}

/** Result of the erasure in the library. */
export interface LibraryErasure {
  /** Ids of the erased models. */
  erased: string[];
  /** Why a model still exists, by its id. */
  failed: Map<string, unknown>;
  /** Backups of damaged indexes that contained the records. */
  setAside: number;
  /** False if the clean-up of the index was prevented: try again. */
  isClean: boolean;
}

/** Removes models from disk and index. May be repeated. */
export async function eraseFromLibraries(
  libraries: Libraries,
  models: readonly ErasedModel[],
): Promise<LibraryErasure> {
  const { index, options } = libraries;
  const erased: string[] = [];
  const failed = new Map<string, unknown>();
  for (const [position, { id, library, folder }] of models.entries()) {
    try {
      await rm(folder, { recursive: true, force: true });
      await rm(incomingFolder(library, id), { recursive: true, force: true });
      erased.push(id);
    } catch (error) {
      failed.set(id, storageFailure(error, basename(folder)));
    }
    if (position % 50 === 49)
      options.onWorking?.({ what: 'erase', done: position + 1, total: models.length });
  }
  if (erased.length === 0) return { erased, failed, setAside: 0, isClean: true };
  for (const library of new Set(models.map((model) => model.library))) {
    await syncFolder(library).catch((error: unknown) => {
      // Its disk was disconnected: its entry here is removed, but the files on the disk could not be reached.
      if (fileErrorCode(error) !== 'ENOENT') throw error;
    });
  }
  // A scan that read a folder before its deletion would insert its row again.
  await libraries.settled();
  libraries.forget(erased);
  return {
    erased,
    failed,
    setAside: await removeSetAside(options.dataFolder),
    isClean: await index.wipe(),
  };
}

/** A damaged index can be rebuilt from the folders, so its backup is not needed. */
async function removeSetAside(dataFolder: string): Promise<number> {
  const names = (await readdir(dataFolder)).filter((name) => /^index\.damaged-.*\.db/.test(name));
  for (const name of names) await rm(join(dataFolder, name), { force: true });
  return names.length;
}

/** Counts the collections and saved searches whose names contain one of these names. */
export function listsNaming(libraries: Libraries, names: readonly string[]): number {
  const wanted = names.map((name) => name.toLowerCase());
  const isNaming = (text: string): boolean => wanted.some((name) => text.toLowerCase().includes(name));
  return libraries
    .list()
    .filter(({ available }) => available)
    .map(({ id }) => libraries.file(id))
    .flatMap(({ collections, savedSearches }) => [
      ...collections.map(({ name }) => name),
      ...savedSearches.map(({ name, query }) => `${name} ${JSON.stringify(query)}`),
    ])
    .filter(isNaming).length;
}
