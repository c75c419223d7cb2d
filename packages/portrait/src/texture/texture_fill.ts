import { clamp } from '@likeness/geometry/vector.ts';

/** A canvas: sRGB values as floats, with a weight for how well each pixel is known. */
export interface Canvas {
  readonly size: number;
  /** size² × 3, 0..255 (sRGB), premultiplied by weight. */
  readonly colour: Float32Array<ArrayBuffer>;
  /** size², 0..1. */
  readonly weight: Float32Array<ArrayBuffer>;
}

/**
 * Frees arrays at once; they are empty afterwards. The garbage collector sees little of memory outside its
 * heap, so all of a head's canvases used to be alive at the same time.
 */
export function release(...arrays: Float32Array<ArrayBuffer>[]): void {
  for (const { buffer } of arrays) buffer.transfer(0);
}

export function blankCanvas(size: number): Canvas {
  return { size, colour: new Float32Array(size * size * 3), weight: new Float32Array(size * size) };
}

/** The pixel in which a vertex lies. @param uv of all vertices, 0..1 */
export function pixelOf(uv: Float32Array, i: number, width: number, height = width): number {
  const x = clamp(Math.floor(uv[2 * i] * width), 0, width - 1);
  const y = clamp(Math.floor(uv[2 * i + 1] * height), 0, height - 1);
  return y * width + x;
}

/** The cell on the other side of a grid of `side` cells a row. */
export const mirrored = (i: number, side: number): number => i + side - 1 - 2 * (i % side);

/** The triangles with a corner that has a value: a picture of them need not walk the others. */
export function trianglesWith(triangles: Uint32Array, values: ArrayLike<number>): Uint32Array {
  const found = new Uint32Array(triangles.length);
  let n = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    if (!values[a] && !values[b] && !values[c]) continue;
    found[n++] = a;
    found[n++] = b;
    found[n++] = c;
  }
  return found.subarray(0, n);
}

/**
 * Gets a pixel in a triangle, the three corners' indices and their shares. The array is the same each time: V8 allocates
 * every fraction that it passes to a function. A visitor outside of all functions, which gets `context`, keeps its
 * optimised code from head to head; a closure is compiled again for each one.
 */
export type PixelVisitor<T = undefined> = (
  pixel: number,
  a: number,
  b: number,
  c: number,
  shares: Float64Array,
  context: T,
) => void;

/** The value between those at three indices, by their shares. */
export const interpolate = (
  values: Float32Array,
  a: number,
  b: number,
  c: number,
  shares: Float64Array,
): number => shares[0] * values[a] + shares[1] * values[b] + shares[2] * values[c];

/**
 * Walks the pixels of triangles laid out in texture space. Triangles are grown by about half a pixel, so that seams
 * close.
 */
export function walkTriangles<T = undefined>(
  size: number,
  uv: Float32Array,
  triangles: ArrayLike<number>,
  visit: PixelVisitor<T>,
  ...[context]: T extends undefined ? [] : [T]
): void {
  const shares = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    const ax = uv[2 * a] * size;
    const ay = uv[2 * a + 1] * size;
    const bx = uv[2 * b] * size;
    const by = uv[2 * b + 1] * size;
    const cx = uv[2 * c] * size;
    const cy = uv[2 * c + 1] * size;
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (Math.abs(area) < 1e-7) continue;
    const inverse = 1 / area;
    const slack = Math.min(0.5, 0.6 / Math.sqrt(Math.abs(area)));
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 1));
    const x1 = Math.min(size - 1, Math.floor(Math.max(ax, bx, cx)));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 1));
    const y1 = Math.min(size - 1, Math.floor(Math.max(ay, by, cy)));
    // How many pixels a share needs to change by 1 tells where a row enters the triangle and leaves it.
    const forB = area / (cy - ay);
    const forC = area / (ay - by);
    const forA = area / (by - cy);
    for (let y = y0; y <= y1; y++) {
      const py = y + 0.5;
      const downB = (py - ay) * (cx - ax);
      const downC = (bx - ax) * (py - ay);
      const fromB = ((x0 + 0.5 - ax) * (cy - ay) - downB) * inverse;
      const fromC = (downC - (by - ay) * (x0 + 0.5 - ax)) * inverse;
      let enter = 0;
      let leave = x1 - x0;
      const wayA = (fromB + fromC - 1 - slack) * forA;
      if (forA > 0 && wayA > enter) enter = wayA;
      else if (forA < 0 && wayA < leave) leave = wayA;
      const wayB = (-fromB - slack) * forB;
      if (forB > 0 && wayB > enter) enter = wayB;
      else if (forB < 0 && wayB < leave) leave = wayB;
      const wayC = (-fromC - slack) * forC;
      if (forC > 0 && wayC > enter) enter = wayC;
      else if (forC < 0 && wayC < leave) leave = wayC;
      const last = Math.min(x1, x0 + Math.ceil(leave));
      for (let x = x0 + Math.floor(enter); x <= last; x++) {
        const px = x + 0.5;
        let wb = ((px - ax) * (cy - ay) - downB) * inverse;
        let wc = (downC - (by - ay) * (px - ax)) * inverse;
        let wa = 1 - wb - wc;
        if (wa < -slack || wb < -slack || wc < -slack) continue;
        if (wa < 0 || wb < 0 || wc < 0) {
          wa = Math.max(0, wa);
          wb = Math.max(0, wb);
          wc = Math.max(0, wc);
          const sum = wa + wb + wc;
          wa /= sum;
          wb /= sum;
          wc /= sum;
        }
        shares[0] = wa;
        shares[1] = wb;
        shares[2] = wc;
        visit(y * size + x, a, b, c, shares, context as T);
      }
    }
  }
}

/**
 * Sums of a canvas over a grid of `cells` a side: how much is known of each cell, and its premultiplied colours, × 3.
 */
export function sumCells(
  { size, colour, weight }: Canvas,
  cells: number,
): { known: Float32Array; sums: Float32Array } {
  const known = new Float32Array(cells * cells);
  const sums = new Float32Array(cells * cells * 3);
  for (let y = 0; y < size; y++)
    sumRow({ size, colour, weight }, y, known, sums, Math.floor((y * cells) / size) * cells, size / cells);
  return { known, sums };
}

/** Adds a row of pixels, `step` of them a cell, to the cells from `row` on. */
function sumRow(
  { size, colour, weight }: Canvas,
  y: number,
  known: Float32Array,
  sums: Float32Array,
  row: number,
  step: number,
): void {
  for (let x = 0; x < size; x++) {
    const i = y * size + x;
    if (weight[i] === 0) continue;
    const cell = row + ((x / step) | 0);
    known[cell] += weight[i];
    sums[3 * cell] += colour[3 * i];
    sums[3 * cell + 1] += colour[3 * i + 1];
    sums[3 * cell + 2] += colour[3 * i + 2];
  }
}

/** How much a base colour counts against what is known. */
const baseWeight = 0.02;

/**
 * Fills what is unknown from coarser and coarser means of what is known (push-pull), in place. Weights stay:
 * they say what of each pixel was known before.
 *
 * @param addTo - Adds to the means of squares of 2^`level` pixels a side what is wanted far from anything known.
 */
export function fillUnknown(canvas: Canvas, addTo?: (means: Canvas, level: number) => void): void {
  const levels: Canvas[] = [canvas];
  for (let level = canvas; level.size > 1; ) {
    const half = blankCanvas(level.size >> 1);
    for (let y = 0; y < half.size; y++) pullRow(level, half, y);
    addTo?.(half, levels.length);
    level = half;
    levels.push(level);
  }
  for (let l = levels.length - 2; l >= 0; l--) {
    const coarse = levels[l + 1];
    const line = new Float32Array(3 * coarse.size);
    for (let y = 0; y < levels[l].size; y++) pushRow(levels[l], coarse, y, line);
    release(coarse.colour, coarse.weight);
  }
}

/** Gives what is unknown a base that counts less than anything known. @param base - sRGB */
export function addBase({ colour, weight }: Canvas, base: readonly number[]): void {
  for (let i = 0; i < weight.length; i++) {
    const w = baseWeight * (1 - weight[i]);
    weight[i] += w;
    for (let c = 0; c < 3; c++) colour[3 * i + c] += w * base[c];
  }
}

/** A row of the next coarser level. Rows are functions of their own, so that V8 keeps their code from head to head. */
function pullRow(fine: Canvas, coarse: Canvas, y: number): void {
  const { size, colour, weight } = fine;
  for (let x = 0; x < coarse.size; x++) {
    let r = 0;
    let g = 0;
    let b = 0;
    let w = 0;
    for (let k = 0; k < 4; k++) {
      const i = (2 * y + (k >> 1)) * size + 2 * x + (k & 1);
      if (weight[i] === 0) continue;
      r += colour[3 * i];
      g += colour[3 * i + 1];
      b += colour[3 * i + 2];
      w += weight[i];
    }
    if (w === 0) continue;
    const o = y * coarse.size + x;
    // A level knows a pixel fully as soon as about a quarter of it is known.
    const gain = w > 1 ? 1 / w : 1;
    coarse.colour[3 * o] = r * gain;
    coarse.colour[3 * o + 1] = g * gain;
    coarse.colour[3 * o + 2] = b * gain;
    coarse.weight[o] = Math.min(1, w);
  }
}

/** Fills a row from the next coarser level. */
function pushRow({ size, colour, weight }: Canvas, coarse: Canvas, y: number, line: Float32Array): void {
  const n = coarse.size;
  // The last one of an odd size has no coarse pixel of its own.
  const own = 3 * n * Math.min(y >> 1, n - 1);
  const next = 3 * n * (y & 1 ? Math.min((y >> 1) + 1, n - 1) : Math.max((y >> 1) - 1, 0));
  for (let k = 0; k < line.length; k++)
    line[k] = 0.75 * coarse.colour[own + k] + 0.25 * coarse.colour[next + k];
  for (let x = 0; x < size; x++) {
    const i = y * size + x;
    const rest = 1 - weight[i];
    if (rest <= 0) continue;
    // A pixel lies a quarter of a coarse one beside its middle.
    const near = 3 * Math.min(x >> 1, n - 1);
    const far = x & 1 ? Math.min(near + 3, 3 * n - 3) : Math.max(near - 3, 0);
    colour[3 * i] += (0.75 * line[near] + 0.25 * line[far]) * rest;
    colour[3 * i + 1] += (0.75 * line[near + 1] + 0.25 * line[far + 1]) * rest;
    colour[3 * i + 2] += (0.75 * line[near + 2] + 0.25 * line[far + 2]) * rest;
  }
}
