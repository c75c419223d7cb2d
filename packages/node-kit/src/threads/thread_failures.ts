/** How the studio's own threads fail: as `Failure`s. The engine's have errors of their own. */

import { type Said, say } from '@likeness/messages';
import type { StudioErrorCode } from '@likeness/messages/failure_codes.ts';
import { Failure, saidOf } from '../failure.ts';
import type { ThreadErrors } from './thread_task.ts';

interface ToldFailure {
  error: Said;
  code: StudioErrorCode;
  hint: Said;
}

/** What a thread tells of an error: a `Failure` as it is, anything else is `unsupported` by its message. */
export function tellFailure(error: unknown): ToldFailure {
  const { code, advice } =
    error instanceof Failure ? error : ({ code: 'unsupported', advice: '' } satisfies Partial<Failure>);
  return { error: saidOf(error), code, hint: advice };
}

export const threadFailures: ThreadErrors = {
  told(told) {
    const { error, code, hint } = told as ToldFailure;
    return new Failure(code, error, { hint });
  },
  ended: (cause) =>
    new Failure(
      'unsupported',
      say('photo.thread_ended', {
        reason: typeof cause === 'number' ? say('engine.exit_code_brief', { code: cause }) : saidOf(cause),
      }),
    ),
  tookTooLong: (milliseconds) =>
    new Failure('unsupported', say('photo.took_too_long', { seconds: Math.round(milliseconds / 1000) })),
  cancelled: () => new Failure('cancelled', say('thread.cancelled')),
  closed: () => new Failure('cancelled', say('studio.closing')),
};
