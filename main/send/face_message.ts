import type { FaceState } from '#proto/live/face_state.ts';

/** Numbers as they are written: a ten-thousandth of a weight, of a metre, of a radian can't be seen. */
const short = (value: number): number => Math.round(value * 1e4) / 1e4;

/** A frame as scripts and the browser source get it; `docs/send.md` describes it. */
export interface FrameMessage {
  type: 'frame';
  /** From 1, over all frames of the studio's run; what is left out was dropped on the way. */
  seq: number;
  /** Seconds of the studio's run. */
  time: number;
  /** 0..1, in the order of `channels`. */
  weights: number[];
  head: { position: number[]; rotation: number[] };
  eyes: { leftYaw: number; leftPitch: number; rightYaw: number; rightPitch: number };
}

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
    head: { position: translation.map(short), rotation: rotation.map(short) },
    eyes: {
      leftYaw: short(gaze.leftYaw),
      leftPitch: short(gaze.leftPitch),
      rightYaw: short(gaze.rightYaw),
      rightPitch: short(gaze.rightPitch),
    },
  };
}
