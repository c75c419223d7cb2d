import { at, scale } from '@likeness/geometry/vector.ts';
import { lipColumns, lowerLip, oval, upperLip } from '../topology/face_topology.ts';
import type { ExpressionParts } from './expression.ts';
import type { ExpressionRig } from './expression_rig.ts';
import { type JawMove, jawDisplacement } from './jaw.ts';
import { hump, levelling } from './lip_shapes.ts';

/** Shares of the jaw's movement along the lower outline, from the chin outwards; both sides. */
const jawShare: readonly (readonly [right: number, left: number, share: number])[] = [
  [152, 152, 1],
  [148, 377, 1],
  [176, 400, 0.99],
  [149, 378, 0.97],
  [150, 379, 0.92],
  [136, 365, 0.8],
  [172, 397, 0.62],
  [58, 288, 0.36],
  [132, 361, 0.14],
];

const upperOval = oval.filter(
  (point) => !jawShare.some(([right, left]) => right === point || left === point),
);

/** How far the jaw opens at full weight, degrees. */
const openDegrees = 17;

/**
 * The skin over a moving jaw.
 *
 * @param cornersIn - How far the mouth's corners come in, parts of `u`.
 * @param levelled - Share of {@link levelling} that the corners go besides.
 */
function jawSkin(rig: ExpressionRig, move: JawMove, cornersIn: number, levelled = 0): Float32Array {
  const { face, hinge, u } = rig;
  const fixed = rig.rest('eyes', 'brows', 'nose');
  for (const i of upperOval) fixed.set(i, [0, 0, 0]);
  for (const [right, left, share] of jawShare) {
    for (const i of [right, left]) fixed.set(i, scale(jawDisplacement(at(face, i), hinge, move), share));
  }
  const last = lipColumns - 1;
  for (const row of upperLip) for (let k = 1; k < last; k++) fixed.set(row[k], [0, 0, 0]);
  for (let row = 0; row < 4; row++) {
    for (let k = 0; k <= last; k++) {
      const i = lowerLip[row][k];
      const share = 0.42 + 0.58 * hump(k) ** 0.75;
      const d = scale(jawDisplacement(at(face, i), hinge, move), share);
      d[1] += levelled * levelling(rig, k);
      if (k === 0) d[0] += cornersIn * u;
      if (k === last) d[0] -= cornersIn * u;
      fixed.set(i, d);
      if (k !== 0 && k !== last) continue;
      fixed.set(upperLip[row][k], d);
      // The upper lip's ends hang on the corners.
      for (const [beside, part] of [
        [1, 0.45],
        [2, 0.15],
      ] as const)
        fixed.set(upperLip[row][k === 0 ? beside : last - beside], scale(d, part * levelled));
    }
  }
  return rig.solve(fixed);
}

export function jawExpressions(rig: ExpressionRig): ExpressionParts & { jawOpen: { skin: Float32Array } } {
  const open: JawMove = { turn: (openDegrees * Math.PI) / 180, shift: [0, 0, 0] };
  const forward: JawMove = { turn: 0, shift: [0, 0, 0.1 * rig.u] };
  const left: JawMove = { turn: 0, shift: [0.15 * rig.u, 0, 0] };
  const right: JawMove = { turn: 0, shift: [-0.15 * rig.u, 0, 0] };
  return {
    jawOpen: { skin: jawSkin(rig, open, 0.035, 1), jaw: open },
    jawForward: { skin: jawSkin(rig, forward, 0), jaw: forward },
    jawLeft: { skin: jawSkin(rig, left, 0), jaw: left },
    jawRight: { skin: jawSkin(rig, right, 0), jaw: right },
  };
}
