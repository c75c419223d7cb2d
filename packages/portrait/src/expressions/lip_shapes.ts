import { at, scale, subtract, type Vector } from '@likeness/geometry/vector.ts';
import {
  chinBoss,
  leftBrow,
  leftCheek,
  leftNasolabialFold,
  leftNoseWing,
  lipColumns,
  lowerLip,
  rightBrow,
  rightCheek,
  rightNasolabialFold,
  rightNoseWing,
  upperLip,
} from '../topology/face_topology.ts';
import type { ExpressionParts } from './expression.ts';
import type { ExpressionRig, FixedLandmarks } from './expression_rig.ts';

const lastColumn = lipColumns - 1;
const middleColumn = lastColumn / 2;

/** Where column k (0 right corner … 10 left) of a lip's row (0 outer … 3 inner) goes, metres. */
type LipMove = (lip: 'upper' | 'lower', k: number, row: number, p: Vector) => Vector;

/** The nasolabial fold, from the nose down: share of the corner's way, depth in `u`. */
const foldShares: readonly (readonly [across: number, depth: number])[] = [
  [0.1, -0.012],
  [0.3, -0.034],
  [0.55, -0.05],
];

/** How far a lip's rows follow its inner edge when teeth are bared, outer to inner: lips thin. */
const bared = { upper: [0.55, 0.72, 0.9, 1], lower: [0.68, 0.8, 0.92, 1] };

/** 0 at the mouth's corners, 1 in its middle. */
export const hump = (k: number): number => Math.sin((Math.PI * k) / lastColumn);
/** 1 at a side's corner, 0 at the middle and beyond. */
const toward = (k: number, side: number): number =>
  Math.max(0, (side > 0 ? k - middleColumn : middleColumn - k) / middleColumn);
/** One half of a hump over the lips, as flat as laughing mouths are; both halves together are the whole. */
const half = (k: number, side: number): number => {
  const t = side > 0 ? k : lastColumn - k;
  return hump(k) ** 0.6 * Math.min(1, Math.max(0, (t - 2) / 6));
};

/** Rounded lips lie level, or a smile is left in an o: column k's way to the lips' middle height. */
export function levelling({ face }: ExpressionRig, k: number): number {
  const lipLine = face[3 * upperLip[3][middleColumn] + 1];
  return (lipLine - face[3 * upperLip[3][k] + 1]) * (1 - hump(k));
}

/** Moves the lips; the rest of the face around them stays at rest, except for points in `extra`. */
function lips(rig: ExpressionRig, move: LipMove, extra?: (fixed: FixedLandmarks) => void): Float32Array {
  const fixed = rig.rest('oval', 'eyes', 'brows', 'nose');
  for (const [lip, rows] of [
    ['upper', upperLip],
    ['lower', lowerLip],
  ] as const) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < lipColumns; k++) {
        const i = rows[row][k];
        // Corners belong to both lips; the upper lip's entry is used.
        if (lip === 'lower' && (k === 0 || k === lastColumn) && fixed.has(i)) continue;
        fixed.set(i, move(lip, k, row, at(rig.face, i)));
      }
    }
  }
  extra?.(fixed);
  return rig.solve(fixed);
}

/** Draws a corner of the mouth by `move`, and the cheek by `cheek`; both in `u`, x outwards. */
function corner(rig: ExpressionRig, side: number, move: Vector, cheek: Vector, fold = 0): Float32Array {
  const { u } = rig;
  return lips(
    rig,
    (_, k) => {
      const w = toward(k, side);
      return [move[0] * side * u * w, move[1] * u * w ** 1.35, move[2] * u * w];
    },
    (fixed) => {
      fixed.set(side > 0 ? leftCheek : rightCheek, [cheek[0] * side * u, cheek[1] * u, cheek[2] * u]);
      // The fold from the nose's wing to the corner stays in place while the cheek swells over it.
      const points = side > 0 ? leftNasolabialFold : rightNasolabialFold;
      for (const [n, [across, depth]] of foldShares.entries())
        fixed.set(points[n], [
          (0.5 * cheek[0] + across * move[0]) * side * u,
          (0.5 * cheek[1] + across * move[1]) * u,
          fold * depth * u,
        ]);
    },
  );
}

function close(rig: ExpressionRig, jawOpen: Float32Array): Float32Array {
  const { face } = rig;
  const opened = Float32Array.from(face, (value, i) => value + jawOpen[i]);
  return lips(rig, (lip, k, row) => {
    if (k === 0 || k === lastColumn) return [0, 0, 0];
    const gap = subtract(at(opened, lowerLip[3][k]), at(opened, upperLip[3][k]));
    const rest = subtract(at(face, lowerLip[3][k]), at(face, upperLip[3][k]));
    const share = [0.66, 0.8, 0.93, 1][row];
    return scale(subtract(gap, rest), share * (lip === 'upper' ? 0.42 : -0.58));
  });
}

/** All shapes of the mouth; `jawOpen` is that shape's skin, which mouthClose undoes at the lips. */
export function mouthExpressions(rig: ExpressionRig, jawOpen: Float32Array): ExpressionParts {
  const { u, mouthX } = rig;
  return {
    ...sideExpressions(rig, 'Left', 1),
    ...sideExpressions(rig, 'Right', -1),
    mouthClose: { skin: close(rig, jawOpen) },
    mouthPucker: {
      skin: lips(rig, (_, k, row, p) => [
        -0.42 * (p[0] - mouthX),
        levelling(rig, k),
        0.15 * u * [0.55, 0.85, 1, 0.8][row] * (0.45 + 0.55 * hump(k)),
      ]),
    },
    mouthFunnel: {
      skin: lips(rig, (lip, k, row, p) => [
        -0.3 * (p[0] - mouthX),
        (lip === 'upper' ? 0.1 : -0.14) * u * hump(k) * [0.75, 0.9, 1, 1][row] + 0.7 * levelling(rig, k),
        0.14 * u * [0.6, 0.95, 1, 0.75][row] * (0.4 + 0.6 * hump(k)),
      ]),
    },
    mouthRollLower: {
      skin: lips(rig, (lip, k, row) =>
        lip === 'lower'
          ? [
              0,
              0.083 * u * hump(k) * [1, 0.8, 0.4, 0.15][row],
              -0.12 * u * hump(k) * [0.25, 0.58, 0.88, 1][row],
            ]
          : [0, 0, 0],
      ),
    },
    mouthRollUpper: {
      skin: lips(rig, (lip, k, row) =>
        lip === 'upper'
          ? [0, -0.06 * u * hump(k) * [0.9, 0.8, 0.5, 0.2][row], -0.1 * u * hump(k) * [0.25, 0.75, 1, 1][row]]
          : [0, 0, 0],
      ),
    },
    mouthShrugLower: {
      skin: lips(
        rig,
        (lip, k) => [0, (lip === 'lower' ? 0.085 : 0.05) * u * hump(k), 0.035 * u * hump(k)],
        (fixed) => {
          for (const i of chinBoss) fixed.set(i, [0, 0.07 * u, 0.02 * u]);
        },
      ),
    },
    mouthShrugUpper: {
      skin: lips(rig, (lip, k) =>
        lip === 'upper' ? [0, 0.075 * u * hump(k), 0.035 * u * hump(k)] : [0, 0.03 * u * hump(k), 0],
      ),
    },
  };
}

function sideExpressions(rig: ExpressionRig, side: 'Left' | 'Right', sign: number): ExpressionParts {
  const { u } = rig;
  const noseWing = sign > 0 ? leftNoseWing : rightNoseWing;
  return {
    [`mouth${side}`]: {
      skin: lips(rig, (_, k) => {
        const w = toward(k, sign);
        return [0.17 * u * sign * (0.75 + 0.25 * w), 0.01 * u * w, -0.03 * u * w];
      }),
    },
    [`mouthSmile${side}`]: { skin: corner(rig, sign, [0.13, 0.13, -0.07], [0.035, 0.08, 0.065], 1) },
    [`mouthFrown${side}`]: { skin: corner(rig, sign, [0.01, -0.13, -0.02], [0, -0.02, 0]) },
    [`mouthDimple${side}`]: { skin: corner(rig, sign, [0.07, 0.015, -0.085], [0.02, 0, 0.015]) },
    [`mouthStretch${side}`]: { skin: corner(rig, sign, [0.15, -0.05, -0.09], [0.03, -0.01, -0.01]) },
    [`mouthPress${side}`]: {
      skin: lips(rig, (lip, k, row) => {
        const w = half(k, sign) * 1.2 + 0.2 * toward(k, sign);
        return [0, (lip === 'upper' ? -0.024 : 0.024) * u * w * [1, 0.8, 0.4, 0.1][row], -0.03 * u * w];
      }),
    },
    [`mouthUpperUp${side}`]: {
      skin: lips(
        rig,
        (lip, k, row) => {
          const w = lip === 'upper' ? u * half(k, sign) * bared.upper[row] : 0;
          return [0, 0.2 * w, 0.034 * w];
        },
        (fixed) => {
          for (const i of noseWing) fixed.set(i, [0, 0.02 * u, 0]);
        },
      ),
    },
    [`mouthLowerDown${side}`]: {
      skin: lips(rig, (lip, k, row) => {
        const w = lip === 'lower' ? u * half(k, sign) * bared.lower[row] : 0;
        return [0, -0.24 * w, -0.044 * w];
      }),
    },
    [`noseSneer${side}`]: {
      skin: lips(
        rig,
        (lip, k) => {
          const w = lip === 'upper' ? half(k, sign) : 0;
          return [0, 0.065 * u * w, 0.015 * u * w];
        },
        (fixed) => {
          for (const i of noseWing) fixed.set(i, [0.012 * sign * u, 0.07 * u, 0]);
          for (const i of (sign > 0 ? leftBrow : rightBrow).flatMap((row) => row.slice(3)))
            fixed.set(i, [-0.01 * sign * u, -0.035 * u, 0]);
        },
      ),
    },
  };
}
