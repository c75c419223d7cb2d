/** Where a face looks: its eyes' turn, and the lids' shapes that go with it. */
import type { ArkitBlendshapeName } from '#proto/blendshapes.ts';
import type { FaceState } from '#proto/live/face_state.ts';

/** Radians that an `eyeLook…` shape of weight 1 stands for, as in the built-in engine. */
const fullLook = (32 * Math.PI) / 180;

/** Sets a channel by its name, where the face has it. */
export function setChannel(face: FaceState, name: ArkitBlendshapeName, weight: number): void {
  const at = face.channelNames.indexOf(name);
  if (at >= 0) face.weights[at] = weight;
}

/** @param yaw radians to the head's own left @param pitch radians, upwards */
export function lookAt(face: FaceState, yaw: number, pitch: number): void {
  Object.assign(face.gaze, { leftYaw: yaw, leftPitch: pitch, rightYaw: yaw, rightPitch: pitch });
  const share = (angle: number): number => Math.min(1, Math.max(0, angle / fullLook));
  for (const [side, out] of [
    ['Left', yaw],
    ['Right', -yaw],
  ] as const) {
    setChannel(face, `eyeLookOut${side}`, share(out));
    setChannel(face, `eyeLookIn${side}`, share(-out));
    setChannel(face, `eyeLookUp${side}`, share(pitch));
    setChannel(face, `eyeLookDown${side}`, share(-pitch));
  }
}
