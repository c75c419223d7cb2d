import { readFile } from 'node:fs/promises';
import type { Intake, Job, Photo } from '#contract';
import { Failure } from '../failure.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import type { Batch } from './batch.ts';
import { photoFinder } from './batch_calls.ts';
import type { Intakes } from './intake.ts';
import { finishedStates } from './job_state.ts';
import { type ManifestProblem, manifestProblem, parseManifest } from './manifest.ts';
import type { PhotoRow, PhotoTags } from './photo_tray.ts';

export interface BatchRunOptions {
  batch: Batch;
  intakes: Intakes;
  /** Folders and files of photos. */
  paths: readonly string[];
  /** For all photos; a manifest says more of some. */
  sex?: 'female' | 'male';
  eyelidType?: 'single' | 'double';
  /** Path of a CSV manifest. */
  manifest?: string;
  profileId: string;
  libraryId: string;
  /** Only looks and says what would be sent. */
  dryRun?: boolean;
  /** Send also what the library has already. */
  again?: boolean;
  signal?: AbortSignal;
}

/** How far a run is; a listener gets a new one with every change, at most some twenty a second. */
export interface BatchRunProgress {
  step: 'taking_in' | 'checking' | 'making' | 'over';
  /** Photos of this run that are over, and all of them. */
  finished: number;
  total: number;
  /** Seconds left; null where nothing is known. */
  secondsLeft: number | null;
  /** Why nothing moves; empty where it does. */
  held: string;
  /** The job that has just ended; null at other times. */
  ended: Job | null;
}

export interface BatchRunResult {
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
  /** Photos that could not be queued, with the reason. */
  left: { fileName: string; reason: string }[];
  /** Files that were not taken in. */
  intake: Intake | null;
  manifestProblems: ManifestProblem[];
  /** With `dryRun`: the photos and what was found. */
  photos: Photo[];
  /** What became of each photo that was queued. */
  jobs: Job[];
}

/** Reasons for which a file is no photo that the person could have meant. */
const harmless: ReadonlySet<string> = new Set(['hidden', 'sidecar', 'link_loop', 'duplicate']);

/**
 * A folder of photos becomes heads in a library: takes in, tags, checks, sends, waits for all. Repeating the same
 * run goes on where an earlier one ended: what is in the library or in the queue is not sent again.
 *
 * @throws Failure `invalid_input` (no sex for some photo and no dry run), `storage`, `conflict` (another studio
 *   works on the queue); the signal's reason, and then the queue goes on as long as the batch is open.
 */
export async function runBatch(
  options: BatchRunOptions,
  onProgress: (progress: BatchRunProgress) => void,
): Promise<BatchRunResult> {
  const { batch, intakes } = options;
  const signal = options.signal ?? new AbortController().signal;
  const tell = (progress: Partial<BatchRunProgress> & Pick<BatchRunProgress, 'step'>): void =>
    onProgress({ finished: 0, total: 0, secondsLeft: null, held: '', ended: null, ...progress });

  const found = new Set<string>();
  tell({ step: 'taking_in' });
  const files = options.paths.map((path) => ({ path, name: path, temporary: false }));
  intakes.begin(files, (ids) => {
    for (const id of ids) found.add(id);
    tell({ step: 'taking_in', total: found.size });
  });
  const stopLooking = (): void => intakes.cancel(intakes.current?.id ?? '');
  signal.addEventListener('abort', stopLooking, { once: true });
  await intakes.settled();
  signal.removeEventListener('abort', stopLooking);
  signal.throwIfAborted();
  const intake = intakes.current;
  if (intake?.state === 'failed') throw new Failure('storage', intake.message);

  const ids = [...found];
  const manifestProblems = await tagPhotos(batch, ids, options);
  const result: BatchRunResult = {
    allDone: false,
    found: ids.length,
    done: 0,
    alreadyThere: 0,
    failed: 0,
    cancelled: 0,
    uncertain: 0,
    left: [],
    intake,
    manifestProblems,
    photos: [],
    jobs: [],
  };
  if (options.dryRun) {
    await allChecked(batch, ids, tell, signal);
    result.photos = batch.tray.selected({ ids }).map((photo) => batch.shown(photo));
    batch.tray.remove({ ids });
    result.allDone =
      ids.length > 0 && result.photos.every(({ sex, check }) => sex !== null && check !== 'blocked');
    return result;
  }

  const untagged = batch.tray.selected({ ids }).filter(({ sex }) => sex === null);
  if (untagged.length > 0) {
    throw new Failure(
      'invalid_input',
      `The sex of ${untagged.length} photos is not said, such as “${untagged[0]?.fileName}”.`,
      {
        hint: 'Give --sex female or --sex male for all, or a --manifest that says it of each.',
      },
    );
  }
  // Those of an earlier run that are still on their way belong to this one.
  const underWay = openJobs(batch, ids);
  const before = batch.tray.selected({ ids });
  const { queued } = await batch.start(
    { ids },
    {
      profileId: options.profileId,
      libraryId: options.libraryId,
      again: options.again ?? false,
    },
  );
  const mine = new Set([...queued, ...underWay]);
  const ofJob = new Set([...mine].map((id) => batch.job(id)?.photoId));
  for (const photo of before) {
    if (ofJob.has(photo.id)) continue;
    if (photo.check === 'blocked') result.left.push({ fileName: photo.fileName, reason: whyBlocked(photo) });
    else result.alreadyThere += 1;
  }
  // What is not sent needs no place in the tray of the window.
  batch.tray.leave(before.map(({ id }) => id));
  await allOver(batch, mine, tell, signal);

  result.jobs = [...mine].map((id) => batch.job(id)).filter((job) => job !== null);
  const count = (state: Job['state']): number => result.jobs.filter((job) => job.state === state).length;
  result.done = count('done');
  result.failed = count('failed');
  result.cancelled = count('cancelled');
  result.uncertain = count('uncertain');
  const lost = intake?.skipped.some(({ reason }) => !harmless.has(reason)) ?? false;
  result.allDone =
    ids.length > 0 &&
    result.done === mine.size &&
    result.left.length === 0 &&
    !lost &&
    manifestProblems.length === 0;
  tell({ step: 'over', finished: mine.size, total: mine.size });
  return result;
}

async function tagPhotos(
  batch: Batch,
  ids: readonly string[],
  { sex, eyelidType, manifest }: BatchRunOptions,
): Promise<ManifestProblem[]> {
  const photos = batch.tray.selected({ ids: [...ids] });
  const common: PhotoTags = { ...(sex && { sex }), ...(eyelidType && { eyelidType }) };
  const tags = new Map<string, { photo: PhotoRow; set: PhotoTags }>(
    photos.map((photo) => [photo.id, { photo, set: { ...common } }]),
  );
  const problems: ManifestProblem[] = [];
  if (manifest !== undefined) {
    const text = await readFile(manifest, 'utf8').catch((error: unknown) => {
      throw storageFailure(error, manifest);
    });
    const parsed = parseManifest(text);
    problems.push(...parsed.problems);
    const find = photoFinder(photos);
    for (const { line, file, ...said } of parsed.rows) {
      const [photo, second] = find(file);
      if (!photo || second) {
        problems.push(manifestProblem({ line, column: 1 }, photo ? 'several_photos' : 'no_photo', file));
        continue;
      }
      Object.assign(tags.get(photo.id)?.set ?? {}, said);
    }
  }
  batch.tray.tag('tag', [...tags.values()]);
  return problems;
}

const openJobs = (batch: Batch, photoIds: readonly string[]): string[] => {
  const photos = new Set(photoIds);
  return batch.jobs
    .inState(['queued', 'checking', 'submitting', 'waiting', 'downloading', 'uncertain'])
    .filter(({ photoId }) => photos.has(photoId))
    .map(({ id }) => id);
};

const whyBlocked = ({ findings }: PhotoRow): string =>
  findings
    .filter(({ severity }) => severity === 'blocking')
    .map(({ message }) => message)
    .join(' ');

/** The background looks at them, in about this order. */
async function allChecked(
  batch: Batch,
  ids: readonly string[],
  tell: (progress: Partial<BatchRunProgress> & Pick<BatchRunProgress, 'step'>) => void,
  signal: AbortSignal,
): Promise<void> {
  batch.checks.wake();
  for (let finished = 0; finished < ids.length; ) {
    while (finished < ids.length && batch.tray.get(ids[finished] ?? '')?.check !== 'pending') finished += 1;
    tell({ step: 'checking', finished, total: ids.length });
    if (finished < ids.length) await batch.options.clock.wait(50, signal);
  }
}

async function allOver(
  batch: Batch,
  ids: ReadonlySet<string>,
  tell: (progress: Partial<BatchRunProgress> & Pick<BatchRunProgress, 'step'>) => void,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = batch.options;
  const open = new Set(ids);
  for (;;) {
    const { held, secondsLeft } = batch.overview();
    for (const id of open) {
      const state = batch.jobs.stateOf(id);
      if (state && !finishedStates.includes(state) && state !== 'uncertain') continue;
      open.delete(id);
      const job = batch.job(id);
      tell({
        step: 'making',
        finished: ids.size - open.size,
        total: ids.size,
        secondsLeft,
        held,
        ended: job,
      });
    }
    tell({ step: 'making', finished: ids.size - open.size, total: ids.size, secondsLeft, held });
    if (open.size === 0) return;
    await clock.wait(100, signal);
  }
}
