import type { ExternalState } from '@likeness/engine/engine_messages.ts';
import { inEnglish, type Message, t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import type { Clock } from '@likeness/node-kit/clock.ts';
import type { Failure } from '@likeness/node-kit/failure.ts';
import type { EngineStatus } from '#contract';
import type { Shell } from '../shell/shell.ts';
import { EngineRestarts } from './engine_restarts.ts';
import {
  type EngineConnection,
  type EngineRun,
  type EngineWatch,
  givenUp,
  startEngineRun,
  whileClosing,
} from './engine_run.ts';
import { createExternalListener, type ExternalListenerOptions } from './external_listener.ts';

export interface EngineSupervisorOptions
  extends Pick<ExternalListenerOptions, 'loadExternal' | 'saveExternal'> {
  fork: Shell['fork'];
  /** Absolute path of the engine's entry: `out/main/engine.js`, or `packages/engine/src/engine_entry.ts` under Node. */
  entry: string;
  /** The engine's own folder. Absolute. */
  folder: string;
  version: string;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Cryptographically strong. */
  randomBytes: (count: number) => Uint8Array;
  onChanged: (status: EngineStatus) => void;
  /** Called when an engine process is ready, the first or a restarted one. */
  onStarted?: () => void;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
  /** Overrides some of the engine's limits. */
  limits?: Record<string, number>;
  /** Default: checks every 5 s and kills an engine that is silent for 60 s. */
  watch?: EngineWatch;
}

const defaultWatch: EngineWatch = { askEveryMs: 5000, maxSilenceMs: 60_000 };

/**
 * Manages the engine's process: starts it on first use, restarts it when it dies or hangs, with new keys and a
 * new port each time, and ends it with the studio.
 *
 * If external access is switched on, the engine starts at once, because other programs can't start it.
 */
export class EngineSupervisor {
  readonly #options: EngineSupervisorOptions;
  readonly #external: ReturnType<typeof createExternalListener>;
  readonly #restarts: EngineRestarts;
  #state: EngineStatus['state'] = 'stopped';
  #message: Message = '';
  #jobs = { queued: 0, running: 0 };
  #run: EngineRun | null = null;
  #isUnresponsive = false;
  #isSpeaking = false;
  /** Set while the studio itself ends the process. */
  #isStopping = false;
  #isClosed = false;
  /** Resolves when the next start has succeeded or the engine has failed for good. */
  #comingUp: PromiseWithResolvers<EngineConnection> | null = null;
  /** Runs changes one after the other, in order. */
  readonly #changes = createMutex();
  /** The last reported status, as text. */
  #reportedState = '';

  constructor(options: EngineSupervisorOptions) {
    this.#options = options;
    this.#restarts = new EngineRestarts(options.clock);
    this.#external = createExternalListener({
      loadExternal: options.loadExternal,
      saveExternal: options.saveExternal,
      newKey: () => this.#newKey(),
      run: () => this.#run,
      start: () => this.#start(),
      isClosed: () => this.#isClosed,
      onChanged: () => this.#changed(),
      log: options.log,
    });
    this.#external
      .loadIfPossible()
      .then(() => (this.#external.isWanted() && !this.#isClosed ? this.#start() : undefined))
      .catch(() => {});
  }

  /**
   * Returns the engine's address and its keys of this run; starts it if it isn't running.
   *
   * @throws {Failure} `unreachable` if it can't be started.
   */
  async connect(): Promise<EngineConnection> {
    if (this.#isClosed) throw whileClosing();
    await this.#external.loadIfPossible();
    if (this.#state === 'failed') throw givenUp(this.#message);
    return this.#start();
  }

  status(): EngineStatus {
    return {
      state: this.#isUnresponsive ? 'unresponsive' : this.#state,
      message: this.#statusMessage(),
      restarts: this.#restarts.count,
      ...this.#jobs,
      external: this.#external.status(),
    };
  }

  /** While a live session is running, on any server, heads and photos have lower priority. */
  yieldTo(isSpeaking: boolean): void {
    this.#isSpeaking = isSpeaking;
    if (this.#state === 'running') this.#run?.yieldTo(isSpeaking);
  }

  /** Restarts the engine, also after it has failed. Running jobs continue. */
  restart(): Promise<EngineStatus> {
    return this.#inTurn(async () => {
      if (this.#isClosed) throw whileClosing();
      await this.#external.loadIfPossible();
      await this.#stop();
      this.#restarts.reset();
      await this.#start();
    });
  }

  /**
   * Opens the engine to other programs on a fixed port, moves it, or closes it. If the port is unavailable,
   * nothing changes.
   *
   * @throws {Failure} `conflict` if another program uses the port, `not_allowed`, `unreachable`
   */
  setExternal(wanted: { enabled: boolean; port: number }): Promise<EngineStatus> {
    return this.#inTurn(() => this.#external.set(wanted));
  }

  /** Makes a new key for other programs; the old one is invalid from now on. */
  renewExternalKey(): Promise<EngineStatus> {
    return this.#inTurn(() => this.#external.renewKey());
  }

  /**
   * Applies a stored setting that could not be read before: call it when keys have been unlocked.
   *
   * @throws {Failure} as `loadExternal` does
   */
  applyStoredExternal(): Promise<EngineStatus> {
    return this.#inTurn(() => this.#external.applyStored());
  }

  externalKey(): Promise<string> {
    return this.#external.key();
  }

  /** Ends the engine for good. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#notComingUp(whileClosing());
    await this.#stop();
  }

  /** Starts the engine, or joins a running start. */
  #start(): Promise<EngineConnection> {
    if (this.#isClosed) return Promise.reject(whileClosing());
    // A run that is stopping takes no more calls: they wait for the next one.
    if (this.#run && this.#state === 'running' && !this.#isStopping) return this.#run.ready;
    const { promise } = this.#comingUpAgain();
    if (!this.#run && !this.#restarts.isPending) this.#launch();
    return promise;
  }

  #launch(): void {
    const { clock } = this.#options;
    this.#state = 'starting';
    this.#changed();
    const startedAt = clock.now();
    try {
      this.#run = this.#fork(startedAt);
    } catch (error) {
      this.#run = null;
      const problem = error instanceof Error ? error.message : String(error);
      this.#endedByItself(t('engine.not_started', { problem }), startedAt);
    }
  }

  /** @throws if the process can't be started */
  #fork(startedAt: number): EngineRun {
    const { fork, entry, clock, version, folder, log, limits = {}, watch = defaultWatch } = this.#options;
    const run = startEngineRun({
      fork,
      entry,
      clock,
      start: {
        version,
        folder,
        pathWord: 'svc',
        accessToken: this.#newKey(),
        apiKey: this.#newKey(),
        external: this.#external.wanted(),
        limits,
      },
      watch,
      onReady: (connection, port) => {
        if (this.#run === run) this.#ready(run, connection, port);
      },
      onLoad: (jobs) => {
        if (this.#run !== run) return;
        if (jobs.running < this.#jobs.running) this.#restarts.finishedWork();
        this.#jobs = jobs;
        this.#changed();
      },
      onResponsive: (isResponsive) => {
        if (this.#run !== run) return;
        this.#isUnresponsive = !isResponsive;
        this.#changed();
      },
      log,
      onExit: (code, message) => {
        if (this.#run === run) this.#exited(code, message, startedAt);
      },
    });
    return run;
  }

  #ready(run: EngineRun, connection: EngineConnection, port: ExternalState): void {
    this.#state = 'running';
    this.#message = '';
    this.#external.became(port);
    if (this.#isSpeaking) run.yieldTo(true);
    this.#comingUp?.resolve(connection);
    this.#comingUp = null;
    this.#changed();
    this.#options.onStarted?.();
  }

  #exited(code: number | null, message: Message, startedAt: number): void {
    this.#run = null;
    this.#jobs = { queued: 0, running: 0 };
    this.#isUnresponsive = false;
    this.#external.became();
    if (this.#isStopping) return;
    const reason = code === null ? t('engine.signal') : t('engine.exit_code', { code });
    this.#endedByItself(message || reason, startedAt);
  }

  /** Handles an unexpected exit: restarts with a growing delay, or gives up. */
  #endedByItself(reason: Message, startedAt: number): void {
    const { inRow, isTooMany } = this.#restarts.ended(startedAt);
    this.#options.log('error', `the built-in engine ended: ${inEnglish(reason)}`);
    if (isTooMany) {
      this.#state = 'failed';
      this.#message = t('engine.ended_in_row', { times: inRow, reason });
      this.#notComingUp(givenUp(this.#message));
    } else {
      this.#state = 'starting';
      this.#message = t('engine.starting_again', { reason });
      this.#comingUpAgain();
      this.#restarts.schedule(() => this.#launch());
    }
    this.#changed();
  }

  async #stop(): Promise<void> {
    this.#restarts.cancel();
    if (this.#run) {
      this.#isStopping = true;
      await this.#run.stop();
      this.#isStopping = false;
    }
    this.#state = 'stopped';
    this.#message = '';
    this.#external.became();
  }

  #comingUpAgain(): PromiseWithResolvers<EngineConnection> {
    if (!this.#comingUp) {
      this.#comingUp = Promise.withResolvers();
      this.#comingUp.promise.catch(() => {});
    }
    return this.#comingUp;
  }

  #notComingUp(why: Failure): void {
    this.#comingUp?.reject(why);
    this.#comingUp = null;
  }

  /** Runs one change after the other; each returns the resulting status. */
  #inTurn(action: () => Promise<unknown>): Promise<EngineStatus> {
    return this.#changes(async () => {
      await action();
      return this.status();
    });
  }

  #statusMessage(): Message {
    const { watch = defaultWatch } = this.#options;
    if (this.#isUnresponsive) return t('engine.unresponsive', { seconds: watch.maxSilenceMs / 1000 });
    return this.#message || (this.#state === 'running' ? this.#external.problem() : '');
  }

  #changed(): void {
    const now = this.status();
    const text = JSON.stringify(now);
    if (text === this.#reportedState || this.#isClosed) return;
    this.#reportedState = text;
    this.#options.onChanged(now);
  }

  #newKey(): string {
    return Buffer.from(this.#options.randomBytes(32)).toString('base64url');
  }
}
