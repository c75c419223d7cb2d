import type { BatchOverview, EventPayload, Job, Photo } from '#contract';

/** Most photos or jobs that one event carries; beyond, the page asks again for what it shows. */
const mostRecords = 200;
/** Milliseconds between two events: ten a second. */
const pause = 100;

export interface ChangeFeed {
  photos(ids: readonly string[]): void;
  removedPhotos(ids: readonly string[]): void;
  jobs(ids: readonly string[]): void;
  removedJobs(ids: readonly string[]): void;
  /** Only the sums changed. */
  overview(): void;
  /** Sends what is left, and nothing after it. */
  close(): void;
}

/** Gathers changes, so that ten thousand of them are ten events a second and not ten thousand. */
export function createChangeFeed(options: {
  photo: (id: string) => Photo | null;
  job: (id: string) => Job | null;
  overview: () => BatchOverview;
  emit: (payload: EventPayload<'batch', 'changed'>) => void;
}): ChangeFeed {
  const photos = new Set<string>();
  const removedPhotos = new Set<string>();
  const jobs = new Set<string>();
  const removedJobs = new Set<string>();
  const all = [photos, removedPhotos, jobs, removedJobs];
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const send = (): void => {
    timer = null;
    const stale = all.some((set) => set.size > mostRecords);
    const there = <T>(ids: Set<string>, get: (id: string) => T | null): T[] =>
      stale
        ? []
        : [...ids].map(get).filter((record): record is NonNullable<typeof record> => record !== null);
    options.emit({
      overview: options.overview(),
      photos: there(photos, options.photo),
      removedPhotos: stale ? [] : [...removedPhotos],
      jobs: there(jobs, options.job),
      removedJobs: stale ? [] : [...removedJobs],
      stale,
    });
    for (const set of all) set.clear();
  };
  const note = (to: Set<string>, from: Set<string> | null, ids: readonly string[]): void => {
    for (const id of ids) {
      to.add(id);
      from?.delete(id);
    }
    if (!closed) timer ??= setTimeout(send, pause);
  };

  return {
    photos: (ids) => note(photos, removedPhotos, ids),
    removedPhotos: (ids) => note(removedPhotos, photos, ids),
    jobs: (ids) => note(jobs, removedJobs, ids),
    removedJobs: (ids) => note(removedJobs, jobs, ids),
    overview: () => note(jobs, null, []),
    close() {
      closed = true;
      if (timer === null) return;
      clearTimeout(timer);
      send();
    },
  };
}
