/** Lips that stay open at a p, b or m, and the edit that closes them. */
import { requiredClosures } from '@likeness/proto/speech/required_closures.ts';
import type { AlignedPhone, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import {
  contactChannels,
  firstFrom,
  keepLipsShut,
  lipOpening,
  shutOpening,
} from '@likeness/proto/takes/closures.ts';
import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { madeOfKeys } from './drawn-keys.ts';

/** Maximum difference between lip contact and a sound's time, seconds. */
export const near = 0.05;
/** Time in which the lips come together, and in which they part again, seconds. */
const ramp = 0.08;

const framesWithin = ({ frames }: PlayableFace, from: number, to: number): PlayableFace['frames'] =>
  frames.slice(firstFrom(frames, from), firstFrom(frames, to + 1e-9));

/**
 * Returns the p, b and m of the transcript at which the lips stay open, in order of time. Empty for a face without the
 * channels `jawOpen` and `mouthClose`.
 */
export function openClosures(face: PlayableFace, alignment: SpeechAlignment): AlignedPhone[] {
  const channels = contactChannels(face.channelNames);
  if (channels.jawOpen < 0 || channels.mouthClose < 0) return [];
  return requiredClosures(alignment).filter(({ start, end }) => {
    const frames = framesWithin(face, start - near, end + near);
    return frames.length > 0 && frames.every(({ weights }) => lipOpening(weights, channels) > shutOpening);
  });
}

/**
 * Returns the operations that close the lips between two times, with a ramp on both sides.
 *
 * @param face as it is shown, by seconds of the recording
 */
export function closeLips(
  face: PlayableFace,
  { start, end }: { start: number; end: number },
): EditOperation[] {
  const { channelNames, frameRate } = face;
  const channels = contactChannels(channelNames);
  const atRest = new Float32Array(channelNames.length);
  // Half a frame more: a sound shorter than a frame would fall between two.
  const [from, to] = [start - 0.5 / frameRate, end + 0.5 / frameRate];
  const frames = framesWithin(face, from - ramp, to + ramp).map(({ timeCode, weights }) => {
    const outside = Math.max(0, from - timeCode, timeCode - to);
    const closed = Float32Array.from(weights);
    keepLipsShut(closed, atRest, channels, Math.max(0, 1 - outside / ramp));
    return { time: timeCode, weights, closed };
  });
  return channelNames.flatMap((name, channel) => {
    if (frames.every(({ weights, closed }) => weights[channel] === closed[channel])) return [];
    const points = frames.map(({ time, closed }) => ({ time, value: closed[channel]! }));
    return madeOfKeys(name, points) ?? [];
  });
}
