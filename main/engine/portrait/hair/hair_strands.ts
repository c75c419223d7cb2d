import { sineHash } from '../math/noise.ts';
import { blur } from '../photo/pixel_filters.ts';
import type { Colour } from '../texture/skin_texture.ts';

/** Mean colour of what is seen of each column, evened out, × 3; `usual` where nothing is. */
export function columnTones(
  seen: Float32Array,
  weight: Float32Array,
  size: number,
  usual: Colour,
): Float32Array {
  const sums = new Float32Array(size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const i = y * size + x;
      if (weight[i] < 0.5) continue;
      for (let c = 0; c < 3; c++) sums[4 * x + c] += seen[3 * i + c];
      sums[4 * x + 3] += weight[i];
    }
  }
  const reach = Math.round(size * 0.06);
  const least = size * 0.8;
  const out = new Float32Array(size * 3);
  const around = [0, 0, 0, 0];
  const add = (column: number, sign: number): void => {
    const x = (column + size) % size;
    for (let c = 0; c < 4; c++) around[c] += sign * sums[4 * x + c];
  };
  for (let x = -reach; x < reach; x++) add(x, 1);
  for (let x = 0; x < size; x++) {
    add(x + reach, 1);
    for (let c = 0; c < 3; c++) out[3 * x + c] = (usual[c] * least + around[c]) / (least + around[3]);
    add(x - reach, -1);
  }
  return out;
}

/** How much lighter than its surroundings each pixel is: the strands without the light on them. */
export function strandDetail(
  seen: Float32Array,
  weight: Float32Array,
  size: number,
): Float32Array<ArrayBuffer> {
  const step = 4;
  const side = Math.floor(size / step);
  const light = new Float32Array(side * side);
  const sure = new Float32Array(side * side);
  const bright = (i: number): number => seen[3 * i] + seen[3 * i + 1] + seen[3 * i + 2];
  for (let y = 0; y < side * step; y++) {
    for (let x = 0; x < side * step; x++) {
      const i = y * size + x;
      const o = Math.floor(y / step) * side + Math.floor(x / step);
      light[o] += bright(i);
      sure[o] += weight[i];
    }
  }
  const broadLight = blur(blur(light, side, side, 3), side, side, 3);
  const broadSure = blur(blur(sure, side, side, 3), side, side, 3);
  const out = new Float32Array(size * size).fill(1);
  for (let i = 0; i < out.length; i++) {
    if (weight[i] < 0.3) continue;
    const x = Math.min(side - 1, Math.floor((i % size) / step));
    const y = Math.min(side - 1, Math.floor(i / size / step));
    const around = broadLight[y * side + x] / Math.max(1e-3, broadSure[y * side + x]);
    out[i] = Math.max(0.6, Math.min(1.5, bright(i) / weight[i] / Math.max(6, around)));
  }
  return out;
}

/** The strands of each column where it is last seen, as lightness about 1. */
export function lastStrands(
  detail: Float32Array,
  weight: Float32Array,
  size: number,
  ends: Float32Array,
): Float32Array {
  const rows = Math.round(size * 0.05);
  const line = Float32Array.from({ length: size }, (_, x) => {
    let sum = 0;
    let n = 0;
    for (let y = Math.max(0, ends[x] - rows); y <= ends[x]; y++) {
      if (weight[y * size + x] < 0.3) continue;
      sum += Math.log(detail[y * size + x]);
      n++;
    }
    return n ? sum / n : 0;
  });
  const reach = 7;
  return line.map((value, x) => {
    let mean = 0;
    for (let d = -reach; d <= reach; d++) mean += line[(x + d + size) % size] / (2 * reach + 1);
    // The mean over rows flattens the strands: as lively again as they were.
    return Math.exp(Math.max(-0.3, Math.min(0.3, 1.5 * (value - mean))));
  });
}

const patterns = new Map<number, Float32Array>();

/** Strands along v, −1..1: fine and coarse streaks that wander a little. */
export function strandPattern(size: number): Float32Array {
  const made = patterns.get(size);
  if (made) return made;
  const out = new Float32Array(size * size);
  const layers = [
    { period: size / 380, drift: 0.012, weight: 0.45 },
    { period: size / 170, drift: 0.02, weight: 0.35 },
    { period: size / 48, drift: 0.03, weight: 0.3 },
  ];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let sum = 0;
      for (let l = 0; l < layers.length; l++) {
        const { period, drift, weight } = layers[l];
        const bend = drift * size * Math.sin((y / size) * 5 + l * 2 + Math.sin((x / size) * 19 + l) * 1.3);
        const p = (x + bend) / period;
        const i = Math.floor(p);
        const f = p - i;
        const t = f * f * (3 - 2 * f);
        const q = Math.floor((y / size) * 9 + sineHash(i, l) * 5);
        const v0 = sineHash(i, l * 17 + q * 0.37);
        const v1 = sineHash(i + 1, l * 17 + q * 0.37);
        sum += weight * (2 * (v0 + (v1 - v0) * t) - 1);
      }
      out[y * size + x] = sum;
    }
  }
  patterns.set(size, out);
  return out;
}
