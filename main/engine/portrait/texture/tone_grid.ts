import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import type { OwnSkin } from './own_skin.ts';
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

/** Radius over which the broad tone is told: box blurs, twice. */
const broadRadius = 3;
/** How far, ln, skin strays from its tone in light and shade; what strays further tells less of it. */
const doubtful = 0.25;
/** What a colour counts that is none of the skin's: a beard all over a jaw is its tone there. */
const least = 0.03;

export const softened = (values: Float32Array, side: number, radius: number): Float32Array =>
  blur(blur(values, side, side, radius), side, side, radius);

/** ln of a canvas's colours on the fine grid, by channel. */
export function logarithms({ size, colour }: Canvas): Float32Array[] {
  const step = size / fine;
  const logs = [0, 1, 2].map(() => new Float32Array(fine * fine));
  for (let i = 0; i < fine * fine; i++) {
    const left = Math.floor((i % fine) * step);
    const top = Math.floor(Math.floor(i / fine) * step);
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let y = top; y < top + step; y++)
        for (let x = left; x < left + step; x++) sum += Math.max(0, colour[3 * (y * size + x) + c]);
      logs[c][i] = Math.log(1 + sum / (step * step));
    }
  }
  return logs;
}

/** ln of the skin's tone over some 3 cm on the broad grid, by channel; what isn't of the skin's colours hardly counts. */
export function broadTone(logs: readonly Float32Array[], own: OwnSkin): Float32Array[] {
  const cells = fine / broad;
  const weight = new Float32Array(broad * broad);
  const sums = logs.map(() => new Float32Array(broad * broad));
  for (let i = 0; i < fine * fine; i++) {
    const [r, g, b] = [Math.exp(logs[0][i]) - 1, Math.exp(logs[1][i]) - 1, Math.exp(logs[2][i]) - 1];
    const off = Math.log((r + g + b + 1) / (own.tone[0] + own.tone[1] + own.tone[2] + 1)) / doubtful;
    const w = least + own.like(r, g, b) * Math.exp(-off * off);
    const cell = Math.floor(Math.floor(i / fine) / cells) * broad + Math.floor((i % fine) / cells);
    weight[cell] += w;
    for (let c = 0; c < 3; c++) sums[c][cell] += w * logs[c][i];
  }
  const known = softened(weight, broad, broadRadius);
  return sums.map((sum) => softened(sum, broad, broadRadius).map((value, i) => value / known[i]));
}
