import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { openDatabase, wipeDeleted } from '@likeness/node-kit/storage/database.ts';
import { type FileLock, tryFileLock } from '@likeness/node-kit/storage/file_lock.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { BatchOverview, Job, Photo } from '#contract';
import type { ModelStore } from '../base/model_store.ts';
import { type BatchFeed, createBatchFeed } from './batch_feed.ts';
import type { BatchOptions } from './batch_options.ts';
import { batchMigrations } from './batch_schema.ts';
import { BatchView } from './batch_view.ts';
import { Board } from './board/board.ts';
import { ImageTaskStore } from './jobs/image_tasks.ts';
import { JobDurations } from './jobs/job_durations.ts';
import type { JobRow } from './jobs/job_row.ts';
import { finishedStates } from './jobs/job_state.ts';
import { JobStore } from './jobs/job_store.ts';
import { QueueState } from './jobs/queue_state.ts';
import { Orders } from './orders.ts';
import { ImportList } from './photos/import_list.ts';
import { PhotoChecks } from './photos/photo_checks.ts';
import { removePreviews } from './photos/photo_preview.ts';
import type { PhotoRow } from './photos/photo_row.ts';
import type { PortraitChecker, Profiles } from './ports.ts';
import { BlockReasons } from './schedule/block_reasons.ts';
import { JobForecast } from './schedule/job_forecast.ts';
import { RunningJobs } from './schedule/running_jobs.ts';
import { Scheduler } from './schedule/scheduler.ts';

/** The photo list and the job queue. Opens their stores and closes them. */
export class Batch {
  /** Photos that are not queued yet, on disk. */
  readonly importList: ImportList;
  readonly checks: PhotoChecks;
  /** The jobs, on disk. */
  readonly jobs: JobStore;
  readonly imageTasks: ImageTaskStore;
  /** Photos, heads under work and made ones as tiles of one list. */
  readonly board: Board;
  /** Reports changes to the page. */
  readonly feed: BatchFeed;
  /** The user's commands: order, retry, cancel, resolve. */
  readonly orders: Orders;
  readonly #options: BatchOptions;
  readonly #database: DatabaseSync;
  readonly #queue: QueueState;
  readonly #blockReasons: BlockReasons;
  readonly #view: BatchView;
  readonly #scheduler: Scheduler;
  readonly #durations: JobDurations;
  /** Null while another studio works on the queue. */
  #lock: FileLock | null;

  /** @throws Failure `storage` */
  constructor(options: BatchOptions) {
    this.#options = options;
    const { database, lock, importList, jobs, imageTasks, queue, durations } = openStores(options);
    this.#database = database;
    this.#lock = lock;
    this.importList = importList;
    this.jobs = jobs;
    this.imageTasks = imageTasks;
    this.#queue = queue;
    this.#durations = durations;
    this.board = new Board({
      database: this.#database,
      importList: this.importList,
      jobs: this.jobs,
      imageTasks: this.imageTasks,
      photo: (id) => this.photo(id),
      job: (id) => this.job(id),
      lacksKey: () => this.#view.lacksKey(),
      onRecount: () => this.feed.overview(),
    });
    this.feed = this.#openFeed();
    this.checks = new PhotoChecks({
      importList: this.importList,
      checker: options.checker,
      // A card shows the findings of all photos of a person.
      onChecked: (ids) => this.feed.photos([...new Set([...ids, ...this.importList.people.frontsOf(ids)])]),
      onDefect: this.onDefect,
    });
    const { checks, feed } = this;
    const isOurs = (): boolean => this.#lock !== null;
    const running = new RunningJobs(options);
    const blockReasons = new BlockReasons(options, () => feed.overview());
    const forecast = new JobForecast({ jobs, running, durations });
    const isLookingAt = (photoId: string): boolean => checks.isLookingAt(photoId);
    this.#blockReasons = blockReasons;
    this.#view = new BatchView({
      options,
      importList,
      jobs,
      queue,
      running,
      forecast,
      blockReasons,
      isLookingAt,
      isOurs,
    });
    this.#scheduler = new Scheduler({
      options,
      importList,
      checks,
      jobs,
      queue,
      durations,
      running,
      blockReasons,
      feed,
      isOurs,
    });
    const mustBeOurs = (): void => this.mustBeOurs();
    const scheduler = this.#scheduler;
    this.orders = new Orders({ options, importList, jobs, feed, scheduler, checks, mustBeOurs });
  }

  #openFeed(): BatchFeed {
    const options = this.#options;
    return createBatchFeed({
      photo: (id) => this.photo(id),
      isListed: (id) => this.importList.isListed(id),
      job: (id) => this.job(id),
      tiles: (ids) => this.board.tiles(ids),
      overview: () => this.overview(),
      emit: (payload) => {
        const { total, share } = payload.overview.batch;
        options.onFraction?.(payload.overview.open > 0 && total > 0 ? share : null);
        options.emit?.changed?.(payload);
      },
      onDefect: this.onDefect,
    });
  }

  /**
   * Continues the last run: resolves uncertain submissions, polls submitted jobs, resumes downloads, removes
   * unneeded files.
   */
  async resume(): Promise<void> {
    if (!this.#lock) return;
    this.jobs.recover();
    this.#scheduler.endPause();
    this.importList.purge();
    const known = new Set(this.importList.hashes());
    removePreviews(this.previewsFolder, (hash) => !known.has(hash)); // This also removes incomplete images.
    await this.#removeOrphans();
    this.checks.wake();
    this.#scheduler.pump();
  }

  /** Folder of the thumbnails. */
  get previewsFolder(): string {
    return join(this.#options.folder, 'previews');
  }

  /** Folder of uploaded photos. */
  get photosFolder(): string {
    return join(this.#options.folder, 'photos');
  }

  get clock(): BatchOptions['clock'] {
    return this.#options.clock;
  }

  get profiles(): Profiles {
    return this.#options.profiles;
  }

  get modelStore(): Pick<ModelStore, 'defaultLibraryId' | 'knows' | 'portraitOf' | 'nameOf' | 'selected'> {
    return this.#options.modelStore;
  }

  get checker(): PortraitChecker {
    return this.#options.checker;
  }

  /** Reports an internal error. */
  readonly onDefect = (error: unknown): void => this.#options.onDefect?.(error);

  /** Returns a photo of the list as the page shows it. */
  photo(id: string): Photo | null {
    const row = this.importList.get(id);
    return row ? this.shown(row) : null;
  }

  /** @param others - The person's other photos; default: those in the list. */
  shown(photo: PhotoRow, others?: readonly PhotoRow[]): Photo {
    return this.#view.photo(photo, others);
  }

  job(id: string): Job | null {
    const row = this.jobs.get(id);
    return row ? this.shownJob(row) : null;
  }

  shownJob(row: JobRow): Job {
    return this.#view.job(row);
  }

  overview(): BatchOverview {
    return { ...this.#view.overview(), board: this.board.counts() };
  }

  /** Cancels jobs that are not sent yet. Paid jobs continue. */
  pause(paused: boolean): void {
    this.#queue.paused = paused;
    this.#scheduler.noteRest();
    if (!paused) this.#scheduler.tryNow();
    this.feed.overview();
    this.#scheduler.pump();
  }

  /**
   * Retries all jobs that wait for a server, a key or the network, because the user asked or a connection
   * changed.
   */
  tryNow(): void {
    this.#scheduler.tryNow();
  }

  /** Milliseconds until the next retry at a connection; null if unknown. */
  nextAttemptMs(profileId: string): number | null {
    const pause = this.#blockReasons.pauseLeft(profileId);
    if (pause > 0) return pause;
    const at = this.jobs.nextQuestionAt(profileId);
    return at === null ? null : Math.max(0, at - this.clock.now());
  }

  /** See {@link BlockReasons.waitsForPerson}. */
  waitsForPerson(profileId: string): ReturnType<BlockReasons['waitsForPerson']> {
    return this.#blockReasons.waitsForPerson(profileId);
  }

  /** Removes all data of erased models and of their photos (by SHA-256). */
  forget(
    modelIds: readonly string[],
    hashes: readonly string[],
  ): Record<'jobs' | 'photos' | 'imageTasks', number> {
    const known = hashes.flatMap((hash) => this.importList.find(hash) ?? []);
    const imageTasks = this.imageTasks.forgetFileNames([
      ...known.map(({ fileName }) => fileName),
      ...this.jobs.fileNamesOf(modelIds),
    ]);
    const jobs = this.jobs.forgetModels(
      modelIds,
      known.map(({ id }) => id),
    );
    this.feed.removedJobs(jobs);
    const photos = this.importList.forget(hashes);
    this.feed.removedPhotos(photos);
    return { jobs: jobs.length, photos: photos.length, imageTasks };
  }

  /** Vacuums deleted data from the database. @returns False if the database was busy: try again. */
  wipeDeleted(): Promise<boolean> {
    return wipeDeleted(this.#database);
  }

  /** Returns the number of unfinished jobs of a photo. @param hash - Its SHA-256, as hex. */
  openJobsOf(hash: string): number {
    const photo = this.importList.find(hash);
    return photo ? this.jobs.openCount(photo.id) : 0;
  }

  /** Resolves when all jobs have finished or wait for the user. */
  idle(): Promise<void> {
    return this.#scheduler.idle();
  }

  /** True while jobs are running or queued. */
  get busy(): boolean {
    return this.#scheduler.busy;
  }

  /**
   * Stops the queue. Running submissions get some time to finish, so that their result is known. Everything
   * else continues at the next start.
   *
   * @param graceMs - Milliseconds that submissions get. Default 10,000.
   */
  async close(graceMs = 10_000): Promise<void> {
    if (this.#scheduler.isClosing) return;
    try {
      await this.#scheduler.close(graceMs);
      this.feed.close();
      this.board.close();
      this.jobs.close();
      this.#durations.close();
    } finally {
      this.#lock?.release();
      this.#lock = null;
      this.#database.close();
    }
    this.#scheduler.rest();
  }

  /** @throws Failure `conflict` if another studio works on the queue */
  mustBeOurs(): void {
    if (this.#lock) return;
    throw new Failure('conflict', t('batch.other_studio'), {
      hint: t('batch.close_other_studio'),
      retryable: true,
    });
  }

  /** Removes partly filled folders of jobs that won't continue. */
  async #removeOrphans(): Promise<void> {
    const { modelStore } = this.#options;
    for (const library of this.jobs.libraries()) {
      const begun = await modelStore.unfinished(library).catch(() => []);
      for (const modelId of begun) {
        const job = this.jobs.ofModel(modelId);
        // Folders that another studio fills stay, and a paid model that is complete here is not downloaded
        // again.
        const paid = job?.state === 'failed' && job.orderState === 'made';
        if (job && !paid && finishedStates.includes(job.state))
          await modelStore.discard(library, modelId).catch(this.onDefect);
      }
    }
  }
}

/** Opens what a batch keeps on disk. @throws Failure `storage`; nothing stays open then */
function openStores({ folder, clock }: BatchOptions) {
  const path = join(folder, 'batch.db');
  // `JobStore.move` writes transitions that concern money through to the disk.
  const { db: database } = openDatabase({ path, migrations: batchMigrations, durability: 'normal' });
  let lock: FileLock | null = null;
  try {
    lock = tryFileLock(join(folder, 'queue.lock'));
    return {
      database,
      lock,
      importList: new ImportList(database, clock.now),
      jobs: new JobStore(database, clock.now),
      imageTasks: new ImageTaskStore(database),
      queue: new QueueState(database),
      durations: new JobDurations(database),
    };
  } catch (error) {
    lock?.release();
    database.close();
    throw storageFailure(error, path);
  }
}
