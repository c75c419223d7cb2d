import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { EyeGaze, HeadPose } from '@likeness/proto/face_stream_protocol.ts';
import type { FaceState } from '@likeness/proto/live/face_state.ts';

/** A face in ARKit's 52 channels, by their order in `arkitBlendshapeNames`. */
export interface ArkitFace {
  /** 0..1. */
  weights: Float32Array;
  headPose: HeadPose;
  eyeGaze: EyeGaze;
}

/** Indices of ARKit's channels in a face, cached by its list of names, which stays from frame to frame. */
const channelIndexesOf = new WeakMap<readonly string[], Int32Array>();

function channelIndexes(names: readonly string[]): Int32Array {
  const known = channelIndexesOf.get(names);
  if (known) return known;
  const found = Int32Array.from(arkitBlendshapeNames, (name) => names.indexOf(name));
  channelIndexesOf.set(names, found);
  return found;
}

/** A face in the form that other programs expect; a missing channel rests. */
export function arkitFaceOf({ channelNames, weights, translation, rotation, gaze }: FaceState): ArkitFace {
  const at = channelIndexes(channelNames);
  return {
    weights: Float32Array.from(at, (channel) =>
      channel < 0 ? 0 : Math.min(1, Math.max(0, weights[channel] ?? 0)),
    ),
    headPose: { translation, rotation },
    eyeGaze: gaze,
  };
}
