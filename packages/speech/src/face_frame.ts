import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { EyeGaze, HeadPose } from '@likeness/proto/face_stream_protocol.ts';
import type { Pose } from './liveliness.ts';

/** Names of a frame's weights, by position: 52 of ARKit, then 15 visemes. */
export const speechFaceChannels: readonly string[] = [...arkitBlendshapeNames, ...oculusVisemeNames];

export const arkitCount = arkitBlendshapeNames.length;

/**
 * The face at one moment, in the form for `encodeFrame` of proto/face_stream.ts. The receiver owns the
 * arrays.
 */
export interface FaceFrame {
  /** Seconds since the first sample: k / frameRate. */
  readonly timeCode: number;
  /** By position of {@link speechFaceChannels}, 0..1. */
  readonly weights: Float32Array<ArrayBuffer>;
  readonly headPose: HeadPose;
  readonly eyeGaze: EyeGaze;
}

/**
 * Interpolates head pose and gaze between two moments. @param part fraction of the way from the first to the
 * second, 0..1
 */
export function poseBetween(from: Pose, to: Pose, part: number): Pick<FaceFrame, 'headPose' | 'eyeGaze'> {
  const of = (key: keyof Pose): number => from[key] + (to[key] - from[key]) * part;
  const gazeYaw = of('gazeYaw');
  const gazePitch = of('gazePitch');
  return {
    headPose: {
      translation: [of('headX'), of('headY'), of('headZ')],
      rotation: quaternion(of('headPitch'), of('headYaw'), of('headRoll')),
    },
    eyeGaze: { leftYaw: gazeYaw, leftPitch: gazePitch, rightYaw: gazeYaw, rightPitch: gazePitch },
  };
}

/** Yaw about +Y, then pitch about +X (positive looks down), then roll about +Z: x y z w. */
function quaternion(pitch: number, yaw: number, roll: number): [number, number, number, number] {
  const [cx, sx] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  const [cz, sz] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  return [
    sx * cy * cz + cx * sy * sz,
    cx * sy * cz - sx * cy * sz,
    cx * cy * sz - sx * sy * cz,
    cx * cy * cz + sx * sy * sz,
  ];
}
