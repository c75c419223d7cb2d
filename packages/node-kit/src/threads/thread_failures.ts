/** Errors of the studio's own threads: `Failure`s. The engine's threads have other errors. */

import { type Message, t } from '@likeness/messages';
import type { StudioErrorCode } from '@likeness/messages/failure_codes.ts';
import { Failure, messageOf } from '../failure.ts';
import type { ThreadErrors } from './thread_task.ts';

interface SerializedFailure {
  error: Message;
  code: StudioErrorCode;
  hint: Message;
}

/**
 * Serializes a thread's error: a `Failure` with all its fields, any other error as `unsupported` with its
 * message.
 */
export function serializeFailure(error: unknown): SerializedFailure {
  const { code, advice } =
    error instanceof Failure ? error : ({ code: 'unsupported', advice: '' } satisfies Partial<Failure>);
  return { error: messageOf(error), code, hint: advice };
}

export const threadFailures: ThreadErrors = {
  deserialize(serialized) {
    const { error, code, hint } = serialized as SerializedFailure;
    return new Failure(code, error, { hint });
  },
  ended: (cause) =>
    new Failure(
      'unsupported',
      t('photo.thread_ended', {
        reason: typeof cause === 'number' ? 'exit_code_brief' : messageOf(cause),
        code: typeof cause === 'number' ? cause : 0,
      }),
    ),
  tookTooLong: (milliseconds) =>
    new Failure('unsupported', t('photo.took_too_long', { seconds: Math.round(milliseconds / 1000) })),
  cancelled: () => new Failure('cancelled', t('thread.cancelled')),
  closed: () => new Failure('cancelled', t('studio.closing')),
};
