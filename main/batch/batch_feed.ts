import { createChangeFeed } from '@likeness/node-kit/change_feed.ts';
import type { BatchOverview, BoardTile, EventPayload, Job, Photo } from '#contract';

export interface BatchFeed {
  photos(ids: readonly string[]): void;
  removedPhotos(ids: readonly string[]): void;
  jobs(ids: readonly string[]): void;
  removedJobs(ids: readonly string[]): void;
  /** Only the totals changed. */
  overview(): void;
  /** Sends the remaining changes, and nothing after them. */
  close(): void;
}

/** As many as the page gets at once: `stale` where there are more. */
const maxTiles = 600;

const there = <T>(record: T | null): record is T => record !== null;

/**
 * Notifies the page of changes to the photo list and the queue. Always sends the totals, because they can
 * change without any id.
 */
export function createBatchFeed(options: {
  photo: (id: string) => Photo | null;
  /** Whether a photo has its own entry in the list. */
  isListed: (id: string) => boolean;
  job: (id: string) => Job | null;
  tiles: (ids: readonly string[]) => BoardTile[];
  overview: () => BatchOverview;
  emit: (payload: EventPayload<'batch', 'changed'>) => void;
  onDefect: (error: unknown) => void;
}): BatchFeed {
  const feed = createChangeFeed(
    ['photo', 'job'],
    ({ photo, job }, stale) => {
      const jobs = job.changed.map(options.job).filter(there);
      const touched = [
        ...new Set([...photo.changed, ...photo.removed, ...jobs.map(({ photoId }) => photoId)]),
      ].slice(0, maxTiles);
      const tiles = options.tiles(touched);
      const onBoard = new Set(tiles.map(({ id }) => id));
      options.emit({
        overview: options.overview(),
        photos: photo.changed.filter(options.isListed).map(options.photo).filter(there),
        // A photo that now belongs to its person's front photo has left the list, whatever the cause.
        removedPhotos: [...photo.removed, ...photo.changed.filter((id) => !options.isListed(id))],
        jobs,
        removedJobs: [...job.removed],
        tiles,
        removedTiles: touched.filter((id) => !onBoard.has(id)),
        stale,
      });
    },
    options.onDefect,
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
