import { z } from 'zod';
import type { Settings, StudioError, Updates } from '#contract';
import { say } from '#sentences';
import type { Clock } from './base/clock.ts';
import { Failure } from './failure.ts';
import type { NoUpdates, Updater } from './shell/shell.ts';
import { readFileIfThere, writeFileAtomically } from './storage/atomic_file.ts';

/** Milliseconds between two automatic checks, and between looks at whether one is due. */
const day = 24 * 3600e3;
const hour = 3600e3;
/** Milliseconds after which a download checks again whether work is going on. */
const glance = 1000;

export interface UpdatesOptions {
  updater: Updater | NoUpdates;
  /** File with the time of the last check and this installation's place in a staged rollout. Absolute. */
  path: string;
  settings: () => Pick<Settings, 'lookForUpdates' | 'installOnQuit'>;
  /** Work that neither a download nor an installation may come between; null where there is none. */
  busy: () => Updates['waitsFor'];
  onChanged: (state: Updates) => void;
  /** Writes a defect to the log. */
  report: (error: unknown) => void;
  /** Ends the program, in order; `atEnd` is asked then. */
  quit: () => void;
  clock: Pick<Clock, 'now' | 'wait'>;
  /** 0 ≤ number < 1. */
  random: () => number;
}

/**
 * New versions of the studio: checked for if the person agreed, downloaded and installed when they say so.
 */
export interface UpdateWatch {
  state(): Updates;
  /** Checks now, because the person asked. Errors are part of the answer. */
  check(): Promise<Updates>;
  /**
   * Begins to download the version that was found, as soon as no work is under way. @throws Failure
   * `not_found`
   */
  download(): Updates;
  stopDownload(): Updates;
  /** Ends the program to install what was fetched. @throws Failure `not_found`, `conflict` */
  install(): Updates;
  /** The settings changed: a person who just agreed need not wait until tomorrow. */
  settingsChanged(): void;
  /** The action to run after everything else is closed; null: none. */
  atEnd(): (() => Promise<void>) | null;
  close(): void;
}

const Kept = z.object({ checkedAt: z.number().nullable(), draw: z.number().min(0).max(100) });

/** Reads the stored state and begins to check, if the person agreed. An invalid file is replaced. */
export async function openUpdates(options: UpdatesOptions): Promise<UpdateWatch> {
  const { updater, path, settings, busy, report, clock } = options;
  const kept = await readKept(path, options.random);
  const ending = new AbortController();
  let state: Updates = {
    unavailable: typeof updater === 'string' ? updater : null,
    address: typeof updater === 'string' ? '' : updater.address,
    stage: 'idle',
    version: '',
    fraction: 0,
    waitsFor: null,
    checkedAt: kept.checkedAt,
    problem: null,
  };
  let looking: Promise<Updates> | null = null;
  let fetching: AbortController | null = null;
  let restart = false;

  const change = (changes: Partial<Updates>): Updates => {
    state = { ...state, ...changes };
    options.onChanged(state);
    return state;
  };
  const there = (): Updater => {
    if (typeof updater !== 'string') return updater;
    throw new Failure('unsupported', say('updates.not_in_this_build'), {
      hint: say('updates.get_where_got'),
    });
  };

  async function look(): Promise<Updates> {
    const source = there();
    // Keep a download that is under way or complete: a second check must not discard it.
    if (state.stage === 'downloading' || state.stage === 'ready') return state;
    change({ stage: 'looking', problem: null });
    try {
      const found = await source.check({ draw: kept.draw, signal: ending.signal });
      kept.checkedAt = clock.now();
      await writeFileAtomically(path, JSON.stringify(kept)).catch(report);
      return change({
        stage: found ? 'found' : 'current',
        version: found?.version ?? '',
        checkedAt: kept.checkedAt,
      });
    } catch (error) {
      return change({ stage: 'idle', version: '', problem: asProblem(error, report) });
    }
  }
  const check = (): Promise<Updates> => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };

  /** Waits while work goes on, and starts again if work begins in the middle. */
  async function fetch(stop: AbortController): Promise<void> {
    const source = there();
    const signal = AbortSignal.any([stop.signal, ending.signal]);
    for (;;) {
      for (let work = busy(); work !== null; work = busy()) {
        if (state.waitsFor !== work) change({ stage: 'downloading', fraction: 0, waitsFor: work });
        await clock.wait(glance, signal);
      }
      change({ stage: 'downloading', fraction: 0, waitsFor: null, problem: null });
      const step = new AbortController();
      const watched = watch(step, signal);
      try {
        await source.download({
          onFraction: (fraction) => change({ fraction }),
          signal: AbortSignal.any([step.signal, signal]),
        });
        change({ stage: 'ready', fraction: 1 });
        return;
      } catch (error) {
        if (!step.signal.aborted || signal.aborted) throw error;
      } finally {
        step.abort();
        await watched;
      }
    }
  }
  async function watch(step: AbortController, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([step.signal, signal]);
    while (!either.aborted) {
      await clock.wait(glance, either).catch(() => undefined);
      if (busy() !== null) step.abort();
    }
  }

  async function lookDaily(): Promise<void> {
    while (!ending.signal.aborted) {
      lookIfDue();
      await clock.wait(hour, ending.signal).catch(() => undefined);
    }
  }
  function lookIfDue(): void {
    if (typeof updater === 'string' || settings().lookForUpdates !== 'yes' || busy() !== null) return;
    const since = clock.now() - (kept.checkedAt ?? 0);
    // A clock that was set back must not stop the checks for ever.
    if (kept.checkedAt === null || since >= day || since < 0) void check();
  }
  if (typeof updater !== 'string') void lookDaily();

  return {
    state: () => state,
    check,
    download() {
      there();
      if (state.stage === 'downloading' || state.stage === 'ready') return state;
      if (state.stage !== 'found') {
        throw new Failure('not_found', say('updates.none_to_download'), {
          hint: say('updates.look_first'),
        });
      }
      const stop = new AbortController();
      fetching = stop;
      change({ stage: 'downloading', fraction: 0, problem: null });
      fetch(stop)
        .catch((error: unknown) => {
          const stopped = stop.signal.aborted || ending.signal.aborted;
          change({
            stage: 'found',
            fraction: 0,
            waitsFor: null,
            problem: stopped ? null : asProblem(error, report),
          });
        })
        .finally(() => {
          fetching = null;
        });
      return state;
    },
    stopDownload() {
      fetching?.abort(new Failure('cancelled', say('updates.download_stopped')));
      return state;
    },
    install() {
      there();
      if (state.stage !== 'ready') {
        throw new Failure('not_found', say('updates.nothing_ready'), { hint: say('updates.download_first') });
      }
      if (busy() !== null) {
        throw new Failure('conflict', say('updates.work_under_way'), {
          hint: say('updates.wait_or_stop'),
          retryable: true,
        });
      }
      restart = true;
      options.quit();
      return state;
    },
    settingsChanged: lookIfDue,
    atEnd() {
      if (typeof updater === 'string' || state.stage !== 'ready' || busy() !== null) return null;
      if (!restart && !settings().installOnQuit) return null;
      return () => updater.install({ restart });
    },
    close: () => ending.abort(new Failure('cancelled', say('studio.closed'))),
  };
}

async function readKept(path: string, random: () => number): Promise<z.output<typeof Kept>> {
  try {
    return Kept.parse(JSON.parse((await readFileIfThere(path))?.toString('utf8') ?? ''));
  } catch {
    return { checkedAt: null, draw: Math.floor(random() * 10_000) / 100 };
  }
}

function asProblem(error: unknown, report: (error: unknown) => void): StudioError {
  if (error instanceof Failure) {
    const { code, said, advice, retryable } = error;
    return { code, message: said, hint: advice, retryable };
  }
  report(error);
  return {
    code: 'internal',
    message: say('updates.defect'),
    hint: say('updates.log'),
    retryable: true,
  };
}
