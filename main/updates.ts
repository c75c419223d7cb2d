import { t } from '@likeness/messages';
import type { Clock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { z } from 'zod';
import type { Settings, StudioError, Updates } from '#contract';
import type { NoUpdates, Updater } from './shell/shell.ts';

/** Milliseconds between two automatic checks, and between tests whether one is due. */
const day = 24 * 3600e3;
const hour = 3600e3;
/** Milliseconds after which a download tests again whether work is running. */
const glance = 1000;

export interface UpdatesOptions {
  updater: Updater | NoUpdates;
  /** File with the time of the last check and this installation's place in a staged rollout. Absolute. */
  path: string;
  settings: () => Pick<Settings, 'lookForUpdates' | 'installOnQuit'>;
  /** Running work that blocks a download and an installation; null if there is none. */
  busy: () => Updates['waitsFor'];
  onChanged: (state: Updates) => void;
  /** Logs an internal error. */
  report: (error: unknown) => void;
  /** Quits the program in order; `atEnd` runs at the end. */
  quit: () => void;
  clock: Pick<Clock, 'now' | 'wait'>;
  /** 0 ≤ number < 1. */
  random: () => number;
}

/** New versions of the studio: checks if the user agreed, downloads and installs at the user's request. */
export interface UpdateWatch {
  state(): Updates;
  /** Checks now, at the user's request. Returns errors as part of the result. */
  check(): Promise<Updates>;
  /** Downloads the found version as soon as no work is running. @throws Failure `not_found` */
  download(): Updates;
  stopDownload(): Updates;
  /** Quits the program to install the download. @throws Failure `not_found`, `conflict` */
  install(): Updates;
  /** The settings changed: after the user's consent, check now instead of tomorrow. */
  settingsChanged(): void;
  /** The action to run after everything else is closed; null: none. */
  atEnd(): (() => Promise<void>) | null;
  close(): void;
}

const Kept = z.object({ checkedAt: z.number().nullable(), draw: z.number().min(0).max(100) });
type Kept = z.output<typeof Kept>;

/** Reads the stored state and starts checking, if the user agreed. An invalid file is replaced. */
export async function openUpdates(options: UpdatesOptions): Promise<UpdateWatch> {
  const watcher = new Watcher(options, await readKept(options.path, options.random));
  if (typeof options.updater !== 'string') void watcher.lookDaily();
  return watcher;
}

class Watcher implements UpdateWatch {
  readonly #options: UpdatesOptions;
  readonly #kept: Kept;
  readonly #ending = new AbortController();
  #state: Updates;
  #looking: Promise<Updates> | null = null;
  #fetching: AbortController | null = null;
  /** The user asked for the new version now: the program restarts. */
  #restart = false;

  constructor(options: UpdatesOptions, kept: Kept) {
    const { updater } = options;
    this.#options = options;
    this.#kept = kept;
    this.#state = {
      unavailable: typeof updater === 'string' ? updater : null,
      address: typeof updater === 'string' ? '' : updater.address,
      stage: 'idle',
      version: '',
      fraction: 0,
      waitsFor: null,
      checkedAt: kept.checkedAt,
      problem: null,
    };
  }

  state(): Updates {
    return this.#state;
  }

  check(): Promise<Updates> {
    this.#looking ??= this.#findUpdate().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  download(): Updates {
    const source = this.#source();
    const { stage } = this.#state;
    if (stage === 'downloading' || stage === 'ready') return this.#state;
    if (stage !== 'found') {
      throw new Failure('not_found', t('updates.none_to_download'), { hint: t('updates.look_first') });
    }
    const stop = new AbortController();
    this.#fetching = stop;
    this.#change({ stage: 'downloading', fraction: 0, problem: null });
    this.#fetch(source, AbortSignal.any([stop.signal, this.#ending.signal]))
      .catch((error: unknown) => {
        const isStopped = stop.signal.aborted || this.#ending.signal.aborted;
        const problem = isStopped ? null : asProblem(error, this.#options.report);
        this.#change({ stage: 'found', fraction: 0, waitsFor: null, problem });
      })
      .finally(() => {
        this.#fetching = null;
      });
    return this.#state;
  }

  stopDownload(): Updates {
    this.#fetching?.abort(new Failure('cancelled', t('updates.download_stopped')));
    return this.#state;
  }

  install(): Updates {
    this.#source();
    if (this.#state.stage !== 'ready') {
      throw new Failure('not_found', t('updates.nothing_ready'), { hint: t('updates.download_first') });
    }
    if (this.#options.busy() !== null) {
      throw new Failure('conflict', t('updates.work_under_way'), {
        hint: t('updates.wait_or_stop'),
        retryable: true,
      });
    }
    this.#restart = true;
    this.#options.quit();
    return this.#state;
  }

  settingsChanged(): void {
    this.#lookIfDue();
  }

  atEnd(): (() => Promise<void>) | null {
    const { updater, settings, busy } = this.#options;
    if (typeof updater === 'string' || this.#state.stage !== 'ready' || busy() !== null) return null;
    const restart = this.#restart;
    if (!restart && !settings().installOnQuit) return null;
    return () => updater.install({ restart });
  }

  close(): void {
    this.#ending.abort(new Failure('cancelled', t('studio.closed')));
  }

  async lookDaily(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      this.#lookIfDue();
      await this.#options.clock.wait(hour, signal).catch(() => undefined);
    }
  }

  #change(changes: Partial<Updates>): Updates {
    this.#state = { ...this.#state, ...changes };
    this.#options.onChanged(this.#state);
    return this.#state;
  }

  /** @throws Failure `unsupported` */
  #source(): Updater {
    const { updater } = this.#options;
    if (typeof updater !== 'string') return updater;
    throw new Failure('unsupported', t('updates.not_in_this_build'), {
      hint: t('updates.get_where_got'),
    });
  }

  #lookIfDue(): void {
    const { updater, settings, busy, clock } = this.#options;
    if (typeof updater === 'string' || settings().lookForUpdates !== 'yes' || busy() !== null) return;
    const { checkedAt } = this.#kept;
    const since = clock.now() - (checkedAt ?? 0);
    // A clock that was set back must not stop the checks forever.
    if (checkedAt === null || since >= day || since < 0) void this.check();
  }

  async #findUpdate(): Promise<Updates> {
    const source = this.#source();
    const { path, report, clock } = this.#options;
    // A running or finished download stays: a second check must not discard it.
    if (this.#state.stage === 'downloading' || this.#state.stage === 'ready') return this.#state;
    this.#change({ stage: 'looking', problem: null });
    try {
      const found = await source.check({ draw: this.#kept.draw, signal: this.#ending.signal });
      this.#kept.checkedAt = clock.now();
      await writeFileAtomically(path, JSON.stringify(this.#kept)).catch(report);
      return this.#change({
        stage: found ? 'found' : 'current',
        version: found?.version ?? '',
        checkedAt: this.#kept.checkedAt,
      });
    } catch (error) {
      return this.#change({ stage: 'idle', version: '', problem: asProblem(error, report) });
    }
  }

  /** Waits while work is running, and restarts the wait if work begins meanwhile. */
  async #fetch(source: Updater, signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#waitForWork(signal);
      if (await this.#fetchBetweenWork(source, signal)) return;
    }
  }

  async #waitForWork(signal: AbortSignal): Promise<void> {
    const { busy, clock } = this.#options;
    for (let work = busy(); work !== null; work = busy()) {
      if (this.#state.waitsFor !== work) {
        this.#change({ stage: 'downloading', fraction: 0, waitsFor: work });
      }
      await clock.wait(glance, signal);
    }
  }

  /** @returns False if work began meanwhile. */
  async #fetchBetweenWork(source: Updater, signal: AbortSignal): Promise<boolean> {
    this.#change({ stage: 'downloading', fraction: 0, waitsFor: null, problem: null });
    const step = new AbortController();
    const watched = this.#abortAtWork(step, signal);
    try {
      await source.download({
        onFraction: (fraction) => this.#change({ fraction }),
        signal: AbortSignal.any([step.signal, signal]),
      });
      this.#change({ stage: 'ready', fraction: 1 });
      return true;
    } catch (error) {
      if (!step.signal.aborted || signal.aborted) throw error;
      return false;
    } finally {
      step.abort();
      await watched;
    }
  }

  async #abortAtWork(step: AbortController, signal: AbortSignal): Promise<void> {
    const { busy, clock } = this.#options;
    const either = AbortSignal.any([step.signal, signal]);
    while (!either.aborted) {
      await clock.wait(glance, either).catch(() => undefined);
      if (busy() !== null) step.abort();
    }
  }
}

async function readKept(path: string, random: () => number): Promise<Kept> {
  try {
    return Kept.parse(JSON.parse((await readFileIfThere(path))?.toString('utf8') ?? ''));
  } catch {
    return { checkedAt: null, draw: Math.floor(random() * 10_000) / 100 };
  }
}

function asProblem(error: unknown, report: (error: unknown) => void): StudioError {
  if (error instanceof Failure) {
    const { code, userMessage, advice, retryable } = error;
    return { code, message: userMessage, hint: advice, retryable };
  }
  report(error);
  return {
    code: 'internal',
    message: t('updates.defect'),
    hint: t('updates.log'),
    retryable: true,
  };
}
