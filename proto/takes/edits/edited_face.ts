/**
 * Applies a take's edits to its face, for playback, sending, films and exports. Order: source, time shift,
 * smoothing and range of each region; lips and lids that shut stay shut; drawn curves; expressions; gaze;
 * blinks; last, cuts and speed.
 */
import { PackedFace } from '../../face/packed_face.ts';
import type { PlayableFace } from '../../take_stream.ts';
import { contactChannels, firstFrom, framesAt, keepLipsShut } from '../closures.ts';
import { isUntouched, leavesFace } from './apply_operation.ts';
import { addBlinks, withoutBlinks } from './blinks.ts';
import { eased, valueAt } from './drawn_curve.ts';
import { type FaceRegion, faceRegions } from './edit_limits.ts';
import { expressionBlend } from './expression_track.ts';
import { regionChannels } from './face_regions.ts';
import { lookAside } from './gaze_target.ts';
import { generatedFace } from './generated_movement.ts';
import { knownContacts } from './known_contacts.ts';
import {
  placesIn,
  scale,
  smooth,
  smoothingReach,
  still,
  takeFrom,
  type WorkFrame,
  workFrame,
} from './region_movement.ts';
import type { TakeEdits, TakenStretch } from './take_edits.ts';
import { type TimeMap, timeMap } from './time_map.ts';

/** Data that edits refer to besides the recorded face. */
export interface EditContext {
  /** Length of the recording, seconds. */
  seconds: number;
  /** Other tries by their ids. */
  attempts: ReadonlyMap<string, PlayableFace>;
  /** The face that the studio made of the whole sound; null: there is none, and what is shown stands for it. */
  inferred: PlayableFace | null;
}

export const noContext = (seconds: number): EditContext => ({ seconds, attempts: new Map(), inferred: null });

/** The face as it plays, by seconds that play. */
export function editedFace(face: PlayableFace, edits: TakeEdits, context: EditContext): PlayableFace {
  return playedFace(wholeShape(face, edits, context), timeMap(edits.pieces, context.seconds));
}

/** Frames that are shaped at once. */
const pieceFrames = 4096;

/** All of {@link shapedFace}, piece by piece into a packed face: hours of frames as objects would be gigabytes. */
function wholeShape(face: PlayableFace, edits: TakeEdits, context: EditContext): PlayableFace {
  if (leavesFace(edits)) return face;
  const shaped = new PackedFace(face, 64, face.frames.length);
  for (let from = 0; from < face.frames.length; from += pieceFrames) {
    const to = Math.min(face.frames.length, from + pieceFrames);
    for (const frame of shapedFrames(face, edits, context, from, to)) shaped.push(frame);
  }
  shaped.serverShare = face.serverShare;
  return shaped.trimmed();
}

/**
 * The face as it moves, by seconds of the recording: before anything is cut.
 *
 * @param within only its frames between two times, for a picture that has to follow a drag; default: all
 */
export function shapedFace(
  face: PlayableFace,
  edits: TakeEdits,
  context: EditContext,
  within?: { from: number; to: number },
): PlayableFace {
  const { frames } = face;
  const first = within ? firstFrom(frames, within.from) : 0;
  const end = within ? firstFrom(frames, within.to + 1e-9) : frames.length;
  if (leavesFace(edits)) return within ? cutOut(face, first, end, frames.slice(first, end)) : face;
  return cutOut(face, first, end, shapedFrames(face, edits, context, first, end));
}

/** Frames `first` … `end` − 1 of the shaped face, as they are in the whole. */
function shapedFrames(
  face: PlayableFace,
  edits: TakeEdits,
  context: EditContext,
  first: number,
  end: number,
): WorkFrame[] {
  const { frames, frameRate } = face;
  const reach = Math.max(
    ...faceRegions.map((region) => smoothingReach(edits.regions[region].smoothing, frameRate)),
  );
  // One more than is asked for: whether a blink's shut frame is the last one hangs on the next.
  const past = Math.min(frames.length, end + 1);
  const [start, stop] = [Math.max(0, first - reach), Math.min(frames.length, past + reach)];
  const work = frames.slice(start, stop).map(workFrame);
  moveRegions(work, face, edits, context);
  const shown = work.slice(first - start, past - start);
  keepContacts(shown, first, face, edits);
  drawOver(shown, face, edits);
  express(shown, face, edits);
  lookAside(shown, face.channelNames, edits.gaze);
  if (!edits.blinks.recorded) withoutBlinks(shown, face, knownContacts(face));
  addBlinks(shown, face.channelNames, edits.blinks.added);
  return shown.slice(0, end - first);
}

const cutOut = (
  { channelNames, frameRate, serverShare }: PlayableFace,
  first: number,
  end: number,
  frames: PlayableFace['frames'],
): PlayableFace => ({ channelNames, frameRate, frames, serverShare: serverShare.subarray(first, end) });

/** Source, shift, smoothing, gain and silence of each region. */
function moveRegions(work: WorkFrame[], face: PlayableFace, edits: TakeEdits, context: EditContext): void {
  const channels = regionChannels(face.channelNames);
  const isSolo = faceRegions.some((region) => edits.regions[region].solo);
  for (const region of faceRegions) {
    const edit = edits.regions[region];
    const taken = edits.taken[region];
    const isSilent = edit.muted || (isSolo && !edit.solo);
    if (!isSilent && isUntouched(edit) && taken.length === 0) continue;
    const own = channels[region];
    if (isSilent) {
      for (const frame of work) still(frame, own, region);
      continue;
    }
    if (edit.source === 'drawn') {
      for (const frame of work) still(frame, own, region);
    } else {
      const base = sourceOf(region, face, edits, context, {
        from: (work[0]?.timeCode ?? 0) - edit.shift,
        to: (work.at(-1)?.timeCode ?? 0) - edit.shift,
      });
      const attempts = attemptsOf(face, context, new Set(taken.map(({ attempt }) => attempt)));
      const channelMap = placesIn(base.channelNames, face.channelNames);
      let at = 0;
      for (const frame of work) {
        const time = frame.timeCode - edit.shift;
        while (taken[at] && taken[at]!.to <= time) at++;
        const stretch = taken[at] && taken[at]!.from <= time ? taken[at] : undefined;
        const over = stretch && attempts.get(stretch.attempt);
        const share = over ? shareOf(stretch, taken[at + 1], time) : 0;
        if (share < 1) {
          const before = taken[at - 1];
          const isFromTry = stretch && before?.to === stretch.from && time - stretch.from < crossfadeSeconds;
          const under = isFromTry ? attempts.get(before.attempt) : undefined;
          if (under) takeFrom(frame, under.face, under.channels, own, region, edit.shift);
          else if (base !== face || edit.shift !== 0)
            takeFrom(frame, base, channelMap, own, region, edit.shift);
        }
        if (over && share > 0) takeFrom(frame, over.face, over.channels, own, region, edit.shift, share);
      }
    }
    smooth(work, own, region, edit.smoothing, face.frameRate);
    for (const frame of work) scale(frame, own, region, edit);
  }
}

/** Seconds within a stretch in which another try comes in, and goes out again. */
const crossfadeSeconds = 0.08;

/** How much of a try is seen at a time of its stretch; where the next try follows at once, that one fades in. */
function shareOf({ from, to }: TakenStretch, next: TakenStretch | undefined, time: number): number {
  const fade = Math.min(crossfadeSeconds, (to - from) / 2);
  const rest = next?.from === to ? fade : to - time;
  return eased(Math.min(1, Math.min(time - from, rest) / fade), 'smooth');
}

function sourceOf(
  region: FaceRegion,
  face: PlayableFace,
  { regions }: TakeEdits,
  { inferred, seconds }: EditContext,
  within: { from: number; to: number },
): PlayableFace {
  const { source, seed } = regions[region];
  if (source === 'generated') return generatedFace(seed, seconds, face.frameRate, within);
  return source === 'inferred' ? (inferred ?? face) : face;
}

function attemptsOf(
  face: PlayableFace,
  { attempts }: EditContext,
  ids: ReadonlySet<string>,
): Map<string, { face: PlayableFace; channels: readonly number[] }> {
  const found = new Map<string, { face: PlayableFace; channels: readonly number[] }>();
  for (const id of ids) {
    const attempt = attempts.get(id);
    if (attempt)
      found.set(id, { face: attempt, channels: placesIn(attempt.channelNames, face.channelNames) });
  }
  return found;
}

/** Seconds in which lips that are kept shut come together, and part again. */
const closingSeconds = 0.04;

/**
 * Shuts what the recording had shut, where settings of a region opened it.
 *
 * @param before frames of the face before those of `work`
 */
function keepContacts(
  work: readonly WorkFrame[],
  before: number,
  face: PlayableFace,
  edits: TakeEdits,
): void {
  const { mouth, jaw, eyes } = edits.regions;
  const speaks = (region: FaceRegion): boolean => {
    const { muted, source, solo } = edits.regions[region];
    const isSolo = faceRegions.some((other) => edits.regions[other].solo);
    return !muted && source !== 'drawn' && (!isSolo || solo);
  };
  const keepsLips = speaks('mouth') && speaks('jaw') && !(isUntouched(mouth) && isUntouched(jaw));
  const keepsLids = speaks('eyes') && !isUntouched(eyes) && eyes.source === 'measured';
  if (!keepsLips && !keepsLids) return;
  const channels = contactChannels(face.channelNames);
  for (const { of, channel, first, last, deepest } of knownContacts(face)) {
    if (of === 'lips' ? !keepsLips : !keepsLids) continue;
    const region = of === 'lips' ? 'mouth' : 'eyes';
    const { shift } = edits.regions[region];
    const start = face.frames[first]!.timeCode + shift;
    const end = face.frames[last]!.timeCode + shift;
    const isTaken = edits.taken[region].some(({ from, to }) => from < end && to > start);
    if (isTaken) continue;
    const shut = firstFrom(face.frames, start - 1e-9) - before;
    for (let at = firstFrom(work, start - closingSeconds); at < work.length; at++) {
      const { timeCode, weights } = work[at]!;
      if (timeCode > end + closingSeconds) break;
      const away = Math.max(0, start - timeCode, timeCode - end);
      const share = Math.max(0, 1 - away / closingSeconds);
      const source = face.frames[away > 0 ? deepest : first + Math.min(last - first, at - shut)]!;
      if (of === 'lips') keepLipsShut(weights, source.weights, channels, share);
      else if (away === 0) weights[channel] = Math.max(weights[channel]!, source.weights[channel]!);
    }
  }
}

function drawOver(work: readonly WorkFrame[], face: PlayableFace, { drawn }: TakeEdits): void {
  for (const [channel, stretches] of Object.entries(drawn)) {
    const index = face.channelNames.indexOf(channel);
    if (index < 0) continue;
    for (const { from, to, keys } of stretches) {
      for (let at = firstFrom(work, from); at < work.length && work[at]!.timeCode <= to; at++)
        work[at]!.weights[index] = valueAt(keys, work[at]!.timeCode);
    }
  }
}

function express(work: readonly WorkFrame[], { channelNames }: PlayableFace, edits: TakeEdits): void {
  if (edits.expressions.length === 0) return;
  const blend = expressionBlend(edits, channelNames);
  for (const { weights, timeCode } of work) blend(weights, timeCode);
}

/**
 * A face by seconds that play. Stretches at their own speed keep their frames; others get frames at the face's rate,
 * with contacts kept.
 */
function playedFace(face: PlayableFace, map: TimeMap): PlayableFace {
  if (map.isWhole) return face;
  const played = new PackedFace(face, 64, Math.ceil(map.seconds * face.frameRate));
  const shares: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const min = 0.25 / face.frameRate;
  for (const { from, to, speed } of map.pieces) {
    const start = map.toPlayed(from + 1e-9);
    const piece = speed === 1 ? framesWithin(face, from, to) : retimedFrames(face, from, to, speed);
    for (const frame of piece) {
      const timeCode = start + (frame.timeCode - from) / speed;
      // A cut may lie between two frames: time codes rise all the same.
      if (timeCode - last < min) continue;
      last = timeCode;
      const { weights, headPose, eyeGaze } = frame;
      played.push({ timeCode, weights, headPose, eyeGaze });
      shares.push(
        face.serverShare[Math.min(face.frames.length - 1, firstFrom(face.frames, frame.timeCode))] ?? 0,
      );
    }
  }
  played.serverShare = Float32Array.from(shares);
  return played.trimmed();
}

const framesWithin = ({ frames }: PlayableFace, from: number, to: number): PlayableFace['frames'] =>
  frames.slice(firstFrom(frames, from), firstFrom(frames, to));

function retimedFrames(face: PlayableFace, from: number, to: number, speed: number): PlayableFace['frames'] {
  const count = Math.ceil(((to - from) / speed) * face.frameRate - 1e-6);
  const times = Array.from({ length: count }, (_, at) => from + (at / face.frameRate) * speed);
  const margin = 0.5;
  const part = { channelNames: face.channelNames, frames: framesWithin(face, from - margin, to + margin) };
  return framesAt(part, times);
}
