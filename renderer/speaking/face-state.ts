import type { EyeGaze, FaceStreamFrame, HeadPose } from '#proto/face_stream_protocol.ts';

/** A face at one moment, in arrays that are used again for the next. */
export interface FaceState {
  channelNames: readonly string[];
  weights: Float32Array;
  /** x y z in metres; x y z w. */
  translation: [number, number, number];
  rotation: [number, number, number, number];
  gaze: { leftYaw: number; leftPitch: number; rightYaw: number; rightPitch: number };
}

export const restingFace = (): FaceState => ({
  channelNames: [],
  weights: new Float32Array(0),
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  gaze: { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 },
});

const noPose: HeadPose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] };
const noGaze: EyeGaze = { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 };

/** What of a frame is shown. */
export type FaceMoment = Pick<FaceStreamFrame, 'weights' | 'headPose' | 'eyeGaze'>;

/** Writes the face between two frames into `into`. */
export function blendFrames(
  into: FaceState,
  channelNames: readonly string[],
  { from, to, mix }: { from: { frame: FaceMoment }; to: { frame: FaceMoment }; mix: number },
): void {
  const a = from.frame;
  const b = to.frame;
  into.channelNames = channelNames;
  if (into.weights.length !== a.weights.length) into.weights = new Float32Array(a.weights.length);
  for (let i = 0; i < a.weights.length; i++) {
    const weight = a.weights[i]!;
    into.weights[i] = weight + ((b.weights[i] ?? weight) - weight) * mix;
  }
  blendPose(into, a.headPose ?? noPose, b.headPose ?? noPose, mix);
  const [g, h] = [a.eyeGaze ?? noGaze, b.eyeGaze ?? noGaze];
  for (const key of ['leftYaw', 'leftPitch', 'rightYaw', 'rightPitch'] as const)
    into.gaze[key] = g[key] + (h[key] - g[key]) * mix;
}

function blendPose(into: FaceState, a: HeadPose, b: HeadPose, mix: number): void {
  for (const axis of [0, 1, 2] as const)
    into.translation[axis] = a.translation[axis] + (b.translation[axis] - a.translation[axis]) * mix;
  // Frames are close: a straight line between quaternions, made unit length, is as good as an arc.
  const dot = a.rotation.reduce((sum, value, i) => sum + value * b.rotation[i]!, 0);
  const sign = dot < 0 ? -1 : 1;
  for (const axis of [0, 1, 2, 3] as const)
    into.rotation[axis] = a.rotation[axis] + (b.rotation[axis] * sign - a.rotation[axis]) * mix;
  const length = Math.hypot(...into.rotation) || 1;
  for (const axis of [0, 1, 2, 3] as const) into.rotation[axis] /= length;
}

/** Cross-fades `into` towards another face, by name. */
export function fadeTowards(into: FaceState, other: FaceState, amount: number): void {
  if (amount <= 0) return;
  if (into.channelNames === other.channelNames || into.channelNames.join() === other.channelNames.join()) {
    for (let i = 0; i < into.weights.length; i++)
      into.weights[i]! += ((other.weights[i] ?? 0) - into.weights[i]!) * amount;
  } else {
    const places = new Map(other.channelNames.map((name, index) => [name, index]));
    for (const [i, name] of into.channelNames.entries()) {
      const place = places.get(name);
      // A channel that the other does not have fades to rest.
      into.weights[i]! += ((place === undefined ? 0 : other.weights[place]!) - into.weights[i]!) * amount;
    }
  }
  blendPose(
    into,
    { ...into, rotation: [...into.rotation], translation: [...into.translation] },
    other,
    amount,
  );
  for (const key of ['leftYaw', 'leftPitch', 'rightYaw', 'rightPitch'] as const)
    into.gaze[key] += (other.gaze[key] - into.gaze[key]) * amount;
}
