/** Shared code of the studio's clients for the engine's own routes. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Message, t } from '@likeness/messages';
import { unlessAborted } from '@likeness/node-kit/async/unless_aborted.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { z } from 'zod';
import type { EngineConnection } from './engine_run.ts';

export const refusalSchema = z.object({
  code: z.string(),
  message: z.string(),
  messages: z.object({ en: z.string(), zh: z.string() }).optional(),
});

/** The engine refused; with its message in both languages. */
export class EngineRefusal extends Failure {
  /** The engine's error code. */
  readonly reason: string;

  constructor({ code, message, messages }: z.output<typeof refusalSchema>) {
    super('unsupported', t('photo.engine_says', { words: messages ?? { en: message, zh: message } }));
    this.reason = code;
  }
}

/** Parses bytes as JSON; null if invalid. */
export function jsonOf(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

/** Connection refused: the engine has just exited. */
const isRefused = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

const engineGone = (): Failure =>
  new Failure('unreachable', t('engine.not_running', { reason: t('engine.it_ended') }), {
    hint: t('engine.restart'),
    retryable: true,
  });

/** Engine crashes during one request before the request is taken to be the cause. */
const maxDeaths = 2;
/** Attempts to reach an engine that is just exiting, and milliseconds between them. */
const maxMisses = 20;
const missPause = 100;

export interface EngineAttempts<T> {
  /** Returns the engine's address; starts it if it isn't running, waits while it restarts. */
  connect: () => Promise<EngineConnection>;
  /** Null: the engine's queue is full, or it is closing. */
  attempt: (connection: EngineConnection) => Promise<T | null>;
  /** Error for a request during which the engine crashed too often. */
  ended: (times: number) => Message;
  signal: AbortSignal | undefined;
}

/** Sends a request to the engine, and repeats it after a restart. @throws Failure; the signal's reason */
export async function askEngine<T>({ connect, attempt, ended, signal }: EngineAttempts<T>): Promise<T> {
  for (let deaths = 0, misses = 0; ; ) {
    // Wait for a restart only while the caller wants the answer.
    const connection = await unlessAborted(connect(), signal);
    try {
      const answer = await attempt(connection);
      if (answer !== null) return answer;
      misses += 1;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Failure) throw error;
      // Connection refused: the engine has just exited, and the supervisor will notice in a moment.
      if (isRefused(error)) misses += 1;
      else deaths += 1;
    }
    if (deaths >= maxDeaths) throw new Failure('unsupported', ended(deaths));
    if (misses >= maxMisses) throw engineGone();
    await pause(missPause);
  }
}
