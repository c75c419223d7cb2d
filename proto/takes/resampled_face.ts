/**
 * Converts a face to another frame rate like an animator: linear between two recorded frames. Contacts, peaks
 * and valleys between two new frames move to the nearest one, so that none is lost.
 */
import { faceColumn } from '../face/face_column.ts';
import { shareBetween } from '../face/frames_around.ts';
import { FrameView } from '../face/own_frame.ts';
import { gazeBetween, poseBetween } from '../face/pose_mix.ts';
import type { PlayableFace } from '../take_stream.ts';
import { contactChannels, contactsOf, firstFrom, keptContact } from './closures.ts';
import { type FrameRate, frameCount, frameTime, hertz } from './frame_rates.ts';

/** Minimum rise or fall that counts as a movement. */
const minSwing = 0.02;
/** A turn is there where a frame is as near to it as this, of its height or of the whole. */
const nearPeak = 0.02;
const nearValley = 0.005;

type Frame = PlayableFace['frames'][number];
type Timed = readonly { readonly timeCode: number }[];

/**
 * @param seconds length of the sound: the face has a frame at every n / rate up to it, held before its first and after
 *   its last recorded frame
 * @returns frames that are made when they are read; none where the face has none. The given face must stay as it is.
 */
export function resampledFace(face: PlayableFace, rate: FrameRate, seconds: number): PlayableFace {
  const { channelNames, frames, serverShare } = face;
  if (frames.length === 0) return { channelNames, frames, serverShare, frameRate: hertz(rate) };
  return new ResampledFace(face, rate, frameCount(seconds, rate));
}

/**
 * Its frames have no fields of their own: `{ ...frame }` is empty. Where no recorded frame falls between two, hours of
 * it take next to no memory.
 */
class ResampledFace implements PlayableFace {
  readonly channelNames: readonly string[];
  readonly frameRate: number;
  readonly frames: Frame[];
  readonly serverShare: Float32Array;
  readonly #given: readonly Frame[];
  /** The recorded frame at or before each new one. */
  readonly #before: Int32Array;
  /** Channels of a frame that a contact has set: by frame, channel and weight in turn. */
  readonly #contacts = new Map<number, number[]>();
  /** [frames × channels], where turns were moved; null: frames are what lies between the recorded ones. */
  readonly #rows: Float32Array<ArrayBuffer> | null;

  constructor(face: PlayableFace, rate: FrameRate, count: number) {
    this.channelNames = face.channelNames;
    this.frameRate = hertz(rate);
    this.#given = face.frames;
    this.#before = placesBefore(face.frames, rate, count);
    this.frames = Array.from({ length: count }, (_, at) => new ResampledFrame(this, at, frameTime(at, rate)));
    this.serverShare = Float32Array.from(this.#before, (at) => face.serverShare[at] ?? 0);
    this.#keepContacts(face);
    this.#rows = null;
    if (fallsBetween(face.frames, rate, count)) {
      const rows = this.#mixedRows();
      keepExtremes(face, this.frames, rows, rate);
      this.#rows = rows;
    }
  }

  weights(at: number): Float32Array<ArrayBuffer> {
    const width = this.channelNames.length;
    return this.#rows ? this.#rows.slice(at * width, (at + 1) * width) : this.#mixed(at);
  }

  pose(at: number): Frame['headPose'] {
    const { from, to, mix } = this.#around(at);
    return poseBetween(from.headPose, to.headPose, mix);
  }

  gaze(at: number): Frame['eyeGaze'] {
    const { from, to, mix } = this.#around(at);
    return gazeBetween(from.eyeGaze, to.eyeGaze, mix);
  }

  #around(at: number): { from: Frame; to: Frame; mix: number } {
    const before = this.#before[at]!;
    const from = this.#given[before]!;
    const to = this.#given[before + 1] ?? from;
    return { from, to, mix: shareBetween(from.timeCode, to.timeCode, this.frames[at]!.timeCode) };
  }

  #mixed(at: number): Float32Array<ArrayBuffer> {
    const { from, to, mix } = this.#around(at);
    const weights = from.weights.slice();
    if (mix > 0) {
      const next = to.weights;
      for (let channel = 0; channel < weights.length; channel++)
        weights[channel] = weights[channel]! + (next[channel]! - weights[channel]!) * mix;
    }
    const set = this.#contacts.get(at) ?? [];
    for (let k = 0; k < set.length; k += 2) weights[set[k]!] = set[k + 1]!;
    return weights;
  }

  #keepContacts(face: PlayableFace): void {
    const { lips } = contactChannels(face.channelNames);
    for (const contact of contactsOf(face)) {
      const at = keptContact(this.frames, face.frames, contact);
      if (at === null) continue;
      const { weights } = face.frames[contact.deepest]!;
      const set = this.#contacts.get(at) ?? [];
      for (const channel of contact.channel < 0 ? lips : [contact.channel])
        set.push(channel, weights[channel]!);
      this.#contacts.set(at, set);
    }
  }

  #mixedRows(): Float32Array<ArrayBuffer> {
    const width = this.channelNames.length;
    const rows = new Float32Array(this.frames.length * width);
    for (let at = 0; at < this.frames.length; at++) rows.set(this.#mixed(at), at * width);
    return rows;
  }
}

class ResampledFrame extends FrameView {
  readonly timeCode: number;
  readonly #face: ResampledFace;
  readonly #at: number;

  constructor(face: ResampledFace, at: number, timeCode: number) {
    super();
    this.#face = face;
    this.#at = at;
    this.timeCode = timeCode;
  }

  get weights(): Float32Array<ArrayBuffer> {
    return this.#face.weights(this.#at);
  }

  get headPose(): Frame['headPose'] {
    return this.#face.pose(this.#at);
  }

  get eyeGaze(): Frame['eyeGaze'] {
    return this.#face.gaze(this.#at);
  }
}

function placesBefore(given: readonly Frame[], rate: FrameRate, count: number): Int32Array {
  let at = 0;
  return Int32Array.from({ length: count }, (_, frame) => {
    const time = frameTime(frame, rate);
    while (at + 1 < given.length && given[at + 1]!.timeCode <= time) at += 1;
    return at;
  });
}

/** Whether a recorded frame has none of the new rate at its time: only then can anything be lost. */
function fallsBetween(given: readonly Frame[], rate: FrameRate, count: number): boolean {
  return given.some(({ timeCode }) => {
    const position = timeCode * hertz(rate);
    return position < count && Math.abs(position - Math.round(position)) > 1e-3;
  });
}

/**
 * Puts the turns of each channel onto the nearest frames, peaks last; lips stay shut where they are.
 *
 * @param rows weights of `frames`, [frames × channels]
 */
function keepExtremes(face: PlayableFace, frames: Timed, rows: Float32Array, rate: FrameRate): void {
  const { channelNames, frames: given } = face;
  const isShut = shutFrames(face, frames);
  const lips = new Set(contactChannels(channelNames).lips);
  for (const channel of channelNames.keys()) {
    const shut = lips.has(channel) ? isShut : null;
    const curve = faceColumn(face, channel);
    const { maxima, minima } = extremesOf(curve);
    for (const [turns, further] of [
      [minima, Math.min],
      [maxima, Math.max],
    ] as const) {
      for (const index of turns) {
        if (isThere(given, curve, frames, index)) continue;
        const frame = freeFrame(given[index]!.timeCode * hertz(rate), frames.length, shut);
        if (frame === null) continue;
        const at = frame * channelNames.length + channel;
        rows[at] = further(rows[at]!, curve[index]!);
      }
    }
  }
}

/** Whether one of the new frames lies on the turn already: an edge would move if a plateau's end went elsewhere. */
function isThere(given: Timed, curve: Float32Array, frames: Timed, index: number): boolean {
  const value = curve[index]!;
  const reach = Math.max(nearValley, nearPeak * Math.abs(value));
  const isNear = (at: number): boolean => Math.abs(curve[at]! - value) <= reach;
  let [first, last] = [index, index];
  while (first > 0 && isNear(first - 1)) first -= 1;
  while (last < given.length - 1 && isNear(last + 1)) last += 1;
  const next = frames[firstFrom(frames, given[first]!.timeCode - 1e-6)];
  return next !== undefined && next.timeCode <= given[last]!.timeCode + 1e-6;
}

/** For each new frame whether the lips are shut in it: a contact that lies in none has been put to the nearest. */
function shutFrames(face: Pick<PlayableFace, 'channelNames' | 'frames'>, frames: Timed): Uint8Array {
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

function nearestTo(frames: Timed, time: number): number {
  const next = Math.min(frames.length - 1, firstFrom(frames, time));
  const before = Math.max(0, next - 1);
  return time - frames[before]!.timeCode <= frames[next]!.timeCode - time ? before : next;
}

/**
 * Returns the frame nearest to a position whose lips are open, or else the frame on its other side; null if
 * both are shut. Contacts take priority over peaks.
 */
function freeFrame(frame: number, count: number, isShut: Uint8Array | null): number | null {
  const near = Math.round(frame);
  if (near > count) return null;
  const inside = Math.min(count - 1, near);
  if (!isShut?.[inside]) return inside;
  const other = inside + (frame >= near ? 1 : -1);
  return other < 0 || other >= count || isShut[other] ? null : other;
}

/** Frames where a channel turns, by a zigzag that passes over swings below {@link minSwing}. */
function extremesOf(curve: Float32Array): { maxima: readonly number[]; minima: readonly number[] } {
  const maxima: number[] = [];
  const minima: number[] = [];
  const value = (index: number): number => curve[index]!;
  let [high, low] = [0, 0];
  let direction: 'up' | 'down' | null = null;
  for (let index = 1; index < curve.length; index += 1) {
    if (value(index) > value(high)) high = index;
    if (value(index) < value(low)) low = index;
    if (direction !== 'down' && value(index) < value(high) - minSwing) {
      maxima.push(high);
      direction = 'down';
      low = index;
    } else if (direction !== 'up' && value(index) > value(low) + minSwing) {
      minima.push(low);
      direction = 'up';
      high = index;
    }
  }
  if (direction === 'up') maxima.push(high);
  if (direction === 'down') minima.push(low);
  return { maxima, minima };
}
