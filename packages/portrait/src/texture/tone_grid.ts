import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import type { Colour } from './skin_texture.ts';
import type { Canvas } from './texture_fill.ts';

/** Cells a side of the grid of spots, streaks and gloss, some 1.2 mm each on the face. */
export const fine = 256;
/** The same of the skin's broad tone, 5 mm. */
const broad = 64;
/** A value of the broad grid at a cell of the fine one. */
export const broadAt = (values: Float32Array, cell: number): number =>
  readGrid(
    values,
    broad,
    broad,
    ((cell % fine) + 0.5) * (broad / fine),
    (Math.floor(cell / fine) + 0.5) * (broad / fine),
  );

/** Radius of the two box blurs of the broad tone, cells. */
const broadRadius = 3;
/** Deviation of skin from its tone in light and shade, ln; larger ones count less. */
const toneDeviation = 0.25;
/** How far, ln, red and blue stray from green's part of it: stubble is greyer, cloth and hair of other colours. */
const strange = 0.12;
/** Weight of a colour unlike skin: a beard all over a jaw is its tone there. */
const min = 0.03;

export const softened = (values: Float32Array, side: number, radius: number): Float32Array =>
  blur(blur(values, side, side, radius), side, side, radius);

/** ln of a canvas's colours on the fine grid, by channel. */
export function logarithms(canvas: Canvas): Float32Array[] {
  const logs = [0, 1, 2].map(() => new Float32Array(fine * fine));
  const sums = new Float64Array(3 * fine);
  for (let row = 0; row < fine; row++) {
    sums.fill(0);
    const step = canvas.size / fine;
    for (let y = row * step; y < (row + 1) * step; y++) sumRow(canvas, y, sums);
    for (let x = 0; x < fine; x++)
      for (let c = 0; c < 3; c++) logs[c][row * fine + x] = Math.log(1 + sums[3 * x + c] / (step * step));
  }
  return logs;
}

/** Adds a row's colours to the sums of the fine grid's cells, × 3. */
function sumRow({ size, colour }: Canvas, y: number, sums: Float64Array): void {
  const step = size / fine;
  let i = 3 * y * size;
  for (let cell = 0; cell < sums.length; cell += 3) {
    for (let end = i + 3 * step; i < end; i += 3) {
      sums[cell] += Math.max(0, colour[i]);
      sums[cell + 1] += Math.max(0, colour[i + 1]);
      sums[cell + 2] += Math.max(0, colour[i + 2]);
    }
  }
}

/**
 * ln of the skin's tone over some 3 cm on the broad grid, by channel; what isn't of the skin's colours hardly counts.
 */
export function broadTone(logs: readonly Float32Array[], tone: Colour): Float32Array[] {
  const [weight, ...sums] = Array.from({ length: 4 }, () => new Float32Array(broad * broad));
  const logTone = tone.map((value) => Math.log(1 + value));
  for (let row = 0; row < fine; row++) weighRow(logs, logTone, row, weight, sums);
  const known = softened(weight, broad, broadRadius);
  return sums.map((sum) => softened(sum, broad, broadRadius).map((value, i) => value / known[i]));
}

/** Adds a row of the fine grid to the sums of the broad one's cells. @param logTone ln of the skin's colour */
function weighRow(
  [red, green, blue]: readonly Float32Array[],
  logTone: readonly number[],
  row: number,
  weight: Float32Array,
  sums: readonly Float32Array[],
): void {
  const cells = fine / broad;
  for (let x = 0; x < fine; x++) {
    const i = row * fine + x;
    const r = red[i] - logTone[0];
    const g = green[i] - logTone[1];
    const b = blue[i] - logTone[2];
    const light = (r + g + b) / (3 * toneDeviation);
    const redness = (r - g) / strange;
    const blueness = (b - g) / strange;
    const w = min + Math.exp(-light * light - redness * redness - blueness * blueness);
    const cell = Math.floor(row / cells) * broad + Math.floor(x / cells);
    weight[cell] += w;
    sums[0][cell] += w * red[i];
    sums[1][cell] += w * green[i];
    sums[2][cell] += w * blue[i];
  }
}
