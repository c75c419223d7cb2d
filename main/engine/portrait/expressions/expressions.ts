import { type ArkitBlendshapeName, arkitBlendshapeNames, type OculusVisemeName } from '#proto/blendshapes.ts';
import { eyeballRadius, type FaceFit } from '../fit/face_fit.ts';
import { at, length, mix, scale, subtract, type Vector } from '../math/vector.ts';
import {
  type EyeGroup,
  eyeRim,
  leftBrow,
  leftCheek,
  leftEye,
  leftNoseWing,
  lowerLip,
  mirrorPoint,
  noseBridge,
  noseTip,
  oval,
  rightBrow,
  rightCheek,
  rightEye,
  rightNoseWing,
  upperLip,
} from '../topology/face_topology.ts';
import { fillHarmonically } from '../topology/harmonic_interpolation.ts';
import { type JawMove, jawDisplacement, jawHinge } from './jaw.ts';

/** What one ARKit shape does at full weight. */
export interface Expression {
  readonly name: ArkitBlendshapeName;
  /** 468 × 3 metres, absent when the skin rests. */
  readonly skin?: Float32Array;
  readonly jaw?: JawMove;
  /** Turn of an eyeball, radians: about X (positive looks down) and about Y (positive looks to the subject's left). */
  readonly gaze?: { readonly side: 'left' | 'right'; readonly down: number; readonly left: number };
  readonly tongueOut?: boolean;
}

type Fixed = Map<number, readonly [number, number, number]>;

/** Shares of the jaw's movement along the lower outline; both sides. */
const jawShare: readonly (readonly [number, number, number])[] = [
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

/** The nasolabial fold from the nose's wing down: point, share of the corner's way, depth against the cheek in `u`. */
const rightFold: readonly (readonly [number, number, number])[] = [
  [203, 0.1, -0.012],
  [206, 0.3, -0.034],
  [216, 0.55, -0.05],
];
const leftFold = rightFold.map(([i, across, depth]) => [mirrorPoint[i], across, depth] as const);

/** How far the rows of a lip follow its inner edge when the teeth are bared, outer to inner: lips grow thinner. */
const bared = { upper: [0.55, 0.72, 0.9, 1], lower: [0.68, 0.8, 0.92, 1] };

const upperOval = oval.filter(
  (point) => !jawShare.some(([right, left]) => right === point || left === point),
);

/** All 52 ARKit shapes on the landmarks of a fitted face. Lengths are parts of the mouth's width `u`. */
export function buildExpressions(fit: FaceFit): Expression[] {
  const face = fit.neutral;
  const u = length(subtract(at(face, 61), at(face, 291)));
  const mouthX = (face[3 * 61] + face[3 * 291]) / 2;
  const hinge = jawHinge(face);
  const solve = (fixed: Fixed): Float32Array => fillHarmonically(fixed, fit.weights);
  const still: readonly [number, number, number] = [0, 0, 0];

  const restEyes = (fixed: Fixed): void => {
    for (const eye of [rightEye, leftEye])
      for (const i of [...eyeRim(eye), ...eye.upper[1], ...eye.lower[1]]) fixed.set(i, still);
  };
  const restBrows = (fixed: Fixed): void => {
    for (const i of [...rightBrow.flat(), ...leftBrow.flat()]) fixed.set(i, still);
  };
  const restNose = (fixed: Fixed): void => {
    for (const i of [...noseBridge, ...noseTip, ...rightNoseWing, ...leftNoseWing]) fixed.set(i, still);
  };
  const restMouth = (fixed: Fixed): void => {
    for (const row of [...upperLip, ...lowerLip]) for (const i of row) fixed.set(i, still);
  };
  const restOval = (fixed: Fixed): void => {
    for (const i of oval) fixed.set(i, still);
  };

  /** A shape of the lips: `move` tells where column k (0 right corner … 10 left) of a row goes. */
  type LipMove = (lip: 'upper' | 'lower', k: number, row: number, p: Vector) => Vector;
  const lips = (move: LipMove, extra?: (fixed: Fixed) => void): Float32Array => {
    const fixed: Fixed = new Map();
    restOval(fixed);
    restEyes(fixed);
    restBrows(fixed);
    restNose(fixed);
    for (const [lip, rows] of [
      ['upper', upperLip],
      ['lower', lowerLip],
    ] as const) {
      for (let row = 0; row < 4; row++) {
        for (let k = 0; k < 11; k++) {
          const i = rows[row][k];
          // Corners belong to both lips; the upper one speaks for them.
          if (lip === 'lower' && (k === 0 || k === 10) && fixed.has(i)) continue;
          fixed.set(i, move(lip, k, row, at(face, i)));
        }
      }
    }
    extra?.(fixed);
    return solve(fixed);
  };

  const hump = (k: number): number => Math.sin((Math.PI * k) / 10);
  /** 1 at a side's corner, 0 at the middle and beyond. */
  const toward = (k: number, side: number): number => Math.max(0, (side > 0 ? k - 5 : 5 - k) / 5);
  /** One half of a hump over the lips, as flat as laughing mouths are; both halves together are the whole. */
  const half = (k: number, side: number): number => {
    const t = side > 0 ? k : 10 - k;
    return hump(k) ** 0.6 * Math.min(1, Math.max(0, (t - 2) / 6));
  };

  const lipLine = face[3 * upperLip[3][5] + 1];
  /** Rounded lips lie level: the way of column k to the height of the lips' middle, so that no smile is left in an o. */
  const level = (k: number): number => (lipLine - face[3 * upperLip[3][k] + 1]) * (1 - hump(k));

  /** @param cornersIn parts of `u` @param levelled share of {@link level} that the corners go besides */
  const jawSkin = (move: JawMove, cornersIn: number, levelled = 0): Float32Array => {
    const fixed: Fixed = new Map();
    restEyes(fixed);
    restBrows(fixed);
    restNose(fixed);
    for (const i of upperOval) fixed.set(i, still);
    for (const [right, left, share] of jawShare) {
      for (const i of [right, left]) fixed.set(i, scale(jawDisplacement(at(face, i), hinge, move), share));
    }
    for (const row of upperLip) for (let k = 1; k < 10; k++) fixed.set(row[k], still);
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 11; k++) {
        const i = lowerLip[row][k];
        const share = 0.42 + 0.58 * hump(k) ** 0.75;
        const d = scale(jawDisplacement(at(face, i), hinge, move), share);
        d[1] += levelled * level(k);
        if (k === 0) d[0] += cornersIn * u;
        if (k === 10) d[0] -= cornersIn * u;
        fixed.set(i, d);
        if (k !== 0 && k !== 10) continue;
        fixed.set(upperLip[row][k], d);
        // the upper lip's ends hang on the corners
        for (const [beside, part] of [
          [1, 0.45],
          [2, 0.15],
        ] as const)
          fixed.set(upperLip[row][k === 0 ? beside : 10 - beside], scale(d, part * levelled));
      }
    }
    return solve(fixed);
  };

  const open: JawMove = { turn: (17 * Math.PI) / 180, shift: [0, 0, 0] };
  const jawOpen = jawSkin(open, 0.035, 1);

  const mouthClose = (): Float32Array => {
    const opened = Float32Array.from(face, (value, i) => value + jawOpen[i]);
    return lips((lip, k, row) => {
      if (k === 0 || k === 10) return [0, 0, 0];
      const gap = subtract(at(opened, lowerLip[3][k]), at(opened, upperLip[3][k]));
      const rest = subtract(at(face, lowerLip[3][k]), at(face, upperLip[3][k]));
      const share = [0.66, 0.8, 0.93, 1][row];
      return scale(subtract(gap, rest), share * (lip === 'upper' ? 0.42 : -0.58));
    });
  };

  const lid = (
    side: 'left' | 'right',
    upperShare: number,
    lowerShare: number,
    follow: readonly [number, number] = [0.5, 0.06],
  ): Float32Array => {
    const eye: EyeGroup = side === 'left' ? leftEye : rightEye;
    const ball = side === 'left' ? fit.leftEye : fit.rightEye;
    const fixed: Fixed = new Map();
    restOval(fixed);
    restBrows(fixed);
    restNose(fixed);
    restMouth(fixed);
    restEyes(fixed);
    for (let k = 0; k < 7; k++) {
      const upper = at(face, eye.upper[0][k]);
      const lower = at(face, eye.lower[0][k]);
      const meet = (from: Vector, to: Vector, share: number): Vector => {
        const p = mix(from, to, share);
        return subtract(onBall(p, ball.centre, 0.0006 + 0.0007 * Math.abs(share)), from);
      };
      const down = meet(upper, lower, upperShare);
      const up = meet(lower, upper, lowerShare);
      fixed.set(eye.upper[0][k], down);
      fixed.set(eye.lower[0][k], up);
      fixed.set(eye.upper[1][k], scale(down, follow[0]));
      fixed.set(eye.upper[2][k], scale(down, follow[1]));
      fixed.set(eye.lower[1][k], scale(up, 0.55));
      fixed.set(eye.lower[2][k], scale(up, 0.15));
    }
    return solve(fixed);
  };

  const brow = (side: number, shares: readonly number[], move: Vector, both = false): Float32Array => {
    const fixed: Fixed = new Map();
    restOval(fixed);
    restEyes(fixed);
    restNose(fixed);
    restMouth(fixed);
    for (const [sign, rows] of [
      [-1, rightBrow],
      [1, leftBrow],
    ] as const) {
      for (const row of rows) {
        for (let k = 0; k < 5; k++) {
          const on = both || sign === side ? shares[k] : 0;
          fixed.set(row[k], [move[0] * sign * on, move[1] * on, move[2] * on]);
        }
      }
    }
    return solve(fixed);
  };

  const corner = (side: number, move: Vector, cheek: Vector, fold = 0): Float32Array =>
    lips(
      (_, k) => {
        const w = toward(k, side);
        return [move[0] * side * u * w, move[1] * u * w ** 1.35, move[2] * u * w];
      },
      (fixed) => {
        fixed.set(side > 0 ? leftCheek : rightCheek, [cheek[0] * side * u, cheek[1] * u, cheek[2] * u]);
        // The fold from the nose's wing to the corner is held by the muscle while the cheek swells over it.
        for (const [i, across, depth] of side > 0 ? leftFold : rightFold)
          fixed.set(i, [
            (0.5 * cheek[0] + across * move[0]) * side * u,
            (0.5 * cheek[1] + across * move[1]) * u,
            fold * depth * u,
          ]);
      },
    );

  const cheeks = (side: number, move: Vector, lower: number): Float32Array => {
    const fixed: Fixed = new Map();
    restOval(fixed);
    restEyes(fixed);
    restBrows(fixed);
    restNose(fixed);
    restMouth(fixed);
    const eye = side > 0 ? leftEye : rightEye;
    fixed.set(side > 0 ? leftCheek : rightCheek, [move[0] * side * u, move[1] * u, move[2] * u]);
    if (lower) for (const i of eye.lower[1]) fixed.set(i, [0, lower * u, 0]);
    return solve(fixed);
  };

  const gazeLid = (side: 'left' | 'right', upper: number, lower: number): Float32Array =>
    lid(side, upper, lower, [0.5, 0.1]);
  const turn = (degrees: number): number => (degrees * Math.PI) / 180;
  const made: Record<ArkitBlendshapeName, Omit<Expression, 'name'>> = {} as never;
  for (const [Side, side, sign] of [
    ['Left', 'left', 1],
    ['Right', 'right', -1],
  ] as const) {
    Object.assign(made, {
      [`eyeBlink${Side}`]: { skin: lid(side, 0.94, 0.06) },
      [`eyeSquint${Side}`]: { skin: lid(side, 0.22, 0.28) },
      [`eyeWide${Side}`]: { skin: lid(side, -0.22, -0.08) },
      [`eyeLookDown${Side}`]: { skin: gazeLid(side, 0.32, -0.1), gaze: { side, down: turn(20), left: 0 } },
      [`eyeLookUp${Side}`]: { skin: gazeLid(side, -0.14, 0.06), gaze: { side, down: turn(-20), left: 0 } },
      [`eyeLookIn${Side}`]: { gaze: { side, down: 0, left: turn(-26) * sign } },
      [`eyeLookOut${Side}`]: { gaze: { side, down: 0, left: turn(26) * sign } },
      [`mouthSmile${Side}`]: { skin: corner(sign, [0.13, 0.13, -0.07], [0.035, 0.08, 0.065], 1) },
      [`mouthFrown${Side}`]: { skin: corner(sign, [0.01, -0.13, -0.02], [0, -0.02, 0]) },
      [`mouthDimple${Side}`]: { skin: corner(sign, [0.07, 0.015, -0.085], [0.02, 0, 0.015]) },
      [`mouthStretch${Side}`]: { skin: corner(sign, [0.15, -0.05, -0.09], [0.03, -0.01, -0.01]) },
      [`mouthPress${Side}`]: {
        skin: lips((lip, k, row) => {
          const w = half(k, sign) * 1.2 + 0.2 * toward(k, sign);
          return [0, (lip === 'upper' ? -0.024 : 0.024) * u * w * [1, 0.8, 0.4, 0.1][row], -0.03 * u * w];
        }),
      },
      [`mouthUpperUp${Side}`]: {
        skin: lips(
          (lip, k, row) => {
            const w = lip === 'upper' ? u * half(k, sign) * bared.upper[row] : 0;
            return [0, 0.2 * w, 0.034 * w];
          },
          (fixed) => {
            for (const i of sign > 0 ? leftNoseWing : rightNoseWing) fixed.set(i, [0, 0.02 * u, 0]);
          },
        ),
      },
      [`mouthLowerDown${Side}`]: {
        skin: lips((lip, k, row) => {
          const w = lip === 'lower' ? u * half(k, sign) * bared.lower[row] : 0;
          return [0, -0.24 * w, -0.044 * w];
        }),
      },
      [`browDown${Side}`]: { skin: brow(sign, [0.35, 0.6, 0.8, 0.95, 1], [-0.03 * u, -0.115 * u, 0.01 * u]) },
      [`browOuterUp${Side}`]: { skin: brow(sign, [1, 1, 0.7, 0.25, 0.05], [0, 0.13 * u, 0]) },
      [`cheekSquint${Side}`]: { skin: cheeks(sign, [0.01, 0.07, 0.03], 0.035) },
      [`noseSneer${Side}`]: {
        skin: lips(
          (lip, k) =>
            lip === 'upper' ? [0, 0.065 * u * half(k, sign), 0.015 * u * half(k, sign)] : [0, 0, 0],
          (fixed) => {
            for (const i of sign > 0 ? leftNoseWing : rightNoseWing)
              fixed.set(i, [0.012 * sign * u, 0.07 * u, 0]);
            for (const i of (sign > 0 ? leftBrow : rightBrow).flatMap((row) => row.slice(3)))
              fixed.set(i, [-0.01 * sign * u, -0.035 * u, 0]);
          },
        ),
      },
    });
  }
  const sideways = (sign: number): Float32Array =>
    lips((_, k) => [
      0.17 * u * sign * (0.75 + 0.25 * toward(k, sign)),
      0.01 * u * toward(k, sign),
      -0.03 * u * toward(k, sign),
    ]);
  const jawSide = (sign: number): JawMove => ({ turn: 0, shift: [0.15 * u * sign, 0, 0] });
  const forward: JawMove = { turn: 0, shift: [0, 0, 0.1 * u] };
  Object.assign(made, {
    jawOpen: { skin: jawOpen, jaw: open },
    jawForward: { skin: jawSkin(forward, 0), jaw: forward },
    jawLeft: { skin: jawSkin(jawSide(1), 0), jaw: jawSide(1) },
    jawRight: { skin: jawSkin(jawSide(-1), 0), jaw: jawSide(-1) },
    mouthClose: { skin: mouthClose() },
    mouthPucker: {
      skin: lips((_, k, row, p) => [
        -0.42 * (p[0] - mouthX),
        level(k),
        0.15 * u * [0.55, 0.85, 1, 0.8][row] * (0.45 + 0.55 * hump(k)),
      ]),
    },
    mouthFunnel: {
      skin: lips((lip, k, row, p) => [
        -0.3 * (p[0] - mouthX),
        (lip === 'upper' ? 0.1 : -0.14) * u * hump(k) * [0.75, 0.9, 1, 1][row] + 0.7 * level(k),
        0.14 * u * [0.6, 0.95, 1, 0.75][row] * (0.4 + 0.6 * hump(k)),
      ]),
    },
    mouthLeft: { skin: sideways(1) },
    mouthRight: { skin: sideways(-1) },
    mouthRollLower: {
      skin: lips((lip, k, row) =>
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
      skin: lips((lip, k, row) =>
        lip === 'upper'
          ? [0, -0.06 * u * hump(k) * [0.9, 0.8, 0.5, 0.2][row], -0.1 * u * hump(k) * [0.25, 0.75, 1, 1][row]]
          : [0, 0, 0],
      ),
    },
    mouthShrugLower: {
      skin: lips(
        (lip, k) => [0, (lip === 'lower' ? 0.085 : 0.05) * u * hump(k), 0.035 * u * hump(k)],
        (fixed) => {
          for (const i of [199, 200, 175]) fixed.set(i, [0, 0.07 * u, 0.02 * u]);
        },
      ),
    },
    mouthShrugUpper: {
      skin: lips((lip, k) =>
        lip === 'upper' ? [0, 0.075 * u * hump(k), 0.035 * u * hump(k)] : [0, 0.03 * u * hump(k), 0],
      ),
    },
    browInnerUp: { skin: brow(0, [0, 0.1, 0.4, 0.85, 1], [0.01 * u, 0.13 * u, 0], true) },
    cheekPuff: {
      skin: (() => {
        const right = cheeks(-1, [0.09, 0, 0.12], 0);
        const left = cheeks(1, [0.09, 0, 0.12], 0);
        return right.map((value, i) => value + left[i]);
      })(),
    },
    tongueOut: { tongueOut: true },
  });
  return arkitBlendshapeNames.map((name) => ({ name, ...made[name] }));
}

/** Moves a point in front of an eyeball out to `clearance` above it. */
export function onBall(p: Vector, centre: Vector, clearance: number): Vector {
  const d = subtract(p, centre);
  const across = Math.hypot(d[0], d[1]);
  const wanted = eyeballRadius + clearance;
  if (across >= wanted) return p;
  return [p[0], p[1], centre[2] + Math.sqrt(wanted * wanted - across * across)];
}

const both = (
  name: 'mouthPress' | 'mouthUpperUp' | 'mouthLowerDown' | 'mouthStretch' | 'mouthSmile',
  weight: number,
) => ({
  [`${name}Left`]: weight,
  [`${name}Right`]: weight,
});

/**
 * The 15 Oculus visemes as mixtures of ARKit shapes, after the mouth positions of the Oculus LipSync reference: what
 * engine/speech/mouth.ts makes of each when it is sure and the voice is loud.
 */
export const visemeMixtures: Record<OculusVisemeName, Partial<Record<ArkitBlendshapeName, number>>> = {
  viseme_sil: {},
  viseme_PP: { mouthRollLower: 0.32, mouthRollUpper: 0.28, ...both('mouthPress', 0.3) },
  viseme_FF: { jawOpen: 0.06, mouthRollLower: 1, mouthFunnel: 0.03, ...both('mouthUpperUp', 0.16) },
  viseme_TH: {
    jawOpen: 0.09,
    tongueOut: 0.4,
    mouthFunnel: 0.12,
    ...both('mouthLowerDown', 0.14),
    ...both('mouthUpperUp', 0.08),
  },
  viseme_DD: {
    jawOpen: 0.06,
    mouthFunnel: 0.08,
    mouthPucker: 0.11,
    ...both('mouthLowerDown', 0.18),
    ...both('mouthUpperUp', 0.08),
  },
  viseme_kk: {
    jawOpen: 0.05,
    ...both('mouthLowerDown', 0.16),
    ...both('mouthUpperUp', 0.08),
    ...both('mouthStretch', 0.06),
  },
  viseme_CH: {
    jawOpen: 0.09,
    mouthFunnel: 0.4,
    mouthPucker: 0.22,
    ...both('mouthLowerDown', 0.06),
    ...both('mouthUpperUp', 0.06),
  },
  viseme_SS: {
    jawOpen: 0.09,
    mouthFunnel: 0.16,
    mouthPucker: 0.4,
    ...both('mouthLowerDown', 0.14),
    ...both('mouthUpperUp', 0.08),
    ...both('mouthStretch', 0.22),
  },
  viseme_nn: {
    jawOpen: 0.05,
    mouthFunnel: 0.05,
    mouthPucker: 0.07,
    ...both('mouthLowerDown', 0.18),
    ...both('mouthUpperUp', 0.06),
  },
  viseme_RR: { jawOpen: 0.09, mouthFunnel: 0.27, mouthPucker: 0.6 },
  viseme_aa: {
    jawOpen: 0.52,
    mouthFunnel: 0.1,
    mouthPucker: 0.09,
    ...both('mouthLowerDown', 0.12),
    ...both('mouthUpperUp', 0.08),
  },
  viseme_E: {
    jawOpen: 0.37,
    mouthFunnel: 0.1,
    mouthPucker: 0.15,
    ...both('mouthLowerDown', 0.12),
    ...both('mouthUpperUp', 0.06),
    ...both('mouthStretch', 0.2),
    ...both('mouthSmile', 0.08),
  },
  viseme_I: {
    jawOpen: 0.28,
    mouthFunnel: 0.06,
    mouthPucker: 0.09,
    ...both('mouthLowerDown', 0.1),
    ...both('mouthStretch', 0.3),
    ...both('mouthSmile', 0.18),
  },
  viseme_O: { jawOpen: 0.43, mouthFunnel: 0.41, mouthPucker: 0.65, mouthClose: 0.16 },
  viseme_U: { jawOpen: 0.25, mouthFunnel: 0.31, mouthPucker: 0.87, mouthClose: 0.2 },
};
