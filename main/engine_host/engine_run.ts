import type {
  ExternalListener,
  ExternalState,
  MessageFromEngine,
  MessageToEngine,
  StartMessage,
} from '@likeness/engine/engine_messages.ts';
import { type Message, t } from '@likeness/messages';
import type { Clock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { ChildProcess, Shell } from '../shell/shell.ts';
import { engineEnvironment, engineFlags } from './engine_process.ts';

/** The engine's address and keys for a client. Changes with each run: get it before each use. */
export interface EngineConnection {
  /** Base of both groups, `http://127.0.0.1:<port>`. */
  url: string;
  /** Group A. */
  accessToken: string;
  /** Group B. */
  apiKey: string;
}

export interface EngineRunOptions {
  fork: Shell['fork'];
  entry: string;
  clock: Pick<Clock, 'now' | 'after'>;
  start: Omit<StartMessage, 'kind'>;
  watch: EngineWatch;
  /** At most once; `external` is the state of the fixed port. */
  onReady: (connection: EngineConnection, external: ExternalState) => void;
  onLoad: (jobs: { queued: number; running: number }) => void;
  /** It left health checks unanswered, or answers again. */
  onResponsive: (isResponsive: boolean) => void;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
  /**
   * @param message - Why, from the engine or the supervisor; empty if unknown.
   */
  onExit: (code: number | null, message: Message) => void;
}

/** Settings for detecting an engine that hangs. */
export interface EngineWatch {
  /** Milliseconds between two health checks. */
  askEveryMs: number;
  /** Milliseconds without an answer after which the engine is killed. */
  maxSilenceMs: number;
}

/** One process of the engine, from fork to exit. */
export interface EngineRun {
  startedAt: number;
  /** Resolves when it answers requests; rejects if it exits before. */
  ready: Promise<EngineConnection>;
  /** Opens, moves or closes the fixed port, and reports the result. */
  setExternal(listener: ExternalListener | null): Promise<ExternalState>;
  yieldTo(isSpeaking: boolean): void;
  /** Asks it to finish, and kills it if it doesn't. */
  stop(): Promise<void>;
}

export const host = '127.0.0.1';

/** Milliseconds from fork to `ready`. */
const startTimeout = 30_000;
/** Milliseconds that the engine gets to finish when asked to stop. */
const stopTimeout = 5000;
/** Milliseconds for opening or closing the fixed port. */
const externalTimeout = 10_000;

/** Starts a process of the engine. @throws if it can't be forked */
export function startEngineRun({
  fork,
  entry,
  clock,
  start,
  watch,
  onReady,
  onLoad,
  onResponsive,
  log,
  onExit,
}: EngineRunOptions): EngineRun {
  const ready = Promise.withResolvers<EngineConnection>();
  const exited = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  const child = fork(entry, { name: 'Likeness engine', env: engineEnvironment, flags: engineFlags });
  const post = (message: MessageToEngine): void => child.postMessage(message);
  const fixedPort = createPortQuestions(clock, post);
  let exitMessage: Message = '';
  const cancelTimeout = clock.after(startTimeout, () => {
    exitMessage = t('engine.no_answer_within', { seconds: startTimeout / 1000 });
    child.kill();
  });
  const heartbeat = createHeartbeat(clock, watch, post, {
    onResponsive,
    onSilent: () => {
      exitMessage = t('engine.silent_for', { seconds: watch.maxSilenceMs / 1000 });
      child.kill();
    },
  });

  const handleMessage = (message: MessageFromEngine): void => {
    switch (message.kind) {
      case 'ready': {
        cancelTimeout();
        const { accessToken, apiKey } = start;
        const connection = { url: `http://${host}:${message.port}`, accessToken, apiKey };
        ready.resolve(connection);
        onReady(connection, message.external);
        heartbeat.start();
        break;
      }
      case 'pong':
        heartbeat.answered();
        break;
      case 'external':
        fixedPort.answered(message.number, message.external);
        break;
      case 'load':
        onLoad({ queued: message.queued, running: message.running });
        break;
      case 'log':
        log(message.level, message.message);
        break;
      case 'failed':
        exitMessage = message.text ? t('photo.engine_says', { words: message.text }) : message.message;
    }
  };
  child.onMessage((raw) => handleMessage(raw as MessageFromEngine));
  child.onExit((code) => {
    cancelTimeout();
    heartbeat.stop();
    exited.resolve();
    fixedPort.ended();
    ready.reject(unavailable(exitMessage));
    onExit(code, exitMessage);
  });
  post({ kind: 'start', ...start });

  return {
    startedAt: clock.now(),
    ready: ready.promise,
    setExternal: fixedPort.ask,
    yieldTo: (isSpeaking) => post({ kind: 'yield', isSpeaking }),
    async stop() {
      post({ kind: 'stop' });
      await exitWithin(child, exited.promise, clock);
    },
  };
}

/**
 * Unanswered health checks after which the engine counts as not responding: a busy machine may be late for
 * one.
 */
const maxUnanswered = 2;

/**
 * Sends health checks to the engine. Counts checks, not time: after a laptop has slept, one check is late but
 * none is unanswered.
 */
function createHeartbeat(
  clock: Pick<Clock, 'after'>,
  { askEveryMs, maxSilenceMs }: EngineWatch,
  post: (message: MessageToEngine) => void,
  { onResponsive, onSilent }: Pick<EngineRunOptions, 'onResponsive'> & { onSilent: () => void },
) {
  let unansweredCount = 0;
  let cancel: (() => void) | undefined;
  const ask = (): void => {
    if (unansweredCount * askEveryMs >= maxSilenceMs) {
      onSilent();
      return;
    }
    if (unansweredCount === maxUnanswered) onResponsive(false);
    unansweredCount += 1;
    post({ kind: 'ping' });
    cancel = clock.after(askEveryMs, ask);
  };
  return {
    start: ask,
    answered(): void {
      if (unansweredCount > maxUnanswered) onResponsive(true);
      unansweredCount = 0;
    },
    stop: (): void => cancel?.(),
  };
}

async function exitWithin(
  child: ChildProcess,
  exited: Promise<void>,
  clock: Pick<Clock, 'now' | 'after'>,
): Promise<void> {
  const cancelKill = clock.after(stopTimeout, () => child.kill());
  await exited;
  cancelKill();
}

/** Requests about the fixed port, matched to their answers by number. */
function createPortQuestions(clock: Pick<Clock, 'now' | 'after'>, post: (message: MessageToEngine) => void) {
  const asked = new Map<number, (state: ExternalState) => void>();
  let lastNumber = 0;
  const failed: ExternalState = { port: null, problem: 'failed' };
  return {
    ask(external: ExternalListener | null): Promise<ExternalState> {
      lastNumber += 1;
      const number = lastNumber;
      return new Promise((resolve) => {
        const answer = (state: ExternalState): void => {
          cancel();
          asked.delete(number);
          resolve(state);
        };
        const cancel = clock.after(externalTimeout, () => answer(failed));
        asked.set(number, answer);
        post({ kind: 'external', number, external });
      });
    },
    answered: (number: number, state: ExternalState): void => asked.get(number)?.(state),
    /** Nothing is left to answer. */
    ended(): void {
      for (const answer of [...asked.values()]) answer(failed);
    },
  };
}

/** Error for callers while the engine is unavailable. */
function unavailable(reason: Message): Failure {
  return new Failure('unreachable', t('engine.not_running', { reason: reason || t('engine.it_ended') }), {
    hint: t('engine.restart'),
    retryable: true,
  });
}

/** Error after too many consecutive exits: the studio no longer restarts the engine by itself. */
export function givenUp(reason: Message): Failure {
  return new Failure('unreachable', reason, { hint: t('engine.start_anew'), needsPerson: true });
}

/** Error while the studio closes: nothing can be restarted then. */
export const whileClosing = (): Failure =>
  new Failure('unreachable', t('engine.not_running', { reason: t('engine.closing') }));
