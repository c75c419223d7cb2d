import type { PoseState } from '@likeness/proto/face/pose_mix.ts';
import { Euler, Quaternion } from 'three';

/**
 * Turns a head further, in its parent's space. Radians: yaw to its own left, pitch downwards, roll to its own
 * right shoulder's side, in the built-in engine's order.
 */
export function turnHead(face: PoseState, turn: { yaw: number; pitch: number; roll: number }): void {
  // three's YXZ is yaw after pitch after roll.
  further.setFromEuler(angles.set(turn.pitch, turn.yaw, turn.roll, 'YXZ'));
  further.multiply(before.fromArray(face.rotation)).toArray(face.rotation);
}
const angles = new Euler();
const further = new Quaternion();
const before = new Quaternion();
