import { randomUUID } from 'node:crypto';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Collection, Handlers, ModelQuery, SavedSearch } from '#contract';
import type { Libraries } from './libraries.ts';

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

/** Implements the calls about data in libraries' own files: collections and saved searches. */
export const collectionCalls = (libraries: Libraries) =>
  ({
    collections: () => collectionsOf(libraries),
    async createCollection({ libraryId = libraries.defaultId(), name }) {
      const id = randomUUID();
      await libraries.changeFile(libraryId, (file) => ({
        ...file,
        collections: [...file.collections, { id, name }],
      }));
      return { id, libraryId, name, models: 0 };
    },
    async renameCollection({ id, name }) {
      const { libraryId } = collectionOf(libraries, id);
      await libraries.changeFile(libraryId, (file) => ({
        ...file,
        collections: file.collections.map((one) => (one.id === id ? { ...one, name } : one)),
      }));
      return collectionOf(libraries, id);
    },
    async removeCollection({ id }) {
      const { libraryId } = collectionOf(libraries, id);
      const inside = [false, true].flatMap((trash) => libraries.index.ids({ collectionId: id, trash }));
      await libraries.edit(inside, (record) => ({
        ...record,
        collections: record.collections.filter((one) => one !== id),
      }));
      await libraries.changeFile(libraryId, (file) => ({
        ...file,
        collections: file.collections.filter((one) => one.id !== id),
      }));
      return undefined;
    },

    savedSearches: () => savedSearchesOf(libraries),
    async saveSearch({ libraryId = libraries.defaultId(), name, query }) {
      const saved = { id: randomUUID(), name, query: query as ModelQuery };
      await libraries.changeFile(libraryId, (file) => ({
        ...file,
        savedSearches: [...file.savedSearches.filter((one) => one.name !== name), saved],
      }));
      return { ...saved, libraryId };
    },
    async removeSavedSearch({ id }) {
      const found = savedSearchesOf(libraries).find((one) => one.id === id);
      if (!found) throw new Failure('not_found', t('library.no_search'));
      await libraries.changeFile(found.libraryId, (file) => ({
        ...file,
        savedSearches: file.savedSearches.filter((one) => one.id !== id),
      }));
      return undefined;
    },
  }) satisfies Partial<Handlers['library']>;
