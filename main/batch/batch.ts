import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  type BatchOverview,
  builtInProfileId,
  type EventPayload,
  headStages,
  type Job,
  type JobState,
  type Photo,
  type StudioErrorCode,
  startLeft,
} from '#contract';
import { inEnglish, oneAfterAnother, type Said, say } from '#sentences';
import type { Clock } from '../base/clock.ts';
import type { ModelStore } from '../base/model_store.ts';
import { Failure, saidOf } from '../failure.ts';
import { openDatabase } from '../storage/database.ts';
import { type FileLock, tryFileLock } from '../storage/file_lock.ts';
import { batchMigrations } from './batch_schema.ts';
import { type ChangeFeed, createChangeFeed } from './change_feed.ts';
import { forgetFileNames } from './jobs/image_tasks.ts';
import { JobPace } from './jobs/job_pace.ts';
import { type HoldReason, type JobContext, type Obstacle, runJob, Stop } from './jobs/job_run.ts';
import { activeStates, finishedStates, owedStandings } from './jobs/job_state.ts';
import { type JobChanges, type JobRow, JobStore, type NewJob } from './jobs/job_store.ts';
import { SendingPlaces } from './jobs/sending_places.ts';
import { correctionsFor } from './photos/corrections.ts';
import { PhotoChecks } from './photos/photo_checks.ts';
import { removePreviews } from './photos/photo_preview.ts';
import {
  checkOf,
  type PhotoRow,
  type PhotoSelection,
  type PhotoTags,
  PhotoTray,
} from './photos/photo_tray.ts';
import type { BatchProfile, PortraitChecker, Profiles } from './ports.ts';

export interface BatchOptions {
  /** Folder of the batch's own files; made where missing. */
  folder: string;
  profiles: Profiles;
  modelStore: ModelStore;
  checker: PortraitChecker;
  clock: Pick<Clock, 'now' | 'elapsed' | 'wait'>;
  /** 0 ≤ value < 1. */
  random: () => number;
  emit?: {
    changed?: (payload: EventPayload<'batch', 'changed'>) => void;
    finished?: (payload: EventPayload<'batch', 'finished'>) => void;
  };
  /** Work has begun, or has ended: the machine should stay awake meanwhile. */
  onBusy?: (busy: boolean) => void;
  /** How much of the present batch is done, 0..1; null where there is none. */
  onFraction?: (fraction: number | null) => void;
  /** A defect. */
  onDefect?: (error: unknown) => void;
  /** Jobs of a profile under way at once; default: four for each request that it allows at once. */
  jobsAtOnce?: (profile: BatchProfile) => number;
  /** Milliseconds in which a paid model is asked for although every answer is nonsense. Default: half an hour. */
  patience?: number;
}

/** What is to become of photos that are queued. */
export interface StartOrder {
  profileId: string;
  libraryId: string;
  /** Also those that the library has already, or whose model the server no longer knows. */
  again: boolean;
  /** What holds for this order alone, by photo; the photo in the tray stays as it is. */
  said?: ReadonlyMap<string, PhotoTags>;
  /** Photos that stay in the tray although they are queued. */
  stay?: ReadonlySet<string>;
}

type Left = (typeof startLeft)[number];

/** A photo with the settings that its head is ordered with. */
type WantedHead = Pick<
  NewJob,
  'photoId' | 'fileName' | 'name' | 'sex' | 'eyelidType' | 'crop' | 'corrections' | 'anyway' | 'tags'
>;

type HeadStage = (typeof headStages)[number];

interface Running {
  job: JobRow;
  controller: AbortController;
  ended: Promise<void>;
  fraction: number | null;
  /** What the engine says that it does with it. */
  stage: { name: HeadStage; progress: number } | null;
  /**
   * Since when it is being made, on the forward clock: from its submit, or, where the engine had others before it, from
   * when their places became free. Null where it is not, or where that began in an earlier run.
   */
  madeSince: number | null;
}

/** Why something waits, and since when on the forward clock. */
interface Waits {
  obstacle: Obstacle;
  since: number;
}

const shortestPause = 2000;
const longestPause = 60_000;
/** Where a person must act, asking often only wears the server out. */
const longestPauseForPerson = 300_000;
/** No server can ask for more; a timer knows no more than 24 days. */
const longestAskedPause = 3_600_000;
const defaultPatience = 1_800_000;

/** The tray of photos and the queue of jobs, on disk and at work. */
export class Batch {
  readonly options: BatchOptions;
  readonly database: DatabaseSync;
  readonly tray: PhotoTray;
  readonly checks: PhotoChecks;
  readonly jobs: JobStore;
  readonly feed: ChangeFeed;
  readonly #pace: JobPace;
  /** Heads that a connection makes at once, where that is known. */
  readonly #makers = new Map<string, number>();
  readonly #places: SendingPlaces;
  readonly #running = new Map<string, Running>();
  /** Profiles whose orders wait: since and until when on the forward clock, why, and how often in a row. */
  readonly #holds = new Map<string, Waits & { until: number; times: number }>();
  /** Why jobs of a profile that are under way wait; under '' what all wait for. */
  readonly #reasons = new Map<string, Waits>();
  /** Aborted, and replaced, when everything that waits is to be tried now. */
  #wake = new AbortController();
  readonly #closing = new AbortController();
  #lock: FileLock | null = null;
  #paused: boolean;
  #batchFrom: number;
  #pumping = false;
  #pumpAgain = false;
  #busy = false;
  #batchStarted: number | null = null;

  /** @throws Failure `storage` */
  constructor(options: BatchOptions) {
    this.options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    this.database = openDatabase({
      path: join(options.folder, 'batch.db'),
      migrations: batchMigrations,
      // What is about money is written through to the disk by `JobStore.move`.
      durability: 'normal',
    }).db;
    const now = options.clock.now;
    this.#lock = tryFileLock(join(options.folder, 'queue.lock'));
    this.tray = new PhotoTray(this.database, now);
    this.jobs = new JobStore(this.database, now);
    this.#pace = new JobPace(this.database);
    this.#places = new SendingPlaces(options.clock);
    const row = this.database.prepare('SELECT paused, batchFrom FROM queue').get();
    this.#paused = row?.paused === 1;
    this.#batchFrom = Number(row?.batchFrom ?? 0);
    this.feed = createChangeFeed({
      photo: (id) => this.photo(id),
      job: (id) => this.job(id),
      overview: () => this.overview(),
      emit: (payload) => {
        const { total, share } = payload.overview.batch;
        options.onFraction?.(payload.overview.open > 0 && total > 0 ? share : null);
        options.emit?.changed?.(payload);
      },
    });
    this.checks = new PhotoChecks({
      tray: this.tray,
      checker: options.checker,
      onChecked: (ids) => this.feed.photos(ids),
      onDefect: (error) => options.onDefect?.(error),
    });
  }

  /**
   * Goes on where the last run was: settles what it left in doubt, asks after what was submitted, resumes
   * downloads, removes what nobody needs any more.
   */
  async resume(): Promise<void> {
    if (!this.#lock) return;
    this.jobs.recover();
    this.tray.purge();
    const known = new Set(this.tray.hashes());
    removePreviews(this.previewsFolder, (hash) => !known.has(hash)); // Also what is no whole picture.
    await this.#removeOrphans();
    this.checks.wake();
    this.#pump();
  }

  /** Where small pictures of photos are kept. */
  get previewsFolder(): string {
    return join(this.options.folder, 'previews');
  }

  /** A photo of the tray as the page sees it. */
  photo(id: string): Photo | null {
    const row = this.tray.get(id);
    return row ? this.shown(row) : null;
  }

  shown({ path: _path, sha256, ...photo }: PhotoRow): Photo {
    const { sex, eyelidType, crop, corrections } = photo;
    const parameters = { sex, eyelidType, crop, corrections };
    return {
      ...photo,
      inLibrary: sex ? this.options.modelStore.madeBefore(sha256, parameters, null) : null,
    };
  }

  job(id: string): Job | null {
    const row = this.jobs.get(id);
    return row ? this.shownJob(row) : null;
  }

  shownJob(row: JobRow): Job {
    const running = this.#running.get(row.id);
    return {
      id: row.id,
      photoId: row.photoId,
      state: row.state,
      fileName: row.fileName,
      name: row.name,
      sex: row.sex,
      eyelidType: row.eyelidType,
      profileId: row.profileId,
      profileName: row.profileName,
      libraryId: row.libraryId,
      remoteModelId: row.remoteModelId,
      standing: row.standing,
      modelId: row.state === 'done' ? row.modelId : null,
      attempts: row.attempts,
      message: row.message,
      hint: row.hint,
      code: row.code,
      fraction: running?.fraction ?? null,
      inLine: running !== undefined && this.#waitsInLine(row, running),
      stage: (row.state === 'waiting' && running?.stage?.name) || null,
      progress: this.#progressOf(row.state, running),
      secondsLeft: this.#secondsLeft(row),
      queuedAt: row.queuedAt,
      changedAt: row.changedAt,
      position: row.position,
    };
  }

  overview(): BatchOverview {
    const counts = this.jobs.counts();
    const { photos, untagged, corrected, checks } = this.tray.sums();
    const open = openOf(counts);
    const present = this.database
      .prepare(
        `SELECT count(*) AS total, coalesce(sum(state IN ('done', 'failed', 'cancelled')), 0) AS finished
         FROM jobs WHERE queuedAt >= ?`,
      )
      .get(this.#batchFrom);
    const held = this.#held(open);
    const total = Number(present?.total ?? 0);
    const finished = Number(present?.finished ?? 0);
    const parts = [...this.#running.values()]
      .filter(({ job }) => job.queuedAt >= this.#batchFrom && !finishedStates.includes(job.state))
      .reduce((sum, running) => sum + this.#progressOf(running.job.state, running), 0);
    return {
      photos,
      untagged,
      corrected,
      checks,
      jobs: counts,
      open,
      paused: this.#paused,
      held: held?.reason ?? '',
      heldCode: held?.code ?? null,
      heldProfileId: held?.profileId ?? null,
      batch: { total, finished, share: total === 0 ? 0 : Math.min(1, (finished + parts) / total) },
      secondsLeft: this.#secondsForAll(),
      undo: this.tray.undoable,
      intake: null,
    };
  }

  /**
   * Queues photos with their settings as they are now. What is paid for already is fetched, not ordered again, and what
   * may be paid for becomes `uncertain` again: only a person sends it a second time.
   *
   * @returns Ids of the jobs that go on and of those that the person is asked about.
   * @throws Failure `key_missing`: nothing is queued then
   */
  async start(
    selection: PhotoSelection,
    { profileId, libraryId, again, said, stay }: StartOrder,
  ): Promise<{ queued: string[]; asked: string[]; left: { reason: Left; count: number }[] }> {
    this.mustBeOurs();
    const profile = await this.options.profiles.profile(profileId);
    await this.options.profiles.mustHaveKey?.(profileId, 'apiKey');
    const { wanted, owed, left } = this.#sortOut(selection, profileId, again, said);
    const now = this.options.clock.now();
    const wasIdle = this.#openJobs() === 0;
    const jobs: NewJob[] = wanted.map((one) => ({
      ...one,
      ...newIds(),
      ...ofProfile(profile),
      libraryId,
      queuedAt: now,
    }));
    const leaving = jobs.map(({ photoId }) => photoId).filter((id) => !stay?.has(id));
    if (jobs.length > 0) {
      this.jobs.add(jobs, () => {
        this.tray.leave(leaving);
        if (wasIdle) this.#beginBatch(now);
      });
    }
    await this.retry(owed.map(({ id }) => id));
    const asked = owed.filter(({ id }) => this.jobs.stateOf(id) === 'uncertain');
    left.uncertain = asked.length;
    const resumed = owed.filter((job) => !asked.includes(job));
    leaving.push(...resumed.map(({ photoId }) => photoId).filter((id) => !stay?.has(id)));
    this.tray.leave(leaving);
    this.feed.removedPhotos(leaving);
    this.feed.jobs(jobs.map(({ id }) => id));
    this.#pump();
    return {
      queued: [...jobs, ...resumed].map(({ id }) => id),
      asked: asked.map(({ id }) => id),
      left: counted(left),
    };
  }

  /** What `start` would do with these photos: heads that it would make or fetch, and what would stay behind. */
  forecast(
    selection: PhotoSelection,
    { profileId, again }: Pick<StartOrder, 'profileId' | 'again'>,
  ): { heads: number; left: { reason: Left; count: number }[] } {
    const { wanted, owed, left } = this.#sortOut(selection, profileId, again);
    left.uncertain = owed.filter(asksPerson).length;
    return { heads: wanted.length + owed.length - left.uncertain, left: counted(left) };
  }

  /** Which photos are ordered, which of them were ordered before and are owed, and why the others stay; each once. */
  #sortOut(
    selection: PhotoSelection,
    profileId: string,
    again: boolean,
    said?: StartOrder['said'],
  ): { wanted: WantedHead[]; owed: JobRow[]; left: Record<Left, number> } {
    const left: Record<Left, number> = { no_sex: 0, blocked: 0, in_library: 0, in_queue: 0, uncertain: 0 };
    const wanted: WantedHead[] = [];
    const owed: JobRow[] = [];
    for (const inTray of this.tray.selected(selection)) {
      const photo = { ...inTray, ...said?.get(inTray.id) };
      const { id: photoId, fileName, name, tags, sex, eyelidType, crop } = photo;
      const corrections = correctionsFor(profileId, photo.corrections);
      const parameters = { sex, eyelidType, crop, corrections };
      // A sex is asked for only where it would help.
      const anyway = photo.anyway && profileId === builtInProfileId;
      if (photo.check !== 'pending' && checkOf(photo.findings, anyway) === 'blocked') left.blocked += 1;
      else if (sex === null) left.no_sex += 1;
      else if (this.jobs.openOfPhoto(photoId)) left.in_queue += 1;
      else if (!again && this.options.modelStore.madeBefore(photo.sha256, parameters, profileId) !== null) {
        left.in_library += 1;
      } else {
        const before = this.jobs
          .owedFor(photoId, profileId)
          .find((job) => isOrderOf(job, parameters) && !(again && job.standing === 'gone'));
        if (before) owed.push(before);
        else wanted.push({ photoId, fileName, name, sex, eyelidType, crop, corrections, anyway, tags });
      }
    }
    return { wanted, owed, left };
  }

  pause(paused: boolean): void {
    this.database.prepare('UPDATE queue SET paused = ?').run(paused ? 1 : 0);
    this.#paused = paused;
    if (!paused) this.tryNow();
    this.feed.overview();
    this.#pump();
  }

  /**
   * Whatever waits for a server, a key or the network is tried now: the person says so, or a connection was changed.
   */
  tryNow(): void {
    this.#holds.clear();
    for (const id of this.#reasons.keys()) if (id !== '') this.#reasons.delete(id);
    this.#wake.abort();
    this.#wake = new AbortController();
    this.feed.overview();
    this.#pump();
  }

  /**
   * What of a connection waits for a person (a key, an account, a cap), since when, and whether that holds up also what
   * is paid for; null where nothing does.
   */
  waitsForPerson(profileId: string): { reason: Said; sinceMs: number; alsoPaid: boolean } | null {
    const asking = this.#reasons.get(profileId);
    const alsoPaid = asking?.obstacle.needsPerson === true;
    const waits = alsoPaid ? asking : this.#holds.get(profileId);
    if (!waits?.obstacle.needsPerson) return null;
    const sinceMs = this.options.clock.elapsed() - waits.since;
    return { reason: waits.obstacle.reason, sinceMs, alsoPaid };
  }

  /** @param ids - Null: all that are open. @returns How many were. */
  async cancel(ids: readonly string[] | null): Promise<number> {
    this.mustBeOurs();
    const jobs = ids
      ? ids.map((id) => this.jobs.get(id)).filter((job) => job !== null)
      : this.jobs.inState([...activeStates, 'queued', 'uncertain']);
    const ending: Promise<void>[] = [];
    let cancelled = 0;
    for (const job of jobs) {
      const running = this.#running.get(job.id);
      if (running) {
        running.controller.abort(new Stop('cancelled'));
        ending.push(running.ended);
        cancelled += 1;
      } else if (!finishedStates.includes(job.state)) {
        const message = job.standing === 'doubt' ? say('batch.left_in_doubt') : '';
        this.jobs.move(job, 'cancelled', { code: 'cancelled', message, hint: '' });
        cancelled += 1;
      }
    }
    await Promise.all(ending);
    this.feed.jobs(jobs.map(({ id }) => id));
    this.#maybeFinished();
    return cancelled;
  }

  reorder(ids: readonly string[], before: string | null): void {
    this.mustBeOurs();
    this.jobs.reorder(ids, before);
    this.feed.jobs(this.jobs.page(['queued'], 0, 200).jobs.map(({ id }) => id));
  }

  /**
   * Gives failed or cancelled jobs another chance. What is paid for is fetched; what may be is the person's to say,
   * unless its key makes it safe to repeat; the rest is ordered.
   *
   * @param ids - Null: all that failed.
   * @param to.profileId - Another connection: it is ordered there, and what this one is owed stays as it is.
   * @param to.anew - Orders what the server says it doesn't know (any longer); without, it is asked for once more.
   * @returns How many.
   * @throws Failure `key_missing` where that one has none
   */
  async retry(
    ids: readonly string[] | null,
    to: { profileId?: string | undefined; anew?: boolean | undefined } = {},
  ): Promise<number> {
    this.mustBeOurs();
    const profile = to.profileId === undefined ? null : await this.options.profiles.profile(to.profileId);
    if (profile) await this.options.profiles.mustHaveKey?.(profile.id, 'apiKey');
    const jobs = ids
      ? ids.map((id) => this.jobs.get(id)).filter((job) => job !== null)
      : this.jobs.inState(['failed']);
    const retried = jobs.filter(({ state }) => state === 'failed' || state === 'cancelled');
    const now = this.options.clock.now();
    if (retried.length > 0 && this.#openJobs() === 0)
      this.#beginBatch(Math.min(now, ...retried.map((job) => job.queuedAt)));
    const elsewhere: NewJob[] = [];
    for (const job of retried) {
      const { standing } = job;
      const away = profile !== null && profile.id !== job.profileId ? profile : null;
      const { modelStore } = this.options;
      // A head that is paid for finds a place, also where its own is gone.
      const libraryId = modelStore.knows(job.libraryId) ? job.libraryId : modelStore.defaultLibraryId();
      const cleared = { libraryId, message: '', hint: '', code: null, pollSeconds: 0, nextPollAt: null };
      const again = { ...cleared, attempts: 0, remoteModelId: '', standing: 'none' } as const;
      if (away && owedStandings.includes(standing)) elsewhere.push(copyFor(away, job, now));
      else if (away) {
        this.jobs.move(job, 'queued', { ...again, ...ofProfile(away), idempotencyKey: randomUUID() });
      } else if (standing === 'made' || (standing === 'gone' && !to.anew)) {
        this.jobs.move(job, 'waiting', { ...cleared, standing: 'made' });
      } else if (asksPerson(job)) {
        this.jobs.move(job, 'uncertain', {
          code: 'upstream_broken',
          message: say('batch.sent_without_answer'),
          hint: say('batch.look_in_account'),
        });
      } else if (standing === 'doubt') this.jobs.move(job, 'queued', cleared);
      else this.jobs.move(job, 'queued', { ...again, idempotencyKey: randomUUID() });
    }
    if (elsewhere.length > 0) this.jobs.add(elsewhere, () => {});
    this.feed.jobs([...retried, ...elsewhere].map(({ id }) => id));
    this.#pump();
    return retried.length;
  }

  /** The person's word on jobs of which nobody knows whether they were received. */
  settleUncertain(
    ids: readonly string[],
    answer: 'resend' | 'give_up' | 'found',
    remoteModelId: string | undefined,
  ): void {
    this.mustBeOurs();
    if (answer === 'found' && (remoteModelId === undefined || ids.length !== 1)) {
      throw new Failure('invalid_input', say('batch.one_id_one_photo'), {
        field: 'remoteModelId',
        hint: say('batch.settle_one_by_one'),
      });
    }
    for (const id of ids) {
      const job = this.jobs.get(id);
      if (job?.state !== 'uncertain') continue;
      if (answer === 'give_up') this.jobs.move(job, 'failed', { message: say('batch.given_up'), hint: '' });
      else if (answer === 'resend')
        this.jobs.move(job, 'queued', { standing: 'none', message: '', hint: '', code: null });
      else {
        this.jobs.move(job, 'waiting', {
          remoteModelId: remoteModelId ?? '',
          standing: 'made',
          message: '',
          hint: '',
          code: null,
          nextPollAt: null,
        });
      }
    }
    this.feed.jobs(ids);
    this.#pump();
    this.#maybeFinished();
  }

  /** @param owed - Also forgets jobs that are paid for (or may be) and whose head isn't here. */
  clearFinished(owed: boolean): { cleared: number; kept: number } {
    this.mustBeOurs();
    const { ids, kept } = this.jobs.clearFinished(owed);
    this.feed.removedJobs(ids);
    return { cleared: ids.length, kept };
  }

  /** Models and the photos they were made of (by SHA-256) were erased: nothing here may know them any longer. */
  forget(
    modelIds: readonly string[],
    hashes: readonly string[],
  ): Record<'jobs' | 'photos' | 'imageTasks', number> {
    const known = hashes.flatMap((hash) => this.tray.find(hash) ?? []);
    const imageTasks = forgetFileNames(this.database, [
      ...known.map(({ fileName }) => fileName),
      ...this.jobs.fileNamesOf(modelIds),
    ]);
    const jobs = this.jobs.forgetModels(
      modelIds,
      known.map(({ id }) => id),
    );
    this.feed.removedJobs(jobs);
    const photos = this.tray.forget(hashes);
    this.feed.removedPhotos(photos);
    return { jobs: jobs.length, photos: photos.length, imageTasks };
  }

  /** How many jobs of a photo are not over. @param hash - Its SHA-256, hex. */
  openJobsOf(hash: string): number {
    const photo = this.tray.find(hash);
    return photo ? this.jobs.openCount(photo.id) : 0;
  }

  /** Resolves when no job is under way and none can go on by itself. */
  async idle(): Promise<void> {
    while (this.#running.size > 0 || (this.#lock && !this.#paused && this.jobs.counts().queued > 0)) {
      const some = [...this.#running.values()].map(({ ended }) => ended);
      await (some.length > 0 ? Promise.race(some) : this.options.clock.wait(20, this.#closing.signal));
    }
  }

  /** True while jobs are under way or wait for their turn. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /**
   * Ends the work. A submit under way gets a moment to come to its end, so that nothing is in doubt; everything
   * else goes on at the next start.
   *
   * @param graceMs - Milliseconds that submits get. Default 10,000.
   */
  async close(graceMs = 10_000): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new Stop('closing'));
    await this.checks.close();
    this.jobs.commit();
    const sending: Promise<void>[] = [];
    for (const { controller, ended, job } of this.#running.values()) {
      if (this.jobs.get(job.id)?.state === 'submitting') sending.push(ended);
      else controller.abort(new Stop('closing'));
    }
    const late = new AbortController();
    await Promise.race([
      Promise.allSettled(sending),
      this.options.clock.wait(graceMs, late.signal).catch(() => undefined),
    ]);
    late.abort();
    const all = [...this.#running.values()];
    for (const { controller } of all) controller.abort(new Stop('closing'));
    await Promise.allSettled(all.map(({ ended }) => ended));
    this.feed.close();
    this.#lock?.release();
    this.#lock = null;
    this.jobs.close();
    this.database.close();
    if (this.#busy) this.options.onBusy?.(false);
  }

  /** @throws Failure `conflict` where another studio works on the queue */
  mustBeOurs(): void {
    if (this.#lock) return;
    throw new Failure('conflict', say('batch.other_studio'), {
      hint: say('batch.close_other_studio'),
      retryable: true,
    });
  }

  #openJobs(): number {
    const counts = this.jobs.counts();
    return openOf(counts);
  }

  #beginBatch(from: number): void {
    this.#batchFrom = from;
    this.#batchStarted = this.options.clock.elapsed();
    this.database.prepare('UPDATE queue SET batchFrom = ?').run(from);
  }

  /** Starts as many jobs as may run now. */
  #pump(): void {
    if (this.#pumping) {
      this.#pumpAgain = true;
      return;
    }
    this.#pumping = true;
    void (async () => {
      try {
        do {
          this.#pumpAgain = false;
          await this.#startJobs();
        } while (this.#pumpAgain);
      } catch (error) {
        this.options.onDefect?.(error);
      } finally {
        this.#pumping = false;
      }
    })();
  }

  async #startJobs(): Promise<void> {
    if (!this.#lock || this.#closing.signal.aborted) return;
    // What is paid for goes on, also while the queue is paused.
    for (const id of this.jobs.paidIds()) {
      const job = this.#running.has(id) ? null : this.jobs.get(id);
      if (job) this.#run(job);
    }
    if (this.#paused) return;
    const now = this.options.clock.elapsed();
    const full = new Set([...this.#holds].filter(([, { until }]) => until > now).map(([id]) => id));
    // Where the key is refused for what is paid for, nothing more is ordered.
    for (const [id, { obstacle }] of this.#reasons) if (obstacle.needsPerson) full.add(id);
    for (let place = 0; ; ) {
      const next = this.jobs.queuedAt(place, [...full]);
      if (!next) return;
      const { id, profileId } = next;
      if (this.#running.has(id)) {
        // It was begun, and is not written down as begun yet.
        place += 1;
        continue;
      }
      const limit = await this.#limitOf(profileId);
      if (this.#closing.signal.aborted) return;
      const under = [...this.#running.values()].filter((one) => one.job.profileId === profileId).length;
      if (under >= limit) {
        full.add(profileId);
        place = 0;
        continue;
      }
      const job = this.jobs.get(id);
      if (job?.state === 'queued' && !this.#running.has(id)) {
        if (under === 0) this.#pace.begins(profileId, this.options.clock.elapsed());
        this.#run(job);
      }
    }
  }

  async #limitOf(profileId: string): Promise<number> {
    try {
      const profile = await this.options.profiles.profile(profileId);
      if (profile.makers !== undefined) this.#makers.set(profileId, profile.makers);
      return this.options.jobsAtOnce?.(profile) ?? Math.max(4, profile.concurrency * 4);
    } catch {
      // A profile that is gone: its jobs fail one by one, each with the reason.
      return 4;
    }
  }

  #run(start: JobRow): void {
    const controller = new AbortController();
    const running: Running = {
      job: start,
      controller,
      fraction: null,
      stage: null,
      ended: Promise.resolve(),
      madeSince: null,
    };
    this.#running.set(start.id, running);
    this.#setBusy();
    const around: JobContext = {
      profiles: this.options.profiles,
      modelStore: this.options.modelStore,
      clock: this.options.clock,
      random: this.options.random,
      photo: (id) => this.tray.get(id),
      check: (photo) => this.checks.now(photo).finally(() => this.#tellChecking()),
      enter: (profile, signal) => this.#places.enter(profile, signal),
      paused: () => this.#paused || this.#closing.signal.aborted,
      move: async (job, to, changes) => {
        const moved = await this.#move(job, to, changes, controller.signal);
        running.job = moved;
        running.fraction = null;
        if (to !== 'waiting') running.stage = null;
        this.feed.jobs([job.id]);
        const elapsed = this.options.clock.elapsed();
        if (to === 'submitting') running.madeSince = elapsed;
        if (to === 'waiting' && job.state === 'submitting' && this.#inLine(running)) running.madeSince = null;
        if (job.state === 'waiting' && to !== 'waiting') this.#nextInLine(job.profileId);
        // By the forward clock: a day set back, or a night's sleep, says nothing about the server.
        if (to === 'done') this.#pace.done(job.profileId, this.#secondsMade(running), elapsed);
        return moved;
      },
      secondsMade: () => this.#secondsMade(running),
      onStage: (job, told) => {
        const name = headStages.find((known) => known === told?.name);
        running.stage = told && name ? { name, progress: told.progress } : null;
        this.feed.jobs([job.id]);
      },
      onProgress: (job, fraction) => {
        running.fraction = fraction;
        this.feed.jobs([job.id]);
      },
      sleep: async (milliseconds, signal) => {
        const { signal: woken } = this.#wake;
        await this.options.clock
          .wait(milliseconds, AbortSignal.any([signal, woken]))
          .catch((reason: unknown) => {
            if (signal.aborted || !woken.aborted) throw reason;
          });
      },
      patience: this.options.patience ?? defaultPatience,
      waitingFor: (profileId, obstacle) => {
        const before = this.#reasons.get(profileId);
        const since = before?.obstacle.needsPerson === obstacle.needsPerson ? before.since : null;
        this.#reasons.set(profileId, { obstacle, since: since ?? this.options.clock.elapsed() });
        if (inEnglish(before?.obstacle.reason ?? '') !== inEnglish(obstacle.reason)) this.feed.overview();
      },
      wentThrough: (profileId, what) => {
        const waited = this.#reasons.delete(profileId);
        // That questions are answered says nothing of a key that may not order, or of an account that is empty.
        if (what === 'order' || !this.#holds.get(profileId)?.obstacle.needsPerson)
          this.#holds.delete(profileId);
        if (waited) {
          this.feed.overview();
          this.#pump();
        }
      },
    };
    running.ended = (async () => {
      try {
        const held = await runJob(start, around, controller.signal);
        if (held) this.#hold(start.profileId, held);
      } catch (error) {
        this.options.onDefect?.(error);
        this.#failDefect(start.id, error);
      } finally {
        this.#running.delete(start.id);
        this.#forgetReason(start.profileId);
        this.feed.jobs([start.id]);
        if (!this.#closing.signal.aborted) {
          this.#setBusy();
          this.#pump();
          this.#maybeFinished();
        }
      }
    })();
  }

  /** A transition; while the disk refuses, everything waits, since nothing may happen that is not written down. */
  async #move(
    job: JobRow,
    to: JobState,
    changes: JobChanges | undefined,
    signal: AbortSignal,
  ): Promise<JobRow> {
    for (;;) {
      try {
        const moved = await this.jobs.moveInTurn(job, to, changes);
        this.#reasons.delete('');
        return moved;
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'storage') throw error;
        const reason = oneAfterAnother(error.said, error.advice);
        const obstacle = { reason, code: error.code, needsPerson: false };
        this.#reasons.set('', { obstacle, since: this.options.clock.elapsed() });
        this.feed.overview();
        // A model id that could not be written yet is worth money: only the end of the studio gives it up.
        await this.options.clock.wait(2000, to === 'waiting' ? this.#closing.signal : signal);
      }
    }
  }

  #hold(profileId: string, { pause, ...obstacle }: HoldReason): void {
    if (pause === 0) return;
    const before = this.#holds.get(profileId);
    const now = this.options.clock.elapsed();
    // Several jobs that fail together are one failure.
    if ((before?.until ?? 0) > now) return;
    const times = (before?.times ?? 0) + 1;
    const most = obstacle.needsPerson ? longestPauseForPerson : longestPause;
    const milliseconds = Math.min(
      pause ?? Math.min(most, shortestPause * 2 ** (times - 1)),
      longestAskedPause,
    );
    const since = before?.obstacle.needsPerson === obstacle.needsPerson ? before.since : now;
    this.#holds.set(profileId, { until: now + milliseconds, obstacle, since, times });
    this.feed.overview();
    this.options.clock.wait(milliseconds + 1, this.#closing.signal).then(
      () => this.#pump(),
      () => undefined,
    );
  }

  /** What only jobs that are over were waiting for holds nothing up any more. */
  #forgetReason(profileId: string): void {
    for (const { job } of this.#running.values()) if (job.profileId === profileId) return;
    this.#reasons.delete(profileId);
  }

  #failDefect(id: string, error: unknown): void {
    try {
      const job = this.jobs.get(id);
      if (!job || finishedStates.includes(job.state) || job.state === 'uncertain') return;
      const message = say('batch.defect', {
        problem: saidOf(error),
      });
      const to = job.state === 'submitting' && !job.protected ? 'uncertain' : 'failed';
      this.jobs.move(job, to, {
        code: 'internal',
        message,
        hint: say('studio.log_has_details'),
      });
    } catch (again) {
      this.options.onDefect?.(again);
    }
  }

  #secondsMade({ madeSince }: Running): number | null {
    return madeSince === null ? null : (this.options.clock.elapsed() - madeSince) / 1000;
  }

  /** Jobs of a profile that the server has and did not finish, in the order in which it got them. */
  #atServer(profileId: string): Running[] {
    return [...this.#running.values()]
      .filter(({ job }) => job.profileId === profileId && job.state === 'waiting')
      .sort((a, b) => (a.job.submittedAt ?? 0) - (b.job.submittedAt ?? 0) || a.job.position - b.job.position);
  }

  #inLine(running: Running): boolean {
    const makers = this.#makers.get(running.job.profileId);
    return makers !== undefined && this.#atServer(running.job.profileId).indexOf(running) >= makers;
  }

  /** Behind others: not looked at yet, or not being made yet. */
  #waitsInLine({ state, photoId }: JobRow, running: Running): boolean {
    if (state === 'checking') return !this.checks.isLookingAt(photoId);
    return state === 'waiting' && running.stage === null && this.#inLine(running);
  }

  /** Which photos are looked at is other than before. */
  #tellChecking(): void {
    const ids = [...this.#running.values()].filter(({ job }) => job.state === 'checking');
    this.feed.jobs(ids.map(({ job }) => job.id));
  }

  /** A place has become free: whoever has it now is being made from this moment on. */
  #nextInLine(profileId: string): void {
    const makers = this.#makers.get(profileId);
    if (makers === undefined) return;
    for (const running of this.#atServer(profileId).slice(0, makers)) {
      if (running.madeSince !== null) continue;
      running.madeSince = this.options.clock.elapsed();
      this.feed.jobs([running.job.id]);
    }
  }

  /** Share of its way that a job has come, 0..1. */
  #progressOf(state: JobState, running: Running | undefined): number {
    if (state === 'queued') return 0;
    if (state === 'checking') return 0.05;
    if (state === 'submitting') return 0.1;
    if (state === 'uncertain') return 0.3;
    if (state === 'downloading') return 0.9 + 0.09 * (running?.fraction ?? 0);
    if (state !== 'waiting') return 1;
    if (running?.stage) return 0.15 + 0.75 * running.stage.progress;
    const made = running ? this.#secondsMade(running) : null;
    const each = running && this.#pace.learned(running.job.profileId)?.each;
    if (made === null) return 0.15;
    // Where nothing is known of how long it takes, it comes half the way.
    return 0.15 + 0.75 * (each ? Math.min(0.95, made / each) : 0.5);
  }

  #secondsLeft(job: JobRow): number | null {
    if (finishedStates.includes(job.state) || job.state === 'uncertain') return null;
    const learned = this.#pace.learned(job.profileId);
    if (!learned) return null;
    if (job.state === 'queued' || job.state === 'checking') {
      const ahead = this.#running.size;
      // Places are whole numbers when jobs are queued: near enough, and no count for each of thousands.
      const place = Math.max(0, job.position - this.jobs.firstPosition());
      return Math.max(learned.each, (place + ahead + 1) * learned.between);
    }
    const running = this.#running.get(job.id);
    const makers = this.#makers.get(job.profileId);
    const place = running && job.state === 'waiting' ? this.#atServer(job.profileId).indexOf(running) : -1;
    // As many as there are makers are made at once, so that each round of them takes as long as one.
    const rounds = makers === undefined || place < makers ? 0 : Math.floor(place / makers);
    const made = running ? (this.#secondsMade(running) ?? 0) : 0;
    return rounds * learned.each + Math.max(learned.each - made, learned.each * 0.1);
  }

  #secondsForAll(): number | null {
    const rows = this.database
      .prepare(
        `SELECT profileId, count(*) AS n FROM jobs
         WHERE state IN ('queued', 'checking', 'submitting', 'waiting', 'downloading') GROUP BY 1`,
      )
      .all();
    let seconds: number | null = null;
    for (const row of rows) {
      const learned = this.#pace.learned(String(row.profileId));
      // Profiles work side by side: the slowest decides.
      if (!learned) continue;
      const profileId = String(row.profileId);
      const makers = this.#makers.get(profileId);
      const made = [...this.#running.values()]
        .filter(({ job }) => job.profileId === profileId)
        .reduce((sum, one) => sum + Math.min(learned.each * 0.9, this.#secondsMade(one) ?? 0), 0);
      const left =
        makers === undefined
          ? Number(row.n) * learned.between
          : (Number(row.n) * learned.each - made) / Math.min(makers, Number(row.n));
      seconds = Math.max(seconds ?? 0, learned.each * 0.1, left);
    }
    return seconds;
  }

  #held(open: number): { reason: Said; code: StudioErrorCode; profileId: string | null } | null {
    if (open === 0) return null;
    if (!this.#lock) {
      const reason = say('batch.other_studio');
      return { reason, code: 'conflict', profileId: null };
    }
    const now = this.options.clock.elapsed();
    const disk = [...this.#reasons].filter(([id]) => id === '');
    const holds = [...this.#holds].filter(([, { until, obstacle }]) => until > now || obstacle.needsPerson);
    const [first] = [...disk, ...holds, ...this.#reasons];
    if (!first) return null;
    const [id, { obstacle }] = first;
    return { ...obstacle, profileId: id === '' ? null : id };
  }

  #setBusy(): void {
    const busy = this.#running.size > 0;
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.options.onBusy?.(busy);
  }

  #maybeFinished(): void {
    const { queued, uncertain } = this.jobs.counts();
    if (this.#running.size > 0 || queued > 0 || this.#batchStarted === null) return;
    const seconds = (this.options.clock.elapsed() - this.#batchStarted) / 1000;
    this.#batchStarted = null;
    const rows = this.database
      .prepare('SELECT state, count(*) AS n FROM jobs WHERE queuedAt >= ? GROUP BY 1')
      .all(this.#batchFrom);
    const of = (state: JobState): number => Number(rows.find((row) => row.state === state)?.n ?? 0);
    this.feed.overview();
    this.options.emit?.finished?.({
      done: of('done'),
      failed: of('failed'),
      cancelled: of('cancelled'),
      uncertain,
      seconds,
    });
  }

  /** Takes away half-filled folders of jobs that won't go on. */
  async #removeOrphans(): Promise<void> {
    const { modelStore } = this.options;
    const libraries = this.database.prepare('SELECT DISTINCT libraryId FROM jobs').all();
    for (const { libraryId } of libraries) {
      const library = String(libraryId);
      const begun = await modelStore.unfinished(library).catch(() => []);
      for (const modelId of begun) {
        const row = this.database.prepare('SELECT state, standing FROM jobs WHERE modelId = ?').get(modelId);
        // What another studio fills is none of ours, and what is paid for and here need not be fetched again.
        const paid = row?.state === 'failed' && row.standing === 'made';
        if (row && !paid && finishedStates.includes(row.state as JobState)) {
          await modelStore
            .discard(library, modelId)
            .catch((error: unknown) => this.options.onDefect?.(error));
        }
      }
    }
  }
}

const openOf = (counts: Record<JobState, number>): number =>
  Object.entries(counts).reduce(
    (sum, [state, count]) => (finishedStates.includes(state as JobState) ? sum : sum + count),
    0,
  );

const ofProfile = ({ id, name }: BatchProfile): Pick<NewJob, 'profileId' | 'profileName'> => ({
  profileId: id,
  profileName: name,
});

const counted = (left: Record<Left, number>): { reason: Left; count: number }[] =>
  startLeft.map((reason) => ({ reason, count: left[reason] })).filter(({ count }) => count > 0);

/** It may have been received, and nothing makes it safe to send it again. */
const asksPerson = ({ standing, protected: isProtected }: JobRow): boolean =>
  standing === 'doubt' && !isProtected;

const newIds = (): Pick<NewJob, 'id' | 'modelId' | 'idempotencyKey'> => ({
  id: randomUUID(),
  modelId: randomUUID(),
  idempotencyKey: randomUUID(),
});

/** The same order at another connection. */
function copyFor(profile: BatchProfile, job: JobRow, queuedAt: number): NewJob {
  const { photoId, fileName, name, sex, eyelidType, crop, corrections, anyway, tags, libraryId } = job;
  const wanted = { photoId, fileName, name, sex, eyelidType, crop, corrections, anyway, tags, libraryId };
  return { ...wanted, ...newIds(), ...ofProfile(profile), queuedAt };
}

/** Whether a job was ordered with these settings. */
function isOrderOf(
  { sex, eyelidType, crop, corrections }: JobRow,
  wanted: Pick<PhotoRow, 'sex' | 'eyelidType' | 'crop' | 'corrections'>,
): boolean {
  const asked = [wanted.sex, wanted.eyelidType, wanted.crop, wanted.corrections];
  return JSON.stringify([sex, eyelidType, crop, corrections]) === JSON.stringify(asked);
}
