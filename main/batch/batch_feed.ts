import { createChangeFeed } from '@likeness/node-kit/change_feed.ts';
import type { BatchOverview, EventPayload, Job, Photo } from '#contract';

export interface BatchFeed {
  photos(ids: readonly string[]): void;
  removedPhotos(ids: readonly string[]): void;
  jobs(ids: readonly string[]): void;
  removedJobs(ids: readonly string[]): void;
  /** Only the sums changed. */
  overview(): void;
  /** Sends what is left, and nothing after it. */
  close(): void;
}

const there = <T>(record: T | null): record is T => record !== null;

/**
 * Tells the page what changed in the tray and the queue, with the sums, which may have changed even where no
 * id is.
 */
export function createBatchFeed(options: {
  photo: (id: string) => Photo | null;
  /** Whether a photo has a place of its own in the tray's list. */
  isListed: (id: string) => boolean;
  job: (id: string) => Job | null;
  overview: () => BatchOverview;
  emit: (payload: EventPayload<'batch', 'changed'>) => void;
}): BatchFeed {
  const feed = createChangeFeed(['photo', 'job'], ({ photo, job }, stale) =>
    options.emit({
      overview: options.overview(),
      photos: photo.changed.filter(options.isListed).map(options.photo).filter(there),
      // One that goes with its person's front photo now has left the list, however that came.
      removedPhotos: [...photo.removed, ...photo.changed.filter((id) => !options.isListed(id))],
      jobs: job.changed.map(options.job).filter(there),
      removedJobs: [...job.removed],
      stale,
    }),
  );
  const note =
    (kind: 'photo' | 'job', what: 'changed' | 'removed') =>
    (ids: readonly string[]): void => {
      feed[what](kind, ids);
      feed.touch();
    };
  return {
    photos: note('photo', 'changed'),
    removedPhotos: note('photo', 'removed'),
    jobs: note('job', 'changed'),
    removedJobs: note('job', 'removed'),
    overview: feed.touch,
    close: feed.close,
  };
}
