import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  CallOutput,
  Collection,
  ErasureReceipt,
  Handlers,
  ModelQuery,
  Readiness,
  SavedSearch,
} from '#contract';
import { oneAfterAnother, type Said, say } from '#sentences';
import type { GivenFile } from '../base/given_file.ts';
import { imageKind } from '../base/image_kind.ts';
import { type BlenderPlace, openInBlender } from '../blender.ts';
import { Failure } from '../failure.ts';
import { glbFailure } from '../gltf/glb_bounds.ts';
import { writeFileAtomically } from '../storage/atomic_file.ts';
import { pathInside } from '../storage/inside_folder.ts';
import type { ModelExports } from './export/model_export.ts';
import { exportRecords } from './export/record_export.ts';
import type { Libraries } from './libraries.ts';
import type { ModelEditing } from './model/model_editing.ts';
import { modelFault } from './model/model_fault.ts';
import { modelFile, modelPart, readRecord, stampOf, thumbnailFile } from './model/model_folder.ts';
import { importModel } from './model/model_import.ts';
import { verifyLibrary } from './model/model_verification.ts';
import { shownPicture } from './model/portrait_file.ts';
import { readinessOfFile } from './model/readiness.ts';

export interface LibraryCallsOptions {
  libraries: Libraries;
  editing: ModelEditing;
  exports: ModelExports;
  blender: BlenderPlace;
  /** What else an erasure would remove. */
  beforeErase: (ids: readonly string[]) => Promise<CallOutput<'library', 'beforeErase'>>;
  /** Erases heads for good, wherever something of them lies; their takes where that is wanted. */
  erase: (ids: readonly string[], withTakes: boolean) => Promise<ErasureReceipt>;
  /** Asks for a folder; null when dismissed. */
  chooseFolder: (title: Said) => Promise<string | null>;
  reveal: (path: string) => Promise<void>;
  /** Files that the page has ids of. */
  takeDropped: (ids: readonly string[]) => GivenFile[];
}

/** Models whose records fit into one file handed to the page as text. */
const mostExported = 100_000;

/** Reports that are kept: each took a second to make. */
const mostReports = 32;

/** The library's side of the contract. */
export function libraryCalls(options: LibraryCallsOptions): Handlers['library'] {
  const { libraries, editing, exports } = options;
  const { index } = libraries;
  const reports = new Map<string, Readiness>();

  const collections = (): Collection[] => {
    const counts = index.shelves();
    return eachFile().flatMap(({ libraryId, file }) =>
      file.collections.map(({ id, name }) => ({ id, libraryId, name, models: counts.get(id) ?? 0 })),
    );
  };
  const eachFile = () =>
    libraries
      .list()
      .filter(({ available }) => available)
      .map(({ id }) => ({ libraryId: id, file: libraries.file(id) }));
  const collection = (id: string): Collection => {
    const found = collections().find((candidate) => candidate.id === id);
    if (!found) throw new Failure('not_found', say('library.no_collection'));
    return found;
  };
  const savedSearches = (): SavedSearch[] =>
    eachFile().flatMap(({ libraryId, file }) =>
      file.savedSearches.map(({ id, name, query }) => ({ id, libraryId, name, query })),
    );
  const cardOf = (id: string) => {
    const card = index.card(id);
    if (!card) throw new Failure('not_found', say('library.no_model'));
    return card;
  };

  return {
    libraries: () => libraries.list(),
    async addLibrary({ name }) {
      const folder = await options.chooseFolder(say('library.choose_folder'));
      return folder === null ? null : libraries.add(folder, name);
    },
    async removeLibrary({ id }) {
      await libraries.remove(id);
      return libraries.list();
    },
    async revealLibrary({ id }) {
      await options.reveal(libraries.folder(id));
      return undefined;
    },
    async moveLibrary({ id }) {
      libraries.one(id);
      const folder = await options.chooseFolder(say('library.choose_place'));
      return folder === null ? null : libraries.move(id, folder);
    },
    async changeLibrary({ id, changes: { name, isDefault, keepPhotos } }) {
      if (name !== undefined || keepPhotos !== undefined) {
        await libraries.changeFile(id, (file) => ({
          ...file,
          name: name ?? file.name,
          keepPhotos: keepPhotos ?? file.keepPhotos,
        }));
      }
      if (isDefault) await libraries.makeDefault(id);
      return libraries.list();
    },

    search: ({ query, offset, limit }) => libraries.search(query, offset, limit),
    facets: ({ query }) => libraries.index.facets(query),
    model: ({ id }) => libraries.model(id),
    async readiness({ id }) {
      const folder = libraries.modelFolder(id);
      const key = `${id} ${(await stampOf(folder)).stamp}`;
      const known = reports.get(key);
      if (known) return known;
      if (!existsSync(join(folder, modelFile))) {
        throw new Failure('not_found', say('library.file_missing'), { hint: say('library.verify') });
      }
      const { fault, refused } = await modelFault(libraries, id);
      if (refused) throw glbFailure(fault);
      const look = libraries.options.readiness ?? readinessOfFile;
      const report = await look(dirname(folder), join(folder, modelFile));
      reports.set(key, report);
      const oldest = reports.keys().next().value;
      if (reports.size > mostReports && oldest !== undefined) reports.delete(oldest);
      return report;
    },

    async edit({ selection, changes }) {
      if (changes.addCollection) collection(changes.addCollection);
      return { changed: await editing.edit(libraries.selected(selection), changes) };
    },
    async rename({ selection, pattern, preview }) {
      const names = await editing.rename(libraries.selected(selection), pattern, preview);
      return { names: names.slice(0, 500), total: names.length };
    },
    undo: async () => ({ undone: await editing.undo() }),
    trash: async ({ selection }) => ({ trashed: await editing.trash(libraries.selected(selection)) }),
    restore: async ({ selection }) => ({ restored: await editing.restore(libraries.selected(selection)) }),
    beforeErase: ({ selection }) => options.beforeErase(libraries.selected(selection)),
    erase: ({ selection, takes }) => options.erase(libraries.selected(selection), takes),

    collections,
    async createCollection({ libraryId = libraries.defaultId(), name }) {
      const id = randomUUID();
      await libraries.changeFile(libraryId, (file) => ({
        ...file,
        collections: [...file.collections, { id, name }],
      }));
      return { id, libraryId, name, models: 0 };
    },
    async renameCollection({ id, name }) {
      const { libraryId } = collection(id);
      await libraries.changeFile(libraryId, (file) => ({
        ...file,
        collections: file.collections.map((one) => (one.id === id ? { ...one, name } : one)),
      }));
      return collection(id);
    },
    async removeCollection({ id }) {
      const { libraryId } = collection(id);
      const inside = [false, true].flatMap((trash) => index.ids({ collectionId: id, trash }));
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
    savedSearches,
    async saveSearch({ libraryId = libraries.defaultId(), name, query }) {
      const saved = { id: randomUUID(), name, query: query as ModelQuery };
      await libraries.changeFile(libraryId, (file) => ({
        ...file,
        savedSearches: [...file.savedSearches.filter((one) => one.name !== name), saved],
      }));
      return { ...saved, libraryId };
    },
    async removeSavedSearch({ id }) {
      const found = savedSearches().find((one) => one.id === id);
      if (!found) throw new Failure('not_found', say('library.no_search'));
      await libraries.changeFile(found.libraryId, (file) => ({
        ...file,
        savedSearches: file.savedSearches.filter((one) => one.id !== id),
      }));
      return undefined;
    },

    duplicates: () => index.duplicates(),
    async verify({ libraryId }) {
      const chosen =
        libraryId === undefined
          ? libraries.list().filter((one) => one.available)
          : [libraries.one(libraryId)];
      const all = { models: 0, problems: [] as Awaited<ReturnType<typeof verifyLibrary>>['problems'] };
      for (const { id } of chosen) {
        const { models, problems } = await verifyLibrary(libraries, id);
        all.models += models;
        all.problems.push(...problems);
      }
      return all;
    },
    rebuild: async ({ libraryId }) => ({ models: await libraries.rebuild(libraryId) }),
    async look() {
      await libraries.look();
      return undefined;
    },
    async reveal({ id }) {
      await options.reveal(libraries.modelFolder(id));
      return undefined;
    },

    async importDropped({ dropIds, libraryId = libraries.defaultId() }) {
      const files = options.takeDropped(dropIds);
      const added = [];
      const problems = [];
      for (const [position, file] of files.entries()) {
        try {
          added.push(await importModel(libraries, libraryId, file));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          problems.push({ fileName: file.name, problem: oneAfterAnother(error.said, error.advice) });
        } finally {
          if (file.temporary) await rm(file.path, { force: true });
        }
        libraries.options.onWorking?.({ what: 'import', done: position + 1, total: files.length });
      }
      return { added, problems };
    },
    exportModels: ({ selection, ...order }) => exports.make(libraries.selected(selection), order),
    previewExport: ({ selection, ...order }) => exports.preview(libraries.selected(selection), order),
    blender: async () => ({ path: await options.blender.find() }),
    chooseBlender: async () => ({ path: await options.blender.choose() }),
    async openInBlender({ id, names }) {
      const blender = await options.blender.find();
      if (blender === null)
        throw new Failure('not_found', say('blender.not_found'), {
          hint: say('blender.say_where'),
        });
      const { exportId } = await exports.make([id], { format: 'glb', names });
      const glb = exports.file(exportId)!;
      await openInBlender(blender, glb, `${glb}.py`);
      return undefined;
    },
    cancelExports() {
      exports.cancel();
      return undefined;
    },
    exportRecords({ selection, format }) {
      const models = libraries.selected(selection).flatMap((id) => index.model(id) ?? []);
      if (models.length > mostExported) {
        throw new Failure(
          'unsupported',
          say('library.too_many', { count: models.length, most: mostExported }),
          {
            hint: say('library.narrow_down'),
          },
        );
      }
      return {
        fileName: `likeness-models.${format}`,
        mediaType: format === 'csv' ? 'text/csv' : 'application/json',
        text: exportRecords(models, format),
      };
    },
    async setThumbnail({ id, webp }) {
      const picture = Buffer.from(webp, 'base64');
      if (imageKind(picture) !== 'webp') {
        throw new Failure('invalid_input', say('library.no_webp'), { field: 'webp' });
      }
      const folder = libraries.modelFolder(id);
      // Of a folder that really is in the library: what is behind a link is not written to.
      await readRecord(folder);
      await writeFileAtomically(join(folder, thumbnailFile), picture);
      // It has a picture now, whatever kept it from one before.
      const { fault, refused } = await modelFault(libraries, id);
      const { stamp } = await stampOf(folder);
      if (fault !== '' && !refused) index.noteFault(id, modelPart(stamp), { fault: '', refused });
      await libraries.edit([id], (record) => ({ ...record, thumbnailVersion: record.thumbnailVersion + 1 }));
      return cardOf(id);
    },
  };
}

/** Absolute path of a model's file for the page; null where there is none, or it is not to be shown. */
export async function modelAsset(
  libraries: Libraries,
  kind: 'model' | 'thumbnail' | 'portrait',
  id: string,
): Promise<string | null> {
  if (!libraries.index.place(id)) return null;
  const folder = libraries.modelFolder(id);
  if (kind !== 'model') return shownPicture(libraries, kind, id);
  // The page decodes it too.
  if ((await modelFault(libraries, id)).refused) return null;
  return pathInside(dirname(folder), join(folder, modelFile));
}
