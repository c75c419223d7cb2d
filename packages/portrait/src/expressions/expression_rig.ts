import type { FaceFit } from '../fit/face_fit.ts';
import { at, length, subtract, type Vector } from '../math/vector.ts';
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
export type RestGroup = keyof typeof restGroups;

export interface ExpressionRig {
  readonly fit: FaceFit;
  /** The face at rest, 468 × 3 metres. */
  readonly face: Float32Array;
  /** Width of the mouth, metres: the unit of most movements. */
  readonly u: number;
  /** Middle between the mouth's corners. */
  readonly mouthX: number;
  readonly hinge: Vector;
  /** Landmarks of these groups, at rest. */
  rest(...groups: readonly RestGroup[]): FixedLandmarks;
  /** The whole face's movement from that of a few landmarks, 468 × 3 metres. */
  solve(fixed: FixedLandmarks): Float32Array;
}

export function expressionRig(fit: FaceFit): ExpressionRig {
  const face = fit.neutral;
  const { rightMouthCorner, leftMouthCorner } = landmark;
  return {
    fit,
    face,
    u: length(subtract(at(face, rightMouthCorner), at(face, leftMouthCorner))),
    mouthX: (face[3 * rightMouthCorner] + face[3 * leftMouthCorner]) / 2,
    hinge: jawHinge(face),
    rest: (...groups) => new Map(groups.flatMap((group) => restGroups[group].map((i) => [i, still]))),
    solve: (fixed) => fillHarmonically(fixed, fit.weights),
  };
}
