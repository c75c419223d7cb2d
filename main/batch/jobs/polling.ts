/** Limits of the polling interval, seconds. */
export interface PollingBounds {
  least: number;
  most: number;
}

/** Differs from `base/backoff.ts`: nothing failed, and the server's estimate is the start value. */
const growth = 1.5;
/** Maximum relative jitter of an interval, so that many jobs do not poll in step. */
const jitter = 0.15;

const within = ({ least, most }: PollingBounds, seconds: number): number =>
  Math.min(Math.max(least, most), Math.max(least, seconds));

/** Delay before the first poll: the server's estimate. Seconds. */
export const firstPause = (waitSeconds: number, bounds: PollingBounds): number => within(bounds, waitSeconds);

/**
 * Delay before the next poll, seconds: 1.5 times the last one, within the limits.
 *
 * @param random - 0 ≤ value < 1.
 */
export function nextPause(last: number, bounds: PollingBounds, random: number): number {
  const planned = within(bounds, last * growth);
  return within(bounds, planned * (1 + jitter * (2 * random - 1)));
}

/**
 * Milliseconds until a poll that was planned by the wall clock. A clock change or a laptop's sleep makes it
 * neither endless nor negative.
 */
export const untilQuestion = (nextPollAt: number | null, now: number, bounds: PollingBounds): number =>
  nextPollAt === null ? 0 : Math.min(Math.max(0, nextPollAt - now), bounds.most * 1000);
