/** Where a face looks: its eyes' turn, and the lids' shapes that go with it. */
import type { ArkitBlendshapeName } from '@likeness/proto/blendshapes.ts';
import { eyeLook } from '@likeness/proto/face/eye_movement.ts';
import type { FaceState } from '@likeness/proto/live/face_state.ts';

/** Sets a channel by its name, where the face has it. */
export function setChannel(face: FaceState, name: ArkitBlendshapeName, weight: number): void {
  const at = face.channelNames.indexOf(name);
  if (at >= 0) face.weights[at] = weight;
}

/** @param yaw radians to the head's own left @param pitch radians, upwards */
export function lookAt(face: FaceState, yaw: number, pitch: number): void {
  Object.assign(face.gaze, { leftYaw: yaw, leftPitch: pitch, rightYaw: yaw, rightPitch: pitch });
  for (const [name, weight] of eyeLook({ yaw, pitch })) setChannel(face, name, weight);
}
