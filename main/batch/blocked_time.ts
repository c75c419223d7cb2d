import type { Message } from '@likeness/messages';

/** Milliseconds. Shorter blocks end without help. */
export const shortestBlockMs = 3000;
/**
 * Milliseconds without a block reason after which the block counts as over: the longest pause before a retry,
 * plus the retry.
 */
const quietMs = 120_000;

/**
 * Measures how long a block has stopped all progress. Between two retries there is briefly no reason.
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
