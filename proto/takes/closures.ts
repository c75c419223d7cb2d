/**
 * Contacts of a face: lips and lids that shut. A viewer sees a closure that is missed at once, and it lasts three
 * frames: whatever smooths, mixes or resamples a face keeps them by these functions.
 *
 * In ARKit's terms lips meet where `mouthClose` equals `jawOpen` and nothing parts them.
 */
import { lastThat } from '../binary_search.ts';
import { arkitBlendshapeNames } from '../blendshapes.ts';
import { shareBetween } from '../face/frames_around.ts';
import type { OwnFrame } from '../face/own_frame.ts';
import { PackedFace } from '../face/packed_face.ts';
import { gazeBetween, poseBetween } from '../face/pose_mix.ts';
import type { FaceStreamFrame } from '../face_stream_protocol.ts';
import type { PlayableFace } from '../take_stream.ts';

type Frame = PlayableFace['frames'][number];
/** The fields of a frame that contacts are found in. */
export type Weighted = Pick<FaceStreamFrame, 'timeCode' | 'weights'>;

/** Maximum weight of `jawOpen` at which the lips count as shut. */
export const shutOpening = 0.06;
/** Lips are pressed together from this weight on of a press or a roll. */
const minPress = 0.1;
/** Lips that rest shut for longer than this, seconds, without being pressed, make no contact. */
const longestPassing = 0.35;
/** A lid is shut from this weight on. */
const shutLid = 0.75;
/** The jaw is not lower than this at a contact, whatever moved it. */
const lowJaw = 0.15;

/** Positions of channels in a face's weights; −1: it has no such channel. */
export interface ContactChannels {
  readonly jawOpen: number;
  readonly mouthClose: number;
  readonly parting: readonly number[];
  /** They purse the lips and hold them apart. */
  readonly rounding: readonly number[];
  readonly pressing: readonly number[];
  readonly lids: readonly number[];
  /** All that lips are made of, visemes too: what a contact is taken over by. */
  readonly lips: readonly number[];
}

const partingNames = [
  'mouthLowerDownLeft',
  'mouthLowerDownRight',
  'mouthUpperUpLeft',
  'mouthUpperUpRight',
  'mouthShrugUpper',
  'tongueOut',
];
const pressingNames = ['mouthPressLeft', 'mouthPressRight', 'mouthRollLower', 'mouthRollUpper'];
const arkitLips = new Set<string>(
  arkitBlendshapeNames.filter((name) => /^(mouth|jawOpen|tongue)/.test(name)),
);

const known = new WeakMap<readonly string[], ContactChannels>();

export function contactChannels(channelNames: readonly string[]): ContactChannels {
  const found = known.get(channelNames);
  if (found) return found;
  const indexesOf = (names: readonly string[]): number[] =>
    names.map((name) => channelNames.indexOf(name)).filter((channel) => channel >= 0);
  const channels = {
    jawOpen: channelNames.indexOf('jawOpen'),
    mouthClose: channelNames.indexOf('mouthClose'),
    parting: indexesOf(partingNames),
    rounding: indexesOf(['mouthFunnel']),
    pressing: indexesOf(pressingNames),
    lids: indexesOf(['eyeBlinkLeft', 'eyeBlinkRight']),
    lips: channelNames.flatMap((name, channel) =>
      arkitLips.has(name) || name.startsWith('viseme_') ? [channel] : [],
    ),
  };
  known.set(channelNames, channels);
  return channels;
}

/** How far the lips are apart, as a weight of `jawOpen`; below 0 they are pressed. */
export function lipOpening(weights: ArrayLike<number>, channels: ContactChannels): number {
  const { jawOpen, mouthClose, parting } = channels;
  let apart = 0;
  for (const channel of parting) apart = Math.max(apart, weights[channel]!);
  return (jawOpen < 0 ? 0 : weights[jawOpen]!) - (mouthClose < 0 ? 0 : weights[mouthClose]!) + 0.5 * apart;
}

function isPressed(weights: ArrayLike<number>, { pressing }: ContactChannels): boolean {
  return pressing.some((channel) => weights[channel]! >= minPress);
}

/** Frames in which lips or a lid are shut, one after the other. */
export interface Contact {
  readonly of: 'lips' | 'lid';
  /** The channel of a lid; −1 of the lips. */
  readonly channel: number;
  /** Positions of its first and its last frame, and of that which is shut most. */
  readonly first: number;
  readonly last: number;
  readonly deepest: number;
}

/** Lips of a /p/, /b/ or /m/, or pressed. A mouth that only rests is none, and stays what it is. */
function lipContacts(frames: readonly Weighted[], channels: ContactChannels): Contact[] {
  if (channels.jawOpen < 0) return [];
  const depth = (at: number): number => -lipOpening(frames[at]!.weights, channels);
  const pressed = (from: number, to: number): boolean => {
    for (let at = from; at <= to; at++) if (isPressed(frames[at]!.weights, channels)) return true;
    return false;
  };
  return stretches(frames.length, (at) => depth(at) >= -shutOpening).flatMap(([first, last]) => {
    const isPassing =
      first > 0 &&
      last < frames.length - 1 &&
      frames[last]!.timeCode - frames[first]!.timeCode <= longestPassing;
    if (!isPassing && !pressed(first, last)) return [];
    return [{ of: 'lips' as const, channel: -1, first, last, deepest: peak(first, last, depth) }];
  });
}

function lidContacts(frames: readonly Weighted[], { lids }: ContactChannels): Contact[] {
  return lids.flatMap((channel) => {
    const weight = (at: number): number => frames[at]!.weights[channel]!;
    return stretches(frames.length, (at) => weight(at) >= shutLid).map(([first, last]) => ({
      of: 'lid' as const,
      channel,
      first,
      last,
      deepest: peak(first, last, weight),
    }));
  });
}

/** All contacts of a face: those of the lips in order of time, then each lid's. */
export function contactsOf({
  channelNames,
  frames,
}: {
  channelNames: readonly string[];
  frames: readonly Weighted[];
}): Contact[] {
  const channels = contactChannels(channelNames);
  return [...lipContacts(frames, channels), ...lidContacts(frames, channels)];
}

function stretches(length: number, predicate: (at: number) => boolean): [first: number, last: number][] {
  const found: [number, number][] = [];
  let first = -1;
  for (let at = 0; at <= length; at++) {
    const isIn = at < length && predicate(at);
    if (isIn && first < 0) first = at;
    if (isIn || first < 0) continue;
    found.push([first, at - 1]);
    first = -1;
  }
  return found;
}

function peak(first: number, last: number, value: (at: number) => number): number {
  let best = first;
  for (let at = first + 1; at <= last; at++) if (value(at) > value(best)) best = at;
  return best;
}

/**
 * Shuts lips that were shut in the recording and may have been opened since, by `share` 0..1. The jaw may be lower
 * than it was, within bounds: then the lips follow it.
 */
export function keepLipsShut(
  weights: Float32Array,
  recorded: ArrayLike<number>,
  channels: ContactChannels,
  share: number,
): void {
  const { jawOpen, mouthClose, parting, rounding, pressing } = channels;
  const toward = (channel: number, value: number): void => {
    weights[channel] = weights[channel]! + (value - weights[channel]!) * share;
  };
  for (const channel of [...parting, ...rounding])
    toward(channel, Math.min(weights[channel]!, recorded[channel]!));
  for (const channel of pressing) toward(channel, Math.max(weights[channel]!, recorded[channel]!));
  if (jawOpen < 0) return;
  const jaw = Math.min(weights[jawOpen]!, Math.max(recorded[jawOpen]!, lowJaw));
  toward(jawOpen, jaw);
  if (mouthClose < 0) return;
  const gap = recorded[jawOpen]! - recorded[mouthClose]!;
  toward(mouthClose, Math.min(1, Math.max(weights[mouthClose]!, jaw - Math.max(0, gap))));
}

/**
 * The face at other times, packed, each between the two frames around it. A contact that falls between two of these times goes
 * to the nearer one, so that no rate loses a closure or a blink.
 *
 * @param times seconds, rising
 */
export function framesAt(
  face: Pick<PlayableFace, 'channelNames' | 'frames'>,
  times: readonly number[],
): Frame[] {
  const { channelNames, frames } = face;
  if (frames.length === 0) return [];
  const packed = new PackedFace({ channelNames, frameRate: 0 }, 64);
  let at = 0;
  for (const timeCode of times) {
    while (at + 1 < frames.length && frames[at + 1]!.timeCode <= timeCode) at++;
    const [from, to] = [frames[at]!, frames[at + 1] ?? frames[at]!];
    const mix = shareBetween(from.timeCode, to.timeCode, timeCode);
    packed.push({ ...mixedFrame(from, to, mix), timeCode });
  }
  const { frames: made } = packed.trimmed();
  const channels = contactChannels(channelNames);
  for (const contact of contactsOf(face)) {
    const at = keptContact(made, frames, contact);
    if (at === null) continue;
    const { weights } = frames[contact.deepest]!;
    for (const channel of contact.channel < 0 ? channels.lips : [contact.channel])
      packed.column(channel)[at] = weights[channel]!;
  }
  return made;
}

/** How far beyond the first and the last time a contact still goes to them, seconds. */
const edge = 0.02;

/**
 * Returns the new frame that keeps a contact; null if one of them has the contact already, or none is near.
 *
 * @param frames those that the contact was found in
 */
export function keptContact(
  made: readonly { readonly timeCode: number }[],
  frames: readonly Weighted[],
  { channel, first, last, deepest }: Contact,
): number | null {
  const deep = frames[deepest]!.timeCode;
  const [start, end] = [frames[first]!.timeCode, frames[last]!.timeCode];
  const next = firstFrom(made, deep);
  const [before, after] = [made[next - 1], made[next]];
  if (!before && !after) return null;
  // Of a lid the highest point is kept: a blink whose one shut frame is mixed with the next is never shut.
  const within = made[firstFrom(made, start - 1e-6)];
  if (channel < 0 && within && within.timeCode <= end + 1e-6) return null;
  const isBefore = before !== undefined && (!after || deep - before.timeCode <= after.timeCode - deep);
  const nearest = isBefore ? before : after!;
  const spacing = before && after ? after.timeCode - before.timeCode : edge;
  if (Math.abs(nearest.timeCode - deep) > spacing) return null;
  return isBefore ? next - 1 : next;
}

/** Position of the first frame that is not before a time; their number where there is none. */
export function firstFrom(frames: readonly { readonly timeCode: number }[], time: number): number {
  return 1 + lastThat(frames.length, (at) => frames[at]!.timeCode < time);
}

function mixedFrame(from: Frame, to: Frame, mix: number): OwnFrame {
  const next = to.weights;
  return {
    timeCode: from.timeCode,
    weights: from.weights.map((weight, channel) => weight + (next[channel]! - weight) * mix),
    headPose: poseBetween(from.headPose, to.headPose, mix),
    eyeGaze: gazeBetween(from.eyeGaze, to.eyeGaze, mix),
  };
}
