/**
 * A face at another frame rate, as an animator would set it by hand: between two recorded frames on a straight line,
 * but contacts, peaks and valleys that fall between two frames of the new rate go to the nearest one instead of being
 * lost.
 */
import type { PlayableFace } from '../take_stream.ts';
import { contactChannels, contactsOf, firstFrom, framesAt } from './closures.ts';
import { type FrameRate, frameCount, frameTime, hertz } from './frame_rates.ts';

/** What rises and falls by less than this is no movement of its own. */
const leastSwing = 0.02;
/** A turn is there where a frame is as near to it as this, of its height or of the whole. */
const nearPeak = 0.02;
const nearValley = 0.005;

type Frame = PlayableFace['frames'][number];

/**
 * @param seconds length of the sound: the face has a frame at every n / rate up to it, held before its first and after
 *   its last recorded frame
 * @returns frames of their own; none where the face has none
 */
export function resampledFace(face: PlayableFace, rate: FrameRate, seconds: number): PlayableFace {
  const { channelNames, frames: given } = face;
  if (given.length === 0) return { ...face, frameRate: hertz(rate) };
  const times = Array.from({ length: frameCount(seconds, rate) }, (_, frame) => frameTime(frame, rate));
  const frames = framesAt(face, times);
  if (fallsBetween(given, rate, times.length)) keepExtremes(face, frames, rate);
  return { channelNames, frameRate: hertz(rate), frames, serverShare: sharesAt(face, times) };
}

/** Whether a recorded frame has none of the new rate at its time: only then can anything be lost. */
function fallsBetween(given: readonly Frame[], rate: FrameRate, count: number): boolean {
  return given.some(({ timeCode }) => {
    const place = timeCode * hertz(rate);
    return place < count && Math.abs(place - Math.round(place)) > 1e-3;
  });
}

function sharesAt({ frames, serverShare }: PlayableFace, times: readonly number[]): Float32Array {
  let at = 0;
  return Float32Array.from(times, (time) => {
    while (at + 1 < frames.length && frames[at + 1]!.timeCode <= time) at += 1;
    return serverShare[at] ?? 0;
  });
}

/** Puts the turns of each channel onto the nearest frames, peaks last; lips stay shut where they are. */
function keepExtremes({ channelNames, frames: given }: PlayableFace, frames: Frame[], rate: FrameRate): void {
  const isShut = shutFrames({ channelNames, frames: given }, frames);
  const lips = new Set(contactChannels(channelNames).lips);
  for (const channel of channelNames.keys()) {
    const shut = lips.has(channel) ? isShut : null;
    const { maxima, minima } = extremesOf(given, channel);
    for (const [turns, further] of [
      [minima, Math.min],
      [maxima, Math.max],
    ] as const) {
      for (const index of turns) {
        const { timeCode, weights } = given[index]!;
        if (isThere(given, frames, channel, index)) continue;
        const place = freePlace(timeCode * hertz(rate), frames.length, shut);
        if (place === null) continue;
        const row = frames[place]!.weights;
        row[channel] = further(row[channel]!, weights[channel]!);
      }
    }
  }
}

/** Whether one of the new frames lies on the turn already: an edge would move if a plateau's end went elsewhere. */
function isThere(given: readonly Frame[], frames: readonly Frame[], channel: number, index: number): boolean {
  const value = (at: number): number => given[at]!.weights[channel]!;
  const reach = Math.max(nearValley, nearPeak * Math.abs(value(index)));
  const isNear = (at: number): boolean => Math.abs(value(at) - value(index)) <= reach;
  let [first, last] = [index, index];
  while (first > 0 && isNear(first - 1)) first -= 1;
  while (last < given.length - 1 && isNear(last + 1)) last += 1;
  const next = frames[firstFrom(frames, given[first]!.timeCode - 1e-6)];
  return next !== undefined && next.timeCode <= given[last]!.timeCode + 1e-6;
}

/** For each new frame whether the lips are shut in it: `framesAt` puts a contact that lies in none to the nearest. */
function shutFrames(
  face: Pick<PlayableFace, 'channelNames' | 'frames'>,
  frames: readonly Frame[],
): Uint8Array {
  const isShut = new Uint8Array(frames.length);
  for (const { of, first, last, deepest } of contactsOf(face)) {
    if (of !== 'lips') continue;
    const [start, end] = [face.frames[first]!.timeCode - 1e-6, face.frames[last]!.timeCode + 1e-6];
    const from = firstFrom(frames, start);
    for (let at = from; at < frames.length && frames[at]!.timeCode <= end; at += 1) isShut[at] = 1;
    if ((frames[from]?.timeCode ?? Infinity) <= end) continue;
    isShut[nearestTo(frames, face.frames[deepest]!.timeCode)] = 1;
  }
  return isShut;
}

function nearestTo(frames: readonly Frame[], time: number): number {
  const next = Math.min(frames.length - 1, firstFrom(frames, time));
  const before = Math.max(0, next - 1);
  return time - frames[before]!.timeCode <= frames[next]!.timeCode - time ? before : next;
}

/**
 * The frame nearest to a place where the lips are not shut, or else the one on its other side; null where both are:
 * a contact goes before a peak.
 */
function freePlace(place: number, count: number, isShut: Uint8Array | null): number | null {
  const near = Math.round(place);
  if (near > count) return null;
  const inside = Math.min(count - 1, near);
  if (!isShut?.[inside]) return inside;
  const other = inside + (place >= near ? 1 : -1);
  return other < 0 || other >= count || isShut[other] ? null : other;
}

/** Frames where a channel turns, by a zigzag that passes over swings below {@link leastSwing}. */
function extremesOf(
  frames: readonly Frame[],
  channel: number,
): { maxima: readonly number[]; minima: readonly number[] } {
  const maxima: number[] = [];
  const minima: number[] = [];
  const value = (index: number): number => frames[index]!.weights[channel]!;
  let [high, low] = [0, 0];
  let way: 'up' | 'down' | null = null;
  for (let index = 1; index < frames.length; index += 1) {
    if (value(index) > value(high)) high = index;
    if (value(index) < value(low)) low = index;
    if (way !== 'down' && value(index) < value(high) - leastSwing) {
      maxima.push(high);
      way = 'down';
      low = index;
    } else if (way !== 'up' && value(index) > value(low) + leastSwing) {
      minima.push(low);
      way = 'up';
      high = index;
    }
  }
  if (way === 'up') maxima.push(high);
  if (way === 'down') minima.push(low);
  return { maxima, minima };
}
