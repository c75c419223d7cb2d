/** Figures of a face by itself. All are functions of its frames and nothing else. */
import { percentile } from '#proto/percentile.ts';
import { type Arrival, arrivedFrames, type PlayableFace } from '#proto/take_stream.ts';
import { type CurveLag, curveOf, curveRate, lagBetween } from '#proto/takes/curve_lag.ts';
import { drivingChannels } from '#proto/takes/driving_channels.ts';
import { regionChannels } from '#proto/takes/edits/face_regions.ts';
import { jawCurve } from '#proto/takes/face_difference.ts';

/** A channel that moves less than this over a whole take rests. */
const resting = 0.01;

/** By how much the jaw comes after the sound; null where one of the two does not move. */
export const jawAfterSound = (face: PlayableFace, energy: Float32Array): CurveLag | null =>
  lagBetween(energy, jawCurve(face, energy.length / curveRate));

/**
 * How fast mouth and jaw move, weights a second: mean over their channels that move at all.
 *
 * @param counts - which hundredths of a second count
 * @returns null where none counts
 */
export function mouthSpeed(face: PlayableFace, counts: Uint8Array): number | null {
  const { mouth, jaw } = regionChannels(face.channelNames);
  const seconds = counts.length / curveRate;
  let [sum, steps, moving] = [0, 0, 0];
  for (const place of [...mouth, ...jaw]) {
    const curve = curveOf(face.frames, (weights) => weights[place]!, seconds);
    if (rangeOf(curve) < resting) continue;
    moving += 1;
    for (let at = 1; at < curve.length; at++) {
      if (!counts[at] || !counts[at - 1]) continue;
      sum += Math.abs(curve[at]! - curve[at - 1]!) * curveRate;
      steps += 1;
    }
  }
  if (moving === 0) return counts.includes(1) ? 0 : null;
  return steps === 0 ? null : sum / steps;
}

const rangeOf = (curve: Float32Array): number => {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of curve) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least;
};

/**
 * How much the channels tremble from frame to frame, as a weight: root mean square of what a frame differs by from
 * the middle of those beside it, halved, over the channels that move. A channel that goes ±a every other frame
 * has a.
 *
 * @returns null with fewer than three frames, or where nothing moves
 */
export function jitter({ channelNames, frames }: PlayableFace): number | null {
  if (frames.length < 3) return null;
  let [sum, count] = [0, 0];
  for (const place of drivingChannels(channelNames)) {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let squares = 0;
    for (let at = 0; at < frames.length; at++) {
      const value = frames[at]!.weights[place]!;
      least = Math.min(least, value);
      most = Math.max(most, value);
      if (at === 0 || at === frames.length - 1) continue;
      const middle = (frames[at - 1]!.weights[place]! + frames[at + 1]!.weights[place]!) / 2;
      squares += ((value - middle) / 2) ** 2;
    }
    if (most - least < resting) continue;
    sum += squares;
    count += frames.length - 2;
  }
  return count > 0 ? Math.sqrt(sum / count) : null;
}

export interface ChannelRange {
  name: string;
  least: number;
  most: number;
}

/** What of each channel's range is used, in the face's own order. */
export const channelRanges = ({ channelNames, frames }: PlayableFace): ChannelRange[] =>
  channelNames.map((name, place) => {
    let [least, most] = frames.length > 0 ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] : [0, 0];
    for (const { weights } of frames) {
      least = Math.min(least, weights[place]!);
      most = Math.max(most, weights[place]!);
    }
    return { name, least, most };
  });

export const isUsed = ({ least, most }: ChannelRange): boolean => most - least >= resting;

/** Frames that are not there: what fits into gaps that are longer than one and a half frames, and into the end. */
export function missingFrames({ frames, frameRate }: PlayableFace, seconds: number): number {
  let missing = 0;
  let last = -1 / frameRate;
  for (const { timeCode } of [...frames, { timeCode: seconds }]) {
    const apart = (timeCode - last) * frameRate;
    if (apart > 1.5) missing += Math.round(apart - 1e-6) - 1;
    last = timeCode;
  }
  return Math.max(0, missing);
}

export interface ArrivalFigures {
  frames: number;
  /** From a frame's moment in the sound until it came, seconds. */
  median: number;
  p95: number;
  /** Came later than that. */
  late: number;
}

/** As late as an answer may come by the interface's target, seconds. */
const lateAfter = 0.9;

/**
 * How late frames came while a take was recorded. What was made afterwards did not come then.
 *
 * @returns null where none came
 */
export function arrivalFigures(arrivals: readonly Arrival[]): ArrivalFigures | null {
  const delays: number[] = [];
  for (const { tier, arrivedAt, timeCode } of arrivedFrames(arrivals))
    if (tier !== 'afterwards') delays.push(arrivedAt - timeCode);
  if (delays.length === 0) return null;
  return {
    frames: delays.length,
    median: percentile(delays, 0.5),
    p95: percentile(delays, 0.95),
    late: delays.filter((delay) => delay > lateAfter).length,
  };
}
