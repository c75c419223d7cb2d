import type { FaceState } from '@likeness/proto/live/face_state.ts';
import type { SendKind, SendNames } from '#contract';
import { type ArkitFace, arkitFaceOf } from './arkit_face.ts';
import { namesFor } from './expression_names.ts';
import { encodeLiveLink } from './live_link_packet.ts';
import { encodeVmc } from './vmc.ts';

/** Encodes a face as datagrams; `at` in milliseconds of the monotonic clock. */
export type Encoder = (face: FaceState, at: number) => Buffer[];

export interface EncoderOptions {
  kind: SendKind;
  names: SendNames;
  /** Frames a second. */
  rate: number;
  /** Identifies this studio to Unreal. */
  deviceId: string;
  /** The name under which Unreal lists the face. */
  subject: string;
  /** Local milliseconds since midnight at a monotonic time. */
  timeOfDay: (at: number) => number;
}

/** Settings for a target's datagrams. */
export function encoderFor({ kind, names, rate, deviceId, subject, timeOfDay }: EncoderOptions): Encoder {
  if (kind === 'livelink') {
    return (face, at) => {
      const frame = (timeOfDay(at) / 1000) * rate;
      return [encodeLiveLink({ deviceId, subject, frame, frameRate: rate }, arkitFaceOf(face))];
    };
  }
  const nameFace = namesFor(names);
  let startedAt = Number.NaN;
  return (face, at) => {
    if (Number.isNaN(startedAt)) startedAt = at;
    const arkit: ArkitFace = arkitFaceOf(face);
    return encodeVmc(arkit, nameFace, (at - startedAt) / 1000);
  };
}
