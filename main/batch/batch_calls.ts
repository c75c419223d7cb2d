import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Message, t } from '@likeness/messages';
import { imageKind } from '@likeness/node-kit/image_kind.ts';
import type { Handlers, ImageSubmission, PhotoImport } from '#contract';
import type { GivenFile } from '../base/given_file.ts';
import { makeAgain } from './again_orders.ts';
import type { Batch } from './batch.ts';
import { ImageSubmissions } from './jobs/image_submissions.ts';
import { jobCalls } from './jobs/job_calls.ts';
import { Importer } from './photos/importer.ts';
import { photoCalls } from './photos/photo_calls.ts';
import { largePhoto, type PreviewOptions, smallPhoto } from './photos/photo_preview.ts';

export interface BatchCallsOptions {
  batch: Batch;
  importer: Importer;
  /** Opens a dialog for files or a folder; null if the user cancels it. */
  choose: (options: { title: Message; kind: 'files' | 'folder' }) => Promise<string[] | null>;
  /** Files whose ids the page has. */
  takeDropped: (ids: readonly string[]) => GivenFile[];
  /** Progress of a series of images; null when it has ended. */
  onImages: (submission: ImageSubmission | null) => void;
}

/** Imports photos into a batch. */
export function createImporter(batch: Batch, onChanged: (intake: PhotoImport) => void): Importer {
  return new Importer({
    importList: batch.importList,
    photosFolder: batch.photosFolder,
    onChanged,
    onAdded(ids) {
      batch.feed.photos(ids);
      batch.checks.wake();
    },
    onDefect: batch.onDefect,
  });
}

/** Implements the batch's calls of the contract, except for `HeadPreviews`. */
export function batchCalls({
  batch,
  importer,
  choose,
  takeDropped,
  onImages,
}: BatchCallsOptions): Omit<Handlers['batch'], 'previewHead' | 'prepareHeadPreview'> {
  const { importList, imageTasks, profiles } = batch;
  const images = new ImageSubmissions({
    store: imageTasks,
    profiles,
    checker: batch.checker,
    now: () => batch.clock.now(),
    onChanged(submission) {
      onImages(submission);
      batch.feed.overview();
    },
  });
  const given = (paths: string[] | null): PhotoImport | null =>
    paths && paths.length > 0
      ? importer.begin(paths.map((path) => ({ path, name: path, temporary: false })))
      : null;

  return {
    overview: () => ({ ...batch.overview(), intake: importer.current }),

    pickFiles: async () => given(await choose({ title: t('batch.photos'), kind: 'files' })),
    pickFolder: async () => given(await choose({ title: t('batch.choose_folder'), kind: 'folder' })),
    addDropped: ({ dropIds }) => importer.begin(takeDropped(dropIds)),
    cancelImport({ id }) {
      importer.cancel(id);
      return undefined;
    },

    ...photoCalls(batch, importer),
    ...jobCalls(batch),
    async makeAgain(order) {
      const { jobs, inProgress: _, ...rest } = await makeAgain(batch, importer, order);
      return { queued: jobs.length, ...rest };
    },

    submitImages: ({ selection, profileId }) => images.submit(importList.selected(selection), profileId),
    cancelImages() {
      images.cancel();
      return undefined;
    },
    imageTasks: ({ offset, limit }) => ({ ...imageTasks.page(offset, limit), submission: images.current }),
  };
}

/**
 * Returns the absolute path of a photo that the page can show: the file, or a WebP if the page does not
 * support its format.
 */
export async function shownFile(batch: Batch, path: string): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null);
  const format = bytes && imageKind(bytes);
  if (!format) return null;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return largePhoto({ path, format, sha256 }, previewsOf(batch));
}

const previewsOf = (batch: Batch): PreviewOptions => ({
  folder: batch.previewsFolder,
  crop: batch.checker.crop,
});

/** Returns the absolute path of a photo for the page; null if it does not exist. */
export async function photoAsset(
  batch: Batch,
  kind: 'photo' | 'photo-small',
  id: string,
): Promise<string | null> {
  const photo = batch.importList.get(id);
  if (!photo || !existsSync(photo.path)) return null;
  return kind === 'photo' ? largePhoto(photo, previewsOf(batch)) : smallPhoto(photo, previewsOf(batch));
}
