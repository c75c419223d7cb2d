import type { Vector } from '@likeness/geometry/vector.ts';
import { leftBrow, leftCheek, leftEye, rightBrow, rightCheek, rightEye } from '../topology/face_topology.ts';
import type { ExpressionParts } from './expression.ts';
import type { ExpressionRig } from './expression_rig.ts';

/**
 * Moves one brow, or both.
 *
 * @param side - 1 left, −1 right, 0 both.
 * @param shares - Of `move` by point, from the outer end inwards.
 * @param move - Metres, x outwards.
 */
function brow(rig: ExpressionRig, side: number, shares: readonly number[], move: Vector): Float32Array {
  const fixed = rig.rest('oval', 'eyes', 'nose', 'mouth');
  for (const [sign, rows] of [
    [-1, rightBrow],
    [1, leftBrow],
  ] as const) {
    for (const row of rows) {
      for (let k = 0; k < 5; k++) {
        const on = side === 0 || sign === side ? shares[k] : 0;
        fixed.set(row[k], [move[0] * sign * on, move[1] * on, move[2] * on]);
      }
    }
  }
  return rig.solve(fixed);
}

/** Moves a cheek, x outwards, and lifts the lower lid by `lower`; all in `u`. */
function cheek(rig: ExpressionRig, side: number, move: Vector, lower: number): Float32Array {
  const { u } = rig;
  const fixed = rig.rest('oval', 'eyes', 'brows', 'nose', 'mouth');
  const eye = side > 0 ? leftEye : rightEye;
  fixed.set(side > 0 ? leftCheek : rightCheek, [move[0] * side * u, move[1] * u, move[2] * u]);
  if (lower) for (const i of eye.lower[1]) fixed.set(i, [0, lower * u, 0]);
  return rig.solve(fixed);
}

export function browAndCheekExpressions(rig: ExpressionRig): ExpressionParts {
  return {
    ...sideExpressions(rig, 'Left', 1),
    ...sideExpressions(rig, 'Right', -1),
    browInnerUp: { skin: brow(rig, 0, [0, 0.1, 0.4, 0.85, 1], [0.01 * rig.u, 0.13 * rig.u, 0]) },
    cheekPuff: { skin: puff(rig) },
  };
}

function sideExpressions(rig: ExpressionRig, side: 'Left' | 'Right', sign: number): ExpressionParts {
  const { u } = rig;
  return {
    [`browDown${side}`]: {
      skin: brow(rig, sign, [0.35, 0.6, 0.8, 0.95, 1], [-0.03 * u, -0.115 * u, 0.01 * u]),
    },
    [`browOuterUp${side}`]: { skin: brow(rig, sign, [1, 1, 0.7, 0.25, 0.05], [0, 0.13 * u, 0]) },
    [`cheekSquint${side}`]: { skin: cheek(rig, sign, [0.01, 0.07, 0.03], 0.035) },
  };
}

function puff(rig: ExpressionRig): Float32Array {
  const right = cheek(rig, -1, [0.09, 0, 0.12], 0);
  const left = cheek(rig, 1, [0.09, 0, 0.12], 0);
  return right.map((value, i) => value + left[i]);
}
