import { join } from 'node:path';
import { type ConvertThreads, createConvertThreads } from '@likeness/gltf/formats/convert_threads.ts';
import { translate } from '@likeness/messages';
import type { DataLayout } from '@likeness/node-kit/storage/data_folder.ts';
import { engineVersion } from '@likeness/portrait/contract/head_request.ts';
import type { AssetKind, Handlers } from '#contract';
import type { Batch } from '../batch/batch.ts';
import { batchCalls, photoAsset, shownFile } from '../batch/batch_calls.ts';
import { HeadPreviews } from '../batch/head_preview.ts';
import type { Importer } from '../batch/photos/importer.ts';
import { blenderIn } from '../blender.ts';
import type { DroppedFiles } from '../dropped_files.ts';
import { createModelExports, type ModelExports } from '../library/export/model_export.ts';
import { Libraries } from '../library/libraries.ts';
import { earlierAsset, libraryCalls, modelAsset } from '../library/library_calls.ts';
import { createModelEditing } from '../library/model/model_editing.ts';
import { createModelStore } from '../library/model_store.ts';
import { createLibraryThreads } from '../library_threads.ts';
import type { NameTables } from '../names/name_tables.ts';
import type { Shell } from '../shell/shell.ts';
import { type BatchComposition, composeBatch } from './compose_batch.ts';
import { createErasure } from './erasure.ts';
import type { ErasureOptions } from './erasure_steps.ts';

export interface HeadsOptions extends Omit<BatchComposition, 'layout' | 'shell' | 'modelStore' | 'onBusy'> {
  layout: Pick<DataLayout, 'folder' | 'batchFolder' | 'engineFolder' | 'libraryFolder' | 'temporaryFolder'>;
  shell: BatchComposition['shell'] & Pick<Shell, 'choose' | 'reveal'>;
  dropped: DroppedFiles;
  /** Other rooms with personal data, for erasure. */
  erasure: Pick<ErasureOptions, 'takes' | 'takeExports' | 'modelDrives' | 'eraseFromLog' | 'receipt'>;
  /** The script of the threads that read heads, `library-thread.js`. */
  libraryThread: string | URL;
  /** The vocabularies for names of face shapes. */
  nameTables: Pick<NameTables, 'table'>;
  /** The script of the thread that exports heads, `convert-thread.js`. */
  convertThread: string | URL;
}

/** Portraits and Library: from a photo to a head in the model store. */
export interface Heads {
  batch: Batch;
  importer: Importer;
  libraries: Libraries;
  exports: ModelExports;
  /** Takes are combined with heads on the thread that exports heads. */
  convertTake: ConvertThreads['convertTake'];
  handlers: Pick<Handlers, 'batch' | 'library'>;
  /** Returns the absolute path of a photo's or a model's file; null if there is none. */
  asset(kind: AssetKind, id: string): Promise<string | null>;
  /** Returns the name of a head, or of its photo before it is made, by the server's id; null if unknown. */
  nameOf(profileId: string, remoteModelId: string): string | null;
  /** Connections or keys have changed: retries what waited for them. */
  connectionsChanged(): void;
  /** The engine has restarted: checks photos and continues jobs that waited for it. */
  engineStarted(): void;
  /** While a live session is running, thumbnails have lower priority. */
  yieldTo(isSpeaking: boolean): void;
  /** Photos that are being imported. */
  busy(): boolean;
  close(): Promise<void>;
}

/** Opens both rooms and starts the queue. @throws Failure `storage` */
export async function composeHeads(options: HeadsOptions): Promise<Heads> {
  const { layout, shell, dropped, emit, report } = options;
  const threads = createLibraryThreads({ entry: options.libraryThread, threads: 2 });

  const libraries = await Libraries.open({
    dataFolder: layout.libraryFolder,
    language: options.settings().language,
    clock: Date.now,
    engine: engineVersion,
    renderThumbnail: (path) => threads.thumbnail(path),
    readiness: (folder, path) => threads.readiness(folder, path),
    onChanged: (payload) => emit('library', 'changed', payload),
    onWorking: (payload) => emit('library', 'working', payload),
    onTrouble: (error) => report('library', error),
  });

  const { batch, importer, letSleep } = composeBatch({
    ...options,
    modelStore: createModelStore(libraries),
    onBusy: (busy) => previews.yieldTo(busy),
  });
  const converters = createConvertThreads({ entry: options.convertThread });
  const exports = createModelExports(
    libraries,
    join(layout.temporaryFolder, 'exports'),
    converters,
    options.nameTables,
  );
  const editing = createModelEditing(libraries);
  const previews = new HeadPreviews({
    folder: join(layout.temporaryFolder, 'head-previews'),
    modelStore: batch.modelStore,
    profiles: batch.profiles,
    checker: batch.checker,
    clock: batch.clock,
  });
  const erasure = createErasure({
    ...options.erasure,
    layout,
    libraries,
    editing,
    batch,
    exports,
    onDefect: (error) => report('erasing', error),
    clock: Date.now,
  });
  // Runs before anything is shown or sent, so that half-erased heads don't reappear. If their folder is
  // missing, heads can't be found and would wrongly count as erased.
  if (!libraries.isUnusable) await erasure.finish();
  await batch.resume();

  return {
    batch,
    importer,
    libraries,
    exports,
    convertTake: converters.convertTake,
    handlers: {
      batch: {
        ...batchCalls({
          batch,
          importer,
          choose: (wanted) =>
            shell.choose({ ...wanted, title: translate(wanted.title, options.settings().language) }),
          takeDropped: dropped.take,
          onImages: (submission) => emit('batch', 'imagesChanged', submission),
        }),
        previewHead: async (order) => ({ preview: await previews.make(order) }),
        async prepareHeadPreview({ modelId }) {
          await previews.prepare(modelId);
          return {};
        },
      },
      library: libraryCalls({
        libraries,
        editing,
        beforeErase: erasure.before,
        async erase(ids, withTakes) {
          await previews.clear();
          return erasure.erase(ids, withTakes);
        },
        exports,
        blender: blenderIn(join(layout.folder, 'blender.json'), shell),
        chooseFolder: async (title) =>
          (
            await shell.choose({ title: translate(title, options.settings().language), kind: 'folder' })
          )?.[0] ?? null,
        reveal: (path) => shell.reveal(path),
        takeDropped: dropped.take,
      }),
    },
    async asset(kind, id) {
      switch (kind) {
        case 'photo':
        case 'photo-small':
          return photoAsset(batch, kind, id);
        case 'model':
        case 'thumbnail':
          return modelAsset(libraries, kind, id);
        case 'earlier-model':
        case 'earlier-thumbnail':
          return earlierAsset(libraries, kind, id);
        case 'head-preview':
          return previews.file(id);
        case 'portrait': {
          const path = await modelAsset(libraries, kind, id);
          return path && shownFile(batch, path);
        }
        case 'export':
          return exports.file(id);
        default:
          return null;
      }
    },
    nameOf(profileId, remoteModelId) {
      const head = libraries.index.nameOfRemote(profileId, remoteModelId);
      if (head !== null) return head;
      const job = batch.jobs.ofRemoteModel(profileId, remoteModelId);
      return job && (job.name || job.fileName);
    },
    connectionsChanged: () => batch.tryNow(),
    engineStarted() {
      batch.checks.retry();
      batch.tryNow();
    },
    yieldTo: (isSpeaking) => threads.yieldTo(isSpeaking),
    busy: () => batch.busy,
    async close() {
      importer.cancel(importer.current?.id ?? '');
      await importer.settled();
      await previews.clear();
      await batch.close();
      await threads.close();
      await converters.close();
      await exports.close();
      await libraries.close();
      letSleep();
    },
  };
}
