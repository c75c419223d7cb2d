/** What the studio's clients of the engine's own routes have in common. */
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

/** The engine's no, with its own sentence, which it has in both languages. */
export class EngineRefusal extends Failure {
  /** The engine's word for programs. */
  readonly reason: string;

  constructor({ code, message, messages }: z.output<typeof refusalSchema>) {
    super('unsupported', t('photo.engine_says', { words: messages ?? { en: message, zh: message } }));
    this.reason = code;
  }
}

/** What bytes say as JSON; null where they are none. */
export function jsonOf(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

/** Nobody listens there: the engine has just gone. */
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
  /** Where the engine is; starts it where it isn't running, waits while it starts again. */
  connect: () => Promise<EngineConnection>;
  /** Null: the engine's queue is full, or it is just closing. */
  attempt: (connection: EngineConnection) => Promise<T | null>;
  /** What is told where the engine ended so many times during it. */
  ended: (times: number) => Message;
  signal: AbortSignal | undefined;
}

/** Asks the engine, and asks again while it starts again. @throws Failure; the signal's reason */
export async function askEngine<T>({ connect, attempt, ended, signal }: EngineAttempts<T>): Promise<T> {
  for (let deaths = 0, misses = 0; ; ) {
    // An engine that starts again is waited for only while somebody wants its answer.
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
