/**
 * The 468-point face mesh that the landmark network speaks: its triangles, its flat layout, and the groups
 * of points that anatomy gives a name to. Points are numbered as the network numbers them; left and right
 * are the subject's own.
 *
 * Source of face_mesh.json: the canonical face model of MediaPipe Face Mesh (Apache-2.0), as published in
 * @vladmandic/human 3.3.6 (`faceTriangulation`, `faceUVMap`, MIT). Data, not code.
 */

import mesh from './face_mesh.json' with { type: 'json' };
import { mirrorPairs } from './mirror_pairs.ts';

export const landmarkCount = 468;

/** 880 triangles × 3 points; the mouth is a hole already, eyes not (see {@link skinTriangles}). */
const allTriangles: readonly number[] = mesh.triangles;

/** 468 × 2: the flat layout of the mesh, u to the right and v down, 0..1. */
export const layout: Float32Array = Float32Array.from(mesh.layout, (value) => value / 10000);

/** The face's outline, 36 points: forehead (10), the subject's left, chin (152) and back. */
export const oval: readonly number[] = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
];

/** Points in each row of a lip, both corners among them. */
export const lipColumns = 11;

/** Rows of the upper lip from the outer edge (0) to the inner (3), each from the right corner on. */
export const upperLip: readonly (readonly number[])[] = [
  [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
  [76, 184, 74, 73, 72, 11, 302, 303, 304, 408, 306],
  [62, 183, 42, 41, 38, 12, 268, 271, 272, 407, 292],
  [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
];

/** Rows of the lower lip from the outer edge (0) to the inner (3), each from the right corner on. */
export const lowerLip: readonly (readonly number[])[] = [
  [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291],
  [76, 77, 90, 180, 85, 16, 315, 404, 320, 307, 306],
  [62, 96, 89, 179, 86, 15, 316, 403, 319, 325, 292],
  [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
];

export const lips: readonly number[] = [...upperLip, ...lowerLip].flat();

export interface EyeGroup {
  /** Outer and inner corner. */
  readonly outer: number;
  readonly inner: number;
  /** Rows of the upper lid, the rim first, each from the outer corner inwards: 7 points. */
  readonly upper: readonly (readonly number[])[];
  /** Rows of the lower lid, the rim first, each from the outer corner inwards. */
  readonly lower: readonly (readonly number[])[];
}

export const rightEye: EyeGroup = {
  outer: 33,
  inner: 133,
  upper: [
    [246, 161, 160, 159, 158, 157, 173],
    [247, 30, 29, 27, 28, 56, 190],
    [113, 225, 224, 223, 222, 221, 189],
  ],
  lower: [
    [7, 163, 144, 145, 153, 154, 155],
    [25, 110, 24, 23, 22, 26, 112],
    [31, 228, 229, 230, 231, 232, 233],
  ],
};

export const leftEye: EyeGroup = {
  outer: 263,
  inner: 362,
  upper: [
    [466, 388, 387, 386, 385, 384, 398],
    [467, 260, 259, 257, 258, 286, 414],
    [342, 445, 444, 443, 442, 441, 413],
  ],
  lower: [
    [249, 390, 373, 374, 380, 381, 382],
    [255, 339, 254, 253, 252, 256, 341],
    [261, 448, 449, 450, 451, 452, 453],
  ],
};

export const eyes: readonly EyeGroup[] = [rightEye, leftEye];

/** The ring of 16 rim points of an eye: outer corner, upper rim inwards, inner corner, lower rim outwards. */
export function eyeRim(eye: EyeGroup): number[] {
  return [eye.outer, ...eye.upper[0], eye.inner, ...[...eye.lower[0]].reverse()];
}

/** The mouth's opening, 20 points: right corner, upper inner row, left corner, lower inner row. */
export function mouthRim(): number[] {
  return [...upperLip[3], ...lowerLip[3].slice(1, 10).reverse()];
}

/** Brows, upper and lower row, each from the outer end inwards. */
export const rightBrow: readonly (readonly number[])[] = [
  [70, 63, 105, 66, 107],
  [46, 53, 52, 65, 55],
];
export const leftBrow: readonly (readonly number[])[] = [
  [300, 293, 334, 296, 336],
  [276, 283, 282, 295, 285],
];

export const brows: readonly number[] = [...rightBrow, ...leftBrow].flat();

export const noseBridge: readonly number[] = [168, 6, 197, 195, 5];
export const noseTip: readonly number[] = [4, 1, 19, 94, 2];
export const rightNoseWing: readonly number[] = [129, 102, 48, 64, 98, 97, 49];
export const leftNoseWing: readonly number[] = [358, 331, 278, 294, 327, 326, 279];
export const noseWings: readonly number[] = [...rightNoseWing, ...leftNoseWing];
export const rightCheek = 205;
export const leftCheek = 425;

/** Points of the fold between nose and cheek, from the nose's wing down. */
export const rightNasolabialFold: readonly number[] = [203, 206, 216];
export const leftNasolabialFold: readonly number[] = [423, 426, 436];

/** Middle of the chin's front. */
export const chinBoss: readonly number[] = [199, 200, 175];

/** The triangles of the skin: all but the fourteen that fill each eye. */
export const skinTriangles: readonly number[] = (() => {
  const rims = [new Set(eyeRim(rightEye)), new Set(eyeRim(leftEye))];
  const kept: number[] = [];
  for (let i = 0; i < allTriangles.length; i += 3) {
    const corner = [allTriangles[i], allTriangles[i + 1], allTriangles[i + 2]];
    if (!rims.some((rim) => corner.every((point) => rim.has(point)))) kept.push(...corner);
  }
  return kept;
})();

/** For each point, its partner on the other side of the face: the nearest layout position of (1 − u, v). */
export const mirrorPoint: Uint16Array = mirrorPairs(layout);
