import { type Said, say } from '#sentences';

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
 * Lines about a queue that is blocked, for output without a progress bar (a pipe, a log): one when it begins, one
 * when it is over, and one when the engine was started again.
 *
 * @returns a listener to be called many times a second with the reason; empty while the queue is not blocked
 */
export function createQueueNotices({
  write,
  restartCount,
  clock,
}: QueueNoticesOptions): (held: Said) => void {
  let blockedSince: number | null = null;
  let isTold = false;
  let knownRestarts = restartCount();
  return (held) => {
    const restarts = restartCount();
    if (restarts > knownRestarts) write('engine_restarted', say('cli.engine_restarted'));
    knownRestarts = restarts;
    if (held === '') {
      if (isTold) write('continues', say('cli.queue_continues'));
      blockedSince = null;
      isTold = false;
      return;
    }
    blockedSince ??= clock();
    if (isTold || clock() - blockedSince < noticeAfterMs) return;
    isTold = true;
    write('blocked', say('cli.queue_blocked', { reason: held }));
  };
}
