import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { openDatabase } from '@likeness/node-kit/storage/database.ts';
import type { Job, Photo, PhotoImport } from '#contract';
import type { Batch } from './batch.ts';
import { batchMigrations } from './batch_schema.ts';
import { createBlockedTime, shortestBlockMs } from './blocked_time.ts';
import { finishedStates } from './jobs/job_state.ts';
import { ImportList } from './photos/import_list.ts';
import { Importer } from './photos/importer.ts';
import type { FoundManifest } from './photos/manifest_match.ts';
import { PhotoChecks } from './photos/photo_checks.ts';
import { checkOf } from './photos/photo_findings.ts';
import type { PhotoTags } from './photos/photo_row.ts';
import {
  type AppliedManifests,
  type RunSettings,
  settingsByPhoto,
  tagsOfPerson,
  whyBlocked,
} from './run_settings.ts';

export interface BatchRunOptions extends RunSettings {
  batch: Batch;
  importer: Importer;
  /** Folders and files of photos. */
  paths: readonly string[];
  profileId: string;
  libraryId: string;
  /** Only checks the photos, and reports which ones a run would send. */
  dryRun?: boolean;
  /** Also sends photos whose heads are already in the library. */
  again?: boolean;
  signal?: AbortSignal;
  /** Whether unsent photos of this run leave the queue when the run is interrupted. Default: they stay. */
  cancelsUnsent?: () => boolean;
  /**
   * Milliseconds that a run waits when only the user can help (a refused key, a full account). Default
   * 30,000.
   */
  waitForPersonMs?: number;
  /** Milliseconds that a run waits without any progress, whatever the reason. Default: no limit. */
  waitBlockedMs?: number | undefined;
}

const defaultWaitForPersonMs = 30_000;

/** Progress of a run. A listener gets a new one with each change, at most about 20 per second. */
export interface BatchRunProgress {
  step: 'taking_in' | 'checking' | 'making' | 'over';
  /** Finished photos of this run, and their total. */
  finished: number;
  total: number;
  /** Seconds left; null if unknown. */
  secondsLeft: number | null;
  /** Reason for a wait; empty if the run is not blocked. */
  blocked: Message;
  /** Milliseconds until the next retry; null if unknown. */
  nextAttemptMs: number | null;
  /** The job that has just ended; null otherwise. */
  ended: Job | null;
}

export interface BatchRunResult extends AppliedManifests {
  /** True only if there are photos and the library has a head for each. */
  allDone: boolean;
  /** Number of photos in the folders. */
  found: number;
  /** Heads made in this run, and photos whose heads existed before. */
  done: number;
  alreadyThere: number;
  failed: number;
  cancelled: number;
  uncertain: number;
  /** Why the run ended while photos still wait: a problem that the user must solve. Empty if none waits. */
  held: Message;
  /** Photos that wait for that reason, and how many of them are ordered and paid for. */
  waiting: number;
  paid: number;
  /** Photos that could not be queued, with the reason. */
  left: { fileName: string; reason: Message }[];
  /** Files that were not imported. */
  intake: PhotoImport | null;
  /** With `dryRun`: the photos and their findings. */
  photos: Photo[];
  /** The result of each queued photo. */
  jobs: Job[];
}

/** Import problems of files that the user cannot have meant as photos. */
const harmless: ReadonlySet<string> = new Set(['hidden', 'sidecar', 'no_manifest', 'link_loop', 'duplicate']);

/**
 * Makes heads from folders of photos: imports, checks and sends the photos and waits for all heads. Repeating
 * a run continues an earlier one: photos in the library or the queue are not sent again, and paid models are
 * downloaded. Photos already in the list keep their settings; the run's settings apply to its own orders.
 *
 * @throws Failure `invalid_input` (a photo without sex, unless `dryRun`), `storage`, `conflict` (another
 * studio works on the queue). If aborted, throws the signal's reason; the queue continues while the batch is
 * open.
 */
export async function runBatch(
  options: BatchRunOptions,
  onProgress: (progress: BatchRunProgress) => void,
): Promise<BatchRunResult> {
  const signal = options.signal ?? new AbortController().signal;
  const report: Report = (progress) =>
    onProgress({
      finished: 0,
      total: 0,
      secondsLeft: null,
      blocked: '',
      nextAttemptMs: null,
      ended: null,
      ...progress,
    });
  return options.dryRun ? lookOnly(options, report, signal) : makeHeads(options, report, signal);
}

type Report = (progress: Partial<BatchRunProgress> & Pick<BatchRunProgress, 'step'>) => void;

/** Returns the initial result of a run. */
const nothingYet: BatchRunResult = {
  allDone: false,
  found: 0,
  done: 0,
  alreadyThere: 0,
  failed: 0,
  cancelled: 0,
  uncertain: 0,
  held: '',
  waiting: 0,
  paid: 0,
  left: [],
  intake: null,
  manifests: [],
  manifestProblems: [],
  photos: [],
  jobs: [],
};

/** Checks photos in a temporary list, which is removed afterwards. */
async function lookOnly(
  options: BatchRunOptions,
  report: Report,
  signal: AbortSignal,
): Promise<BatchRunResult> {
  const { checker, clock, onDefect } = options.batch;
  const { db } = openDatabase({ path: ':memory:', migrations: batchMigrations });
  const importList = new ImportList(db, clock.now);
  const checks = new PhotoChecks({ importList, checker, onChecked: () => {}, onDefect });
  const importer = new Importer({
    importList,
    photosFolder: '',
    onChanged: () => {},
    onAdded: () => checks.wake(),
    onDefect,
  });
  try {
    const { intake, added: ids, manifests: found } = await takeIn(importer, options.paths, report, signal);
    const { tagsByPhoto, people, ...manifest } = await settingsByPhoto(
      importList.selected({ ids }),
      found,
      options,
    );
    importList.people.join(people);
    checks.wake();
    for (let finished = 0; finished < ids.length; ) {
      while (finished < ids.length && importList.get(ids[finished] ?? '')?.check !== 'pending') finished += 1;
      report({ step: 'checking', finished, total: ids.length });
      if (finished < ids.length) await clock.wait(50, signal);
    }
    const photos = importList.selected({ ids: importList.people.frontsOf(ids) }).map((listedPhoto) => {
      const others = importList.people.othersOf(listedPhoto.id);
      const photo = { ...listedPhoto, ...tagsOfPerson(tagsByPhoto, [listedPhoto, ...others]) };
      return options.batch.shown({ ...photo, check: checkOf(photo.findings, photo.anyway) }, others);
    });
    const allDone =
      photos.length > 0 && photos.every(({ sex, check }) => sex !== null && check !== 'blocked');
    return { ...nothingYet, allDone, found: ids.length, intake, ...manifest, photos };
  } finally {
    await checks.close();
    db.close();
  }
}

/** Photos that this run imported, photos that were already there, and the manifests found beside them. */
interface Taken {
  intake: PhotoImport | null;
  added: string[];
  there: string[];
  manifests: FoundManifest[];
}

async function takeIn(
  importer: Importer,
  paths: readonly string[],
  report: Report,
  signal: AbortSignal,
): Promise<Taken> {
  const added = new Set<string>();
  const there = new Set<string>();
  report({ step: 'taking_in' });
  const files = paths.map((path) => ({ path, name: path, temporary: false }));
  const manifests: FoundManifest[] = [];
  const intake = await importer.takeAll(files, signal, {
    onPhotos(ids) {
      for (const id of ids.added) added.add(id);
      for (const id of ids.there) if (!added.has(id)) there.add(id);
      report({ step: 'taking_in', total: added.size + there.size });
    },
    onManifest: (manifest) => manifests.push(manifest),
  });
  if (!signal.aborted && intake.state === 'failed') throw new Failure('storage', intake.message);
  return { intake, added: [...added], there: [...there], manifests };
}

async function makeHeads(
  options: BatchRunOptions,
  report: Report,
  signal: AbortSignal,
): Promise<BatchRunResult> {
  const { batch, importer } = options;
  // Check first, before any change: a studio that works on the queue also has the photo list open.
  batch.mustBeOurs();
  const taken = await takeIn(importer, options.paths, report, signal);
  const { added } = taken;
  try {
    signal.throwIfAborted();
    return await order(options, taken, report, signal);
  } finally {
    // Removes the photos that this run added from the window's list, whatever the result.
    batch.importList.leave(added);
    batch.feed.removedPhotos(added);
  }
}

async function order(
  options: BatchRunOptions,
  taken: Taken,
  report: Report,
  signal: AbortSignal,
): Promise<BatchRunResult> {
  const { batch } = options;
  const { intake, added, there, manifests: found } = taken;
  const ids = [...added, ...there];
  const before = batch.importList.selected({ ids });
  const { tagsByPhoto, people, ...manifest } = await settingsByPhoto(before, found, options);
  const result: BatchRunResult = { ...nothingYet, found: ids.length, left: [], intake, ...manifest };
  // The front photo of a person is known only after all photos are checked.
  const { ids: joined, exchange } = batch.importList.people.joinMeanwhile(people);
  try {
    for (const id of joined) {
      const photo = batch.importList.get(id);
      if (photo?.check === 'pending') await batch.checks.now(photo);
      signal.throwIfAborted();
    }
    return await orderPeople(options, { taken, tagsByPhoto, result }, report, signal);
  } finally {
    // Photos that were in the list before stay unchanged.
    const stayed = new Set(there);
    if (people.some((person) => person.ids.some((id) => stayed.has(id)))) batch.feed.photos(exchange());
  }
}

/** Orders a head of each person in the list, and waits for all. */
async function orderPeople(
  options: BatchRunOptions,
  {
    taken,
    tagsByPhoto,
    result,
  }: { taken: Taken; tagsByPhoto: Map<string, PhotoTags>; result: BatchRunResult },
  report: Report,
  signal: AbortSignal,
): Promise<BatchRunResult> {
  const { batch } = options;
  const { intake, added, there } = taken;
  const { people } = batch.importList;
  const ids = people.frontsOf([...added, ...there]);
  const before = batch.importList.selected({ ids });
  const tagsByLeader = new Map(
    before.map((photo) => [photo.id, tagsOfPerson(tagsByPhoto, [photo, ...people.othersOf(photo.id)])]),
  );
  const untagged = before.filter(({ id, sex }) => (tagsByLeader.get(id)?.sex ?? sex) === null);
  if (untagged.length > 0) {
    throw new Failure(
      'invalid_input',
      t('batch.sex_not_said', { count: untagged.length, example: untagged[0]?.fileName ?? '' }),
      {
        hint: t('batch.say_sex'),
      },
    );
  }
  // Unfinished jobs of an earlier run belong to this one.
  const open = openJobs(batch, ids);
  const { queued, asked } = await batch.orders.start(
    { ids },
    {
      profileId: options.profileId,
      libraryId: options.libraryId,
      again: options.again ?? false,
      tagsByPhoto: tagsByLeader,
      stay: new Set(there),
    },
  );
  const mine = new Set([...queued, ...asked, ...open]);
  const ofJob = new Set([...mine].map((id) => batch.job(id)?.photoId));
  for (const photo of before) {
    if (ofJob.has(photo.id)) continue;
    const anyway = tagsByLeader.get(photo.id)?.anyway ?? photo.anyway;
    if (photo.check === 'blocked' && checkOf(photo.findings, anyway) === 'blocked')
      result.left.push({ fileName: photo.fileName, reason: whyBlocked(photo) });
    else result.alreadyThere += 1;
  }
  result.held = await allOver(batch, mine, options, report, signal).catch(async (error: unknown) => {
    if (signal.aborted && options.cancelsUnsent?.()) await cancelUnsent(batch, mine);
    throw error;
  });

  result.jobs = [...mine].map((id) => batch.job(id)).filter((job) => job !== null);
  const count = (state: Job['state']): number => result.jobs.filter((job) => job.state === state).length;
  result.done = count('done');
  result.failed = count('failed');
  result.cancelled = count('cancelled');
  result.uncertain = count('uncertain');
  result.waiting = mine.size - result.done - result.failed - result.cancelled - result.uncertain;
  result.paid = result.jobs.filter(
    ({ state, orderState }) => state !== 'done' && orderState === 'made',
  ).length;
  const lost = intake?.skipped.some(({ reason }) => !harmless.has(reason)) ?? false;
  result.allDone =
    ids.length > 0 &&
    result.done === mine.size &&
    result.left.length === 0 &&
    !lost &&
    // In a manifest that the user names, each line must match. One found in a folder may list other photos
    // too.
    (options.manifest === undefined || result.manifestProblems.length === 0);
  report({ step: 'over', finished: mine.size - result.waiting, total: mine.size });
  return result;
}

/** Jobs that are or may be ordered continue, because they are paid for. */
async function cancelUnsent(batch: Batch, ids: ReadonlySet<string>): Promise<void> {
  const unsent = [...ids].map((id) => batch.jobs.get(id)).filter((job) => job !== null);
  await batch.orders.cancel(
    unsent.filter(({ state, orderState }) => state === 'queued' && orderState === 'none').map(({ id }) => id),
  );
}

const openJobs = (batch: Batch, photoIds: readonly string[]): string[] => {
  const photos = new Set(photoIds);
  return batch.jobs
    .inState(['queued', 'checking', 'submitting', 'waiting', 'downloading', 'uncertain'])
    .filter(({ photoId }) => photos.has(photoId))
    .map(({ id }) => id);
};

/**
 * Waits until every job is finished, until the rest wait for the user, or until nothing progresses for too
 * long.
 *
 * @returns Why they wait; empty if all are finished.
 */
export async function allOver(
  batch: Batch,
  ids: ReadonlySet<string>,
  waits: Pick<BatchRunOptions, 'waitForPersonMs' | 'waitBlockedMs'>,
  report: Report,
  signal: AbortSignal,
): Promise<Message> {
  const { clock } = batch;
  const { waitBlockedMs } = waits;
  // An explicit limit also applies to waiting for the user.
  const waitForPersonMs = waits.waitForPersonMs ?? waitBlockedMs ?? defaultWaitForPersonMs;
  const blocked = createBlockedTime(() => clock.elapsed());
  const isStuck = (id: string, alsoPaid: boolean): boolean => {
    const state = batch.jobs.stateOf(id);
    return state === 'queued' || (state === 'waiting' && alsoPaid);
  };
  const open = new Map([...ids].map((id) => [id, batch.jobs.get(id)?.profileId ?? '']));
  for (;;) {
    const { holdReason, holdProfileId, secondsLeft } = batch.overview();
    const nextAttemptMs = holdProfileId === null ? null : batch.nextAttemptMs(holdProfileId);
    const reportMaking = (ended: Job | null): void =>
      report({
        step: 'making',
        finished: ids.size - open.size,
        total: ids.size,
        secondsLeft,
        blocked: holdReason,
        nextAttemptMs,
        ended,
      });
    for (const id of open.keys()) {
      const state = batch.jobs.stateOf(id);
      if (state && !finishedStates.includes(state) && state !== 'uncertain') continue;
      open.delete(id);
      reportMaking(batch.job(id));
    }
    reportMaking(null);
    if (open.size === 0) return '';
    const persons = new Map(
      [...new Set(open.values())].map((profileId) => [profileId, batch.waitsForPerson(profileId)]),
    );
    const [first] = persons.values();
    const stuck = [...persons.values()].every((one) => one !== null && one.sinceMs > waitForPersonMs);
    if (
      stuck &&
      [...open].every(([id, profileId]) => isStuck(id, persons.get(profileId)?.alsoPaid === true))
    ) {
      return first?.reason ?? '';
    }
    const blockedMs = blocked(holdReason, progressOf(batch, open));
    if (waitBlockedMs !== undefined && blockedMs >= Math.max(waitBlockedMs, shortestBlockMs))
      return holdReason;
    await clock.wait(100, signal);
  }
}

/** Summarizes the progress of unfinished jobs. It changes when one is ordered, downloaded or finished. */
const progressOf = (batch: Batch, open: ReadonlyMap<string, unknown>): string => {
  const states = [...open.keys()].map((id) => batch.jobs.stateOf(id));
  const countOf = (state: string): number => states.filter((one) => one === state).length;
  return `${open.size} ${countOf('waiting')} ${countOf('downloading')}`;
};
