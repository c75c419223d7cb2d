import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { joinMessages, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { imageKind } from '@likeness/node-kit/image_kind.ts';
import { writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import type { CallInput, CallOutput, ErasureReceipt, Handlers, ModelCard } from '#contract';
import type { GivenFile } from '../../base/given_file.ts';
import { collectionOf } from '../collection_calls.ts';
import type { Libraries } from '../libraries.ts';
import { bringBack, removeEarlier } from './earlier_versions.ts';
import type { ModelEditing } from './model_editing.ts';
import { modelFault } from './model_fault.ts';
import { modelPart, readRecord, stampOf, thumbnailFile } from './model_folder.ts';
import { importModel } from './model_import.ts';
import { ReadinessReports } from './readiness_reports.ts';

export interface ModelCallsOptions {
  libraries: Libraries;
  editing: ModelEditing;
  /** Counts the data that an erasure would also remove. */
  beforeErase: (ids: readonly string[]) => Promise<CallOutput<'library', 'beforeErase'>>;
  /** Permanently erases heads with all their data; optionally their takes. */
  erase: (ids: readonly string[], withTakes: boolean) => Promise<ErasureReceipt>;
  reveal: (path: string) => Promise<void>;
  /** Files whose ids the page has. */
  takeDropped: (ids: readonly string[]) => GivenFile[];
}

/** Maximum number of names in a rename preview. */
const maxNames = 500;

/** Implements the calls about heads: search, display, edit, erase and import. */
export function modelCalls(options: ModelCallsOptions) {
  const { libraries, editing } = options;
  const { index } = libraries;
  const readiness = new ReadinessReports(libraries);

  return {
    search: ({ query, offset, limit }) => libraries.search(query, offset, limit),
    facets: ({ query }) => index.facets(query),
    model: ({ id }) => libraries.model(id),
    readiness: ({ id }) => readiness.of(id),
    duplicates: () => index.duplicates(),
    async reveal({ id }) {
      await options.reveal(libraries.modelFolder(id));
      return undefined;
    },

    async edit({ selection, changes }) {
      if (changes.addCollection) collectionOf(libraries, changes.addCollection);
      return { changed: await editing.edit(libraries.selected(selection), changes) };
    },
    async rename({ selection, preview, ...rule }) {
      const names = await editing.rename(libraries.selected(selection), rule, preview);
      const changed = names.filter(({ from, to }) => from !== to).length;
      return { names: names.slice(0, maxNames), total: names.length, changed };
    },
    lastStep: async () => ({ step: await editing.lastStep() }),
    undo: async ({ after }) => ({ undone: await editing.undo(after) }),
    redo: async () => ({ redone: await editing.redo() }),
    trash: async ({ selection }) => ({ trashed: await editing.trash(libraries.selected(selection)) }),
    restore: async ({ selection }) => ({ restored: await editing.restore(libraries.selected(selection)) }),
    outdated: () => ({ count: index.ids({ outdated: true }).length, engine: libraries.options.engine ?? '' }),
    async bringBack({ id, version }) {
      await libraries.inTurn(() => bringBack(libraries, id, version));
      return libraries.model(id);
    },
    async removeEarlier({ id, version }) {
      const remove = async (): Promise<void> => {
        putBack = await libraries.inTurn(() => removeEarlier(libraries, id, version));
      };
      let putBack = (): Promise<void> => Promise.resolve();
      await remove();
      editing.remember({
        what: 'remove version',
        edited: [],
        files: { takeBack: () => libraries.inTurn(putBack), again: remove },
        of: id,
        isLarge: true,
      });
      return libraries.model(id);
    },
    beforeErase: ({ selection }) => options.beforeErase(libraries.selected(selection)),
    erase: ({ selection, takes }) => options.erase(libraries.selected(selection), takes),

    importDropped: ({ dropIds, libraryId = libraries.defaultId() }) =>
      importFiles(libraries, libraryId, options.takeDropped(dropIds)),
    setThumbnail: (picture) => setThumbnail(libraries, picture),
  } satisfies Partial<Handlers['library']>;
}

/** Imports the files that are heads; reports why the others were refused. Temporary copies are removed. */
async function importFiles(
  libraries: Libraries,
  libraryId: string,
  files: readonly GivenFile[],
): Promise<CallOutput<'library', 'importDropped'>> {
  const added: ModelCard[] = [];
  const problems: CallOutput<'library', 'importDropped'>['problems'] = [];
  for (const [position, file] of files.entries()) {
    try {
      added.push(await importModel(libraries, libraryId, file));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problems.push({ fileName: file.name, problem: joinMessages(error.userMessage, error.advice) });
    } finally {
      if (file.temporary) await rm(file.path, { force: true });
    }
    libraries.options.onWorking?.({ what: 'import', done: position + 1, total: files.length });
  }
  return { added, problems };
}

/** @throws Failure `invalid_input` if the picture is not WebP, `not_found`, `storage` */
async function setThumbnail(
  libraries: Libraries,
  { id, webp }: CallInput<'library', 'setThumbnail'>,
): Promise<ModelCard> {
  const { index } = libraries;
  const picture = Buffer.from(webp, 'base64');
  if (imageKind(picture) !== 'webp') {
    throw new Failure('invalid_input', t('library.no_webp'), { field: 'webp' });
  }
  const folder = libraries.modelFolder(id);
  // Only for a folder that is really inside the library: never write through a link.
  await readRecord(folder);
  await writeFileAtomically(join(folder, thumbnailFile), picture);
  // It has a picture now, whatever prevented one before.
  const { fault, refused } = await modelFault(libraries, id);
  const { stamp } = await stampOf(folder);
  if (fault !== '' && !refused) index.noteFault(id, modelPart(stamp), { fault: '', refused });
  await libraries.edit([id], (record) => ({ ...record, thumbnailVersion: record.thumbnailVersion + 1 }));
  const card = index.card(id);
  if (!card) throw new Failure('not_found', t('library.no_model'));
  return card;
}
