import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import type { Picture } from '../photo/photo.ts';
import { type CellIndices, cellIndices, lerpAt, readRows } from '../photo/picture_sampling.ts';
import {
  blankCanvas,
  type Canvas,
  fillUnknown,
  interpolate,
  mirrored,
  type PixelVisitor,
  release,
  sumCells,
  trianglesWith,
  walkTriangles,
} from './texture_fill.ts';

/** Input of the bake: per-vertex data of the skin over one layout. */
export interface SkinLayout {
  readonly uv: Float32Array;
  readonly triangles: Uint32Array;
  /** × 2: photo pixels. */
  readonly photo: Float32Array;
  /** 0..1: how far the photo is to be trusted there. */
  readonly trust: Float32Array;
  /** × 3: what a colour read there (sRGB) is multiplied by, to take the photo's light out of it. */
  readonly gain: Float32Array;
}

/** sRGB 0..255. */
export type Colour = readonly [number, number, number];

/** Reads a picture bilinearly into `out`; the border repeats. */
export function readPixel(picture: Picture, x: number, y: number, out: Float32Array): void {
  const { data, width, height } = picture;
  const px = Math.min(width - 1.001, Math.max(0, x - 0.5));
  const py = Math.min(height - 1.001, Math.max(0, y - 0.5));
  const ix = px | 0;
  const iy = py | 0;
  const fx = px - ix;
  const fy = py - iy;
  const i = 3 * (iy * width + ix);
  const j = i + 3 * width;
  const w00 = (1 - fx) * (1 - fy);
  const w10 = fx * (1 - fy);
  const w01 = (1 - fx) * fy;
  const w11 = fx * fy;
  out[0] = data[i] * w00 + data[i + 3] * w10 + data[j] * w01 + data[j + 3] * w11;
  out[1] = data[i + 1] * w00 + data[i + 4] * w10 + data[j + 1] * w01 + data[j + 4] * w11;
  out[2] = data[i + 2] * w00 + data[i + 5] * w10 + data[j + 2] * w01 + data[j + 5] * w11;
}

/** Trust below which a pixel does not count, and above which it counts fully. Without the limit hair's shade stains the fill. */
const [faint, clear] = [0.03, 0.15];

/** Projects the photo on the skin's layout; what it can't see stays unknown. */
export function projectPhoto(picture: Picture, skin: SkinLayout, size: number): Canvas {
  const canvas = blankCanvas(size);
  walkTriangles(size, skin.uv, trianglesWith(skin.triangles, skin.trust), projectPixel, {
    picture,
    skin,
    canvas,
    pixel: new Float32Array(3),
  });
  return canvas;
}

const projectPixel: PixelVisitor<{
  readonly picture: Picture;
  readonly skin: SkinLayout;
  readonly canvas: Canvas;
  readonly pixel: Float32Array;
}> = (i, a, b, c, shares, { picture, skin: { photo, trust, gain }, canvas: { colour, weight }, pixel }) => {
  const trusted = interpolate(trust, a, b, c, shares);
  const w = trusted * smoothstep(faint, clear, trusted);
  if (w <= weight[i] || w < 0.004) return;
  readPixel(
    picture,
    interpolate(photo, 2 * a, 2 * b, 2 * c, shares),
    interpolate(photo, 2 * a + 1, 2 * b + 1, 2 * c + 1, shares),
    pixel,
  );
  weight[i] = w;
  for (let ch = 0; ch < 3; ch++)
    colour[3 * i + ch] = pixel[ch] * interpolate(gain, 3 * a + ch, 3 * b + ch, 3 * c + ch, shares) * w;
};

/** Cells of the grid on which the two sides' light is compared. */
const sideCells = 64;
/** Beyond this, ln, the sides differ in more than light. */
const maxSideLight = Math.log(1.8);

/**
 * Differences of the sides' light, ln, up to which the mirror image counts fully, and from which on it doesn't count.
 */
const [agreeing, disagreeing] = [0.2, 0.42];

/**
 * Measures how much lighter each side of a canvas is than the other where both are known, and extrapolates: `light`, ln
 * of the ratio, a grid of cells for each channel; `sure`, how far both are known there, 0..1.
 */
function lightOfSides(canvas: Canvas) {
  const step = canvas.size / sideCells;
  const { known, sums } = sumCells(canvas, sideCells);
  const ratio = blankCanvas(sideCells);
  const sure = new Float32Array(sideCells * sideCells);
  for (let i = 0; i < sure.length; i++) {
    const j = mirrored(i, sideCells);
    const w = smoothstep(0.2, 0.6, Math.min(known[i], known[j]) / (step * step));
    ratio.weight[i] = w;
    sure[i] = w;
    if (!w) continue;
    for (let c = 0; c < 3; c++) {
      const lighter = Math.log(((sums[3 * i + c] + 1) * known[j]) / ((sums[3 * j + c] + 1) * known[i]));
      ratio.colour[3 * i + c] = w * clamp(lighter, -maxSideLight, maxSideLight);
    }
  }
  fillUnknown(ratio);
  return { light: [0, 1, 2].map((c) => sure.map((_, i) => ratio.colour[3 * i + c])), sure };
}

/**
 * Fills pixels that the photo shows badly from their mirror image: the layout is symmetric. Pixels on the lit side
 * become as light as their surroundings; those in the shade stay at least as light as the skin's tone, unless known
 * pixels surround them. If the sides' light differs much, nothing is filled. Pixels change in pairs: a second canvas
 * would be a worker's largest allocation.
 */
export function fillFromMirror(canvas: Canvas, skinColour?: Colour): void {
  const { light, sure } = lightOfSides(canvas);
  const grids = [sure, light[1], ...light.map((logs) => logs.map(Math.exp))];
  const line = new Float32Array(grids.length * sideCells);
  const indices = cellIndices(canvas.size, sideCells);
  const tone = skinColour && skinColour[0] + skinColour[1] + skinColour[2];
  for (let y = 0; y < canvas.size; y++) {
    readRows(grids, sideCells, sideCells, ((y + 0.5) * sideCells) / canvas.size, line);
    fillRowFromMirror(canvas, y, line, indices, tone);
  }
}

/**
 * A function of its own, so that V8 keeps its code from head to head.
 *
 * @param line - How far both sides are known, ln of how much lighter green is on this side, and the channels'
 *   lightness.
 * @param tone - Sum of the skin's channels; absent where it is not known.
 */
function fillRowFromMirror(
  { size, colour, weight }: Canvas,
  y: number,
  line: Float32Array,
  indices: CellIndices,
  tone: number | undefined,
): void {
  for (let x = 0; x < size / 2; x++) {
    const i = y * size + x;
    const j = y * size + (size - 1 - x);
    const left = weight[i];
    const right = weight[j];
    let toLeft = gain(left, right);
    let toRight = gain(right, left);
    if (toLeft === 0 && toRight === 0) continue;
    const cell = indices.left[x];
    const share = indices.share[x];
    const known = lerpAt(line, cell, share);
    if (tone !== undefined) {
      const at = sideCells + cell;
      const alike = 1 - smoothstep(agreeing, disagreeing, Math.abs(lerpAt(line, at, share)));
      toLeft *= alike;
      toRight *= alike;
    }
    const leftFloor = toLeft ? floorFactor(colour, weight, j, tone) : 0;
    const rightFloor = toRight ? floorFactor(colour, weight, i, tone) : 0;
    for (let c = 0; c < 3; c++) {
      const a = colour[3 * i + c];
      const b = colour[3 * j + c];
      const at = (2 + c) * sideCells + cell;
      const lift = lerpAt(line, at, share);
      if (toLeft) colour[3 * i + c] = a + (b / right) * toLeft * fitted(lift, known, leftFloor);
      if (toRight) colour[3 * j + c] = b + (a / left) * toRight * fitted(1 / lift, known, rightFloor);
    }
    weight[i] = left + toLeft;
    weight[j] = right + toRight;
  }
}

/** Weight of the mirror image for a pixel known that well. */
function gain(known: number, other: number): number {
  const share = (1 - known) * other * 0.85;
  return share < 0.01 || other < 0.3 ? 0 : share;
}

/** Factor from a pixel to the skin's own tone. */
const floorFactor = (colour: Float32Array, weight: Float32Array, i: number, tone = 765): number =>
  Math.min(1, (tone * weight[i]) / (colour[3 * i] + colour[3 * i + 1] + colour[3 * i + 2]));

/** Darkens no further than to the tone, unless what is known round about is darker. */
const fitted = (lift: number, known: number, lowest: number): number =>
  lift + (1 - known) * Math.max(0, lowest - lift);

/** The bytes of a canvas that is filled; the canvas itself is released. */
export function canvasBytes(canvas: Canvas): Uint8Array {
  const { size, colour } = canvas;
  const out = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y++) roundRow(colour, out, 3 * y * size, 3 * (y + 1) * size);
  release(canvas.colour, canvas.weight);
  return out;
}

function roundRow(colour: Float32Array, out: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const value = colour[i];
    out[i] = value <= 0 ? 0 : value >= 255 ? 255 : value + 0.5;
  }
}
