/** What the wait for a place in the queue depends on. Times in seconds. */
export interface WaitEstimateOptions {
  /** Models that are made at the same time. */
  parallel: number;
  /** Seconds that one takes. */
  secondsEach: number;
  /** How long each of those being made has been in the making. */
  runningFor: readonly number[];
  /** Models that wait before this one. */
  ahead: number;
}

/**
 * Whole seconds until a model that waits behind `ahead` others is finished, at least 1: the places that
 * are busy become free one after another, each takes the next in line.
 */
export function estimateWait({ parallel, secondsEach, runningFor, ahead }: WaitEstimateOptions): number {
  const freeAt = runningFor.slice(0, parallel).map((seconds) => remaining(seconds, secondsEach));
  while (freeAt.length < parallel) freeAt.push(0);
  freeAt.sort((a, b) => a - b);
  // All take equally long, so places become free in rounds, in the order in which they are now.
  const round = Math.floor(ahead / parallel);
  const start = freeAt[ahead % parallel]! + round * secondsEach;
  return Math.max(1, Math.ceil(start + secondsEach));
}

/** One that takes longer than usual is more likely to take longer still than to end this moment. */
export const remaining = (runningFor: number, secondsEach: number): number =>
  Math.max(secondsEach - runningFor, secondsEach * 0.1);

/** The median of what the latest took: one slow start doesn't spoil it. */
export function typicalSeconds(measured: readonly number[], prior: number): number {
  if (measured.length === 0) return prior;
  const sorted = [...measured].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
