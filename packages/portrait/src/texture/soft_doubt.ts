import { smoothstep } from '../math/vector.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import type { Canvas } from './texture_fill.ts';
import { fine, softened } from './tone_grid.ts';

/** Part of its surroundings, some 3 mm, that must be doubtful for a pixel to lose its weight, and to lose it wholly. */
const [specks, wholly] = [0.15, 0.55];
/** A cell of which less is doubtful has no such pixel, nor beside the next one. */
const hardly = 0.03;

/**
 * Takes the weight from doubtful pixels where they make up a place. Pixel by pixel it would fray: single
 * pores and wrinkles are unlike the skin as well, and holes as small as that are filled with another place's pattern.
 *
 * @param doubt - 0..255 by pixel of the canvas, whose colours and weights are changed in place.
 */
export function takeDoubtful(canvas: Canvas, doubt: Uint8Array): void {
  const cells = Math.min(fine, canvas.size);
  const shares = doubtfulShares(canvas, doubt, cells);
  if (!shares) return;
  for (let cell = 0; cell < shares.length; cell++)
    if (shares[cell] > hardly) fadeCell(canvas, shares, cells, cell);
}

/** Which part of each cell's surroundings is doubtful; undefined where nothing is. */
function doubtfulShares(
  { size, weight }: Canvas,
  doubt: Uint8Array,
  cells: number,
): Float32Array | undefined {
  const step = size / cells;
  const sums = new Float32Array(cells * cells);
  const known = new Float32Array(cells * cells);
  let any = false;
  // Four pixels a cell tell enough of it.
  const stride = Math.max(1, step / 2);
  for (let y = 0; y < size; y += stride) {
    const row = Math.floor(y / step) * cells;
    for (let x = 0; x < size; x += stride) {
      const i = y * size + x;
      if (!weight[i]) continue;
      const cell = row + ((x / step) | 0);
      known[cell]++;
      if (!doubt[i]) continue;
      sums[cell] += doubt[i] / 255;
      any = true;
    }
  }
  if (!any) return undefined;
  const all = softened(known, cells, 1);
  return softened(sums, cells, 1).map((sum, i) => sum / (all[i] + 1e-6));
}

/** Fades the pixels of a cell by what is doubtful about each. */
function fadeCell({ size, colour, weight }: Canvas, shares: Float32Array, cells: number, cell: number): void {
  const step = size / cells;
  const left = (cell % cells) * step;
  const top = Math.floor(cell / cells) * step;
  for (let y = top; y < top + step; y++)
    for (let x = left; x < left + step; x++) {
      const i = y * size + x;
      if (!weight[i]) continue;
      const kept =
        1 - smoothstep(specks, wholly, readGrid(shares, cells, cells, (x + 0.5) / step, (y + 0.5) / step));
      weight[i] *= kept;
      for (let c = 0; c < 3; c++) colour[3 * i + c] *= kept;
    }
}
