import { hash } from '@likeness/geometry/noise.ts';
import { at, type Vector } from '@likeness/geometry/vector.ts';
import { craniumColumns, craniumRows, readCranium } from '../../skull/skull.ts';
import { neighbours } from '../hair_flow.ts';
import { craniumColumnAt } from '../hair_sheet.ts';
import { gridStep } from './hair_ribbons.ts';

/** Default length of a strand of long hair, metres. */
const defaultLength = 0.06;
/** By how much a line is followed beyond the pixels whose strands it draws: half of a strand to either side. */
const lineReach = 0.042;
/** Metres of a step, by pixels across the picture: about one of them. */
const stepAcross = 0.6;
/** Metres of noise across: single strands, tufts and locks. */
const sizes = [0.0009, 0.0024, 0.0075] as const;
export const streakLayers = sizes.length;
/** The direction of the hair is looked up on a picture so many times coarser. */
const coarser = 4;

/**
 * Lightness of strands, tufts and locks on a picture of the cranium's grid, × {@link streakLayers}, each of a deviation
 * of 1: noise in space, smeared along the hair by line integral convolution (Cabral and Leedom 1993). A line serves all
 * pixels that it runs through (Stalling and Hege 1995). Unlike places across the strands it holds where hair parts and
 * turns.
 *
 * @param along - Unit directions on the grid, × 3.
 * @param isHair - By row and column: elsewhere nothing is drawn.
 * @param strandLength - Metres.
 */
export function drawStreaks(
  points: Float32Array,
  along: Float32Array,
  isHair: (row: number, column: number) => boolean,
  width: number,
  height: number,
  strandLength = defaultLength,
): Float32Array {
  const line = openLine(points, along, hairPixels(isHair, width, height), width, height, strandLength / 2);
  const out = new Float32Array(streakLayers * width * height);
  const hits = new Uint16Array(width * height);
  for (let i = 0; i < hits.length; i++) {
    if (!line.hair[i] || hits[i]) continue;
    followBoth(line, i);
    drawLine(line, out, hits);
  }
  for (let i = 0; i < hits.length; i++) {
    if (hits[i] < 2) continue;
    for (let layer = 0; layer < streakLayers; layer++) out[streakLayers * i + layer] /= hits[i];
  }
  return evenOut(out);
}

/** A line along the hair on a picture, its places by steps from its middle. */
type Line = ReturnType<typeof openLine>;

function openLine(
  points: Float32Array,
  along: Float32Array,
  hair: Uint8Array,
  width: number,
  height: number,
  halfLength: number,
) {
  const step = stepAcross / width;
  const middle = Math.round((halfLength + lineReach) / step);
  return {
    width,
    height,
    hair,
    noise: spaceNoise(points, hair, width, height),
    flow: flowInPicture(points, along, width, height, step),
    /** Steps of half a strand, and to either side of the middle where strands are drawn. */
    half: Math.round(halfLength / step),
    reach: Math.round(lineReach / step),
    middle,
    pixels: new Int32Array(2 * middle + 1),
    /** Sums of the noise up to each place, × {@link streakLayers}. */
    sums: new Float64Array(streakLayers * (2 * middle + 2)),
    /** The first and the last place that are on the hair. */
    ends: [middle, middle] as [number, number],
  };
}

function followBoth(line: Line, pixel: number): void {
  const { sums, ends } = line;
  ends[1] = follow(line, pixel, 1);
  ends[0] = follow(line, pixel, -1);
  // So far each place holds its own noise.
  sums.fill(0, streakLayers * ends[0], streakLayers * (ends[0] + 1));
  for (let o = streakLayers * (ends[0] + 1); o < streakLayers * (ends[1] + 2); o++)
    sums[o] += sums[o - streakLayers];
}

/**
 * Reads the noise along the hair from a pixel on, to the last place on the hair. Way and noise are read between
 * their pixels: by themselves they made a herringbone.
 */
function follow(line: Line, start: number, sign: 1 | -1): number {
  const { width, height, hair, noise, flow, middle, pixels, sums } = line;
  const wide = Math.ceil(width / coarser) + 1;
  const next = streakLayers * width;
  let px = (start % width) + 0.5;
  let py = Math.floor(start / width) + 0.5;
  let k = middle;
  for (;;) {
    const pixel = (py | 0) * width + (px | 0);
    if (!hair[pixel]) return k - sign;
    pixels[k] = pixel;
    const nx = Math.max(0, px - 0.5);
    const ny = Math.max(0, py - 0.5);
    const jx = nx | 0;
    const jy = ny | 0;
    const ux = nx - jx;
    const uy = ny - jy;
    const n = next * jy + streakLayers * jx;
    const m = jy + 1 < height ? n + next : n;
    for (let layer = 0; layer < streakLayers; layer++) {
      const upper = noise[n + layer] * (1 - ux) + noise[n + streakLayers + layer] * ux;
      const lower = noise[m + layer] * (1 - ux) + noise[m + streakLayers + layer] * ux;
      sums[streakLayers * (k + 1) + layer] = upper + (lower - upper) * uy;
    }
    if (k === (sign > 0 ? 2 * middle : 0)) return k;
    const gx = Math.max(0, px / coarser - 0.5);
    const gy = Math.max(0, py / coarser - 0.5);
    const ix = gx | 0;
    const iy = gy | 0;
    const fx = gx - ix;
    const fy = gy - iy;
    const w = 2 * (iy * wide + ix);
    const v = w + 2 * wide;
    const dx =
      (flow[w] * (1 - fx) + flow[w + 2] * fx) * (1 - fy) + (flow[v] * (1 - fx) + flow[v + 2] * fx) * fy;
    const dy =
      (flow[w + 1] * (1 - fx) + flow[w + 3] * fx) * (1 - fy) +
      (flow[v + 1] * (1 - fx) + flow[v + 3] * fx) * fy;
    px += sign * dx;
    py += sign * dy;
    if (py < 0 || py >= height) return k;
    if (px < 0) px += width;
    else if (px >= width) px -= width;
    k += sign;
  }
}

/** Adds the noise of half a strand to either side to each pixel that the line runs through near its middle. */
function drawLine(
  { half, reach, middle, pixels, sums, ends }: Line,
  out: Float32Array,
  hits: Uint16Array,
): void {
  const [first, last] = ends;
  for (let k = Math.max(first, middle - reach); k <= Math.min(last, middle + reach); k++) {
    const from = Math.max(first, k - half);
    const to = Math.min(last, k + half) + 1;
    // Noise is as strong on a short strand.
    const share = 1 / Math.sqrt(to - from);
    for (let layer = 0; layer < streakLayers; layer++)
      out[streakLayers * pixels[k] + layer] +=
        share * (sums[streakLayers * to + layer] - sums[streakLayers * from + layer]);
    hits[pixels[k]]++;
  }
}

/** Where hair is, by pixel; looked up at every second. */
function hairPixels(
  isHair: (row: number, column: number) => boolean,
  width: number,
  height: number,
): Uint8Array {
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 2) {
    const row = ((y + 1) / height) * craniumRows;
    for (let x = 0; x < width; x += 2) {
      if (isHair(row, craniumColumnAt((x + 1) / width)))
        for (const i of [0, 1, width, width + 1]) out[y * width + x + i] = 1;
    }
  }
  return out;
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

/** The noise of each layer at the place in space that a pixel of hair shows, −127 … 127. */
function spaceNoise(points: Float32Array, hair: Uint8Array, width: number, height: number): Int8Array {
  // One more: the last pixel has a neighbour too.
  const out = new Int8Array(streakLayers * (width * height + 1));
  const columns = Float64Array.from({ length: width }, (_, x) => craniumColumnAt((x + 0.5) / width));
  for (let y = 0; y < height; y++) noiseRow(out, points, columns, hair, y, height);
  return out;
}

/** A row of it. Plain numbers throughout, in a function that V8 keeps optimised: there are half a million pixels. */
function noiseRow(
  out: Int8Array,
  points: Float32Array,
  columns: Float64Array,
  hair: Uint8Array,
  y: number,
  height: number,
): void {
  const width = columns.length;
  const row = ((y + 0.5) / height) * craniumRows;
  const r = Math.min(craniumRows - 1, Math.floor(row));
  const fr = row - r;
  const line = 3 * craniumColumns;
  for (let x = 0; x < width; x++) {
    if (!hair[y * width + x]) continue;
    const k = Math.floor(columns[x]);
    const fk = columns[x] - k;
    const a = r * line + 3 * (k % craniumColumns);
    const b = r * line + 3 * ((k + 1) % craniumColumns);
    const wb = fk * (1 - fr);
    const wc = (1 - fk) * fr;
    const wd = fk * fr;
    const wa = 1 - wb - wc - wd;
    const px = wa * points[a] + wb * points[b] + wc * points[a + line] + wd * points[b + line];
    const py =
      wa * points[a + 1] + wb * points[b + 1] + wc * points[a + line + 1] + wd * points[b + line + 1];
    const pz =
      wa * points[a + 2] + wb * points[b + 2] + wc * points[a + line + 2] + wd * points[b + line + 2];
    const o = streakLayers * (y * width + x);
    for (let layer = 0; layer < streakLayers; layer++) {
      const size = sizes[layer];
      out[o + layer] = Math.round(254 * cell(px / size, py / size, pz / size));
    }
  }
}

/** The direction of the hair in pixels a step, × 2, on a coarser picture. */
function flowInPicture(
  points: Float32Array,
  along: Float32Array,
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
      const column = craniumColumnAt((coarser * (x + 0.5)) / width);
      const o = 2 * (y * wide + x);
      out[o] = stepLength * perColumn * readCranium(slopes, 2, 1, row, column);
      out[o + 1] = stepLength * perRow * readCranium(slopes, 2, 0, row, column);
    }
  }
  return out;
}

/** The direction of the hair in rows and columns a metre, × 2 a vertex. */
function gridSlopes(points: Float32Array, along: Float32Array): Float32Array {
  const count = points.length / 3;
  const slopes = new Float32Array(2 * count);
  const edge = (a: number, b: number, cells: number): Vector =>
    [0, 1, 2].map((c) => (points[3 * b + c] - points[3 * a + c]) / cells) as Vector;
  for (let i = 0; i < count; i++) {
    const [right, left, before, after] = neighbours.subarray(4 * i, 4 * i + 4);
    const er = edge(before, after, before === i || after === i ? 1 : 2);
    slopes.set(gridStep(er, edge(left, right, 2), at(along, i)), 2 * i);
  }
  return slopes;
}

/** −.5 … .5, the same throughout a cell of space: drawing it out evens the steps. */
const cell = (x: number, y: number, z: number): number =>
  hash(Math.floor(x) + 7919 * Math.floor(z), Math.floor(y)) - 0.5;
