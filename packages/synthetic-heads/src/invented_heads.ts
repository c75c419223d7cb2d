import { smoothstep } from '@likeness/geometry/vector.ts';
import type { Sex } from '@likeness/portrait/contract/head_request.ts';
import type { DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import { type DrawnColours, neutralColours } from './drawn_colours.ts';
import type { HairCut } from './hair_cuts.ts';
import { restingFace } from './resting_face.ts';

/** An invented person: nobody's face, made of the mean one. */
export interface InventedHead {
  readonly sex: Sex;
  /** 468 × 3 metres, at rest. */
  readonly face: Float32Array;
  readonly colours: DrawnColours;
  readonly cut: HairCut;
}

/** Changes that make a face out of the mean one. Shares are about a part's own middle, ways in metres. */
interface Features {
  readonly noseWidth: number;
  /** How far the nose's tip stands out, against the mean. */
  readonly noseDepth: number;
  readonly noseLength: number;
  readonly jawWidth: number;
  readonly chinDown: number;
  readonly chinOut: number;
  readonly eyeWidth: number;
  readonly eyeOpening: number;
  /** How far the upper lid is lowered over the iris. */
  readonly lidDrop: number;
  readonly lipHeight: number;
  readonly mouthWidth: number;
  readonly browUp: number;
  readonly browOut: number;
  readonly cheekOut: number;
  /** How far the corners of the mouth are lifted: a friendly look, no smile. */
  readonly cornersUp: number;
}

const bell = (x: number, middle: number, reach: number): number =>
  smoothstep(reach, 0.3 * reach, Math.abs(x - middle));

/** Shapes the resting face; places are the mean face's. */
function shapeFace(is: Features): Float32Array {
  const face = restingFace.slice();
  for (let i = 0; i < face.length; i += 3) {
    const [x, y, z] = [face[i]!, face[i + 1]!, face[i + 2]!];
    const side = Math.abs(x);
    const sign = Math.sign(x);
    const nose = bell(x, 0, 0.03) * bell(y, -0.033, 0.024);
    const tip = bell(x, 0, 0.02) * bell(y, -0.031, 0.02) * smoothstep(0.066, 0.084, z);
    const bridge = bell(x, 0, 0.02) * bell(y, -0.012, 0.026);
    const jaw = smoothstep(-0.03, -0.075, y) * smoothstep(0.012, 0.045, side);
    const chin = bell(x, 0, 0.046) * smoothstep(-0.072, -0.1, y);
    const eye = bell(side, 0.0335, 0.026) * bell(y, 0, 0.02);
    const lid = bell(side, 0.0335, 0.026) * smoothstep(-0.001, 0.004, y) * smoothstep(0.018, 0.007, y);
    const lips = bell(x, 0, 0.036) * bell(y, -0.0605, 0.018);
    const mouth = bell(x, 0, 0.042) * bell(y, -0.0605, 0.022);
    const corner = bell(side, 0.0235, 0.014) * bell(y, -0.0605, 0.015);
    const brow = bell(side, 0.032, 0.032) * bell(y, 0.022, 0.017);
    const cheek = bell(side, 0.042, 0.024) * bell(y, -0.027, 0.026);
    face[i] =
      x * (1 + is.noseWidth * nose + is.jawWidth * jaw + is.mouthWidth * mouth) +
      sign * (is.eyeWidth * eye * (side - 0.0335));
    face[i + 1] =
      y -
      is.chinDown * chin +
      is.noseLength * tip * -1 +
      is.eyeOpening * eye * y -
      is.lidDrop * lid +
      is.lipHeight * lips * (y + 0.0605) +
      is.browUp * brow +
      is.cornersUp * corner;
    face[i + 2] =
      z +
      is.chinOut * chin +
      is.noseDepth * tip +
      0.45 * is.noseDepth * bridge +
      is.browOut * brow +
      is.cheekOut * cheek;
  }
  return face;
}

/** A woman, a man, and a figure between a person and a drawing. */
export const inventedHeads: Readonly<Record<DefaultHead, InventedHead>> = {
  default: {
    sex: 'female',
    face: shapeFace({
      noseWidth: -0.13,
      noseDepth: -0.003,
      noseLength: -0.0016,
      jawWidth: -0.055,
      chinDown: -0.0022,
      chinOut: 0.0012,
      eyeWidth: 0.05,
      eyeOpening: 0.14,
      lidDrop: 0.0022,
      lipHeight: 0.16,
      mouthWidth: -0.03,
      browUp: 0.0012,
      browOut: -0.0006,
      cheekOut: 0.0014,
      cornersUp: 0.0011,
    }),
    colours: { ...neutralColours, skin: [214, 168, 145], hair: [92, 62, 43], iris: [98, 106, 82] },
    cut: {
      kind: 'hanging',
      volume: 0.024,
      hem: -0.1,
      napeHem: -0.108,
      tuck: 0.28,
      parting: 0.024,
      line: 0.5,
      sweep: 0.6,
      locks: 0.0035,
    },
  },
  man: {
    sex: 'male',
    face: shapeFace({
      noseWidth: -0.02,
      noseDepth: -0.0006,
      noseLength: 0.0012,
      jawWidth: 0.045,
      chinDown: 0.0036,
      chinOut: 0.0022,
      eyeWidth: -0.02,
      eyeOpening: -0.02,
      lidDrop: 0.0014,
      lipHeight: -0.12,
      mouthWidth: 0.03,
      browUp: -0.0016,
      browOut: 0.0016,
      cheekOut: -0.001,
      cornersUp: 0.0009,
    }),
    colours: {
      ...neutralColours,
      skin: [196, 147, 119],
      hair: [44, 34, 28],
      iris: [96, 72, 48],
      stubble: 0.5,
    },
    cut: { kind: 'short', volume: 0.019, front: 0.007, parting: 0.034, line: 0, locks: 0.0028 },
  },
  stylised: {
    sex: 'female',
    face: shapeFace({
      noseWidth: -0.28,
      noseDepth: -0.0065,
      noseLength: -0.004,
      jawWidth: -0.1,
      chinDown: -0.005,
      chinOut: 0.0005,
      eyeWidth: 0.16,
      eyeOpening: 0.36,
      lidDrop: 0.003,
      lipHeight: 0.05,
      mouthWidth: -0.12,
      browUp: 0.0042,
      browOut: -0.0012,
      cheekOut: 0.0035,
      cornersUp: 0.0018,
    }),
    colours: { skin: [232, 184, 158], hair: [150, 72, 44], iris: [58, 128, 120], pores: 0.25, blush: 1.9 },
    cut: {
      kind: 'hanging',
      volume: 0.02,
      hem: -0.06,
      napeHem: -0.07,
      tuck: 0.16,
      parting: 0,
      line: 0,
      fringe: (x) => 0.03 * smoothstep(0.078, 0.045, Math.abs(x)),
      sweep: 0,
      locks: 0.003,
    },
  },
};
