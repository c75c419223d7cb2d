import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { forgetModels } from '@likeness/engine/models/model_forgetting.ts';
import { type Message, t } from '@likeness/messages';
import type { DataLayout } from '@likeness/node-kit/storage/data_folder.ts';
import { builtInProfileId, type ErasureReceipt } from '#contract';
import type { Batch } from '../batch/batch.ts';
import { eraseFromBatch } from '../batch/batch_erasure.ts';
import type { ModelExports } from '../library/export/model_export.ts';
import type { Libraries } from '../library/libraries.ts';
import type { ModelEditing } from '../library/model/model_editing.ts';
import { type ErasedModel, eraseFromLibraries } from '../library/model/model_erasure.ts';
import type { ModelDrives } from '../names/model_drives.ts';
import type { ExportedTakes } from '../takes/export/exported_takes.ts';
import type { Takes } from '../takes/takes.ts';
import type { ErasureIntent } from './erasure_intent.ts';

/** All rooms that may have data of a person. */
export interface ErasureOptions {
  layout: Pick<DataLayout, 'folder' | 'temporaryFolder' | 'engineFolder'>;
  libraries: Libraries;
  editing: ModelEditing;
  batch: Batch;
  exports: ModelExports;
  takes: Takes;
  takeExports: ExportedTakes;
  modelDrives: Pick<ModelDrives, 'erase'>;
  /** Removes names from the log. @returns How many occurrences. */
  eraseFromLog: (names: readonly string[]) => number;
  /** Records the erasure in the journal. */
  receipt: (event: { operation: string; subject: string; message: Message }) => void;
  onDefect: (error: unknown) => void;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** The removed data, and the data that remains. */
export interface ErasureOutcome {
  /** The heads whose folders are removed; the following fields concern them. */
  gone: readonly ErasedModel[];
  marks: PersonMarks;
  /** Numbers of removed items. */
  removed: Readonly<Record<ErasureReceipt['removed'][number]['what'], number>>;
  /** Unfinished jobs of the same photos. */
  openJobs: number;
  /** Reasons why heads remain, one for each. */
  failures: readonly unknown[];
  /** False if something was in use: try again. */
  isFinished: boolean;
}

/** Identifies a person's data if a head has no folder. */
interface PersonMarks {
  ids: readonly string[];
  /** SHA-256 of their photos, as hex. */
  photos: readonly string[];
  names: readonly string[];
}

/** Runs the pending erasure step by step. May be repeated at any point. */
export async function eraseEverywhere(
  options: ErasureOptions,
  { models, takes: takeIds }: ErasureIntent,
): Promise<ErasureOutcome> {
  const { layout, libraries, editing, batch, takes } = options;
  const library = await eraseFromLibraries(libraries, models);
  const gone = models.filter(({ id }) => !library.failed.has(id));
  const marks = marksOf(gone);
  const ids = new Set(marks.ids);
  editing.forget(marks.ids);
  const queue = await eraseFromBatch(batch, gone);
  const erasedTakes = await takes.erase(takeIds);
  const takeLinks = await takes.forgetModels(ids);
  await options.modelDrives.erase(marks.ids);
  const exports =
    (await options.exports.erase(marks.ids)) +
    (await options.takeExports.erase({ takes: new Set(takeIds), models: ids }));
  const uploads = await removeUploads(join(layout.temporaryFolder, 'uploads'), new Set(marks.photos));
  const engine = forgetModels(layout.engineFolder, {
    models: madeByEngine(gone),
    photos: marks.photos,
  });
  const logNames = options.eraseFromLog(marks.names);
  // By id only: a receipt proves the erasure without data of the person.
  for (const id of marks.ids) {
    options.receipt({ operation: 'erase', subject: id, message: t('erasure.done') });
  }
  return {
    gone,
    marks,
    removed: {
      heads: gone.length,
      photos: queue.photos,
      previews: queue.previews,
      jobs: queue.jobs,
      image_tasks: queue.imageTasks,
      uploads,
      exports,
      takes: erasedTakes,
      take_links: takeLinks,
      engine: engine.removed,
      log_names: logNames,
      set_aside: library.setAside,
    },
    openJobs: queue.openJobs,
    failures: [...library.failed.values()],
    isFinished: library.isClean && queue.isClean && engine.isClean,
  };
}

const hashesOf = ({ photoHash, otherHashes }: ErasedModel): string[] =>
  [photoHash, ...otherHashes].filter((hash) => hash !== '');

const marksOf = (gone: readonly ErasedModel[]): PersonMarks => ({
  ids: gone.map(({ id }) => id),
  photos: [...new Set(gone.flatMap(hashesOf))],
  names: [
    ...new Set(
      gone.flatMap(({ names, photoPath }) => [...names, ...(photoPath ? [basename(photoPath)] : [])]),
    ),
  ],
});

/** Ids of models that the built-in engine made. */
const madeByEngine = (gone: readonly ErasedModel[]): string[] =>
  gone
    .flatMap((model) => [model, ...model.earlier])
    .filter(({ profileId, remoteModelId }) => profileId === builtInProfileId && remoteModelId !== '')
    .map(({ remoteModelId }) => remoteModelId);

/** Removes dropped photos with these hashes that were not imported yet. @returns How many. */
async function removeUploads(folder: string, hashes: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const hash = createHash('sha256');
    const isRead = await pipeline(createReadStream(path), hash).then(
      () => true,
      () => false,
    );
    if (!isRead || !hashes.has(hash.digest('hex'))) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
