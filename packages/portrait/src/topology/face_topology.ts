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
export const oval: readonly number[] = mesh.oval;

/** Points in each row of a lip, both corners among them. */
export const lipColumns = 11;

/** Rows of the upper lip from the outer edge (0) to the inner (3), each from the right corner on. */
export const upperLip: readonly (readonly number[])[] = mesh.upperLip;

/** Rows of the lower lip from the outer edge (0) to the inner (3), each from the right corner on. */
export const lowerLip: readonly (readonly number[])[] = mesh.lowerLip;

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

export const rightEye: EyeGroup = mesh.rightEye;

export const leftEye: EyeGroup = mesh.leftEye;

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
export const rightBrow: readonly (readonly number[])[] = mesh.rightBrow;
export const leftBrow: readonly (readonly number[])[] = mesh.leftBrow;

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
