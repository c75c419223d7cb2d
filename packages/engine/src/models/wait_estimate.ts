import { percentile } from '@likeness/proto/percentile.ts';

/** What the end of a model depends on. Times in seconds. */
export interface WaitOutlook {
  /** Models that can be made at the same time. */
  slots: number;
  /** That the latest models held a place, whatever became of them. */
  took: readonly number[];
  /** How long each of those being made has been in the making. */
  runningFor: readonly number[];
  /** Models that begin before this one. */
  ahead: number;
}

/** Measurements that are kept: enough for a mean within some 10 %, few enough to follow a machine that slows down. */
export const maxMeasured = 50;
/** Seconds a head before any was measured: the engine's own bar. */
const priorSeconds = 2;

/**
 * Seconds until a model that waits is finished: the places that are busy become free one after another, each takes the
 * next in line. A line empties at the rate of the mean, the median would promise too much where a few take long; it is
 * also the mean of the models, not of the machines, that is right for machines of different speed (Little's law).
 */
export function secondsToEnd({ slots, took, runningFor, ahead }: WaitOutlook): number {
  const known = withoutOutliers(took);
  const each = mean(known);
  const freeAt = runningFor.slice(0, slots).map((seconds) => remaining(seconds, known));
  while (freeAt.length < slots) freeAt.push(0);
  freeAt.sort((a, b) => a - b);
  // Places become free in rounds, in the order in which they are now.
  const start = freeAt[ahead % slots]! + Math.floor(ahead / slots) * each;
  return start + typicalSeconds(took);
}

/** Seconds until a model is finished that has been in the making for a while. */
export const secondsLeft = (runningFor: number, took: readonly number[]): number =>
  remaining(runningFor, withoutOutliers(took));

/** As the interface has it: whole, nearest, at least 1. Rounding up would make each short wait too long. */
export const wholeSeconds = (seconds: number): number => Math.max(1, Math.round(seconds));

/** The median. */
export const typicalSeconds = (took: readonly number[]): number =>
  took.length === 0 ? priorSeconds : percentile(took, 0.5);

/** What those that took longer went on to take, on the mean; a tenth of the usual where none did. */
function remaining(runningFor: number, took: readonly number[]): number {
  const longer = took.filter((seconds) => seconds > runningFor).map((seconds) => seconds - runningFor);
  return longer.length > 0 ? mean(longer) : mean(took) * 0.1;
}

/** One that hung, or a first that loaded networks, counts as four usual ones at most. */
function withoutOutliers(took: readonly number[]): number[] {
  const max = 4 * typicalSeconds(took);
  return took.length === 0 ? [priorSeconds] : took.map((seconds) => Math.min(seconds, max));
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
