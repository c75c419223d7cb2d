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
  /** Only checks, and reports what would be sent. */
  dryRun?: boolean;
  /** Send also what the library has already. */
  again?: boolean;
  signal?: AbortSignal;
  /**
   * Whether photos of this run that wait unsent leave the queue when it is interrupted. Default: they stay.
   */
  cancelsUnsent?: () => boolean;
  /**
   * Milliseconds that a run waits while only a person can help on (a refused key, a full account). Default
   * 30,000.
   */
  waitForPersonMs?: number;
  /** Milliseconds that a run waits while nothing moves, whatever the reason. Default: without end. */
  waitBlockedMs?: number | undefined;
}

const defaultWaitForPersonMs = 30_000;

/** How far a run is; a listener gets a new one with every change, at most some twenty a second. */
export interface BatchRunProgress {
  step: 'taking_in' | 'checking' | 'making' | 'over';
  /** Photos of this run that are over, and all of them. */
  finished: number;
  total: number;
  /** Seconds left; null where nothing is known. */
  secondsLeft: number | null;
  /** Why nothing moves; empty where it does. */
  blocked: Message;
  /** Milliseconds until it is tried again; null where that is not known. */
  nextAttemptMs: number | null;
  /** The job that has just ended; null at other times. */
  ended: Job | null;
}

export interface BatchRunResult extends AppliedManifests {
  /** True only where there are photos and every one has its head in the library. */
  allDone: boolean;
  /** Photos that the folders hold. */
  found: number;
  /** Heads made in this run, and photos whose head was there before. */
  done: number;
  alreadyThere: number;
  failed: number;
  cancelled: number;
  uncertain: number;
  /** Why the run ended with photos still waiting: what a person must resolve first. Empty if none waits. */
  held: Message;
  /** Photos that wait because of that, and those of them that are ordered and paid for. */
  waiting: number;
  paid: number;
  /** Photos that could not be queued, with the reason. */
  left: { fileName: string; reason: Message }[];
  /** Files that were not taken in. */
  intake: PhotoImport | null;
  /** With `dryRun`: the photos and what was found. */
  photos: Photo[];
  /** What became of each photo that was queued. */
  jobs: Job[];
}

/** Reasons for which a file is no photo that the person could have meant. */
const harmless: ReadonlySet<string> = new Set(['hidden', 'sidecar', 'no_manifest', 'link_loop', 'duplicate']);

/**
 * A folder of photos becomes heads in a library: takes in, checks, sends, waits for all. Repeating the same
 * run goes on where an earlier one ended: what is in the library or in the queue is not sent again, and what
 * is paid for is fetched. Photos that are in the tray already stay there as they are: what the run says of
 * them holds for its own orders.
 *
 * @throws Failure `invalid_input` (no sex for some photo and no dry run), `storage`, `conflict` (another
 *   studio works on the queue); the signal's reason, and then the queue goes on as long as the batch is open.
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

/** A run before anything was done in it. */
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

/** Checks photos in a temporary tray, which is removed afterwards. */
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

/** Photos that came into the tray, those that were there, and the manifests that lay beside them. */
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
  // Before anything is touched: who works on the queue has its tray open too.
  batch.mustBeOurs();
  const taken = await takeIn(importer, options.paths, report, signal);
  const { added } = taken;
  try {
    signal.throwIfAborted();
    return await order(options, taken, report, signal);
  } finally {
    // Photos that this run added are removed from the window's tray, whatever the result.
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
  // Which of a person's photos leads is known when all are looked at.
  const { ids: joined, restore } = batch.importList.people.joinMeanwhile(people);
  try {
    for (const id of joined) {
      const photo = batch.importList.get(id);
      if (photo?.check === 'pending') await batch.checks.now(photo);
      signal.throwIfAborted();
    }
    return await orderPeople(options, { taken, tagsByPhoto, result }, report, signal);
  } finally {
    // What lay in the tray stays there as it was.
    const stayed = new Set(there);
    if (people.some((person) => person.ids.some((id) => stayed.has(id)))) batch.feed.photos(restore());
  }
}

/** Orders a head of each person that is in the tray now, and waits for all. */
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
  // Those of an earlier run that are still on their way belong to this one.
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
  result.paid = result.jobs.filter(({ state, standing }) => state !== 'done' && standing === 'made').length;
  const lost = intake?.skipped.some(({ reason }) => !harmless.has(reason)) ?? false;
  result.allDone =
    ids.length > 0 &&
    result.done === mine.size &&
    result.left.length === 0 &&
    !lost &&
    // Who names a manifest means each line of it; one that lies in the folder may tell of more than is there.
    (options.manifest === undefined || result.manifestProblems.length === 0);
  report({ step: 'over', finished: mine.size - result.waiting, total: mine.size });
  return result;
}

/** Jobs that are or may be ordered go on, because they are paid for. */
async function cancelUnsent(batch: Batch, ids: ReadonlySet<string>): Promise<void> {
  const unsent = [...ids].map((id) => batch.jobs.get(id)).filter((job) => job !== null);
  await batch.orders.cancel(
    unsent.filter(({ state, standing }) => state === 'queued' && standing === 'none').map(({ id }) => id),
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
 * Waits until every job is over, until all that are not wait for a person, or until nothing has moved for too long.
 *
 * @returns What they wait for; empty where all are over.
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
  // Who says how long to wait says it of a person, too.
  const waitForPersonMs = waits.waitForPersonMs ?? waitBlockedMs ?? defaultWaitForPersonMs;
  const blocked = createBlockedTime(() => clock.elapsed());
  const isStuck = (id: string, alsoPaid: boolean): boolean => {
    const state = batch.jobs.stateOf(id);
    return state === 'queued' || (state === 'waiting' && alsoPaid);
  };
  const open = new Map([...ids].map((id) => [id, batch.jobs.get(id)?.profileId ?? '']));
  for (;;) {
    const { holdReason, holdProfileId, secondsLeft } = batch.overview();
    for (const id of open.keys()) {
      const state = batch.jobs.stateOf(id);
      if (state && !finishedStates.includes(state) && state !== 'uncertain') continue;
      open.delete(id);
      const job = batch.job(id);
      report({
        step: 'making',
        finished: ids.size - open.size,
        total: ids.size,
        secondsLeft,
        blocked: holdReason,
        ended: job,
      });
    }
    report({
      step: 'making',
      finished: ids.size - open.size,
      total: ids.size,
      secondsLeft,
      blocked: holdReason,
      nextAttemptMs: holdProfileId === null ? null : batch.nextAttemptMs(holdProfileId),
    });
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

/** How far open jobs are. It changes when one is ordered, fetched or over. */
const progressOf = (batch: Batch, open: ReadonlyMap<string, unknown>): string => {
  const states = [...open.keys()].map((id) => batch.jobs.stateOf(id));
  const countOf = (state: string): number => states.filter((one) => one === state).length;
  return `${open.size} ${countOf('waiting')} ${countOf('downloading')}`;
};
