import { clamp } from '../math/vector.ts';

/** A canvas: sRGB values as floats, with a weight for how well each pixel is known. */
export interface Canvas {
  readonly size: number;
  /** size² × 3, 0..255 (sRGB), premultiplied by weight. */
  readonly colour: Float32Array<ArrayBuffer>;
  /** size², 0..1. */
  readonly weight: Float32Array<ArrayBuffer>;
  /** size², 0..255: how far a pixel may tell of its surroundings when they are filled; all may when absent. */
  readonly source?: Uint8Array<ArrayBuffer>;
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

/**
 * Walks the pixels of triangles laid out in texture space. `visit` gets the pixel, the three corners' numbers and
 * their shares, in an array that is the same each time: V8 allocates every fraction that it hands to a function.
 * Triangles are grown by about half a pixel, so that seams close.
 */
export function walkTriangles(
  size: number,
  uv: Float32Array,
  triangles: ArrayLike<number>,
  visit: (pixel: number, a: number, b: number, c: number, shares: Float64Array) => void,
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
    for (let y = y0; y <= y1; y++) {
      const py = y + 0.5;
      const downB = (py - ay) * (cx - ax);
      const downC = (bx - ax) * (py - ay);
      for (let x = x0; x <= x1; x++) {
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
        visit(y * size + x, a, b, c, shares);
      }
    }
  }
}

/** Sums of a canvas over a grid of `cells` a side: how much is known of each cell, and its premultiplied colours, × 3. */
export function sumCells(
  { size, colour, weight }: Canvas,
  cells: number,
): { known: Float32Array; sums: Float32Array } {
  const step = size / cells;
  const known = new Float32Array(cells * cells);
  const sums = new Float32Array(cells * cells * 3);
  for (let y = 0; y < size; y++) {
    const row = Math.floor(y / step) * cells;
    for (let x = 0; x < size; x++) {
      const i = y * size + x;
      if (!weight[i]) continue;
      const cell = row + Math.floor(x / step);
      known[cell] += weight[i];
      sums[3 * cell] += colour[3 * i];
      sums[3 * cell + 1] += colour[3 * i + 1];
      sums[3 * cell + 2] += colour[3 * i + 2];
    }
  }
  return { known, sums };
}

/**
 * Fills what is unknown from coarser and coarser means of what is known (push-pull), in place. Weights stay:
 * they say what of each pixel was known before.
 */
export function fillUnknown(canvas: Canvas): void {
  const levels: Canvas[] = [canvas];
  for (let level = canvas; level.size > 1; ) {
    const half = level.size >> 1;
    const colour = new Float32Array(half * half * 3);
    const weight = new Float32Array(half * half);
    for (let y = 0; y < half; y++) {
      for (let x = 0; x < half; x++) {
        const o = y * half + x;
        let r = 0;
        let g = 0;
        let b = 0;
        let w = 0;
        for (let k = 0; k < 4; k++) {
          const i = (2 * y + (k >> 1)) * level.size + 2 * x + (k & 1);
          const share = level.source ? level.source[i] / 255 : 1;
          r += share * level.colour[3 * i];
          g += share * level.colour[3 * i + 1];
          b += share * level.colour[3 * i + 2];
          w += share * level.weight[i];
        }
        // A level knows a pixel fully as soon as about a quarter of it is known.
        const gain = w > 1 ? 1 / w : 1;
        colour[3 * o] = r * gain;
        colour[3 * o + 1] = g * gain;
        colour[3 * o + 2] = b * gain;
        weight[o] = Math.min(1, w);
      }
    }
    level = { size: half, colour, weight };
    levels.push(level);
  }
  for (let l = levels.length - 2; l >= 0; l--) {
    const fine = levels[l];
    const coarse = levels[l + 1];
    const n = coarse.size;
    for (let y = 0; y < fine.size; y++) {
      const cy = Math.max(0, Math.min(n - 1.001, (y + 0.5) / 2 - 0.5));
      const iy = Math.floor(cy);
      const fy = cy - iy;
      const jy = Math.min(n - 1, iy + 1);
      for (let x = 0; x < fine.size; x++) {
        const i = y * fine.size + x;
        const w = fine.weight[i];
        if (w >= 1) continue;
        const cx = Math.max(0, Math.min(n - 1.001, (x + 0.5) / 2 - 0.5));
        const ix = Math.floor(cx);
        const fx = cx - ix;
        const jx = Math.min(n - 1, ix + 1);
        const a = 3 * (iy * n + ix);
        const b = 3 * (iy * n + jx);
        const c = 3 * (jy * n + ix);
        const d = 3 * (jy * n + jx);
        for (let k = 0; k < 3; k++) {
          const value =
            (coarse.colour[a + k] * (1 - fx) + coarse.colour[b + k] * fx) * (1 - fy) +
            (coarse.colour[c + k] * (1 - fx) + coarse.colour[d + k] * fx) * fy;
          fine.colour[3 * i + k] = fine.colour[3 * i + k] + value * (1 - w);
        }
      }
    }
    release(coarse.colour, coarse.weight);
  }
}
