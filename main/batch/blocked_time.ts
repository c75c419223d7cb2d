import type { Message } from '@likeness/messages';

/** Milliseconds: shorter blocks pass by themselves. */
export const shortestBlockMs = 3000;
/** Milliseconds without a reason after which nothing blocks any more: the longest pause before a try, and the try. */
const quietMs = 120_000;

/**
 * How long nothing has moved because something blocks it. Between two tries there is no reason for a moment.
 *
 * @returns milliseconds; 0 at a moment without a reason
 */
export function createBlockedTime(elapsed: () => number): (reason: Message, progress: string) => number {
  let since: number | null = null;
  let lastReason = 0;
  let known = '';
  return (reason, progress) => {
    const now = elapsed();
    if (progress !== known || (reason === '' && now - lastReason > quietMs)) since = null;
    known = progress;
    if (reason === '') return 0;
    lastReason = now;
    since ??= now;
    return now - since;
  };
}
