import { randomUUID } from 'node:crypto';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Collection, Handlers, HeadStep, ModelQuery, SavedSearch } from '#contract';
import type { Libraries } from './libraries.ts';
import type { LibraryFile } from './library_file.ts';
import type { ModelEditing } from './model/model_editing.ts';
import type { Edited } from './record_edits.ts';

/** Returns a collection by its id. @throws Failure `not_found` */
export function collectionOf(libraries: Libraries, id: string): Collection {
  const found = collectionsOf(libraries).find((candidate) => candidate.id === id);
  if (!found) throw new Failure('not_found', t('library.no_collection'));
  return found;
}

function collectionsOf(libraries: Libraries): Collection[] {
  const counts = libraries.index.collectionSizes();
  return eachFile(libraries).flatMap(({ libraryId, file }) =>
    file.collections.map(({ id, name }) => ({ id, libraryId, name, models: counts.get(id) ?? 0 })),
  );
}

const savedSearchesOf = (libraries: Libraries): SavedSearch[] =>
  eachFile(libraries).flatMap(({ libraryId, file }) =>
    file.savedSearches.map(({ id, name, query }) => ({ id, libraryId, name, query })),
  );

const eachFile = (libraries: Libraries) =>
  libraries
    .list()
    .filter(({ available }) => available)
    .map(({ id }) => ({ libraryId: id, file: libraries.file(id) }));

type Searches = LibraryFile['savedSearches'];

/** Implements the calls about data in libraries' own files: collections and saved searches. Each is an undo step. */
export const collectionCalls = (libraries: Libraries, editing: ModelEditing) => {
  const remember = (
    what: HeadStep,
    takeBack: () => Promise<unknown>,
    again: () => Promise<unknown>,
    edited: Edited[] = [],
  ): void => editing.remember({ what, edited, files: { takeBack, again } });
  const addCollection = (libraryId: string, at: number, added: { id: string; name: string }): Promise<void> =>
    libraries.changeFile(libraryId, (file) => ({
      ...file,
      collections: file.collections.toSpliced(at, 0, added),
    }));
  const rename = async (id: string, name: string): Promise<void> =>
    libraries.changeFile(collectionOf(libraries, id).libraryId, (file) => ({
      ...file,
      collections: file.collections.map((one) => (one.id === id ? { ...one, name } : one)),
    }));
  /** @returns Its heads' records of before. */
  const removeCollection = async (id: string): Promise<Edited[]> => {
    const { libraryId } = collectionOf(libraries, id);
    const inside = [false, true].flatMap((trash) => libraries.index.ids({ collectionId: id, trash }));
    const edited = await libraries.edit(inside, (record) => ({
      ...record,
      collections: record.collections.filter((one) => one !== id),
    }));
    await libraries.changeFile(libraryId, (file) => ({
      ...file,
      collections: file.collections.filter((one) => one.id !== id),
    }));
    return edited;
  };
  const changeSearches = (libraryId: string, change: (all: Searches) => Searches): Promise<void> =>
    libraries.changeFile(libraryId, (file) => ({ ...file, savedSearches: change(file.savedSearches) }));

  return {
    collections: () => collectionsOf(libraries),
    async createCollection({ libraryId = libraries.defaultId(), name }) {
      const id = randomUUID();
      const add = (): Promise<void> =>
        addCollection(libraryId, libraries.file(libraryId).collections.length, { id, name });
      await add();
      remember('new collection', () => removeCollection(id), add);
      return { id, libraryId, name, models: 0 };
    },
    async renameCollection({ id, name }) {
      const before = collectionOf(libraries, id).name;
      await rename(id, name);
      remember(
        'rename collection',
        () => rename(id, before),
        () => rename(id, name),
      );
      return collectionOf(libraries, id);
    },
    async removeCollection({ id }) {
      const { libraryId, name } = collectionOf(libraries, id);
      const at = libraries.file(libraryId).collections.findIndex((one) => one.id === id);
      const edited = await removeCollection(id);
      remember(
        'remove collection',
        () => addCollection(libraryId, at, { id, name }),
        () => removeCollection(id),
        edited,
      );
      return undefined;
    },

    savedSearches: () => savedSearchesOf(libraries),
    async saveSearch({ libraryId = libraries.defaultId(), name, query }) {
      const saved = { id: randomUUID(), name, query: query as ModelQuery };
      const replaced = libraries.file(libraryId).savedSearches.filter((one) => one.name === name);
      const save = (): Promise<void> =>
        changeSearches(libraryId, (all) => [...all.filter((one) => one.name !== name), saved]);
      await save();
      remember(
        'save search',
        () => changeSearches(libraryId, (all) => [...all.filter((one) => one.id !== saved.id), ...replaced]),
        save,
      );
      return { ...saved, libraryId };
    },
    async removeSavedSearch({ id }) {
      const found = savedSearchesOf(libraries).find((one) => one.id === id);
      if (!found) throw new Failure('not_found', t('library.no_search'));
      const { libraryId, ...gone } = found;
      const at = libraries.file(libraryId).savedSearches.findIndex((one) => one.id === id);
      const remove = (): Promise<void> =>
        changeSearches(libraryId, (all) => all.filter((one) => one.id !== id));
      await remove();
      remember('remove search', () => changeSearches(libraryId, (all) => all.toSpliced(at, 0, gone)), remove);
      return undefined;
    },
  } satisfies Partial<Handlers['library']>;
};
