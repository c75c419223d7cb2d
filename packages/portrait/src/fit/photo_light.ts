import { median } from '../math/median.ts';
import { clamp } from '../math/vector.ts';

/** A surface's data for estimating the light: one entry per vertex. */
export interface LitSamples {
  /** × 3, unit. */
  readonly normals: Float32Array;
  /** × 3, linear RGB in the photo, 0..1. */
  readonly colours: Float32Array;
  /** 0..1: how sure the vertex shows bare skin. */
  readonly weight: Float32Array;
}

const terms = 9;

/** Spherical harmonics up to order 2 of a direction, without their constants. */
function harmonics(normals: Float32Array, i: number, out: Float64Array): void {
  const x = normals[3 * i];
  const y = normals[3 * i + 1];
  const z = normals[3 * i + 2];
  out[0] = 1;
  out[1] = x;
  out[2] = y;
  out[3] = z;
  out[4] = x * y;
  out[5] = y * z;
  out[6] = 3 * z * z - 1;
  out[7] = x * z;
  out[8] = x * x - y * y;
}

/**
 * How bright and of what tint each vertex's direction is lit in a photo against the mean of the face, which
 * is 1, × 3: a fit of second-order spherical harmonics to the skin's colours (Ramamoorthi and Hanrahan 2001:
 * nine numbers hold 99 % of what a matt surface shows of any distant light). Skin is taken to be of one
 * colour; what strays far from the fit (beard, brow, gloss, cast shadow) loses weight from iteration to
 * iteration. 0.3..2.5.
 */
export function shadingOf(samples: LitSamples): Float32Array {
  const { normals, colours, weight } = samples;
  const count = weight.length;
  const luminance = Float32Array.from(
    weight,
    (_, i) => 0.2126 * colours[3 * i] + 0.7152 * colours[3 * i + 1] + 0.0722 * colours[3 * i + 2],
  );
  const say = Float32Array.from(weight);
  const basis = new Float64Array(terms);
  const lit = (light: Float64Array, i: number): number => {
    harmonics(normals, i, basis);
    let sum = 0;
    for (let p = 0; p < terms; p++) sum += light[p] * basis[p];
    return sum;
  };
  for (let round = 0; round < 4; round++) {
    const light = fitLight(normals, say, luminance, 1, 0);
    if (!light) return new Float32Array(3 * count).fill(1);
    const off = luminance.map((value, i) => Math.abs(value - lit(light, i)));
    const scale = 4.7 * 1.48 * Math.max(0.004, median(off.filter((_, i) => weight[i] > 0.3)));
    // Tukey's biweight.
    for (let i = 0; i < count; i++) say[i] = weight[i] * Math.max(0, 1 - (off[i] / scale) ** 2) ** 2;
  }
  const out = new Float32Array(3 * count).fill(1);
  for (let c = 0; c < 3; c++) {
    const light = fitLight(normals, say, colours, 3, c);
    if (!light) continue;
    let mean = 0;
    let n = 0;
    for (let i = 0; i < count; i++) {
      out[3 * i + c] = lit(light, i);
      mean += say[i] * out[3 * i + c];
      n += say[i];
    }
    mean /= n;
    for (let i = 0; i < count; i++) out[3 * i + c] = clamp(out[3 * i + c] / mean, 0.3, 2.5);
  }
  return out;
}

/** Weighted least squares of every `stride`-th value from `offset` on; undefined where too little is seen. */
function fitLight(
  normals: Float32Array,
  say: Float32Array,
  values: Float32Array,
  stride: number,
  offset: number,
): Float64Array | undefined {
  const basis = new Float64Array(terms);
  const a = new Float64Array(terms * terms);
  const b = new Float64Array(terms);
  let total = 0;
  for (let i = 0; i < say.length; i++) {
    const w = say[i];
    if (w < 0.01) continue;
    harmonics(normals, i, basis);
    total += w;
    for (let p = 0; p < terms; p++) {
      const wp = w * basis[p];
      b[p] += wp * values[stride * i + offset];
      for (let q = 0; q <= p; q++) a[p * terms + q] += wp * basis[q];
    }
  }
  if (total < 50) return undefined;
  // A face shows a third of all directions: the rest is held back towards an even light.
  for (let p = 1; p < terms; p++) a[p * terms + p] += total * (p < 4 ? 0.004 : 0.012);
  return solve(a, b);
}

/** Cholesky; `a` holds the lower triangle of a positive definite matrix, row-major, and is overwritten. */
export function solve(a: Float64Array, b: Float64Array): Float64Array {
  const n = b.length;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i === j ? Math.sqrt(Math.max(1e-12, sum)) : sum / a[j * n + j];
    }
  }
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
    x[i] /= a[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= a[k * n + i] * x[k];
    x[i] /= a[i * n + i];
  }
  return x;
}
