import { join } from 'node:path';
import type { AssetKind, Emit, Handlers, Profile, Settings } from '#contract';
import { inWords, say } from '#sentences';
import { systemClock } from './base/clock.ts';
import { Batch } from './batch/batch.ts';
import { batchCalls, createIntakes, photoAsset } from './batch/batch_calls.ts';
import type { Intakes } from './batch/photos/intake.ts';
import type { ModelService, PortraitChecker } from './batch/ports.ts';
import { blenderPlaceIn } from './blender.ts';
import { defaultWorkers } from './engine/portrait/worker_count.ts';
import { createErasure, type ErasureOptions } from './erasure.ts';
import { Failure } from './failure.ts';
import { type ConvertThreads, createConvertThreads } from './formats/convert_threads.ts';
import type { NameTables } from './formats/names/name_tables.ts';
import type { DroppedFiles } from './intake/dropped_files.ts';
import { createModelExports, type ModelExports } from './library/export/model_export.ts';
import { Libraries } from './library/libraries.ts';
import { libraryCalls, modelAsset } from './library/library_calls.ts';
import { createModelEditing } from './library/model/model_editing.ts';
import { createModelStore } from './library/model_store.ts';
import { createLibraryThreads } from './library_threads.ts';
import type { Shell } from './shell/shell.ts';
import type { DataLayout } from './storage/data_folder.ts';

export interface HeadsOptions {
  layout: Pick<DataLayout, 'folder' | 'batchFolder' | 'engineFolder' | 'libraryFolder' | 'temporaryFolder'>;
  shell: Pick<Shell, 'choose' | 'reveal' | 'keepAwake' | 'setProgress' | 'notify'>;
  dropped: DroppedFiles;
  /** All connections as they are now. */
  profiles: () => Promise<readonly Profile[]>;
  /** Whether nobody can say now which connections have keys. */
  keysLocked: () => Promise<boolean>;
  /** The client of a connection. */
  service: (profileId: string) => Promise<ModelService>;
  /** Whoever else knows people, for when a head is erased. */
  erasure: Pick<ErasureOptions, 'takes' | 'takeExports' | 'eraseFromLog' | 'receipt'>;
  emit: Emit;
  settings: () => Pick<Settings, 'language' | 'notifications'>;
  report: (where: string, error: unknown) => void;
  /** Looks at photos: the engine of this machine. */
  checker: PortraitChecker;
  /** The script of the threads that look at heads, `library-thread.js`. */
  libraryThread: string | URL;
  /** The vocabularies that face shapes can be named by. */
  nameTables: Pick<NameTables, 'table'>;
  /** The script of the thread that exports heads, `convert-thread.js`. */
  convertThread: string | URL;
  /** Jobs of a profile under way at once, where the person said so (`--jobs`). */
  jobsAtOnce?: number;
}

/** Portraits and Library: how a photo becomes a head on a modelStore. */
export interface Heads {
  batch: Batch;
  intakes: Intakes;
  libraries: Libraries;
  exports: ModelExports;
  /** Takes are put into heads on the thread that exports heads. */
  convertTake: ConvertThreads['convertTake'];
  handlers: Pick<Handlers, 'batch' | 'library'>;
  /** Absolute path of a photo's or a model's file; null where there is none. */
  asset(kind: AssetKind, id: string): Promise<string | null>;
  /** The name of a head, or of the photo it is ordered for, by what a server calls it; null where nobody knows it. */
  nameOf(profileId: string, remoteModelId: string): string | null;
  /** Connections or keys are other than before: what waited for them is tried now. */
  connectionsChanged(): void;
  /** The engine runs again: photos that it could not look at are looked at now. */
  engineStarted(): void;
  /** While somebody speaks, pictures of heads come second. */
  yieldTo(isSpeaking: boolean): void;
  /** Photos that are on their way. */
  busy(): boolean;
  close(): Promise<void>;
}

/** Milliseconds that what is known of the connections is taken for true: the queue asks several times a photo. */
const profilesFor = 1000;

const words = {
  en: {
    done: 'The batch is done',
    text: (done: number, failed: number) => `${done} heads made, ${failed} not.`,
  },
  'zh-CN': {
    done: '批处理已完成',
    text: (done: number, failed: number) => `已生成 ${done} 个头模，${failed} 个未完成。`,
  },
} as const;

/** Builds both rooms and sets the queue to work. @throws Failure `storage` */
export async function createHeads(options: HeadsOptions): Promise<Heads> {
  const { layout, shell, dropped, emit, report } = options;
  const threads = createLibraryThreads({ entry: options.libraryThread, threads: 2 });

  const libraries = await Libraries.open({
    dataFolder: layout.libraryFolder,
    language: options.settings().language,
    clock: Date.now,
    renderThumbnail: (path) => threads.thumbnail(path),
    readiness: (folder, path) => threads.readiness(folder, path),
    onChanged: (payload) => emit('library', 'changed', payload),
    onWorking: (payload) => emit('library', 'working', payload),
    onTrouble: (error) => report('library', error),
  });

  let known: { at: number; profiles: Promise<readonly Profile[]> } | null = null;
  const profiles = (): Promise<readonly Profile[]> => {
    const now = performance.now();
    if (known === null || now - known.at > profilesFor) known = { at: now, profiles: options.profiles() };
    return known.profiles;
  };

  let letSleep: (() => void) | null = null;
  const queue = new Batch({
    folder: layout.batchFolder,
    profiles: {
      async profile(id) {
        const profile = (await profiles()).find((candidate) => candidate.id === id);
        if (!profile) {
          throw new Failure('not_found', say('batch.connection_gone'), {
            hint: say('batch.retry_other'),
          });
        }
        return profile.builtIn ? { ...profile, makers: defaultWorkers() } : profile;
      },
      service: options.service,
      async mustHaveKey(id, secret) {
        const profile = (await profiles()).find((candidate) => candidate.id === id);
        if (!profile || profile.secrets[secret].configured || (await options.keysLocked())) return;
        throw new Failure(
          'key_missing',
          say(secret === 'apiKey' ? 'batch.no_key' : 'batch.no_token', { name: profile.name }),
          {
            hint: say('batch.enter_key'),
            field: 'profileId',
          },
        );
      },
    },
    modelStore: createModelStore(libraries),
    checker: options.checker,
    clock: systemClock,
    random: Math.random,
    emit: {
      changed: (payload) =>
        emit('batch', 'changed', { ...payload, overview: { ...payload.overview, intake: intakes.current } }),
      finished(payload) {
        emit('batch', 'finished', payload);
        const { language, notifications } = options.settings();
        const { done, text } = words[language];
        const notDone = payload.failed + payload.cancelled + payload.uncertain;
        if (notifications) shell.notify({ title: done, body: text(payload.done, notDone) });
      },
    },
    onBusy(busy) {
      if (busy) letSleep ??= shell.keepAwake('Heads are being made');
      else {
        letSleep?.();
        letSleep = null;
      }
    },
    onFraction: (fraction) => shell.setProgress(fraction),
    onDefect: (error) => report('batch', error),
    ...(options.jobsAtOnce === undefined ? {} : { jobsAtOnce: () => options.jobsAtOnce ?? 1 }),
  });
  const intakes = createIntakes(queue, (intake) => emit('batch', 'intakeChanged', intake));
  const converters = createConvertThreads({ entry: options.convertThread });
  const exports = createModelExports(
    libraries,
    join(layout.temporaryFolder, 'exports'),
    converters,
    options.nameTables,
  );
  const editing = createModelEditing(libraries);
  const erasure = createErasure({
    ...options.erasure,
    layout,
    libraries,
    editing,
    batch: queue,
    exports,
    onDefect: (error) => report('erasing', error),
    clock: Date.now,
  });
  // Before anything is shown or sent: what was to be gone is not seen again.
  await erasure.finish();
  await queue.resume();

  return {
    batch: queue,
    intakes,
    libraries,
    exports,
    convertTake: converters.convertTake,
    handlers: {
      batch: batchCalls({
        batch: queue,
        intakes,
        choose: (wanted) =>
          shell.choose({ ...wanted, title: inWords(wanted.title, options.settings().language) }),
        takeDropped: dropped.take,
        onImages: (underWay) => emit('batch', 'imagesChanged', underWay),
      }),
      library: libraryCalls({
        libraries,
        editing,
        beforeErase: erasure.before,
        erase: erasure.erase,
        exports,
        blender: blenderPlaceIn(join(layout.folder, 'blender.json'), shell),
        chooseFolder: async (title) =>
          (await shell.choose({ title: inWords(title, options.settings().language), kind: 'folder' }))?.[0] ??
          null,
        reveal: (path) => shell.reveal(path),
        takeDropped: dropped.take,
      }),
    },
    async asset(kind, id) {
      switch (kind) {
        case 'photo':
        case 'photo-small':
          return photoAsset(queue, kind, id);
        case 'model':
        case 'thumbnail':
        case 'portrait':
          return modelAsset(libraries, kind, id);
        case 'export':
          return exports.file(id);
        default:
          return null;
      }
    },
    nameOf(profileId, remoteModelId) {
      const head = libraries.index.nameOfRemote(profileId, remoteModelId);
      if (head !== null) return head;
      const job = queue.jobs.ofRemoteModel(profileId, remoteModelId);
      return job && (job.name || job.fileName);
    },
    connectionsChanged() {
      known = null;
      queue.tryNow();
    },
    engineStarted: () => queue.checks.retry(),
    yieldTo: (isSpeaking) => threads.yieldTo(isSpeaking),
    busy: () => queue.busy,
    async close() {
      intakes.cancel(intakes.current?.id ?? '');
      await intakes.settled();
      await queue.close();
      await threads.close();
      await converters.close();
      await exports.close();
      await libraries.close();
      letSleep?.();
    },
  };
}
