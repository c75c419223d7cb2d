import { at, clamp, smoothstep } from '@likeness/geometry/vector.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { type Cranium, chinColumn, craniumColumns, craniumRows } from '../skull/skull.ts';
import { landmark } from '../topology/landmark.ts';
import { findHem } from './hem.ts';
import type { PhotoField, PicturePlane } from './picture_plane.ts';

/** Heights at which the sides are measured, evenly from the neck's base up to {@link sidesTop}. */
const levels = 64;
/** Below this height of the picture plane hair is measured sideways, above it radially; metres. */
export const sidesTop = 0.045;
/** No hair is looked for further from the middle than this, metres. */
const widest = 0.17;

/**
 * Least that a braid reaches beyond the bare head, its least thickness, and most that it sways from height to height,
 * metres.
 */
const braid = { off: 0.025, thick: 0.012, sway: 0.008 } as const;

/** Rounds over which the width is evened out by height, some 15 mm: hair that followed every curl would look crumpled from the side. */
const widthRounds = 60;

/** A value by height, from below, on each side: first where u > 0, then where u < 0. */
type Sides = readonly [Float32Array, Float32Array];
const sides = [0, 1] as const;
const newSides = (): Sides => [new Float32Array(levels), new Float32Array(levels)];

/** Hair beside face and neck; heights v of the picture plane. */
export interface HangingHair {
  /** Place of a height in the tables, between their entries. */
  level(v: number): number;
  /** Half-width of the bare head, metres. */
  readonly bare: Sides;
  /** Half-width with the hair, metres. */
  readonly width: Sides;
  /** 0..1: whether any hangs there. */
  readonly hangs: Sides;
  /** How low it hangs. */
  readonly hem: number;
  /** Whether it goes on to the shoulders. */
  readonly isLong: boolean;
  readonly chin: number;
  /** The neck's cut. */
  readonly lowest: number;
  /** Lower ends of the ears. */
  readonly lobes: number;
}

/** 0 for short hair, 1 for hair that hangs below the ears. */
export const lengthOf = ({ isLong, hem }: HangingHair): number =>
  Math.max(Number(isLong), smoothstep(0, -0.04, hem));

/** Measures the hair's width on both sides below the ears, and completes what no photo shows. */
export function measureHangingHair(
  fit: FaceFit,
  plane: PicturePlane,
  cranium: Cranium,
  hairAt: PhotoField,
): HangingHair {
  const lowest = plane.of(at(cranium.points, craniumRows * craniumColumns + chinColumn))[1];
  const heightOf = (l: number): number => lowest + ((sidesTop - lowest) * l) / (levels - 1);
  const level = (v: number): number =>
    clamp(((v - lowest) / (sidesTop - lowest)) * (levels - 1), 0, levels - 1);
  const bare = bareWidths(cranium, plane, level);
  const lobes = plane.of(at(fit.neutral, landmark.subnasale))[1];
  const { width, hangs } = readSides(bare, plane, hairAt, heightOf, lobes);
  smoothByHeight(hangs, 3);
  smoothByHeight(width, widthRounds);
  const isTurned = Math.abs(fit.pose.yaw) > 14;
  if (isTurned) {
    trustSeenSide(bare, width, hangs, fit.pose.yaw > 0 ? 1 : 0);
    completeOtherSide(bare, width, hangs);
  }
  const chin = plane.of(at(fit.neutral, landmark.chin))[1];
  // Below the chin and before the nape, what looks like hair beside a short-haired head is a collar's shadow.
  const shortHairEnd = chin + 0.018;
  const lowestHair = findHem(hangs, heightOf, shortHairEnd);
  const both = hangs[0].map((share, l) => Math.min(share, hangs[1][l]));
  const onBoth = isTurned ? lowestHair : findHem([both, both], heightOf, shortHairEnd);
  // Hair that goes on below the chin on one side alone is mostly a background.
  let hem = Math.max(lowestHair, Math.min(onBoth, chin));
  // Hair that is seen below the chin goes on to the shoulders; a bob ends at it.
  const isLong = hem < chin - 0.01;
  if (isLong) {
    completeOtherSide(bare, width, hangs);
    hangToShoulders(width, hangs, Math.max(0, Math.round(level(hem))));
    hem = lowest - 0.05;
  }
  return { level, bare, width, hangs, hem, isLong, chin, lowest, lobes };
}

function bareWidths(cranium: Cranium, plane: PicturePlane, level: (v: number) => number): Sides {
  const bare = newSides();
  for (let i = 0; i < cranium.points.length / 3; i++) {
    const [u, v] = plane.of(at(cranium.points, i));
    if (v > sidesTop) continue;
    const l = Math.round(level(v));
    const side = u > 0 ? bare[0] : bare[1];
    for (const k of [l - 1, l, l + 1]) if (k >= 0 && k < levels) side[k] = Math.max(side[k], Math.abs(u));
  }
  return bare;
}

/** Looks outwards from the bare head at every height for the last hair. */
function readSides(
  bare: Sides,
  plane: PicturePlane,
  hairAt: PhotoField,
  heightOf: (l: number) => number,
  lobes: number,
): { width: Sides; hangs: Sides } {
  const width = newSides();
  const hangs = newSides();
  for (const k of sides) {
    // From above: a braid goes on where it hung, with a gap between it and the neck.
    for (let l = levels - 1; l >= 0; l--) {
      const sign = k === 0 ? 1 : -1;
      let last = 0;
      let n = 0;
      const from = bare[k][l] * 0.92;
      for (let w = from; w < widest; w += 0.001) {
        const [x, y] = plane.toPhoto(sign * w, heightOf(l));
        if (hairAt(x, y) > 0.5) {
          last = w;
          n++;
        }
      }
      const deep = last - from;
      // Ears, their shadow and collars reach a little beyond the bare outline; hanging hair further.
      const goesOn =
        l < levels - 1 &&
        hangs[k][l + 1] > 0 &&
        heightOf(l) < lobes &&
        deep > braid.off &&
        n * 0.001 > braid.thick &&
        Math.abs(last - width[k][l + 1]) < braid.sway;
      hangs[k][l] = goesOn || (deep > 0.011 && n * 0.001 > 0.55 * deep) ? 1 : 0;
      width[k][l] = hangs[k][l] ? last : bare[k][l];
    }
  }
  return { width, hangs };
}

function smoothByHeight(lines: readonly Float32Array[], rounds: number): void {
  for (const line of lines) {
    for (let round = 0; round < rounds; round++) {
      const copy = line.slice();
      for (let l = 0; l < levels; l++)
        line[l] = (copy[Math.max(0, l - 1)] + 2 * copy[l] + copy[Math.min(levels - 1, l + 1)]) / 4;
    }
  }
}

/** A turned head hides one side: the pixels beside it show the background. */
function trustSeenSide(bare: Sides, width: Sides, hangs: Sides, seen: 0 | 1): void {
  const hidden = seen === 0 ? 1 : 0;
  for (let l = 0; l < levels; l++) {
    if (hangs[hidden][l] <= hangs[seen][l]) continue;
    hangs[hidden][l] = hangs[seen][l];
    width[hidden][l] = Math.min(width[hidden][l], bare[hidden][l] + 0.01 * hangs[seen][l]);
  }
}

/** Where long hair hangs on one side only, the cut lost the other one, or the head hides it. */
function completeOtherSide(bare: Sides, width: Sides, hangs: Sides): void {
  for (let l = 0; l < levels; l++) {
    for (const k of sides) {
      const other = k === 0 ? 1 : 0;
      if (hangs[k][l] > 0.4 || hangs[other][l] < 0.6) continue;
      hangs[k][l] = hangs[other][l];
      width[k][l] = Math.max(width[k][l], bare[k][l] + 0.6 * (width[other][l] - bare[other][l]));
    }
  }
}

/** The cut ends at the shoulders; below, the sides fall as wide as they were last seen. */
function hangToShoulders(width: Sides, hangs: Sides, last: number): void {
  for (const k of sides) {
    const on = Math.min(levels - 1, last + 2);
    for (let l = on - 1; l >= 0; l--) {
      hangs[k][l] = Math.max(hangs[k][l], hangs[k][on]);
      if (hangs[k][on] > 0.5) width[k][l] = Math.max(width[k][l], width[k][on] * (1 - 0.004 * (on - l)));
    }
  }
}
