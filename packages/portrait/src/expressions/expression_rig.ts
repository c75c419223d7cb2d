import { at, length, subtract } from '@likeness/geometry/vector.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import {
  brows,
  eyeRim,
  eyes,
  lips,
  noseBridge,
  noseTip,
  noseWings,
  oval,
} from '../topology/face_topology.ts';
import { fillHarmonically } from '../topology/harmonic_interpolation.ts';
import { landmark } from '../topology/landmark.ts';
import { jawHinge } from './jaw.ts';

/** Landmarks that a shape holds, and how far it moves each, metres. */
export type FixedLandmarks = Map<number, readonly [number, number, number]>;

const still: readonly [number, number, number] = [0, 0, 0];

/** The parts of a face that shapes leave at rest. */
const restGroups = {
  oval,
  eyes: eyes.flatMap((eye) => [...eyeRim(eye), ...eye.upper[1], ...eye.lower[1]]),
  brows,
  nose: [...noseBridge, ...noseTip, ...noseWings],
  mouth: lips,
};

export function expressionRig(fit: FaceFit) {
  const face = fit.neutral;
  const { rightMouthCorner, leftMouthCorner } = landmark;
  return {
    fit,
    /** The face at rest, 468 × 3 metres. */
    face,
    /** Width of the mouth, metres: the unit of most movements. */
    u: length(subtract(at(face, rightMouthCorner), at(face, leftMouthCorner))),
    /** Middle between the mouth's corners. */
    mouthX: (face[3 * rightMouthCorner] + face[3 * leftMouthCorner]) / 2,
    hinge: jawHinge(face),
    /** Landmarks of these groups, at rest. */
    rest: (...groups: readonly (keyof typeof restGroups)[]): FixedLandmarks =>
      new Map(groups.flatMap((group) => restGroups[group].map((i) => [i, still]))),
    /** The whole face's movement from that of a few landmarks, 468 × 3 metres. */
    solve: (fixed: FixedLandmarks): Float32Array => fillHarmonically(fixed, fit.weights),
  };
}
export type ExpressionRig = ReturnType<typeof expressionRig>;
