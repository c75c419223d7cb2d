import { hash } from '../../math/noise.ts';
import { cross, dot, normalise, type Vector } from '../../math/vector.ts';
import { readCranium, readCraniumVector } from '../../skull/cranium_grid.ts';
import { craniumColumns, craniumRows } from '../../skull/skull.ts';

/** A step along the hair, metres, and steps to either side of a place. */
export interface StreakSteps {
  readonly length: number;
  readonly count: number;
}

/** Strands of some 6 cm. */
const fineSteps: StreakSteps = { length: 0.001, count: 30 };
/** Metres of noise across: single strands, tufts and locks. */
const sizes = [0.0009, 0.0024, 0.0075] as const;
/** Layers of {@link drawStreaks}. */
export const streakLayers = sizes.length;
/** The way of the hair is looked up on a picture so many times coarser. */
const coarser = 4;

/**
 * Lightness of strands, tufts and locks on a picture of the cranium's grid, × {@link streakLayers}, each of a
 * deviation of 1: noise in space, drawn out along the way of the hair (line integral convolution, Cabral and
 * Leedom 1993). Unlike places across the strands it holds where hair parts and turns.
 *
 * @param along - Unit directions on the grid, × 3.
 * @param columnAt - The grid's column at a place across the picture, 0..1; the picture is closed round the head.
 * @param isHair - By row and column: elsewhere nothing is drawn.
 * @param steps - Longer ones take less time.
 */
export function drawStreaks(
  points: Float32Array,
  along: Float32Array,
  columnAt: (across: number) => number,
  isHair: (row: number, column: number) => boolean,
  width: number,
  height: number,
  steps = fineSteps,
): Float32Array {
  const noise = spaceNoise(points, columnAt, width, height);
  const way = pictureWay(points, along, columnAt, width, height, steps.length);
  const out = new Float32Array(streakLayers * width * height);
  for (let y = 0; y < height; y++) {
    const row = ((y + 0.5) / height) * craniumRows;
    for (let x = 0; x < width; x++) {
      if (!isHair(row, columnAt((x + 0.5) / width))) continue;
      const o = streakLayers * (y * width + x);
      follow(out, o, noise, way, x + 0.5, y + 0.5, 1, width, height, steps.count);
      follow(out, o, noise, way, x + 0.5, y + 0.5, -1, width, height, steps.count);
    }
  }
  return evenOut(out);
}

/**
 * Adds up the noise along the hair from a place on. Way and noise are read between their pixels: by themselves they
 * made a herringbone. Plain numbers throughout: this is run millions of times a head.
 */
function follow(
  out: Float32Array,
  o: number,
  noise: Float32Array,
  way: Float32Array,
  x: number,
  y: number,
  sign: 1 | -1,
  width: number,
  height: number,
  steps: number,
): void {
  const wide = Math.ceil(width / coarser) + 1;
  const line = streakLayers * width;
  let px = x;
  let py = y;
  for (let s = 0; s < steps; s++) {
    const gx = Math.max(0, px / coarser - 0.5);
    const gy = Math.max(0, py / coarser - 0.5);
    const ix = gx | 0;
    const iy = gy | 0;
    const fx = gx - ix;
    const fy = gy - iy;
    const w = 2 * (iy * wide + ix);
    const v = w + 2 * wide;
    const dx = (way[w] * (1 - fx) + way[w + 2] * fx) * (1 - fy) + (way[v] * (1 - fx) + way[v + 2] * fx) * fy;
    const dy =
      (way[w + 1] * (1 - fx) + way[w + 3] * fx) * (1 - fy) + (way[v + 1] * (1 - fx) + way[v + 3] * fx) * fy;
    px += sign * dx;
    py += sign * dy;
    if (py < 0 || py >= height) break;
    if (px < 0) px += width;
    else if (px >= width) px -= width;
    const nx = Math.max(0, px - 0.5);
    const ny = Math.max(0, py - 0.5);
    const jx = nx | 0;
    const jy = ny | 0;
    const ux = nx - jx;
    const uy = ny - jy;
    const n = line * jy + streakLayers * jx;
    const m = jy + 1 < height ? n + line : n;
    for (let layer = 0; layer < streakLayers; layer++) {
      const upper = noise[n + layer] * (1 - ux) + noise[n + streakLayers + layer] * ux;
      const lower = noise[m + layer] * (1 - ux) + noise[m + streakLayers + layer] * ux;
      out[o + layer] += upper + (lower - upper) * uy;
    }
  }
}

/** Makes each layer's deviation 1 where anything is drawn. In place. */
function evenOut(layers: Float32Array): Float32Array {
  for (let layer = 0; layer < streakLayers; layer++) {
    let [squares, n] = [0, 1];
    for (let i = layer; i < layers.length; i += streakLayers)
      if (layers[i] !== 0) {
        squares += layers[i] ** 2;
        n++;
      }
    const scale = 1 / (Math.sqrt(squares / n) || 1);
    for (let i = layer; i < layers.length; i += streakLayers) layers[i] *= scale;
  }
  return layers;
}

/** The noise of each layer at the place in space that a pixel shows. */
function spaceNoise(
  points: Float32Array,
  columnAt: (across: number) => number,
  width: number,
  height: number,
): Float32Array {
  // One more: the last pixel has a neighbour too.
  const out = new Float32Array(streakLayers * (width * height + 1));
  for (let y = 0; y < height; y++) {
    const row = ((y + 0.5) / height) * craniumRows;
    for (let x = 0; x < width; x++) {
      const column = columnAt((x + 0.5) / width);
      const [px, py, pz] = readCraniumVector(points, row, column);
      const o = streakLayers * (y * width + x);
      for (const [layer, size] of sizes.entries()) out[o + layer] = cell(px / size, py / size, pz / size);
    }
  }
  return out;
}

/** The way of the hair in pixels a step, × 2, on a coarser picture. */
function pictureWay(
  points: Float32Array,
  along: Float32Array,
  columnAt: (across: number) => number,
  width: number,
  height: number,
  stepLength: number,
): Float32Array {
  const slopes = gridSlopes(points, along);
  const [wide, high] = [Math.ceil(width / coarser) + 1, Math.ceil(height / coarser) + 1];
  const out = new Float32Array(2 * wide * high);
  const [perColumn, perRow] = [width / craniumColumns, height / craniumRows];
  for (let y = 0; y < high; y++) {
    const row = Math.min(1, (coarser * (y + 0.5)) / height) * craniumRows;
    for (let x = 0; x < wide; x++) {
      const column = columnAt((coarser * (x + 0.5)) / width);
      const o = 2 * (y * wide + x);
      out[o] = stepLength * perColumn * readCranium(slopes, 2, 1, row, column);
      out[o + 1] = stepLength * perRow * readCranium(slopes, 2, 0, row, column);
    }
  }
  return out;
}

/** The way of the hair in rows and columns a metre, × 2 a vertex. */
function gridSlopes(points: Float32Array, along: Float32Array): Float32Array {
  const count = points.length / 3;
  const slopes = new Float32Array(2 * count);
  const edge = (a: number, b: number, cells: number): Vector =>
    [0, 1, 2].map((c) => (points[3 * b + c] - points[3 * a + c]) / cells) as Vector;
  for (let i = 0; i < count; i++) {
    const k = i % craniumColumns;
    const row = i - k;
    const before = i >= craniumColumns ? i - craniumColumns : i;
    const after = i + craniumColumns < count ? i + craniumColumns : i;
    const er = edge(before, after, before === i || after === i ? 1 : 2);
    const ek = edge(row + ((k + craniumColumns - 1) % craniumColumns), row + ((k + 1) % craniumColumns), 2);
    const way: Vector = [along[3 * i], along[3 * i + 1], along[3 * i + 2]];
    const normal = normalise(cross(er, ek));
    const flat = way.map((v, c) => v - dot(way, normal) * normal[c]) as Vector;
    const [rr, rk, kk] = [dot(er, er), dot(er, ek), dot(ek, ek)];
    const [wr, wk] = [dot(flat, er), dot(flat, ek)];
    const area = rr * kk - rk * rk;
    if (area < 1e-16) continue;
    slopes[2 * i] = (wr * kk - wk * rk) / area;
    slopes[2 * i + 1] = (wk * rr - wr * rk) / area;
  }
  return slopes;
}

/** −.5 … .5, the same throughout a cell of space: drawing it out evens the steps. */
const cell = (x: number, y: number, z: number): number =>
  hash(Math.floor(x) + 7919 * Math.floor(z), Math.floor(y)) - 0.5;
