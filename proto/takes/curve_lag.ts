import { faceColumn } from '../face/face_column.ts';
import { shareBetween } from '../face/frames_around.ts';
import type { PlayableFace } from '../take_stream.ts';

/** Curves are compared at so many values a second. */
export const curveRate = 100;
/** Furthest that one curve is looked for before or after another, seconds. */
const furthestLag = 0.3;

/**
 * A weight over time, every 1 / {@link curveRate} seconds from 0 on, between frames on a straight line; held before
 * the first and after the last.
 *
 * @param weightOf - of a frame's weights
 * @param seconds - how long the curve is
 */
export function curveOf(
  frames: PlayableFace['frames'],
  weightOf: (weights: Float32Array) => number,
  seconds: number,
): Float32Array<ArrayBuffer> {
  return sampled(frames, (at) => weightOf(frames[at]!.weights), seconds);
}

/** The same of one channel; a packed face's is read from its column. */
export function channelCurve(
  face: Pick<PlayableFace, 'frames'>,
  channel: number,
  seconds: number,
): Float32Array<ArrayBuffer> {
  const column = faceColumn(face, channel);
  return sampled(face.frames, (at) => column[at]!, seconds);
}

function sampled(
  frames: PlayableFace['frames'],
  valueAt: (at: number) => number,
  seconds: number,
): Float32Array<ArrayBuffer> {
  const curve = new Float32Array(Math.max(0, Math.round(seconds * curveRate)));
  if (frames.length === 0) return curve;
  let at = 0;
  for (let index = 0; index < curve.length; index++) {
    const time = index / curveRate;
    while (at + 1 < frames.length && frames[at + 1]!.timeCode <= time) at++;
    const next = Math.min(at + 1, frames.length - 1);
    const mix = shareBetween(frames[at]!.timeCode, frames[next]!.timeCode, time);
    const start = valueAt(at);
    curve[index] = mix === 0 ? start : start + (valueAt(next) - start) * mix;
  }
  return curve;
}

/** Pearson's r of `a` and of `b` that many values later; 0 where one of them does not move. */
function correlationAt(a: ArrayLike<number>, b: ArrayLike<number>, lag: number): number {
  const from = Math.max(0, -lag);
  const end = Math.min(a.length, b.length - lag);
  const count = end - from;
  if (count < 3) return 0;
  let [meanA, meanB] = [0, 0];
  for (let i = from; i < end; i++) {
    meanA += a[i]! / count;
    meanB += b[i + lag]! / count;
  }
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = from; i < end; i++) {
    const x = a[i]! - meanA;
    const y = b[i + lag]! - meanB;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 1e-9 && bb > 1e-9 ? ab / Math.sqrt(aa * bb) : 0;
}

export interface CurveLag {
  /** Pearson's r where the two lie best on one another. */
  r: number;
  /** By how much `b` comes after `a`, seconds; below 0 it comes before. */
  lag: number;
}

/**
 * By how much one curve comes after another: where their cross-correlation is highest within 0.3 s, between values by a parabola through the three highest.
 *
 * @returns null where one of them does not move, or is too short to tell
 */
export function lagBetween(a: ArrayLike<number>, b: ArrayLike<number>): CurveLag | null {
  const max = Math.round(furthestLag * curveRate);
  if (Math.min(a.length, b.length) < 3 * max) return null;
  const heights = Array.from({ length: 2 * max + 1 }, (_, at) => correlationAt(a, b, at - max));
  const best = heights.indexOf(Math.max(...heights));
  const r = heights[best]!;
  if (heights.every((height) => height === 0)) return null;
  const [before, after] = [heights[best - 1], heights[best + 1]];
  const bend = before === undefined || after === undefined ? 0 : before - 2 * r + after;
  const aside = bend < 0 ? (0.5 * (before! - after!)) / bend : 0;
  return { r, lag: (best - max + aside) / curveRate };
}
