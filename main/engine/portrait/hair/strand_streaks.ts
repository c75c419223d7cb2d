import { hash } from '../math/noise.ts';
import { cross, dot, normalise, type Vector } from '../math/vector.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';

/** A step along the hair, metres, and steps to either side of a place. */
const stepLength = 0.0016;
const steps = 16;
/** Metres of noise across: single strands and locks, with their shares. */
const layers = [
  { size: 0.0011, weight: 0.55 },
  { size: 0.0034, weight: 0.8 },
  { size: 0.011, weight: 1.1 },
] as const;

/**
 * Lightness of strands, about −2 … 2, on a picture of the cranium's grid: noise in space, drawn out along the
 * way of the hair (line integral convolution, Cabral and Leedom 1993). Unlike places across the strands it
 * holds where hair parts and turns.
 *
 * @param along - Unit directions on the grid, × 3.
 * @param columnAt - The grid's column at a place across the picture, 0..1.
 */
export function drawStreaks(
  points: Float32Array,
  along: Float32Array,
  columnAt: (across: number) => number,
  width: number,
  height: number,
): Float32Array {
  const slopes = gridSlopes(points, along);
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [row, column] = [((y + 0.5) / height) * craniumRows, columnAt((x + 0.5) / width)];
      let sum = noiseAt(points, row, column);
      for (const way of [1, -1]) {
        let [r, k] = [row, column];
        for (let s = 0; s < steps; s++) {
          const dr = readGrid(slopes, 2, 0, r, k);
          const dk = readGrid(slopes, 2, 1, r, k);
          r += way * stepLength * dr;
          k += way * stepLength * dk;
          if (r < 0 || r > craniumRows) break;
          sum += noiseAt(points, r, k);
        }
      }
      // Noise of n steps has a deviation of about √n cells that are crossed.
      out[y * width + x] = sum / (1.6 * Math.sqrt(2 * steps));
    }
  }
  return out;
}

/** The way of the hair in rows and columns a metre, × 2 a vertex. */
function gridSlopes(points: Float32Array, along: Float32Array): Float32Array {
  const count = points.length / 3;
  const slopes = new Float32Array(2 * count);
  const edge = (a: number, b: number): Vector =>
    [0, 1, 2].map((c) => (points[3 * b + c] - points[3 * a + c]) / 2) as Vector;
  for (let i = 0; i < count; i++) {
    const k = i % craniumColumns;
    const row = i - k;
    const er = edge(
      i >= craniumColumns ? i - craniumColumns : i,
      i + craniumColumns < count ? i + craniumColumns : i,
    );
    const ek = edge(row + ((k + craniumColumns - 1) % craniumColumns), row + ((k + 1) % craniumColumns));
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

function readGrid(values: Float32Array, step: number, c: number, row: number, column: number): number {
  const r = Math.min(craniumRows - 1, Math.max(0, Math.floor(row)));
  const k0 = Math.floor(column);
  const [fr, fk] = [row - r, column - k0];
  const k = ((k0 % craniumColumns) + craniumColumns) % craniumColumns;
  const a = step * (r * craniumColumns + k) + c;
  const b = step * (r * craniumColumns + ((k + 1) % craniumColumns)) + c;
  const below = step * craniumColumns;
  const upper = values[a] * (1 - fk) + values[b] * fk;
  return upper + (values[a + below] * (1 - fk) + values[b + below] * fk - upper) * fr;
}

function noiseAt(points: Float32Array, row: number, column: number): number {
  const x = readGrid(points, 3, 0, row, column);
  const y = readGrid(points, 3, 1, row, column);
  const z = readGrid(points, 3, 2, row, column);
  let sum = 0;
  for (const { size, weight } of layers) sum += weight * cell(x / size, y / size, z / size);
  return sum;
}

/** −.5 … .5, the same throughout a cell of space: drawing it out evens the steps. */
const cell = (x: number, y: number, z: number): number =>
  hash(Math.floor(x) + 7919 * Math.floor(z), Math.floor(y)) - 0.5;
