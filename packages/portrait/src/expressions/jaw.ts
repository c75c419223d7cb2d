import type { Vector } from '@likeness/geometry/vector.ts';
import { landmark } from '../topology/landmark.ts';

/** How the lower jaw moves at full weight: a turn about the X axis through the hinge, then a shift. */
export interface JawMove {
  /** Radians, positive opens. */
  readonly turn: number;
  readonly shift: Vector;
}

/** The jaw's hinge: below and behind the ear points. */
export function jawHinge(face: Float32Array): Vector {
  return [
    0,
    (face[3 * landmark.rightTragus + 1] + face[3 * landmark.leftTragus + 1]) / 2 - 0.012,
    (face[3 * landmark.rightTragus + 2] + face[3 * landmark.leftTragus + 2]) / 2 - 0.004,
  ];
}

/** Displacement of a point that is fixed to the lower jaw. */
export function jawDisplacement(p: Vector, hinge: Vector, move: JawMove): Vector {
  const y = p[1] - hinge[1];
  const z = p[2] - hinge[2];
  const c = Math.cos(move.turn);
  const s = Math.sin(move.turn);
  return [move.shift[0], c * y - s * z - y + move.shift[1], s * y + c * z - z + move.shift[2]];
}
