import { clamp } from '@likeness/geometry/vector.ts';
import type { Picture } from './photo.ts';

/** A similarity from a crop's pixels to a picture's: x' = ax·x − bx·y + tx, y' = bx·x + ax·y + ty. */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly tx: number;
  readonly ty: number;
}

/** Where a place of a crop lies in its picture. */
export const cropToPicture = ({ a, b, tx, ty }: Similarity, x: number, y: number): [number, number] => [
  a * x - b * y + tx,
  b * x + a * y + ty,
];

/** Where a place of a picture lies in a crop of it. */
export function pictureToCrop({ a, b, tx, ty }: Similarity, x: number, y: number): [number, number] {
  const square = a * a + b * b;
  return [(a * (x - tx) + b * (y - ty)) / square, (-b * (x - tx) + a * (y - ty)) / square];
}

/**
 * The similarity of a crop that has a place of the picture at a place of its own, `scale` picture pixels a pixel.
 * `angle`: direction of the crop's x axis in the picture, radians.
 */
export function cropAbout(
  [cx, cy]: readonly [number, number],
  [x, y]: readonly [number, number],
  scale: number,
  angle: number,
): Similarity {
  const a = Math.cos(angle) * scale;
  const b = Math.sin(angle) * scale;
  return { a, b, tx: cx - a * x + b * y, ty: cy - b * x - a * y };
}

/** A square of a picture: its middle and its side, pixels. */
export interface Square {
  readonly cx: number;
  readonly cy: number;
  readonly extent: number;
}

/** The similarity of a square's crop, `side` pixels a side; `angle` as of {@link cropAbout}. */
export const cropSquare = ({ cx, cy, extent }: Square, angle: number, side: number): Similarity =>
  cropAbout([cx, cy], [side / 2, side / 2], extent / side, angle);

/**
 * Samples a crop bilinearly into `out` (RGB float, 0..255). Where the crop shrinks the picture, each pixel
 * averages a grid of taps; outside the picture the border repeats when `repeat` is set and is 0 otherwise.
 */
export function sampleCrop(
  picture: Picture,
  map: Similarity,
  width: number,
  height: number,
  repeat = false,
): Float32Array {
  const out = new Float32Array(width * height * 3);
  const taps = Math.max(1, Math.min(4, Math.round(Math.hypot(map.a, map.b))));
  // Row by row in a function: V8 optimises what is called often, and leaves loops of loops that run once.
  for (let y = 0; y < height; y++)
    sampleRow(picture, map, y, taps, repeat, out.subarray(3 * y * width, 3 * (y + 1) * width));
  return out;
}

function sampleRow(
  { data, width: w, height: h }: Picture,
  { a: along, b: across, tx: left, ty: top }: Similarity,
  y: number,
  taps: number,
  repeat: boolean,
  out: Float32Array,
): void {
  const weight = 1 / (taps * taps);
  const [right, bottom] = [w - 1.001, h - 1.001];
  for (let x = 0; 3 * x < out.length; x++) {
    let r = 0;
    let g = 0;
    let b = 0;
    for (let ty = 0; ty < taps; ty++) {
      const cy = y + (ty + 0.5) / taps;
      const startX = left - 0.5 - across * cy;
      const startY = top - 0.5 + along * cy;
      for (let tx = 0; tx < taps; tx++) {
        const cx = x + (tx + 0.5) / taps;
        let px = along * cx + startX;
        let py = across * cx + startY;
        if (px < 0 || py < 0 || px > right || py > bottom) {
          if (!repeat && (px < -0.5 || py < -0.5 || px > w - 0.5 || py > h - 0.5)) continue;
          px = Math.max(0, Math.min(right, px));
          py = Math.max(0, Math.min(bottom, py));
        }
        const ix = px | 0;
        const iy = py | 0;
        const fx = px - ix;
        const fy = py - iy;
        const i = (iy * w + ix) * 3;
        const j = i + w * 3;
        const w11 = fx * fy;
        const w10 = fx - w11;
        const w01 = fy - w11;
        const w00 = 1 - fx - w01;
        r += data[i] * w00 + data[i + 3] * w10 + data[j] * w01 + data[j + 3] * w11;
        g += data[i + 1] * w00 + data[i + 4] * w10 + data[j + 1] * w01 + data[j + 4] * w11;
        b += data[i + 2] * w00 + data[i + 5] * w10 + data[j + 2] * w01 + data[j + 5] * w11;
      }
    }
    out[3 * x] = r * weight;
    out[3 * x + 1] = g * weight;
    out[3 * x + 2] = b * weight;
  }
}

/** Reads a grid of values bilinearly at x, y, in cells; the border repeats. */
export function readGrid(
  values: Float32Array | Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
): number {
  const px = clamp(x - 0.5, 0, width - 1.001);
  const py = clamp(y - 0.5, 0, height - 1.001);
  const ix = px | 0;
  const iy = py | 0;
  const fx = px - ix;
  const fy = py - iy;
  const i = iy * width + ix;
  return (
    (values[i] * (1 - fx) + values[i + 1] * fx) * (1 - fy) +
    (values[i + width] * (1 - fx) + values[i + width + 1] * fx) * fy
  );
}

/**
 * Reads grids of the same size at a height `y`, in cells, between their rows: a row of each goes into `line`, one after
 * the other. For a picture that is many times larger than a grid; the border repeats.
 */
export function readRows(
  grids: readonly Float32Array[],
  width: number,
  height: number,
  y: number,
  line: Float32Array,
): void {
  const down = clamp(y - 0.5, 0, height - 1.001);
  const top = Math.floor(down);
  const share = down - top;
  for (let g = 0; g < grids.length; g++) {
    const grid = grids[g];
    for (let x = 0; x < width; x++) {
      const i = top * width + x;
      line[g * width + x] = grid[i] + (grid[i + width] - grid[i]) * share;
    }
  }
}

/** Where the pixels of a row lie among the cells of a grid's row: the cell to the left, and how far on to the next. */
export interface CellIndices {
  readonly left: Int32Array;
  /** 0..1. */
  readonly share: Float32Array;
}

/** The places of `pixels` pixels across `cells` cells, to read rows of {@link readRows} between their cells. */
export function cellIndices(pixels: number, cells: number): CellIndices {
  const left = new Int32Array(pixels);
  const share = new Float32Array(pixels);
  for (let x = 0; x < pixels; x++) {
    const across = clamp(((x + 0.5) * cells) / pixels - 0.5, 0, cells - 1.001);
    left[x] = Math.floor(across);
    share[x] = across - left[x];
  }
  return { left, share };
}

/** A value of a row between the cell `at` and the next one, `share` of the way on. */
export const lerpAt = (line: Float32Array, at: number, share: number): number =>
  line[at] + (line[at + 1] - line[at]) * share;

/** Grids of the same size drawn together, cell by cell: one place of all of them is read faster than place by place. */
export interface GridStack {
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** width × height × count. */
  readonly values: Float32Array;
}

export function stackGrids(grids: readonly Float32Array[], width: number, height: number): GridStack {
  const count = grids.length;
  const values = new Float32Array(width * height * count);
  for (let g = 0; g < count; g++)
    for (let i = 0; i < width * height; i++) values[count * i + g] = grids[g][i];
  return { count, width, height, values };
}

/** Reads all grids of a stack bilinearly at x, y, in cells, into `out`; the border repeats. */
export function readStack(
  { count, width, height, values }: GridStack,
  x: number,
  y: number,
  out: Float64Array,
): void {
  const px = clamp(x - 0.5, 0, width - 1.001);
  const py = clamp(y - 0.5, 0, height - 1.001);
  const ix = px | 0;
  const iy = py | 0;
  const fx = px - ix;
  const fy = py - iy;
  const i = count * (iy * width + ix);
  const j = i + count * width;
  for (let g = 0; g < count; g++) {
    const upper = values[i + g] * (1 - fx) + values[i + count + g] * fx;
    const lower = values[j + g] * (1 - fx) + values[j + count + g] * fx;
    out[g] = upper * (1 - fy) + lower * fy;
  }
}
