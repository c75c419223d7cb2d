import { smoothstep } from '../math/vector.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import type { Canvas } from './texture_fill.ts';
import { fine, softened } from './tone_grid.ts';

/** Part of its surroundings, some 3 mm, that must be doubtful for a pixel to lose its weight, and to lose it wholly. */
const [specks, wholly] = [0.15, 0.55];

/**
 * Takes the weight from doubtful pixels where they make up a place. Pixel by pixel it would fray: single
 * pores and wrinkles are unlike the skin as well, and holes as small as that are filled with another place's pattern.
 *
 * @param doubt - 0..255 by pixel of the canvas, whose colours and weights are changed in place.
 */
export function takeDoubtful({ size, colour, weight }: Canvas, doubt: Uint8Array): void {
  const cells = Math.min(fine, size);
  const step = size / cells;
  const sums = new Float32Array(cells * cells);
  const known = new Float32Array(cells * cells);
  let any = false;
  for (let i = 0; i < doubt.length; i++) {
    if (!weight[i]) continue;
    const cell = Math.floor(Math.floor(i / size) / step) * cells + Math.floor((i % size) / step);
    known[cell]++;
    if (!doubt[i]) continue;
    sums[cell] += doubt[i] / 255;
    any = true;
  }
  if (!any) return;
  const all = softened(known, cells, 1);
  const shares = softened(sums, cells, 1).map((sum, i) => sum / (all[i] + 1e-6));
  for (let y = 0; y < size; y++) {
    const down = (y + 0.5) / step;
    for (let x = 0; x < size; x++) {
      const i = y * size + x;
      if (!weight[i]) continue;
      const share = readGrid(shares, cells, cells, (x + 0.5) / step, down);
      if (share <= specks) continue;
      const kept = 1 - smoothstep(specks, wholly, share);
      weight[i] *= kept;
      for (let c = 0; c < 3; c++) colour[3 * i + c] *= kept;
    }
  }
}
