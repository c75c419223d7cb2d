import { smoothstep } from '../math/vector.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import { earHeight, leastBelowEar } from './hem.ts';
import type { PicturePlane } from './picture_plane.ts';

/** Yaw from which on a head hides the hair of its far side, and at which it hides it all; degrees. */
const [hidesFrom, hidesAll] = [9, 16] as const;
/** Between which distances from the outline colours are compared on both its sides, metres, and in which steps. */
const band = { from: 0.003, to: 0.012, step: 0.001 } as const;
/** Difference of Lab in 8 bits up to which an outline is a guess, and from which on it is seen. */
const [guessed, seen] = [6, 20] as const;

/**
 * How far the outlines of hair beside the face can be trusted, 0..1: one that the head hides, that the photo's edge cuts
 * off, or that lies in the dark before a dark wall is told by the other side.
 *
 * @param width - Half-widths of the hair by level, metres: first where u > 0.
 * @param yaw - Of the head, degrees; positive hides u > 0.
 */
export function trustOutlines(
  cut: Silhouette,
  plane: PicturePlane,
  width: readonly [Float32Array, Float32Array],
  hangs: readonly [Float32Array, Float32Array],
  heightOf: (l: number) => number,
  yaw: number,
): readonly [number, number] {
  const hides = smoothstep(hidesFrom, hidesAll, Math.abs(yaw));
  const clear = ([0, 1] as const).map((k) => {
    let sum = 0;
    let n = 0;
    for (let l = 0; l < width[k].length; l++) {
      if (hangs[k][l] < 0.5) continue;
      sum += smoothstep(guessed, seen, contrast(cut, plane, k === 0 ? 1 : -1, width[k][l], heightOf(l)));
      n++;
    }
    const isHidden = k === 0 ? yaw > 0 : yaw < 0;
    return (n ? sum / n : 1) * (isHidden ? 1 - hides : 1);
  });
  const most = Math.max(...clear, 0.01);
  return [clear[0] / most, clear[1] / most];
}

/** How much colours differ between both sides of an outline, in Lab of 8 bits; 0 at the photo's edge. */
function contrast(
  { lab, width, height, outside, toCrop }: Silhouette,
  plane: PicturePlane,
  sign: 1 | -1,
  edge: number,
  v: number,
): number {
  const difference = [0, 0, 0];
  for (let off = band.from; off < band.to; off += band.step) {
    for (const side of [1, -1]) {
      const [x, y] = toCrop(...plane.toPhoto(sign * (edge + side * off), v)).map(Math.floor);
      const i = y * width + x;
      if (x < 0 || y < 0 || x >= width || y >= height || outside[i]) return 0;
      for (let c = 0; c < 3; c++) difference[c] += side * lab[3 * i + c];
    }
  }
  return (Math.hypot(...difference) * band.step) / (band.to - band.from);
}

/**
 * Hair goes on behind an ear that stands before it: without, it has a waist there. In place.
 *
 * @param width - Half-widths with the hair on one side by height, from below, metres.
 * @param hangs - Whether any hangs there, 0 or 1.
 */
export function bridgeEar(width: Float32Array, hangs: Float32Array, heightOf: (l: number) => number): void {
  let above = -1;
  for (let l = hangs.length - 1; l >= 0; l--) {
    if (!hangs[l]) continue;
    const isGap = above > l + 1 && heightOf(above) - heightOf(l) < earHeight;
    const goesOn = l + 1 >= leastBelowEar && hangs.subarray(l + 1 - leastBelowEar, l + 1).every((h) => h > 0);
    if (isGap && goesOn) {
      for (let k = l + 1; k < above; k++) {
        hangs[k] = 1;
        width[k] = width[l] + ((width[above] - width[l]) * (k - l)) / (above - l);
      }
    }
    above = l;
  }
}

/** Metres by which hair's outline may draw in a metre downwards: it ends open at its hem, and isn't led in as a shelf. */
const drawsIn = 1.6;

/** Over which height above its end hair turns in, metres, and by what part of its distance from the neck. */
const turns = { over: 0.03, in: 0.3 } as const;

/** Turns a bob's outline in at its end on one side, and lets it draw in no faster than such hair does below it; in place. */
export function turnIn(width: Float32Array, hangs: Float32Array, bare: Float32Array, step: number): void {
  const end = hangs.findIndex((share) => share > 0.5);
  if (end < 0) return;
  for (let l = end; l < width.length; l++) {
    const t = Math.max(0, 1 - ((l - end) * step) / turns.over);
    width[l] -= turns.in * t * t * Math.max(0, width[l] - bare[l]);
  }
  for (let l = width.length - 2; l >= 0; l--) width[l] = Math.max(width[l], width[l + 1] - drawsIn * step);
}
