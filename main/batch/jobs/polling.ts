/** Bounds of the pause between two questions, seconds. */
export interface PollingBounds {
  least: number;
  most: number;
}

/**
 * Not the backoff of `base/backoff.ts`: nothing failed, and the server's own estimate is the start.
 */
const growth = 1.5;
/** How far a pause is from the planned one at most, so that many jobs don't ask in step. */
const jitter = 0.15;

const within = ({ least, most }: PollingBounds, seconds: number): number =>
  Math.min(Math.max(least, most), Math.max(least, seconds));

/** Pause before the first question: what the server said it needs. Seconds. */
export const firstPause = (waitSeconds: number, bounds: PollingBounds): number => within(bounds, waitSeconds);

/**
 * Pause before the next question, seconds: half as long again as the last one, never shorter than a bound and
 * never longer than the other.
 *
 * @param random - 0 ≤ value < 1.
 */
export function nextPause(last: number, bounds: PollingBounds, random: number): number {
  const planned = within(bounds, last * growth);
  return within(bounds, planned * (1 + jitter * (2 * random - 1)));
}

/**
 * Milliseconds until a question that was planned for a moment of the wall clock. A clock that was changed, or
 * a laptop that slept, makes it neither endless nor negative.
 */
export const untilQuestion = (nextPollAt: number | null, now: number, bounds: PollingBounds): number =>
  nextPollAt === null ? 0 : Math.min(Math.max(0, nextPollAt - now), bounds.most * 1000);
