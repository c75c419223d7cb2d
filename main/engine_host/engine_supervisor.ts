import type { EngineStatus } from '#contract';
import { inEnglish, type Said, say } from '#sentences';
import { backoffPause } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import type { Shell } from '../shell/shell.ts';
import { type EngineConnection, type EngineRun, startEngineRun, unavailable } from './engine_run.ts';
import { createExternalListener, type ExternalListenerOptions } from './external_listener.ts';

export interface EngineSupervisorOptions
  extends Pick<ExternalListenerOptions, 'loadExternal' | 'saveExternal'> {
  fork: Shell['fork'];
  /** Absolute path of the engine's entry: `out/main/engine.js`, or `main/engine/index.ts` under Node. */
  entry: string;
  /** The engine's own folder. Absolute. */
  folder: string;
  version: string;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Cryptographically strong. */
  randomBytes: (count: number) => Uint8Array;
  onChanged: (status: EngineStatus) => void;
  /** An engine process is ready, the first or a restarted one. */
  onStarted?: () => void;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
  /** Some of the engine's limits in place of its own. */
  limits?: Record<string, number>;
}

export type EngineSupervisor = ReturnType<typeof createEngine>;

/** Pauses before consecutive restarts. After the last, the engine counts as failed. */
const restartBackoff = { first: 250, longest: 4000 };
const mostRestartsInRow = 5;
/** After a run of this many milliseconds the restarts count from the beginning. */
const steadyAfter = 60_000;

/**
 * Manages the engine's process: starts it on first use, restarts it when it dies, with new keys and a new
 * port each time, and ends it with the studio.
 *
 * If external access is switched on, the engine starts at once, because other programs can't start it.
 */
export function createEngine({
  fork,
  entry,
  folder,
  version,
  clock,
  randomBytes,
  loadExternal,
  saveExternal,
  onChanged,
  onStarted = () => {},
  log,
  limits = {},
}: EngineSupervisorOptions) {
  let state: EngineStatus['state'] = 'stopped';
  let message: Said = '';
  /** Why the last process ended. */
  let lastReason: Said = '';
  let restarts = 0;
  /** Exits in a row, without a steady run between them. */
  let failuresInRow = 0;
  let jobs = { queued: 0, running: 0 };
  let run: EngineRun | null = null;
  let isSpeaking = false;
  /** Set while the studio itself ends the process. */
  let stopping = false;
  let closed = false;
  let cancelRestart: (() => void) | null = null;
  /** Resolves when the next start has succeeded or the engine has failed for good. */
  let comingUp: PromiseWithResolvers<EngineConnection> | null = null;
  /** One change after the other, in order. */
  let changing: Promise<unknown> = Promise.resolve();

  const newKey = (): string => Buffer.from(randomBytes(32)).toString('base64url');
  const external = createExternalListener({
    loadExternal,
    saveExternal,
    newKey,
    run: () => run,
    start,
    isClosed: () => closed,
    onChanged: changed,
    log,
  });
  external
    .loadIfPossible()
    .then(() => (external.isWanted() && !closed ? start() : undefined))
    .catch(() => {});

  function status(): EngineStatus {
    return {
      state,
      message: message || (state === 'running' ? external.problem() : ''),
      restarts,
      ...jobs,
      external: external.status(),
    };
  }

  let lastTold = '';
  function changed(): void {
    const now = status();
    const text = JSON.stringify(now);
    if (text === lastTold || closed) return;
    lastTold = text;
    onChanged(now);
  }

  /** Starts the engine, or joins a start that is under way. */
  function start(): Promise<EngineConnection> {
    if (closed) return Promise.reject(unavailable(say('engine.closing')));
    if (run && state === 'running') return run.ready;
    const { promise } = comingUpAgain();
    if (!run && !cancelRestart) launch();
    return promise;
  }

  function comingUpAgain(): PromiseWithResolvers<EngineConnection> {
    if (!comingUp) {
      comingUp = Promise.withResolvers();
      comingUp.promise.catch(() => {});
    }
    return comingUp;
  }

  function launch(): void {
    state = 'starting';
    changed();
    const startedAt = clock.now();
    try {
      const own = startEngineRun({
        fork,
        entry,
        clock,
        start: {
          version,
          folder,
          pathWord: 'svc',
          accessToken: newKey(),
          apiKey: newKey(),
          external: external.wanted(),
          limits,
        },
        onReady(connection, port) {
          if (run !== own) return;
          state = 'running';
          message = '';
          external.became(port);
          if (isSpeaking) own.yieldTo(true);
          comingUp?.resolve(connection);
          comingUp = null;
          changed();
          onStarted();
        },
        onLoad(load) {
          if (run !== own) return;
          jobs = load;
          changed();
        },
        log,
        onExit(code, told) {
          if (run !== own) return;
          run = null;
          jobs = { queued: 0, running: 0 };
          external.became();
          if (stopping) return;
          afterExit(
            told || (code === null ? say('engine.signal') : say('engine.exit_code', { code })),
            startedAt,
          );
        },
      });
      run = own;
    } catch (error) {
      run = null;
      const problem = error instanceof Error ? error.message : String(error);
      afterExit(say('engine.not_started', { problem }), startedAt);
    }
  }

  /** Handles an unexpected exit: restarts after a growing pause, or gives up. */
  function afterExit(reason: Said, startedAt: number): void {
    lastReason = reason;
    if (clock.now() - startedAt >= steadyAfter) failuresInRow = 0;
    failuresInRow += 1;
    log('error', `the built-in engine ended: ${inEnglish(reason)}`);
    if (failuresInRow > mostRestartsInRow) {
      state = 'failed';
      message = say('engine.ended_in_row', { times: failuresInRow, reason });
      comingUp?.reject(unavailable(reason));
      comingUp = null;
      changed();
      return;
    }
    state = 'starting';
    message = say('engine.starting_again', { reason });
    comingUpAgain();
    cancelRestart = clock.after(backoffPause(failuresInRow, restartBackoff), () => {
      cancelRestart = null;
      restarts += 1;
      launch();
    });
    changed();
  }

  async function stop(): Promise<void> {
    cancelRestart?.();
    cancelRestart = null;
    if (run) {
      stopping = true;
      await run.stop();
      stopping = false;
    }
    state = 'stopped';
    message = '';
    external.became();
  }

  /** Serialised; each returns the resulting status. */
  function inTurn(action: () => Promise<unknown>): Promise<EngineStatus> {
    const next = changing.then(async () => {
      await action();
      return status();
    });
    changing = next.catch(() => {});
    return next;
  }

  return {
    /**
     * Where the engine is and its keys of this run; starts it where it isn't running.
     *
     * @throws {Failure} `unreachable` where it can't be started.
     */
    async connect(): Promise<EngineConnection> {
      if (closed) throw unavailable(say('engine.closing'));
      await external.loadIfPossible();
      if (state === 'failed') throw unavailable(lastReason);
      return start();
    },

    status,

    /** While somebody speaks, to whatever server, heads and photos have lower priority. */
    yieldTo(speaks: boolean): void {
      isSpeaking = speaks;
      if (state === 'running') run?.yieldTo(speaks);
    },

    /** Restarts the engine, also after it has failed. Heads in progress are resumed. */
    restart: (): Promise<EngineStatus> =>
      inTurn(async () => {
        if (closed) throw unavailable(say('engine.closing'));
        await external.loadIfPossible();
        await stop();
        failuresInRow = 0;
        restarts = 0;
        await start();
      }),

    /**
     * Opens the engine to other programs on a fixed port, moves it, or closes it. Nothing changes where
     * the port can't be had.
     *
     * @throws {Failure} `conflict` where another program has the port, `not_allowed`, `unreachable`
     */
    setExternal: (wanted: { enabled: boolean; port: number }): Promise<EngineStatus> =>
      inTurn(() => external.set(wanted)),

    /** Makes a new key for other programs; the old one opens nothing from now on. */
    renewExternalKey: (): Promise<EngineStatus> => inTurn(() => external.renewKey()),

    /**
     * Applies a stored setting that could not be read before: call it when keys have been unlocked.
     *
     * @throws {Failure} as `loadExternal` does
     */
    applyStoredExternal: (): Promise<EngineStatus> => inTurn(() => external.applyStored()),

    externalKey: (): Promise<string> => external.key(),

    /** Ends the engine for good. */
    async close(): Promise<void> {
      if (closed) return;
      closed = true;
      comingUp?.reject(unavailable(say('engine.closing')));
      comingUp = null;
      await stop();
    },
  };
}
