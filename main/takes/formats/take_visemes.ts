import { oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import {
  type VisemeChange,
  type VisemeTimeline,
  visemesOfAlignment,
  visemesOfFrames,
  visemeTimeline,
} from './viseme_changes.ts';

/**
 * Returns the visemes of a take: from its words where the audio agrees with them, otherwise from the face.
 *
 * @param seconds the recording's length
 * @returns null if there are no words, and no visemes in the face
 */
export function takeVisemes(
  face: PlayableFace,
  alignment: SpeechAlignment | null,
  seconds: number,
): VisemeTimeline | null {
  const ofFace = faceVisemes(face, seconds);
  if (!alignment) return ofFace;
  const spoken = { ...alignment, words: alignment.words.filter(isSpoken) };
  const ofWords = visemesOfAlignment(spoken, seconds);
  if (!ofFace) return ofWords;
  const changes: VisemeChange[] = [];
  let at = 0;
  for (const { start, end } of unspokenStretches(alignment.words, seconds)) {
    // One by one: hours contain more than the maximum number of arguments of a call.
    for (const change of within(ofWords, at, start)) changes.push(change);
    for (const change of within(ofFace, start, end)) changes.push(change);
    at = end;
  }
  for (const change of within(ofWords, at, seconds)) changes.push(change);
  return visemeTimeline(changes, seconds);
}

const isSpoken = ({ flag }: AlignedWord): boolean => flag === null || flag === 'followed_by_more';

/**
 * Times at which the engine does not make the face from words: before the first, and in mismatches, with the
 * pauses around.
 */
function unspokenStretches(words: readonly AlignedWord[], seconds: number): { start: number; end: number }[] {
  const stretches: { start: number; end: number }[] = [];
  let at = 0;
  for (const [index, word] of words.entries()) {
    if (!isSpoken(word)) continue;
    if (word.start > at) stretches.push({ start: at, end: word.start });
    const next = words[index + 1];
    const goesOn = word.flag === null && (!next || isSpoken(next));
    at = Math.max(at, goesOn ? (next?.start ?? seconds) : word.end);
  }
  if (at < seconds) stretches.push({ start: at, end: seconds });
  return stretches;
}

/** The part of a timeline from `start` to `end`, beginning with the value at `start`. */
function within({ changes }: VisemeTimeline, start: number, end: number): VisemeChange[] {
  if (end <= start) return [];
  let [first, last] = [0, changes.length];
  while (first < last) {
    const middle = (first + last) >>> 1;
    if (changes[middle]!.seconds <= start) first = middle + 1;
    else last = middle;
  }
  const current = { seconds: start, viseme: changes[first - 1]?.viseme ?? 0 };
  let next = first;
  while (next < changes.length && changes[next]!.seconds < end) next += 1;
  return [current, ...changes.slice(first, next)];
}

/** The strongest viseme of each frame; null for a face without visemes. */
function faceVisemes(
  { channelNames, frameRate, frames }: PlayableFace,
  seconds: number,
): VisemeTimeline | null {
  const channels = oculusVisemeNames.map((name) => channelNames.indexOf(name));
  if (channels.every((channel) => channel < 0) || frames.length === 0) return null;
  const visemes = new Uint8Array(Math.max(1, Math.round(seconds * frameRate)));
  let at = 0;
  for (let slot = 0; slot < visemes.length; slot += 1) {
    // A frame's time code may differ slightly from its exact time.
    const time = (slot + 0.5) / frameRate;
    while (at + 1 < frames.length && frames[at + 1]!.timeCode <= time) at += 1;
    visemes[slot] = strongest(frames[at]!.weights, channels);
  }
  dropSingleFrames(visemes);
  return visemeTimeline(visemesOfFrames(visemes, frameRate).changes, seconds);
}

/** At the transition between two visemes they may alternate for a frame, which no mouth does. */
function dropSingleFrames(visemes: Uint8Array): void {
  for (let slot = 0; slot < visemes.length - 1; slot += 1) {
    const before = visemes[slot - 1];
    if (visemes[slot] !== before && visemes[slot] !== visemes[slot + 1]) {
      visemes[slot] = before ?? visemes[slot + 1]!;
    }
  }
}

function strongest(weights: ArrayLike<number>, channels: readonly number[]): number {
  let best = 0;
  let max = weights[channels[0]!] ?? 0;
  for (const [viseme, channel] of channels.entries()) {
    const weight = weights[channel] ?? 0;
    if (weight > max) [best, max] = [viseme, weight];
  }
  return best;
}
