/** Figures of the face alone. All are functions of its frames only. */
import { faceColumn } from '@likeness/proto/face/face_column.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { type CurveLag, channelCurve, curveRate, lagBetween } from '@likeness/proto/takes/curve_lag.ts';
import { drivingChannels } from '@likeness/proto/takes/driving_channels.ts';
import { regionChannels } from '@likeness/proto/takes/edits/face_regions.ts';
import { jawCurve } from '@likeness/proto/takes/face_difference.ts';

/** A channel whose range in the whole take is smaller counts as resting. */
const resting = 0.01;

/** Delay of the jaw after the audio; null if one of them does not move. */
export const jawAfterSound = (face: PlayableFace, energy: Float32Array): CurveLag | null =>
  lagBetween(energy, jawCurve(face, energy.length / curveRate));

/**
 * Speed of mouth and jaw, weights per second: mean over their moving channels.
 *
 * @param counts - which hundredths of a second to include
 * @returns null if there are none
 */
export function mouthSpeed(face: PlayableFace, counts: Uint8Array): number | null {
  const { mouth, jaw } = regionChannels(face.channelNames);
  const seconds = counts.length / curveRate;
  let [sum, steps, moving] = [0, 0, 0];
  for (const channel of [...mouth, ...jaw]) {
    const curve = channelCurve(face, channel, seconds);
    if (spanOf(curve) < resting) continue;
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

/** 0 to 0 if there are no values. */
function rangeOf(values: Iterable<number>): Pick<ChannelRange, 'least' | 'most'> {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { least: min, most: max } : { least: 0, most: 0 };
}

const spanOf = (values: Iterable<number>): number => {
  const { least, most } = rangeOf(values);
  return most - least;
};

/**
 * Measures the jitter of the moving channels from frame to frame, as a weight. It is the RMS of half the
 * difference between a frame and the mean of its two neighbours. A channel that alternates by ±a yields a.
 *
 * @returns null for fewer than three frames, or if nothing moves
 */
export function jitter(face: PlayableFace): number | null {
  const { channelNames, frames } = face;
  if (frames.length < 3) return null;
  let [sum, count] = [0, 0];
  for (const channel of drivingChannels(channelNames)) {
    const values = faceColumn(face, channel);
    if (spanOf(values) < resting) continue;
    let squares = 0;
    for (let at = 1; at + 1 < values.length; at++) {
      const middle = (values[at - 1]! + values[at + 1]!) / 2;
      squares += ((values[at]! - middle) / 2) ** 2;
    }
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

/** The used range of each channel, in the face's own order. */
export const channelRanges = (face: PlayableFace): ChannelRange[] =>
  face.channelNames.map((name, channel) => ({ name, ...rangeOf(faceColumn(face, channel)) }));

export const isUsed = ({ least, most }: ChannelRange): boolean => most - least >= resting;

/** Missing frames: those that fit into gaps longer than one and a half frames, and into the end. */
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
