import { at, mix, scale, subtract, type Vector } from '@likeness/geometry/vector.ts';
import { eyeballRadius } from '../fit/face_fit.ts';
import { type EyeGroup, leftEye, rightEye } from '../topology/face_topology.ts';
import type { ExpressionParts, Side } from './expression.ts';
import type { ExpressionRig } from './expression_rig.ts';

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * Moves the lids of one eye over its ball.
 *
 * @param upperShare - How much of its way to the lower lid the upper one goes; negative opens further.
 * @param lowerShare - The same for the lower lid.
 * @param follow - How far the two rows above the upper rim follow it.
 */
function lid(
  rig: ExpressionRig,
  side: Side,
  upperShare: number,
  lowerShare: number,
  follow: readonly [number, number] = [0.5, 0.06],
): Float32Array {
  const { face, fit } = rig;
  const eye: EyeGroup = side === 'left' ? leftEye : rightEye;
  const ball = side === 'left' ? fit.leftEye : fit.rightEye;
  const fixed = rig.rest('oval', 'brows', 'nose', 'mouth', 'eyes');
  const meet = (from: Vector, to: Vector, share: number): Vector => {
    const p = mix(from, to, share);
    return subtract(onBall(p, ball.centre, 0.0006 + 0.0007 * Math.abs(share)), from);
  };
  for (let k = 0; k < 7; k++) {
    const upper = at(face, eye.upper[0][k]);
    const lower = at(face, eye.lower[0][k]);
    const down = meet(upper, lower, upperShare);
    const up = meet(lower, upper, lowerShare);
    fixed.set(eye.upper[0][k], down);
    fixed.set(eye.lower[0][k], up);
    fixed.set(eye.upper[1][k], scale(down, follow[0]));
    fixed.set(eye.upper[2][k], scale(down, follow[1]));
    fixed.set(eye.lower[1][k], scale(up, 0.55));
    fixed.set(eye.lower[2][k], scale(up, 0.15));
  }
  return rig.solve(fixed);
}

/** The skin above lids that go with the eyeball follows further than in a blink. */
const gazeFollow = [0.5, 0.1] as const;

export function eyeExpressions(rig: ExpressionRig): ExpressionParts {
  return { ...sideExpressions(rig, 'Left'), ...sideExpressions(rig, 'Right') };
}

function sideExpressions(rig: ExpressionRig, Name: 'Left' | 'Right'): ExpressionParts {
  const side = Name === 'Left' ? 'left' : 'right';
  const outwards = Name === 'Left' ? 26 : -26;
  return {
    [`eyeBlink${Name}`]: { skin: lid(rig, side, 0.94, 0.06) },
    [`eyeSquint${Name}`]: { skin: lid(rig, side, 0.22, 0.28) },
    [`eyeWide${Name}`]: { skin: lid(rig, side, -0.22, -0.08) },
    [`eyeLookDown${Name}`]: {
      skin: lid(rig, side, 0.32, -0.1, gazeFollow),
      gaze: { side, down: radians(20), left: 0 },
    },
    [`eyeLookUp${Name}`]: {
      skin: lid(rig, side, -0.14, 0.06, gazeFollow),
      gaze: { side, down: radians(-20), left: 0 },
    },
    [`eyeLookIn${Name}`]: { gaze: { side, down: 0, left: radians(-outwards) } },
    [`eyeLookOut${Name}`]: { gaze: { side, down: 0, left: radians(outwards) } },
  };
}

/** Moves a point in front of an eyeball out to `clearance` above it. */
function onBall(p: Vector, centre: Vector, clearance: number): Vector {
  const d = subtract(p, centre);
  const across = Math.hypot(d[0], d[1]);
  const wanted = eyeballRadius + clearance;
  if (across >= wanted) return p;
  return [p[0], p[1], centre[2] + Math.sqrt(wanted * wanted - across * across)];
}
