/** What the studio's clients of the engine's own routes have in common. */
import { z } from 'zod';
import { say } from '#sentences';
import { Failure } from '../failure.ts';

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
    super('unsupported', say('photo.engine_says', { words: messages ?? { en: message, zh: message } }));
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

/** An engine that starts again is waited for only while somebody wants its answer. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  // Nobody waits for it then, however it ends.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Nobody listens there: the engine has just gone. */
export const isRefused = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

export const engineGone = (): Failure =>
  new Failure('unreachable', say('engine.not_running', { reason: say('engine.it_ended') }), {
    hint: say('engine.restart'),
    retryable: true,
  });
