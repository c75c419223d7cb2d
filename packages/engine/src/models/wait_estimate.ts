import { mean, percentile } from '@likeness/proto/percentile.ts';

/** The inputs of a wait estimate. Times in seconds. */
export interface WaitOutlook {
  /** Models that can be made at the same time. */
  slots: number;
  /** Seconds that the latest models occupied a slot, successful or not. */
  took: readonly number[];
  /** Seconds since each model in progress started. */
  runningFor: readonly number[];
  /** Models that begin before this one. */
  ahead: number;
}

/**
 * Measurements to keep: enough for a mean within some 10 %, few enough to follow a machine that slows down.
 */
export const maxMeasured = 50;
/** Seconds per head before any measurement: the engine's target. */
const priorSeconds = 2;

/**
 * Returns the seconds until a waiting model is finished. Busy slots become free one after another, and each
 * takes the next model in line.
 *
 * The mean sets the rate of a queue (Little's law); the median would be too optimistic when a few models take
 * long. The mean over models, not over machines, is right for machines of different speed.
 */
export function secondsToEnd({ slots, took, runningFor, ahead }: WaitOutlook): number {
  const known = withoutOutliers(took);
  const each = mean(known);
  const freeAt = runningFor.slice(0, slots).map((seconds) => remaining(seconds, known));
  while (freeAt.length < slots) freeAt.push(0);
  freeAt.sort((a, b) => a - b);
  // Slots become free in rounds, in their present order.
  const start = freeAt[ahead % slots]! + Math.floor(ahead / slots) * each;
  return start + typicalSeconds(took);
}

/** Seconds until a model in progress is finished. */
export const secondsLeft = (runningFor: number, took: readonly number[]): number =>
  remaining(runningFor, withoutOutliers(took));

/**
 * In the interface's form: whole seconds, rounded to the nearest, at least 1. Rounding up would overstate
 * short waits.
 */
export const wholeSeconds = (seconds: number): number => Math.max(1, Math.round(seconds));

/** The median. */
export const typicalSeconds = (took: readonly number[]): number =>
  took.length === 0 ? priorSeconds : percentile(took, 0.5);

/** Mean further time of the models that took longer than this; a tenth of the typical time if none did. */
function remaining(runningFor: number, took: readonly number[]): number {
  const longer = took.filter((seconds) => seconds > runningFor).map((seconds) => seconds - runningFor);
  return longer.length > 0 ? mean(longer) : mean(took) * 0.1;
}

/** Limits each time to four typical ones: a model may have hung, or loaded the networks first. */
function withoutOutliers(took: readonly number[]): number[] {
  const max = 4 * typicalSeconds(took);
  return took.length === 0 ? [priorSeconds] : took.map((seconds) => Math.min(seconds, max));
}
