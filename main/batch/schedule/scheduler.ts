import { t } from '@likeness/messages';
import { messageOf } from '@likeness/node-kit/failure.ts';
import { builtInProfileId, headStages, type JobState } from '#contract';
import type { BatchFeed } from '../batch_feed.ts';
import type { BatchOptions } from '../batch_options.ts';
import { openOf } from '../batch_view.ts';
import { type HoldReason, type JobContext, Stop } from '../jobs/job_context.ts';
import type { JobDurations } from '../jobs/job_durations.ts';
import type { JobChanges, JobRow } from '../jobs/job_row.ts';
import { runJob } from '../jobs/job_run.ts';
import { finishedStates } from '../jobs/job_state.ts';
import type { JobStore } from '../jobs/job_store.ts';
import type { QueueState } from '../jobs/queue_state.ts';
import type { ImportList } from '../photos/import_list.ts';
import type { PhotoChecks } from '../photos/photo_checks.ts';
import type { BlockReasons } from './block_reasons.ts';
import { DiskRetries } from './disk_retries.ts';
import { ModelListeners } from './model_listeners.ts';
import type { RunningJob, RunningJobs } from './running_jobs.ts';

export interface SchedulerOptions {
  /** Changes of the batch. */
  options: BatchOptions;
  importList: ImportList;
  checks: PhotoChecks;
  jobs: JobStore;
  queue: QueueState;
  durations: JobDurations;
  running: RunningJobs;
  blockReasons: BlockReasons;
  feed: BatchFeed;
  /** Whether this studio, and no other, works on the queue. */
  isOurs: () => boolean;
}

const defaultPatience = 1_800_000;

/** Starts as many jobs as may run. */
export class Scheduler {
  readonly #parts: SchedulerOptions;
  readonly #listeners: ModelListeners;
  readonly #diskRetries: DiskRetries;
  /** Aborted and replaced when all waiting jobs are to retry now. */
  #wake = new AbortController();
  readonly #closing = new AbortController();
  #pumping = false;
  #pumpAgain = false;
  #busy = false;
  /** Start of the current batch (monotonic clock); null if there is none. */
  #batchStarted: number | null = null;
  /** Start of the idle time, paused with no running job; null if not idle. */
  #restsSince: number | null = null;

  constructor(parts: SchedulerOptions) {
    this.#parts = parts;
    this.#listeners = new ModelListeners(parts.options.profiles, parts.options.clock);
    this.#diskRetries = new DiskRetries(parts.options, parts.blockReasons);
  }

  /** True while jobs are running or queued. */
  get busy(): boolean {
    return this.#parts.running.size > 0;
  }

  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Jobs queued from this time on form a new batch. @param from - Milliseconds since 1970. */
  beginBatch(from: number): void {
    this.#parts.queue.batchFrom = from;
    this.#batchStarted = this.#parts.options.clock.elapsed();
    this.#restsSince = null;
    this.noteRest();
  }

  /** Called when the queue pauses, resumes or runs empty: a batch's time excludes idle time. */
  noteRest(): void {
    const now = this.#parts.options.clock.elapsed();
    const rests = this.#parts.queue.paused && !this.busy;
    if (rests) this.#restsSince ??= now;
    else if (this.#restsSince !== null) {
      if (this.#batchStarted !== null) this.#batchStarted += now - this.#restsSince;
      this.#restsSince = null;
    }
  }

  /** Starts as many jobs as may run now. */
  pump(): void {
    if (this.#pumping) {
      this.#pumpAgain = true;
      return;
    }
    this.#pumping = true;
    void (async () => {
      try {
        do {
          this.#pumpAgain = false;
          await this.#diskRetries.run(() => this.#startJobs(), this.#closing.signal);
        } while (this.#pumpAgain);
      } catch (error) {
        this.#report(error);
      } finally {
        this.#pumping = false;
      }
    })();
  }

  /** Retries all jobs that wait for a server, a key or the network. */
  tryNow(): void {
    this.#parts.blockReasons.clear();
    this.#wake.abort();
    this.#wake = new AbortController();
    this.#parts.feed.overview();
    this.pump();
  }

  /** Ends a running job. @returns A promise for its end; null if it is not running. */
  cancel(id: string): Promise<void> | null {
    const running = this.#parts.running.get(id);
    running?.controller.abort(new Stop('cancelled'));
    return running?.ended ?? null;
  }

  /**
   * Reports that the batch is done, if it is. A pause ends with the last job, so that it does not block the
   * next one.
   */
  notifyIfFinished(): void {
    const { jobs, queue, feed, options } = this.#parts;
    const { queued, uncertain } = jobs.counts();
    this.endPause();
    if (this.busy || queued > 0 || this.#batchStarted === null) return;
    const { done, failed, cancelled } = jobs.countsSince(queue.batchFrom);
    const seconds = (options.clock.elapsed() - this.#batchStarted) / 1000;
    this.#batchStarted = null;
    feed.overview();
    options.emit?.finished?.({ done, failed, cancelled, uncertain, seconds });
  }

  /** Ends a pause that blocks nothing. */
  endPause(): void {
    const { jobs, queue, feed } = this.#parts;
    if (!queue.paused || openOf(jobs.counts()) > 0) return;
    queue.paused = false;
    this.noteRest();
    feed.overview();
  }

  /** Resolves when all jobs have finished or wait for the user. */
  async idle(): Promise<void> {
    const { running, queue, jobs, options, isOurs } = this.#parts;
    while (this.busy || (isOurs() && !queue.paused && jobs.counts().queued > 0)) {
      const some = running.all().map(({ ended }) => ended);
      await (some.length > 0 ? Promise.race(some) : options.clock.wait(20, this.#closing.signal));
    }
  }

  /**
   * Stops the scheduler. Running submissions get some time to finish, so that their result is known.
   *
   * @param graceMs - Milliseconds that submissions get.
   */
  async close(graceMs: number): Promise<void> {
    const { checks, jobs, running, options } = this.#parts;
    this.#closing.abort(new Stop('closing'));
    await checks.close();
    jobs.commit();
    const sending: Promise<void>[] = [];
    for (const { controller, ended, job } of running.all()) {
      if (jobs.get(job.id)?.state === 'submitting') sending.push(ended);
      else controller.abort(new Stop('closing'));
    }
    const late = new AbortController();
    await Promise.race([
      Promise.allSettled(sending),
      options.clock.wait(graceMs, late.signal).catch(() => undefined),
    ]);
    late.abort();
    const all = running.all();
    for (const { controller } of all) controller.abort(new Stop('closing'));
    this.#listeners.close();
    await Promise.allSettled(all.map(({ ended }) => ended));
  }

  /** The computer may sleep again. */
  rest(): void {
    if (this.#busy) this.#parts.options.onBusy?.(false);
  }

  async #startJobs(): Promise<void> {
    const { jobs, running, queue, durations, blockReasons, options, isOurs } = this.#parts;
    if (!isOurs() || this.isClosing) return;
    // Paid jobs continue, also while the queue is paused.
    for (const id of jobs.paidIds()) {
      const job = running.has(id) ? null : jobs.get(id);
      if (job) this.#run(job);
    }
    if (queue.paused) return;
    const full = blockReasons.profilesBlocked();
    for (let offset = 0; ; ) {
      const next = jobs.queuedAt(offset, [...full]);
      if (!next) return;
      const { id, profileId } = next;
      if (running.has(id)) {
        // The job has started, but its start is not saved yet.
        offset += 1;
        continue;
      }
      const limit = await this.#limitOf(profileId);
      if (this.isClosing) return;
      // Earlier jobs may be saved by now and then no longer count.
      offset = 0;
      const under = running.ofProfile(profileId).length;
      if (under >= limit) {
        full.add(profileId);
        continue;
      }
      const job = jobs.get(id);
      if (job?.state === 'queued' && !running.has(id)) {
        if (under === 0) durations.begins(profileId, options.clock.elapsed());
        this.#run(job);
      }
    }
  }

  async #limitOf(profileId: string): Promise<number> {
    const { options, running } = this.#parts;
    try {
      const profile = await options.profiles.profile(profileId);
      running.setMakers(profileId, profile.makers);
      return options.concurrentJobs?.(profile) ?? Math.max(4, profile.concurrency * 4);
    } catch {
      // The profile no longer exists: its jobs fail one by one, each with the reason.
      return 4;
    }
  }

  #run(start: JobRow): void {
    const { running, blockReasons, feed } = this.#parts;
    const one = running.add(start, new AbortController());
    this.#listenFor(start);
    this.#setBusy();
    one.ended = (async () => {
      try {
        const context = this.#contextOf(one);
        // A job whose database can't be read continues from its saved state.
        const blocked = await this.#diskRetries.run(
          () => (this.isClosing ? null : runJob(one.job, context, one.controller.signal)),
          this.#closing.signal,
        );
        if (blocked) this.#blockProfile(start.profileId, blocked);
      } catch (error) {
        if (!(error instanceof Stop)) this.#failDefect(start.id, error);
        this.#report(error);
      } finally {
        running.remove(start.id);
        this.#listeners.leave(start.profileId, one.job.remoteModelId);
        if (running.ofProfile(start.profileId).length === 0) blockReasons.forget(start.profileId);
        feed.jobs([start.id]);
        if (!this.isClosing) {
          this.#setBusy();
          this.pump();
          this.#diskRetries
            .run(() => this.notifyIfFinished(), this.#closing.signal)
            .catch((error: unknown) => this.#report(error));
        }
      }
    })();
  }

  #contextOf(running: RunningJob): JobContext {
    const { options, importList, checks, queue, blockReasons, feed, running: all } = this.#parts;
    return {
      profiles: options.profiles,
      modelStore: options.modelStore,
      clock: options.clock,
      random: options.random,
      patience: options.patience ?? defaultPatience,
      photo: (id) => importList.get(id),
      check: (photo) => checks.now(photo).finally(() => this.#publishChecking()),
      crop: (photo, crop, signal) => options.checker.crop(photo, crop, signal),
      paused: () => queue.paused || this.isClosing,
      move: async (job, to, changes) => {
        const moved = await this.#move(job, to, changes, running.controller.signal);
        this.#noteMove(running, job, moved);
        return moved;
      },
      secondsMade: () => all.secondsMade(running),
      onStage(job, stage) {
        const name = headStages.find((known) => known === stage?.name);
        running.stage = stage && name ? { name, progress: stage.progress } : null;
        feed.jobs([job.id]);
      },
      onProgress(job, fraction) {
        running.fraction = fraction;
        feed.jobs([job.id]);
      },
      sleep: (milliseconds, signal) => this.#sleep(milliseconds, signal),
      sleepUntilAsked: (job, milliseconds, signal) => this.#sleepUntilAsked(job, milliseconds, signal),
      // The built-in engine is local and also reports its stages, so frequent polling pays off.
      hears: ({ profileId }) => profileId !== builtInProfileId && this.#listeners.hears(profileId),
      waitingFor: (profileId, reason) => blockReasons.waitingFor(profileId, reason),
      wentThrough: (profileId, what) => {
        this.#listeners.answered(profileId);
        if (blockReasons.wentThrough(profileId, what)) this.pump();
      },
    };
  }

  /**
   * Saves a transition. While the disk refuses writes, everything waits, because no step may happen before it
   * is saved.
   */
  async #move(
    job: JobRow,
    to: JobState,
    changes: JobChanges | undefined,
    signal: AbortSignal,
  ): Promise<JobRow> {
    // A model id that is not saved yet is worth money, and who cancels wants the job to end: only closing the
    // studio ends the attempts.
    const isKept = to === 'waiting' || to === 'cancelled';
    return this.#diskRetries.run(
      this.#parts.jobs.moveInTurn(job, to, changes),
      isKept ? this.#closing.signal : signal,
    );
  }

  #noteMove(running: RunningJob, from: JobRow, moved: JobRow): void {
    const { durations, feed, options, running: all } = this.#parts;
    const { state: to } = moved;
    running.job = moved;
    this.#listenFor(moved);
    running.fraction = null;
    if (to !== 'waiting') running.stage = null;
    feed.jobs([from.id]);
    const elapsed = options.clock.elapsed();
    if (to === 'submitting') running.madeSince = elapsed;
    if (to === 'waiting' && from.state === 'submitting' && all.isInLine(running)) running.madeSince = null;
    if (from.state === 'waiting' && to !== 'waiting') feed.jobs(all.moveUp(from.profileId));
    // Uses the monotonic clock: a clock change or a laptop's sleep says nothing about the server.
    if (to === 'done') durations.done(from.profileId, all.secondsMade(running), elapsed);
  }

  /** Subscribes to a model while the job waits for it. */
  #listenFor({ state, profileId, remoteModelId }: JobRow): void {
    if (state === 'waiting') this.#listeners.follow(profileId, remoteModelId);
    else if (remoteModelId !== '') this.#listeners.leave(profileId, remoteModelId);
  }

  async #sleepUntilAsked(
    { profileId, remoteModelId }: JobRow,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    const changed = this.#listeners.changeOf(profileId, remoteModelId);
    if (!changed.aborted) await this.#sleep(milliseconds, signal, changed);
    this.#listeners.asks(profileId, remoteModelId);
  }

  /** Waits for some milliseconds, or until the user asks for a retry, or until `news`. */
  async #sleep(milliseconds: number, signal: AbortSignal, news?: AbortSignal): Promise<void> {
    const woken = news ? AbortSignal.any([this.#wake.signal, news]) : this.#wake.signal;
    await this.#parts.options.clock
      .wait(milliseconds, AbortSignal.any([signal, woken]))
      .catch((reason: unknown) => {
        if (signal.aborted || !woken.aborted) throw reason;
      });
  }

  #blockProfile(profileId: string, reason: HoldReason): void {
    if (this.#parts.blockReasons.block(profileId, reason))
      this.#pumpAfterHold(profileId).catch(() => undefined);
  }

  async #pumpAfterHold(profileId: string): Promise<void> {
    const { blockReasons, options } = this.#parts;
    // A timer may fire early: while the profile is still blocked, that pump starts nothing, and no other
    // would follow.
    for (let left = blockReasons.pauseLeft(profileId); left > 0; left = blockReasons.pauseLeft(profileId))
      await options.clock.wait(left + 1, this.#closing.signal);
    this.pump();
  }

  /** Reports an internal error; the end of a wait because the studio closes is none. */
  #report(error: unknown): void {
    if (!(error instanceof Stop)) this.#parts.options.onDefect?.(error);
  }

  #failDefect(id: string, error: unknown): void {
    const { jobs } = this.#parts;
    try {
      const job = jobs.get(id);
      if (!job || finishedStates.includes(job.state) || job.state === 'uncertain') return;
      const to = job.state === 'submitting' && !job.protected ? 'uncertain' : 'failed';
      jobs.move(job, to, {
        code: 'internal',
        message: t('batch.defect', { problem: messageOf(error) }),
        hint: t('studio.log_has_details'),
      });
    } catch (again) {
      this.#report(again);
    }
  }

  /** The set of photos being checked changed. */
  #publishChecking(): void {
    const { running, feed } = this.#parts;
    const checking = running.all().filter(({ job }) => job.state === 'checking');
    feed.jobs(checking.map(({ job }) => job.id));
  }

  #setBusy(): void {
    const { busy } = this;
    this.noteRest();
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.#parts.options.onBusy?.(busy);
  }
}
