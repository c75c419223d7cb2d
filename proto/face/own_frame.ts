import type { FaceStreamFrame } from '../face_stream_protocol.ts';

/**
 * A frame of a face that can be played: an object of its own, or a view of a `PackedFace`, whose fields are getters of
 * its class. A class here too, since `{ ...frame }` of a view is empty: the compiler then lets none of these fields be
 * taken from a spread frame.
 */
export declare abstract class PlayableFrame {
  get timeCode(): FaceStreamFrame['timeCode'];
  get weights(): FaceStreamFrame['weights'];
  get headPose(): FaceStreamFrame['headPose'];
  get eyeGaze(): FaceStreamFrame['eyeGaze'];
}

/** A frame without fields of its own, made of what its face holds. JSON has its values all the same. */
export abstract class FrameView implements PlayableFrame {
  abstract get timeCode(): FaceStreamFrame['timeCode'];
  abstract get weights(): FaceStreamFrame['weights'];
  abstract get headPose(): FaceStreamFrame['headPose'];
  abstract get eyeGaze(): FaceStreamFrame['eyeGaze'];

  toJSON(): Omit<OwnFrame, 'weights'> & { weights: readonly number[] } {
    return { ...ownFrame(this), weights: Array.from(this.weights) };
  }
}

/** A frame with fields of its own, which may be spread. */
export type OwnFrame = Pick<FaceStreamFrame, 'timeCode' | 'weights' | 'headPose' | 'eyeGaze'>;

/** A frame's values as fields of its own. */
export const ownFrame = ({ timeCode, weights, headPose, eyeGaze }: PlayableFrame): OwnFrame => ({
  timeCode,
  weights,
  headPose,
  eyeGaze,
});
