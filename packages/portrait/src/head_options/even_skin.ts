import type { Raster } from '../contract/head_model.ts';
import { clamp, smoothstep } from '../math/vector.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';

/** Side of the coarse picture that a blotch is compared with, pixels. */
const cells = 256;
/** Pixels of it over which skin is averaged: some 12 mm of a face. */
const reach = 5;

/**
 * Evens out what a skin's texture has of blotches: the difference between some millimetres and their surroundings goes,
 * pores and fine lines stay. Larger differences (brows, lips, lids, nostrils, beard) keep their contrast.
 *
 * @param strength - 0..1.
 */
export function evenedSkin(raster: Raster, strength: number): Raster {
  const { data, width, height, channels } = raster;
  const step = width / cells;
  const rows = Math.round(height / step);
  const planes = [0, 1, 2].map((c) => meanOfCells(raster, c, rows, step));
  const broad = planes.map((plane) => blur(blur(plane, cells, rows, reach), cells, rows, reach));
  const near = planes.map((plane) => blur(plane, cells, rows, 1));
  const change = near.map((values, c) => values.map((value, i) => broad[c][i] - value));
  const share = new Float32Array(cells * rows);
  for (let i = 0; i < share.length; i++) {
    const level = broad[0][i] + broad[1][i] + broad[2][i] + 1;
    const off = Math.hypot(change[0][i], change[1][i], change[2][i]) / level;
    share[i] = strength * smoothstep(0.08, 0.035, off);
  }
  const soft = blur(share, cells, rows, 1);
  const out = Uint8Array.from(data);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const read = (values: Float32Array): number =>
        readGrid(values, cells, rows, (x + 0.5) / step, (y + 0.5) / step);
      const s = read(soft);
      if (s < 0.004) continue;
      const o = channels * (y * width + x);
      for (let c = 0; c < 3; c++) out[o + c] = Math.round(clamp(data[o + c] + s * read(change[c]), 0, 255));
    }
  }
  return { ...raster, data: out };
}

function meanOfCells(
  { data, width, height, channels }: Raster,
  c: number,
  rows: number,
  step: number,
): Float32Array {
  const sum = new Float32Array(cells * rows);
  const n = new Float32Array(cells * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.min(rows - 1, Math.floor(y / step)) * cells;
    for (let x = 0; x < width; x++) {
      const i = row + Math.min(cells - 1, Math.floor(x / step));
      sum[i] += data[channels * (y * width + x) + c];
      n[i]++;
    }
  }
  return sum.map((value, i) => value / Math.max(1, n[i]));
}
