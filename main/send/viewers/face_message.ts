import type { FaceState } from '@likeness/proto/live/face_state.ts';
import type { FrameMessage } from '@likeness/proto/live/viewer_message.ts';

/** Rounds numbers for JSON: a ten-thousandth of a weight, a metre or a radian is invisible. */
const short = (value: number): number => Math.round(value * 1e4) / 1e4;

const shortOf = <Numbers extends number[]>(values: Numbers): Numbers => values.map(short) as Numbers;

/** A frame as sent to a viewer. */
export function frameMessage(
  { weights, translation, rotation, gaze }: FaceState,
  seq: number,
  seconds: number,
): FrameMessage {
  return {
    type: 'frame',
    seq,
    time: short(seconds),
    weights: Array.from(weights, short),
    head: { position: shortOf(translation), rotation: shortOf(rotation) },
    eyes: {
      leftYaw: short(gaze.leftYaw),
      leftPitch: short(gaze.leftPitch),
      rightYaw: short(gaze.rightYaw),
      rightPitch: short(gaze.rightPitch),
    },
  };
}
