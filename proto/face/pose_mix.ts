import type { EyeGaze, HeadPose } from '../face_stream_protocol.ts';

type Changeable<T> = { -readonly [K in keyof T]: T[K] extends readonly number[] ? [...T[K]] : T[K] };

/** A mutable pose, reused for every frame. */
export type PoseState = Changeable<HeadPose>;
export type GazeState = Changeable<EyeGaze>;

/** Writes the pose so far on the way from one to another, 0..1, into `into`, which may be one of the two. */
export function mixPose(into: PoseState, from: HeadPose, to: HeadPose, mix: number): void {
  for (const axis of [0, 1, 2] as const)
    into.translation[axis] = from.translation[axis] + (to.translation[axis] - from.translation[axis]) * mix;
  // Poses are close: a straight line between quaternions, made unit length, is as good as an arc. A
  // quaternion and its negative are the same rotation; the nearer one is used.
  const [a, b] = [from.rotation, to.rotation];
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  for (const axis of [0, 1, 2, 3] as const) into.rotation[axis] = a[axis] + (b[axis] * sign - a[axis]) * mix;
  const length = Math.hypot(...into.rotation) || 1;
  for (const axis of [0, 1, 2, 3] as const) into.rotation[axis] /= length;
}

/** The same of the eyes. */
export function mixGaze(into: GazeState, from: EyeGaze, to: EyeGaze, mix: number): void {
  for (const key of ['leftYaw', 'leftPitch', 'rightYaw', 'rightPitch'] as const)
    into[key] = from[key] + (to[key] - from[key]) * mix;
}

/** If only one of the two has a head pose, that one. */
export function poseBetween(
  from: HeadPose | undefined,
  to: HeadPose | undefined,
  share: number,
): HeadPose | undefined {
  if (!from || !to) return from ?? to;
  const pose: PoseState = { translation: [...from.translation], rotation: [...from.rotation] };
  mixPose(pose, from, to, share);
  return pose;
}

/** The same of the eyes. */
export function gazeBetween(
  from: EyeGaze | undefined,
  to: EyeGaze | undefined,
  share: number,
): EyeGaze | undefined {
  if (!from || !to) return from ?? to;
  const gaze = { ...from };
  mixGaze(gaze, from, to, share);
  return gaze;
}
