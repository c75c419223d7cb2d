/** How a region of a face moves: where from, when, how smoothly and how far. */

import { gazeBetween, mixPose, type PoseState, poseBetween } from '../../face/pose_mix.ts';
import type { EyeGaze, HeadPose } from '../../face_stream_protocol.ts';
import type { PlayableFace } from '../../take_stream.ts';
import { firstFrom } from '../closures.ts';
import type { FaceRegion } from './edit_limits.ts';
import type { RegionEdit } from './take_edits.ts';

type Frame = PlayableFace['frames'][number];

/** A frame that is being edited; its arrays are its own. */
export interface WorkFrame {
  readonly timeCode: number;
  readonly weights: Float32Array<ArrayBuffer>;
  headPose: HeadPose | undefined;
  eyeGaze: EyeGaze | undefined;
}

/** Places in `from` by position in `names`; −1: it has no such channel. */
export const placesIn = (from: readonly string[], names: readonly string[]): readonly number[] =>
  from === names ? names.map((_, index) => index) : names.map((name) => from.indexOf(name));

/**
 * Takes a region's movement from another face or another time.
 *
 * @param later seconds @param share of it, 0..1: the rest stays as it is
 */
export function takeFrom(
  frame: WorkFrame,
  source: PlayableFace,
  channelMap: readonly number[],
  channels: readonly number[],
  region: FaceRegion,
  later: number,
  share = 1,
): void {
  const { frames } = source;
  const time = frame.timeCode - later;
  const next = firstFrom(frames, time);
  const to = frames[next] ?? frames.at(-1);
  const from = to && frames[next]?.timeCode !== time ? (frames[next - 1] ?? to) : to;
  if (!from || !to) return;
  const span = to.timeCode - from.timeCode;
  const mix = span > 0 ? (time - from.timeCode) / span : 0;
  const [before, after] = [from.weights, to.weights];
  for (const channel of channels) {
    const index = channelMap[channel]!;
    const taken = index < 0 ? 0 : before[index]! + (after[index]! - before[index]!) * mix;
    frame.weights[channel] = share === 1 ? taken : frame.weights[channel]! * (1 - share) + taken * share;
  }
  if (region === 'head') {
    const taken = poseBetween(from.headPose, to.headPose, mix);
    frame.headPose = share === 1 ? taken : poseBetween(frame.headPose, taken, share);
  }
  if (region === 'eyes') {
    const taken = gazeBetween(from.eyeGaze, to.eyeGaze, mix);
    frame.eyeGaze = share === 1 ? taken : gazeBetween(frame.eyeGaze, taken, share);
  }
}

/** Leaves nothing of a region's movement. */
export function still(frame: WorkFrame, channels: readonly number[], region: FaceRegion): void {
  for (const channel of channels) frame.weights[channel] = 0;
  if (region === 'head' && frame.headPose) frame.headPose = atRest;
  if (region === 'eyes' && frame.eyeGaze) frame.eyeGaze = ahead;
}

const atRest: HeadPose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] };
const ahead: EyeGaze = { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 };

/** How far a region moves: weights by gain, offset and bounds; head and gaze, which know no weights, by gain. */
export function scale(
  frame: WorkFrame,
  channels: readonly number[],
  region: FaceRegion,
  { gain, offset, least, most }: RegionEdit,
): void {
  for (const channel of channels) {
    const value = frame.weights[channel]! * gain + offset;
    frame.weights[channel] = Math.min(most, Math.max(least, value));
  }
  if (gain === 1) return;
  if (region === 'head' && frame.headPose) frame.headPose = scaledPose(frame.headPose, gain);
  if (region === 'eyes' && frame.eyeGaze) {
    const { leftYaw, leftPitch, rightYaw, rightPitch } = frame.eyeGaze;
    frame.eyeGaze = {
      leftYaw: leftYaw * gain,
      leftPitch: leftPitch * gain,
      rightYaw: rightYaw * gain,
      rightPitch: rightPitch * gain,
    };
  }
}

/** The same turn, so many times as far. */
function scaledPose({ translation: [x, y, z], rotation }: HeadPose, gain: number): HeadPose {
  const sign = rotation[3] < 0 ? -1 : 1;
  const [a, b, c, w] = rotation.map((value) => value * sign) as [number, number, number, number];
  const sine = Math.hypot(a, b, c);
  const half = Math.atan2(sine, w) * gain;
  const share = sine > 1e-9 ? Math.sin(half) / sine : 0;
  return {
    translation: [x * gain, y * gain, z * gain],
    rotation: [a * share, b * share, c * share, Math.cos(half)],
  };
}

/** Weights of a smoothing, which sum up to 1: a Hann window as wide as that. */
function window(width: number, frameRate: number): number[] {
  const half = Math.round((width / 2000) * frameRate);
  const raw = Array.from(
    { length: 2 * half + 1 },
    (_, at) => 1 + Math.cos((Math.PI * (at - half)) / (half + 1)),
  );
  const sum = raw.reduce((total, value) => total + value, 0);
  return raw.map((value) => value / sum);
}

/** Frames that a smoothing looks at on each side. */
export const smoothingReach = (width: number, frameRate: number): number =>
  Math.round((width / 2000) * frameRate);

/**
 * Smooths a region without delay: each frame is a mean of those around it, as far before as after.
 *
 * @param width milliseconds
 */
export function smooth(
  frames: readonly WorkFrame[],
  channels: readonly number[],
  region: FaceRegion,
  width: number,
  frameRate: number,
): void {
  const kernel = window(width, frameRate);
  const half = (kernel.length - 1) / 2;
  if (half === 0) return;
  const last = frames.length - 1;
  const around = (at: number, step: number): number => Math.min(last, Math.max(0, at + step - half));
  const course = new Float32Array(frames.length);
  for (const channel of channels) {
    for (let at = 0; at <= last; at++) course[at] = frames[at]!.weights[channel]!;
    for (let at = 0; at <= last; at++) {
      let sum = 0;
      for (let step = 0; step < kernel.length; step++) sum += kernel[step]! * course[around(at, step)]!;
      frames[at]!.weights[channel] = sum;
    }
  }
  if (region === 'head') {
    const poses = frames.map(({ headPose }) => headPose);
    for (const [at, frame] of frames.entries())
      frame.headPose = meanPose(kernel.map((share, step) => [poses[around(at, step)], share]));
  }
  if (region === 'eyes') {
    const gazes = frames.map(({ eyeGaze }) => eyeGaze);
    for (const [at, frame] of frames.entries())
      frame.eyeGaze = meanGaze(kernel.map((share, step) => [gazes[around(at, step)], share]));
  }
}

type Weighed<Value> = readonly (readonly [value: Value | undefined, share: number])[];

function meanPose(poses: Weighed<HeadPose>): HeadPose | undefined {
  let mean: PoseState | undefined;
  let sum = 0;
  for (const [pose, share] of poses) {
    if (!pose) continue;
    sum += share;
    if (mean) mixPose(mean, mean, pose, share / sum);
    else mean = { translation: [...pose.translation], rotation: [...pose.rotation] };
  }
  return mean;
}

function meanGaze(gazes: Weighed<EyeGaze>): EyeGaze | undefined {
  let mean: EyeGaze | undefined;
  let sum = 0;
  for (const [gaze, share] of gazes) {
    if (!gaze) continue;
    sum += share;
    mean = mean ? gazeBetween(mean, gaze, share / sum) : { ...gaze };
  }
  return mean;
}

/** A copy to edit. */
export const workFrame = ({ timeCode, weights, headPose, eyeGaze }: Frame): WorkFrame => ({
  timeCode,
  weights: Float32Array.from(weights),
  headPose,
  eyeGaze,
});
