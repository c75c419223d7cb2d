import { existsSync } from 'node:fs';
import type { Handlers, ImageSubmission, Intake } from '#contract';
import { type Said, say } from '#sentences';
import type { GivenFile } from '../base/given_file.ts';
import { nameByPattern } from '../base/name_pattern.ts';
import { Failure } from '../failure.ts';
import type { Batch } from './batch.ts';
import { submitImages } from './jobs/image_tasks.ts';
import { reportJobs } from './jobs/job_report.ts';
import { Intakes } from './photos/intake.ts';
import { sexByFolder, writeManifest } from './photos/manifest.ts';
import { matchManifest, pathBelow, sumsOf } from './photos/manifest_match.ts';
import { largePhoto, smallPhoto } from './photos/photo_preview.ts';
import type { PhotoRow, PhotoTags } from './photos/photo_row.ts';

export interface BatchCallsOptions {
  batch: Batch;
  intakes: Intakes;
  /** Asks for files or a folder; null when dismissed. */
  choose: (options: { title: Said; kind: 'files' | 'folder' }) => Promise<string[] | null>;
  /** Files that the page has ids of. */
  takeDropped: (ids: readonly string[]) => GivenFile[];
  /** How far a series of images is; null when it is over. */
  onImages: (underWay: ImageSubmission | null) => void;
}

/** The intakes of a batch. */
export function createIntakes(batch: Batch, onChanged: (intake: Intake) => void): Intakes {
  return new Intakes({
    tray: batch.tray,
    photosFolder: batch.photosFolder,
    onChanged,
    onAdded(ids) {
      batch.feed.photos(ids);
      batch.checks.wake();
    },
    onDefect: batch.onDefect,
  });
}

/** The batch's side of the contract. */
export function batchCalls({
  batch,
  intakes,
  choose,
  takeDropped,
  onImages,
}: BatchCallsOptions): Handlers['batch'] {
  const { tray, jobs, feed, orders, imageTasks, modelStore, profiles } = batch;
  const given = (paths: string[] | null): Intake | null =>
    paths && paths.length > 0
      ? intakes.begin(paths.map((path) => ({ path, name: path, temporary: false })))
      : null;
  const told = (ids: readonly string[]): number => {
    feed.photos(ids);
    return ids.length;
  };

  let images: { underWay: ImageSubmission; end: AbortController } | null = null;

  return {
    overview: () => ({ ...batch.overview(), intake: intakes.current }),

    pickFiles: async () => given(await choose({ title: say('batch.photos'), kind: 'files' })),
    pickFolder: async () => given(await choose({ title: say('batch.choose_folder'), kind: 'folder' })),
    addDropped: ({ dropIds }) => intakes.begin(takeDropped(dropIds)),
    cancelIntake({ id }) {
      intakes.cancel(id);
      return undefined;
    },

    photos({ offset, limit, filter }) {
      const { photos, total } = tray.page(filter, offset, limit);
      return { photos: photos.map((photo) => batch.shown(photo)), total };
    },
    photo: ({ id }) => batch.shown(photoOf(id)),
    folders: () => tray.folders(),
    tag({ selection, set }) {
      const { addTags = [], removeTags = [], ...rest } = set;
      const tags = Object.fromEntries(
        Object.entries(rest).filter(([, value]) => value !== undefined),
      ) as PhotoTags;
      const ofEach = (photo: PhotoRow): PhotoTags => {
        if (addTags.length + removeTags.length === 0) return tags;
        const left = (tags.tags ?? photo.tags).filter((tag) => !removeTags.includes(tag));
        return { ...tags, tags: [...new Set([...left, ...addTags])].slice(0, 50) };
      };
      const photos = tray.selected(selection);
      const changed = tray.tag(
        'tag',
        photos.map((photo) => ({ photo, set: ofEach(photo) })),
      );
      // Another part of the photo may show another face.
      if (tags.crop !== undefined) recheck(changed);
      else if (tags.corrections !== undefined || tags.anyway !== undefined) batch.checks.wake();
      return { changed: told(changed) };
    },
    rename({ selection, pattern, preview }) {
      const photos = tray.selected(selection);
      const named = photos.map((photo, at) => {
        const fields = {
          name: photo.name,
          file: photo.fileName.replace(/\.[^.]*$/, '') || photo.fileName,
          folder: photo.folder.split('/').at(-1) ?? '',
          sex: photo.sex ?? '',
          number: String(at + 1),
        };
        return { photo, set: { name: nameByPattern(pattern, fields, photo.name) } };
      });
      if (!preview) told(tray.tag('rename', named));
      const names = named
        .slice(0, 200)
        .map(({ photo, set }) => ({ id: photo.id, from: photo.name, to: set.name }));
      return { names, total: named.length };
    },
    tagByFolder({ selection }) {
      const sums = { female: 0, male: 0, unclear: 0 };
      const changes: { photo: PhotoRow; set: PhotoTags }[] = [];
      for (const photo of tray.selected(selection)) {
        const sex = sexByFolder(photo.folder);
        sums[sex ?? 'unclear'] += 1;
        if (sex) changes.push({ photo, set: { sex } });
      }
      told(tray.tag('tag by folder', changes));
      return sums;
    },
    async outline({ id, corrections }) {
      const { rings, score, sure } = await batch.checks.outline(photoOf(id), corrections, true);
      return { rings, score, sure };
    },
    async reopen({ modelId }) {
      const { name, fileName, photo, parameters, tags: said } = await modelStore.portraitOf(modelId);
      const id = await intakes.takeOne(photo.path, fileName);
      tray.tag('reopen', [{ photo: photoOf(id), set: { name, tags: said, ...parameters } }]);
      told([id]);
      batch.checks.wake();
      return { photoId: id };
    },
    removePhotos({ selection }) {
      const removed = tray.remove(selection);
      feed.removedPhotos(removed);
      return { removed: removed.length };
    },
    undo() {
      const { what, ids } = tray.undo();
      feed.photos(ids);
      return { undone: what };
    },
    recheck({ selection }) {
      recheck(tray.selected(selection).map(({ id }) => id));
      return undefined;
    },
    importManifest({ text }) {
      const { said, problems } = matchManifest(text, tray.selected({ filter: {} }));
      told(tray.tag('manifest', said));
      return { applied: said.length, set: sumsOf(said), problems: problems.slice(0, 1000) };
    },
    exportManifest({ selection }) {
      const entries = tray.selected(selection).map((photo) => ({ ...photo, file: pathBelow(photo) }));
      return { fileName: 'manifest.csv', mediaType: 'text/csv', text: writeManifest(entries) };
    },

    async start({ selection, profileId, libraryId, again }) {
      const order = { profileId, libraryId: libraryId ?? modelStore.defaultLibraryId(), again };
      const { queued, left } = await orders.start(selection, order);
      return { queued: queued.length, left };
    },
    forecast: ({ selection, ...order }) => orders.forecast(selection, order),
    jobs({ offset, limit, states }) {
      const page = jobs.page(states, offset, limit);
      return { jobs: page.jobs.map((job) => batch.shownJob(job)), total: page.total };
    },
    pause() {
      batch.pause(true);
      return undefined;
    },
    resume() {
      batch.pause(false);
      return undefined;
    },
    cancel: async ({ ids }) => ({ cancelled: await orders.cancel(ids) }),
    reorder({ ids, before }) {
      orders.reorder(ids, before);
      return undefined;
    },
    retry: async ({ ids, ...to }) => ({ retried: await orders.retry(ids, to) }),
    settleUncertain({ ids, answer, remoteModelId }) {
      orders.settleUncertain(ids, answer, remoteModelId);
      return undefined;
    },
    clearFinished: ({ owed }) => orders.clearFinished(owed),
    report() {
      const day = new Date(batch.clock.now()).toISOString().slice(0, 10);
      const text = reportJobs(jobs.page([], 0, -1).jobs);
      return { fileName: `likeness-batch-${day}.csv`, mediaType: 'text/csv', text };
    },

    async submitImages({ selection, profileId }) {
      const files = tray.selected(selection);
      if (files.length > 1000) {
        throw new Failure('invalid_input', say('batch.too_many_images', { count: files.length }), {
          field: 'selection',
          hint: say('batch.fewer_images'),
        });
      }
      if (images) {
        throw new Failure('conflict', say('batch.images_under_way'), {
          hint: say('batch.wait_for_images'),
          retryable: true,
        });
      }
      let underWay: ImageSubmission = { total: files.length, submitted: 0, failed: 0 };
      const end = new AbortController();
      const tell = (changes: Partial<ImageSubmission>): void => {
        underWay = { ...underWay, ...changes };
        images = { underWay, end };
        onImages(underWay);
      };
      // Before anything is waited for: a second call must find it.
      images = { underWay, end };
      try {
        await profiles.mustHaveKey?.(profileId, 'accessToken');
        tell({});
        await submitImages(imageTasks, files, {
          profileId,
          profiles,
          now: () => batch.clock.now(),
          signal: end.signal,
          onTask: ({ taskId }) =>
            tell(taskId === '' ? { failed: underWay.failed + 1 } : { submitted: underWay.submitted + 1 }),
        });
      } finally {
        images = null;
        onImages(null);
      }
      return { submitted: underWay.submitted, failed: underWay.failed };
    },
    cancelImages() {
      images?.end.abort();
      return undefined;
    },
    imageTasks: ({ offset, limit }) => ({
      ...imageTasks.page(offset, limit),
      underWay: images?.underWay ?? null,
    }),
  };

  function photoOf(id: string): PhotoRow {
    const photo = tray.get(id);
    if (!photo) throw new Failure('not_found', say('batch.photo_gone'), { hint: say('batch.add_again') });
    return photo;
  }

  function recheck(ids: readonly string[]): void {
    if (ids.length === 0) return;
    told(tray.uncheck({ ids: [...ids] }));
    batch.checks.wake();
  }
}

/** Absolute path of a photo for the page; null where there is none. */
export async function photoAsset(
  batch: Batch,
  kind: 'photo' | 'photo-small',
  id: string,
): Promise<string | null> {
  const photo = batch.tray.get(id);
  if (!photo || !existsSync(photo.path)) return null;
  const folder = batch.previewsFolder;
  return kind === 'photo' ? largePhoto(photo, folder) : smallPhoto(photo, folder);
}
