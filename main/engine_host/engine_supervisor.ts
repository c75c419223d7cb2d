import type { EngineStatus } from '#contract';
import { inEnglish, type Said, say } from '#sentences';
import { backoffPause } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import type { ExternalState, MessageFromEngine, MessageToEngine } from '../engine/engine_messages.ts';
import { Failure } from '../failure.ts';
import type { ChildProcess, Shell } from '../shell/shell.ts';

/** What a client of the built-in engine needs to know. Changes with each run of it: ask before each use. */
export interface EngineConnection {
  /** Base of both groups, `http://127.0.0.1:<port>`. */
  url: string;
  /** Group A. */
  accessToken: string;
  /** Group B. */
  apiKey: string;
}

/** The setting that opens the engine to other programs on this machine. The key is a secret. */
export interface ExternalAccess {
  enabled: boolean;
  /** 1,024..65,535. */
  port: number;
  /** Null until it is opened for the first time. */
  key: string | null;
}

export interface EngineSupervisorOptions {
  fork: Shell['fork'];
  /** Absolute path of the engine's entry: `out/main/engine.js`, or `main/engine/index.ts` under Node. */
  entry: string;
  /** The engine's own folder. Absolute. */
  folder: string;
  version: string;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Cryptographically strong. */
  randomBytes: (count: number) => Uint8Array;
  /** The stored setting; null where there is none yet. May reject, for instance while keys are locked. */
  loadExternal: () => Promise<ExternalAccess | null>;
  saveExternal: (access: ExternalAccess) => Promise<void>;
  onChanged: (status: EngineStatus) => void;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
  /** Some of the engine's limits in place of its own. */
  limits?: Record<string, number>;
}

export type EngineSupervisor = ReturnType<typeof createEngine>;

const host = '127.0.0.1';
const defaultExternalPort = 17_890;
/** Before each restart in a row. After the last, the engine counts as failed. */
const restartBackoff = { first: 250, longest: 4000 };
const mostRestartsInRow = 5;
/** A run of this many milliseconds ends the row. */
const steadyAfter = 60_000;
/**
 * glibc stops giving large blocks back once it has seen them freed; with a fixed threshold they go back to the
 * system, and two workers need a fifth less memory. Other allocators don't read these words.
 */
export const engineEnvironment = { MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_ARENA_MAX: '2' };

/**
 * Sound and faces are arrays outside V8's heap that are given back when V8 looks at what is young. It looks once that has
 * filled its space, and on a busy machine lets the space grow: tens of megabytes of sound long spoken were held.
 */
export const engineFlags = ['--max-semi-space-size=2'];

/** Milliseconds from fork to `ready`. */
const startTimeout = 30_000;
/** Milliseconds that the engine gets to finish when asked to stop. */
const stopTimeout = 5000;
/** Milliseconds for opening or closing the fixed port. */
const externalTimeout = 10_000;

/** One process of the engine, from fork to exit. */
interface Run {
  child: ChildProcess;
  accessToken: string;
  apiKey: string;
  startedAt: number;
  /** Resolves when it answers requests; rejects where it exits before. */
  ready: Promise<EngineConnection>;
  exited: Promise<void>;
}

/**
 * Keeps the engine's process: starts it at the first need, again when it dies, with new keys and a new
 * port each time, and ends it with the studio.
 *
 * Where external access is switched on, the engine starts at once, for nobody would else start it for the
 * other programs.
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
  let external: ExternalAccess = { enabled: false, port: defaultExternalPort, key: null };
  let externalState: ExternalState = { port: null, problem: '' };
  let run: Run | null = null;
  /** Set while the studio itself ends the process. */
  let stopping = false;
  let closed = false;
  let cancelRestart: (() => void) | null = null;
  /** Waiting for the engine's word on the fixed port, by number. */
  const asked = new Map<number, (state: ExternalState) => void>();
  let lastNumber = 0;
  /** Resolves when the next start has succeeded or the engine has failed for good. */
  let comingUp: PromiseWithResolvers<EngineConnection> | null = null;
  /** One change after the other, in order. */
  let changing: Promise<unknown> = Promise.resolve();

  const newKey = (): string => Buffer.from(randomBytes(32)).toString('base64url');

  let loading: Promise<void> | null = null;
  /** Reads the stored setting once; again where that failed, for keys that were locked may be open now. */
  function load(): Promise<void> {
    loading ??= loadExternal().then(
      (stored) => {
        if (stored) external = stored;
        changed();
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  }
  /** Where the setting can't be read, the studio's own use of the engine goes on without it. */
  const loadIfPossible = (): Promise<void> =>
    load().catch((error: unknown) =>
      log('warning', `the setting for external access could not be read: ${textOf(error)}`),
    );
  loadIfPossible()
    .then(() => (external.enabled && external.key && !closed ? start() : undefined))
    .catch(() => {});

  function status(): EngineStatus {
    const { enabled, port, key } = external;
    return {
      state,
      message: message || externalProblem(),
      restarts,
      ...jobs,
      external: {
        enabled,
        port,
        url: externalState.port === null ? '' : `http://${host}:${externalState.port}`,
        keyLastFour: key?.slice(-4) ?? '',
      },
    };
  }

  function externalProblem(): Said {
    const { port } = external;
    return state === 'running' && external.enabled ? problemText(externalState, port) : '';
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
    comingUp ??= Promise.withResolvers<EngineConnection>();
    const { promise } = comingUp;
    promise.catch(() => {});
    if (!run && !cancelRestart) launch();
    return promise;
  }

  function launch(): void {
    state = 'starting';
    changed();
    const accessToken = newKey();
    const apiKey = newKey();
    const ready = Promise.withResolvers<EngineConnection>();
    const exited = Promise.withResolvers<void>();
    ready.promise.catch(() => {});
    let child: ChildProcess;
    try {
      child = fork(entry, { name: 'Likeness engine', env: engineEnvironment, flags: engineFlags });
    } catch (error) {
      run = null;
      afterExit(say('engine.not_started', { problem: textOf(error) }), clock.now());
      return;
    }
    const startedAt = clock.now();
    const own: Run = { child, accessToken, apiKey, startedAt, ready: ready.promise, exited: exited.promise };
    run = own;
    let reason: Said = '';
    const cancelTimeout = clock.after(startTimeout, () => {
      reason = say('engine.no_answer_within', { seconds: startTimeout / 1000 });
      child.kill();
    });
    child.onMessage((raw) => {
      if (run !== own) return;
      const told = raw as MessageFromEngine;
      switch (told.kind) {
        case 'ready': {
          cancelTimeout();
          state = 'running';
          message = '';
          externalState = told.external;
          const connection = { url: `http://${host}:${told.port}`, accessToken, apiKey };
          ready.resolve(connection);
          comingUp?.resolve(connection);
          comingUp = null;
          break;
        }
        case 'external':
          asked.get(told.number)?.(told.external);
          break;
        case 'load':
          jobs = { queued: told.queued, running: told.running };
          break;
        case 'log':
          log(told.level, told.message);
          break;
        case 'failed':
          reason = told.message;
          break;
      }
      changed();
    });
    child.onExit((code) => {
      cancelTimeout();
      exited.resolve();
      if (run !== own) return;
      run = null;
      jobs = { queued: 0, running: 0 };
      externalState = { port: null, problem: '' };
      for (const answer of asked.values()) answer({ port: null, problem: 'failed' });
      ready.reject(unavailable(reason));
      if (stopping) return;
      afterExit(
        reason || (code === null ? say('engine.signal') : say('engine.exit_code', { code })),
        startedAt,
      );
    });
    const { enabled, port, key } = external;
    const first: MessageToEngine = {
      kind: 'start',
      version,
      folder,
      pathWord: 'svc',
      accessToken,
      apiKey,
      external: enabled && key ? { port, key } : null,
      limits,
    };
    child.postMessage(first);
  }

  /** What follows an exit that nobody asked for: another start, later each time, or giving up. */
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
    comingUp ??= Promise.withResolvers<EngineConnection>();
    comingUp.promise.catch(() => {});
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
      const { child, exited } = run;
      stopping = true;
      child.postMessage({ kind: 'stop' } satisfies MessageToEngine);
      const cancelKill = clock.after(stopTimeout, () => child.kill());
      await exited;
      cancelKill();
      stopping = false;
    }
    state = 'stopped';
    message = '';
    externalState = { port: null, problem: '' };
  }

  /** Tells the running engine what the fixed port shall be, and waits for what became of it. */
  function askExternal({ enabled, port, key }: ExternalAccess): Promise<ExternalState> {
    const current = run;
    if (!current) return Promise.resolve({ port: null, problem: '' });
    lastNumber += 1;
    const number = lastNumber;
    return new Promise((resolve) => {
      const answer = (told: ExternalState): void => {
        cancel();
        asked.delete(number);
        resolve(told);
      };
      const cancel = clock.after(externalTimeout, () => answer({ port: null, problem: 'failed' }));
      asked.set(number, answer);
      current.child.postMessage({
        kind: 'external',
        number,
        external: enabled && key ? { port, key } : null,
      } satisfies MessageToEngine);
    });
  }

  /** Brings the engine and the stored setting to a new state, or leaves both at the old one. */
  async function change(to: ExternalAccess): Promise<void> {
    const before = external;
    if (to.enabled) await start();
    if (run && (to.enabled || before.enabled)) {
      externalState = await askExternal(to);
      if (to.enabled && externalState.problem) {
        const failed = externalState;
        externalState = await askExternal(before);
        changed();
        throw portFailure(failed, to.port);
      }
    }
    try {
      await saveExternal(to);
    } catch (error) {
      externalState = await askExternal(before);
      changed();
      throw error;
    }
    external = to;
    changed();
  }

  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const next = changing.then(action);
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
      await loadIfPossible();
      if (state === 'failed') throw unavailable(lastReason);
      return start();
    },

    status,

    /** Ends the engine and starts it anew, also after it has failed. What was in the making goes on. */
    restart: (): Promise<EngineStatus> =>
      inTurn(async () => {
        if (closed) throw unavailable(say('engine.closing'));
        await loadIfPossible();
        await stop();
        failuresInRow = 0;
        restarts = 0;
        await start();
        return status();
      }),

    /**
     * Opens the engine to other programs on a fixed port, moves it, or closes it. Nothing changes where
     * the port can't be had.
     *
     * @throws {Failure} `conflict` where another program has the port, `not_allowed`, `unreachable`
     */
    setExternal: ({ enabled, port }: { enabled: boolean; port: number }): Promise<EngineStatus> =>
      inTurn(async () => {
        await load();
        await change({ enabled, port, key: external.key ?? (enabled ? newKey() : null) });
        return status();
      }),

    /** Makes a new key for other programs; the old one opens nothing from now on. */
    renewExternalKey: (): Promise<EngineStatus> =>
      inTurn(async () => {
        await load();
        await change({ ...external, key: newKey() });
        return status();
      }),

    /**
     * Applies a stored setting that could not be read before: call it when keys have been unlocked.
     *
     * @throws {Failure} as `loadExternal` does
     */
    applyStoredExternal: (): Promise<EngineStatus> =>
      inTurn(async () => {
        await load();
        if (external.enabled && external.key && !closed) {
          await start();
          externalState = await askExternal(external);
          changed();
        }
        return status();
      }),

    /** The key for other programs, to be handed to the person. @throws {Failure} `key_missing` */
    async externalKey(): Promise<string> {
      await load();
      if (external.key) return external.key;
      throw new Failure('key_missing', say('engine.no_key'), {
        hint: say('engine.open_first'),
      });
    },

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

function unavailable(reason: Said): Failure {
  return new Failure('unreachable', say('engine.not_running', { reason: reason || say('engine.it_ended') }), {
    hint: say('engine.restart'),
    retryable: true,
  });
}

function problemText({ problem }: ExternalState, port: number): Said {
  switch (problem) {
    case 'in_use':
      return say('engine.port_in_use', { port });
    case 'not_allowed':
      return say('engine.port_not_allowed', { port });
    case 'failed':
      return say('engine.port_not_opened', { port });
    default:
      return '';
  }
}

function portFailure(state: ExternalState, port: number): Failure {
  const code = state.problem === 'in_use' ? 'conflict' : 'not_allowed';
  return new Failure(code, problemText(state, port), {
    hint: say('engine.other_port'),
    field: 'port',
  });
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
