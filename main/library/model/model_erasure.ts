import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { syncFolder } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { Libraries } from '../libraries.ts';
import { incomingFolder } from './model_folder.ts';

/**
 * All that must be known of a model to erase it everywhere, also when its folder and row are gone already.
 */
export interface ErasedModel {
  id: string;
  libraryId: string;
  /** Absolute: its library, and its folder within it. */
  library: string;
  folder: string;
  /** SHA-256, hex; empty where there was no photo. */
  photoHash: string;
  /** SHA-256 of further photos of the person. */
  otherHashes: string[];
  /** Where the photo lies that no copy was kept of; empty where one was. */
  photoPath: string;
  /** The connection that made it; empty for one that was imported. */
  profileId: string;
  profileName: string;
  /** Its id at that server. */
  remoteModelId: string;
  /** Its files before were made by these, and called so. */
  earlier: { profileId: string; remoteModelId: string }[];
  /** What it, its photo and its folder were called. */
  names: string[];
}

/** What is known of the models that are to be erased; those that are not there are left out. */
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
  /** Ids of those that are gone. */
  erased: string[];
  /** Why a model is still there, by its id. */
  failed: Map<string, unknown>;
  /** Damaged indexes that were kept aside and had the records in them. */
  setAside: number;
  /** False where something was in the way of cleaning the index: try again. */
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
      // Its disk was taken away: what was on it is gone from here, and could not be reached there.
      if (fileErrorCode(error) !== 'ENOENT') throw error;
    });
  }
  // A scan that had read a folder before it went would put its row back.
  await libraries.settled();
  libraries.forget(erased);
  return {
    erased,
    failed,
    setAside: await removeSetAside(options.dataFolder),
    isClean: await index.wipe(),
  };
}

/** A damaged index can be made anew from the folders: of what was kept aside nobody needs anything. */
async function removeSetAside(dataFolder: string): Promise<number> {
  const names = (await readdir(dataFolder)).filter((name) => /^index\.damaged-.*\.db/.test(name));
  for (const name of names) await rm(join(dataFolder, name), { force: true });
  return names.length;
}

/** How many collections and saved searches have one of these names in theirs: the person gave them. */
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
