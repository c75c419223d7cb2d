import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import type { Raster } from '../contract/head_model.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { softened } from '../texture/tone_grid.ts';

/** Side of the coarse picture that a blotch is compared with, pixels. */
const cells = 256;
/** Pixels of it over which skin is averaged: some 12 mm of a face. */
const reach = 5;

/**
 * Evens out what a skin's texture has of blotches: the difference between some millimetres and their surroundings goes,
 * pores and fine lines stay. Larger differences (brows, lips, lids, nostrils, beard) keep their contrast.
 *
 * @param raster - Square RGB; its side a multiple of {@link cells}.
 * @param strength - 0..1.
 */
export function evenedSkin(raster: Raster, strength: number): Raster {
  const { data, width } = raster;
  const scale = cells / width;
  const planes = cellMeans(raster);
  const broad = planes.map((plane) => softened(plane, cells, reach));
  const near = planes.map((plane) => blur(plane, cells, cells, 1));
  const change = near.map((values, c) => values.map((value, i) => broad[c][i] - value));
  const share = new Float32Array(cells * cells);
  for (let i = 0; i < share.length; i++) {
    const level = broad[0][i] + broad[1][i] + broad[2][i] + 1;
    const off = Math.hypot(change[0][i], change[1][i], change[2][i]) / level;
    share[i] = strength * smoothstep(0.08, 0.035, off);
  }
  const soft = blur(share, cells, cells, 1);
  const out = data.slice();
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const read = (values: Float32Array): number =>
        readGrid(values, cells, cells, (x + 0.5) * scale, (y + 0.5) * scale);
      const s = read(soft);
      if (s < 0.004) continue;
      const o = 3 * (y * width + x);
      for (let c = 0; c < 3; c++) out[o + c] = Math.round(clamp(out[o + c] + s * read(change[c]), 0, 255));
    }
  }
  return { ...raster, data: out };
}

/** Mean colours of the coarse picture's pixels, by channel. */
function cellMeans({ data, width }: Raster): Float32Array[] {
  const means = [0, 1, 2].map(() => new Float32Array(cells * cells));
  const step = width / cells;
  for (let y = 0, o = 0; y < width; y++) {
    const row = Math.floor(y / step) * cells;
    for (let x = 0; x < width; x++)
      for (const mean of means) mean[row + Math.floor(x / step)] += data[o++] / (step * step);
  }
  return means;
}
