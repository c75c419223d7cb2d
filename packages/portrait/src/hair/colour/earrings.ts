import { smoothstep } from '../../math/vector.ts';
import { faceHeight } from '../../matte/crop_pixel.ts';
import { connectedPieces } from '../../matte/mask_morphology.ts';
import type { Silhouette } from '../../matte/silhouette.ts';
import { blur } from '../../photo/pixel_filters.ts';
import type { HairMap } from '../hair_map.ts';
import { lookOf } from './hair_tint.ts';

/**
 * Where the middles of lobes and earrings are in the face's own coordinates: sidewards (1 at the ears) and upwards (0 at
 * the chin, 1 at the forehead); and how far beyond is looked at.
 */
const zone = { from: 0.85, to: 1.22, low: -0.05, high: 0.5, beyond: 0.1 } as const;
/**
 * How long a spot is, parts of the face's height. A stud is one on hair too; without it two heads lost a hundredth of
 * their likeness. What is longer is an ear, a lock or skin beside the hair.
 */
const [shortest, longest] = [0.1, 0.2] as const;
/** The hair's usual colour is that of nine cells of this size, parts of the face's height. */
const cellSize = 0.075;
/** Least share of hair that tells its colour. */
const leastHair = 0.1;
/** How much lighter than the hair about it a place may be, ln, and from which on it is none. */
const lighter = { from: 0.5, wholly: 0.8 } as const;
/** The same of its tint, parts of its brightness; nothing is told of what is darker than the hair by so much, ln. */
const tinted = { from: 0.1, wholly: 0.16, dark: -0.5, clear: -0.2 } as const;
/** Share of what surrounds a spot that is hair or face. */
const amid = 0.7;

/**
 * Spots beside the face that are no hair though hair is round them, 0..1 by pixel of the crop: lobes and earrings that
 * would lie flat on it. They are skin, lighter than the hair there or of another tint, and shorter than ears.
 */
export function findEarrings(cut: Silhouette, map: Pick<HairMap, 'hair'>): Float32Array {
  const { width, height } = cut;
  const spots = new Float32Array(width * height);
  let any = false;
  const odd = new Float32Array(width * height);
  for (const side of [-1, 1] as const) findOdd(odd, cut, map, side);
  const isOdd = Uint8Array.from(odd, (share) => Number(share >= 0.5));
  for (const piece of connectedPieces(isOdd, width, height)) {
    if (!isSpot(piece, odd, cut, map)) continue;
    any = true;
    for (const i of piece) spots[i] = odd[i];
  }
  // Its edge is mixed with the hair.
  return any ? blur(spots, width, height, 1).map((share) => smoothstep(0.1, 0.35, share)) : spots;
}

/** The rectangle of the crop on one side of the face that is looked at; its ends are not in it. */
function boundsOf({ width, height, faceFrame }: Silhouette, side: 1 | -1) {
  const [a, b] = faceFrame(0, 0);
  const [right, low] = faceFrame(width, height);
  const column = (place: number): number => Math.round(((place - a) / (right - a)) * width);
  const row = (place: number): number => Math.round(((place - b) / (low - b)) * height);
  const [near, far] = [column(side * (zone.from - zone.beyond)), column(side * (zone.to + zone.beyond))];
  return {
    x0: Math.max(0, Math.min(near, far)),
    x1: Math.min(width, Math.max(near, far)),
    y0: Math.max(0, row(zone.high + zone.beyond)),
    y1: Math.min(height, row(zone.low - zone.beyond)),
  };
}

/** How far each pixel on one side of the face is no hair, 0..1, into `odd`. */
function findOdd(odd: Float32Array, cut: Silhouette, { hair }: Pick<HairMap, 'hair'>, side: 1 | -1): void {
  const { width, inFace, mask, crop } = cut;
  const { x0, x1, y0, y1 } = boundsOf(cut, side);
  const cell = Math.max(2, Math.round(cellSize * faceHeight(cut)));
  // A row and a column of empty cells all round.
  const across = Math.ceil(Math.max(0, x1 - x0) / cell) + 2;
  const sums = new Float32Array(4 * across * (Math.ceil(Math.max(0, y1 - y0) / cell) + 2));
  const cellOf = (x: number, y: number): number =>
    4 * ((Math.floor((y - y0) / cell) + 1) * across + Math.floor((x - x0) / cell) + 1);
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const i = y * width + x;
      if (inFace[i] || hair[i] < leastHair) continue;
      const o = cellOf(x, y);
      sums[o] += hair[i];
      for (const [c, value] of lookOf(crop, 3 * i).entries()) sums[o + 1 + c] += hair[i] * value;
    }
  }
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const i = y * width + x;
      if (inFace[i] || mask[i] < 128) continue;
      const usual = [0, 0, 0, 0];
      const o = cellOf(x, y);
      for (const row of [-across, 0, across])
        for (let k = -4; k < 8; k++) usual[k & 3] += sums[o + 4 * row + k];
      if (usual[0] < leastHair * 9 * cell * cell) continue;
      const [ln, warmth, hue] = lookOf(crop, 3 * i);
      const above = ln - usual[1] / usual[0];
      const off = Math.hypot(warmth - usual[2] / usual[0], hue - usual[3] / usual[0]);
      odd[i] = Math.max(
        1 - hair[i],
        smoothstep(lighter.from, lighter.wholly, above),
        smoothstep(tinted.from, tinted.wholly, off) * smoothstep(tinted.dark, tinted.clear, above),
      );
    }
  }
}

/** Whether a piece is as long as lobes and earrings, lies where they do, and amid hair. */
function isSpot(
  piece: readonly number[],
  odd: Float32Array,
  cut: Silhouette,
  { hair }: Pick<HairMap, 'hair'>,
): boolean {
  const { width, height, faceFrame, inFace } = cut;
  let [x0, x1, y0, y1] = [width, 0, height, 0];
  for (const i of piece) {
    const [x, y] = [i % width, Math.floor(i / width)];
    [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
  }
  const long = (Math.max(x1 - x0, y1 - y0) + 1) / faceHeight(cut);
  if (long < shortest || long > longest) return false;
  const [a, b] = faceFrame((x0 + x1 + 1) / 2, (y0 + y1 + 1) / 2);
  if (Math.abs(a) < zone.from || Math.abs(a) > zone.to || b < zone.low || b > zone.high) return false;
  let [around, covered] = [0, 0];
  for (let y = Math.max(0, y0 - 2); y <= Math.min(height - 1, y1 + 2); y++) {
    for (let x = Math.max(0, x0 - 2); x <= Math.min(width - 1, x1 + 2); x++) {
      const i = y * width + x;
      if (odd[i] >= 0.5) continue;
      around++;
      covered += inFace[i] ? 1 : hair[i];
    }
  }
  return covered > amid * around;
}
