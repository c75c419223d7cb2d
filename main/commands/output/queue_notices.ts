import { type Said, say } from '#sentences';
import type { CommandContext } from '../command_context.ts';
import { jsonText } from './json_text.ts';

export interface QueueNoticesOptions {
  write: (kind: 'blocked' | 'continues' | 'engine_restarted', message: Said) => void;
  /** How often the built-in engine was started again. */
  restartCount: () => number;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** Milliseconds that the queue is blocked before a line says so: most blocks pass by themselves. */
const noticeAfterMs = 3000;

/**
 * Reports a blocked queue where there is no progress bar (a pipe, a log). One line comes when the block begins, one
 * when it ends, and one when the engine was started again.
 *
 * @returns a listener to be called many times a second with the reason; empty while the queue is not blocked
 */
export function createQueueNotices({
  write,
  restartCount,
  clock,
}: QueueNoticesOptions): (held: Said) => void {
  let blockedSince: number | null = null;
  let isReported = false;
  let knownRestarts = restartCount();
  return (held) => {
    const restarts = restartCount();
    if (restarts > knownRestarts) write('engine_restarted', say('cli.engine_restarted'));
    knownRestarts = restarts;
    if (held === '') {
      if (isReported) write('continues', say('cli.queue_continues'));
      blockedSince = null;
      isReported = false;
      return;
    }
    blockedSince ??= clock();
    if (isReported || clock() - blockedSince < noticeAfterMs) return;
    isReported = true;
    write('blocked', say('cli.queue_blocked', { reason: held }));
  };
}

/** The same for a command: lines on standard error, none beside a progress bar. */
export const queueNoticesOf = (
  { terminal, asJson, isQuiet, words }: CommandContext,
  restartCount: () => number,
): ((held: Said) => void) =>
  terminal.isTerminal === true && !isQuiet()
    ? () => {}
    : createQueueNotices({
        write: (kind, message) =>
          terminal.error(
            asJson() ? `${jsonText({ notice: kind, message: words(message) })}\n` : `${words(message)}\n`,
          ),
        restartCount,
        clock: Date.now,
      });
