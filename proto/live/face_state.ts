import { type GazeState, mixGaze, mixPose, type PoseState } from '../face/pose_mix.ts';
import type { EyeGaze, FaceStreamFrame, HeadPose } from '../face_stream_protocol.ts';

/** A face at one moment, in arrays that are reused for the next. */
export interface FaceState extends PoseState {
  channelNames: readonly string[];
  weights: Float32Array;
  gaze: GazeState;
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

/** The parts of a frame that are shown. */
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
  // Read once: those of a packed face are a copy each time.
  const [before, after] = [a.weights, b.weights];
  if (into.weights.length !== before.length) into.weights = new Float32Array(before.length);
  for (let i = 0; i < before.length; i++) {
    const weight = before[i]!;
    into.weights[i] = weight + ((after[i] ?? weight) - weight) * mix;
  }
  mixPose(into, a.headPose ?? noPose, b.headPose ?? noPose, mix);
  mixGaze(into.gaze, a.eyeGaze ?? noGaze, b.eyeGaze ?? noGaze, mix);
}

/** Cross-fades `into` towards another face, by name. */
export function fadeTowards(into: FaceState, other: FaceState, amount: number): void {
  if (amount <= 0) return;
  if (into.channelNames === other.channelNames || into.channelNames.join() === other.channelNames.join()) {
    for (let i = 0; i < into.weights.length; i++)
      into.weights[i]! += ((other.weights[i] ?? 0) - into.weights[i]!) * amount;
  } else {
    const indexes = new Map(other.channelNames.map((name, index) => [name, index]));
    for (const [i, name] of into.channelNames.entries()) {
      const index = indexes.get(name);
      // A channel that the other does not have fades to rest.
      into.weights[i]! += ((index === undefined ? 0 : other.weights[index]!) - into.weights[i]!) * amount;
    }
  }
  mixPose(into, into, other, amount);
  mixGaze(into.gaze, into.gaze, other.gaze, amount);
}
