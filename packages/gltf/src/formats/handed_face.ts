import { FrameView } from '@likeness/proto/face/own_frame.ts';
import type { EyeGaze, HeadPose } from '@likeness/proto/face_stream_protocol.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';

const poseNumbers = 7;
const gazeNumbers = 4;

/**
 * A face in a few arrays, which move to another thread without a copy. Hours of frames as objects would be
 * copied.
 */
export interface HandedFace extends Pick<PlayableFace, 'channelNames' | 'frameRate' | 'serverShare'> {
  /** By frame, seconds. */
  times: Float64Array<ArrayBuffer>;
  /** [frames × channels] */
  weights: Float32Array<ArrayBuffer>;
  /** [frames × 7] translation and rotation, [frames × 4] eyes; NaN where a frame has none, null where all have none. */
  poses: Float64Array<ArrayBuffer> | null;
  gazes: Float64Array<ArrayBuffer> | null;
}

export function handedFace({ channelNames, frameRate, frames, serverShare }: PlayableFace): HandedFace {
  const width = channelNames.length;
  const handed: HandedFace = {
    channelNames,
    frameRate,
    serverShare: serverShare.slice(),
    times: new Float64Array(frames.length),
    weights: new Float32Array(frames.length * width),
    poses: null,
    gazes: null,
  };
  for (let at = 0; at < frames.length; at++) {
    const { timeCode, weights, headPose, eyeGaze } = frames[at]!;
    handed.times[at] = timeCode;
    handed.weights.set(weights.length > width ? weights.subarray(0, width) : weights, at * width);
    if (headPose) {
      handed.poses ??= new Float64Array(frames.length * poseNumbers).fill(Number.NaN);
      handed.poses.set(headPose.translation, at * poseNumbers);
      handed.poses.set(headPose.rotation, at * poseNumbers + 3);
    }
    if (eyeGaze) {
      handed.gazes ??= new Float64Array(frames.length * gazeNumbers).fill(Number.NaN);
      const { leftYaw, leftPitch, rightYaw, rightPitch } = eyeGaze;
      handed.gazes.set([leftYaw, leftPitch, rightYaw, rightPitch], at * gazeNumbers);
    }
  }
  return handed;
}

/** The buffers to transfer instead of copying. */
export const handedBuffers = ({ times, weights, poses, gazes, serverShare }: HandedFace): ArrayBuffer[] =>
  [times, weights, poses, gazes, serverShare].flatMap((values) =>
    values?.buffer instanceof ArrayBuffer ? [values.buffer] : [],
  );

/** Restores the face; its frames are views. */
export function faceOfHanded(handed: HandedFace): PlayableFace {
  const { channelNames, frameRate, serverShare } = handed;
  const frames = Array.from(handed.times, (timeCode, at) => new HandedFrame(handed, timeCode, at));
  return { channelNames, frameRate, serverShare, frames };
}

class HandedFrame extends FrameView {
  readonly timeCode: number;
  readonly #face: HandedFace;
  readonly #at: number;

  constructor(face: HandedFace, timeCode: number, at: number) {
    super();
    this.timeCode = timeCode;
    this.#face = face;
    this.#at = at;
  }

  get weights(): Float32Array<ArrayBuffer> {
    const width = this.#face.channelNames.length;
    return this.#face.weights.subarray(this.#at * width, (this.#at + 1) * width);
  }

  get headPose(): HeadPose | undefined {
    const { poses } = this.#face;
    const from = this.#at * poseNumbers;
    if (!poses || Number.isNaN(poses[from]!)) return undefined;
    return {
      translation: [poses[from]!, poses[from + 1]!, poses[from + 2]!],
      rotation: [poses[from + 3]!, poses[from + 4]!, poses[from + 5]!, poses[from + 6]!],
    };
  }

  get eyeGaze(): EyeGaze | undefined {
    const { gazes } = this.#face;
    const from = this.#at * gazeNumbers;
    if (!gazes || Number.isNaN(gazes[from]!)) return undefined;
    return {
      leftYaw: gazes[from]!,
      leftPitch: gazes[from + 1]!,
      rightYaw: gazes[from + 2]!,
      rightPitch: gazes[from + 3]!,
    };
  }
}
