import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';

/** Why a command ends early. */
export const interruptions = {
  /** Ctrl-C, or its terminal was closed. */
  person: new Failure('cancelled', t('cli.interrupted')),
  /** Nobody reads its output (`| head`). */
  unread: new Failure('cancelled', t('cli.nobody_reads')),
  /** The studio that it runs in closes. */
  closing: new Failure('cancelled', t('cli.studio_closed')),
} as const;
export type Interruption = keyof typeof interruptions;

/** Returns the signal of a command: the first interruption is its reason. */
export function interruptible(): { signal: AbortSignal; interrupt(why: Interruption): void } {
  const controller = new AbortController();
  return { signal: controller.signal, interrupt: (why) => controller.abort(interruptions[why]) };
}
