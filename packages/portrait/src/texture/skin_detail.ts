import { hash } from '../math/noise.ts';
import { clamp, smoothstep } from '../math/vector.ts';
import { blur } from '../photo/pixel_filters.ts';
import type { OwnSkin } from './own_skin.ts';
import type { Canvas } from './texture_fill.ts';

/** Side of the tile of noise, a power of two. */
const tile = 256;
/** Radii of the blurs between which a band of detail lies, pixels of a texture of 1024. */
const radii = [0, 1, 3, 8, 24] as const;

/** Noise of a standard deviation of 1 in each band, seamless; made once. */
let bands: Float32Array[] | undefined;

/** A box blur along one axis that goes on over the tile's edge; `step` is from one value to the next. */
function blurAlong(values: Float32Array, radius: number, step: 1 | typeof tile): Float32Array {
  const out = new Float32Array(values.length);
  const across = step === 1 ? tile : 1;
  for (let line = 0; line < tile; line++) {
    const at = (k: number): number => values[line * across + (k & (tile - 1)) * step];
    let sum = 0;
    for (let k = -radius; k <= radius; k++) sum += at(k);
    for (let k = 0; k < tile; k++) {
      out[line * across + k * step] = sum / (2 * radius + 1);
      sum += at(k + radius + 1) - at(k - radius);
    }
  }
  return out;
}

const blurTile = (values: Float32Array, radius: number): Float32Array =>
  [1, 1, tile, tile].reduce((soft, step) => blurAlong(soft, radius, step as 1 | typeof tile), values);

function noiseBands(): Float32Array[] {
  return radii.slice(1).map((radius, band) => {
    const white = Float32Array.from(
      { length: tile * tile },
      (_, i) => hash(i & (tile - 1), (i >> 8) + 977 * band) - 0.5,
    );
    const [fine, coarse] = [blurTile(white, radii[band]), blurTile(white, radius)];
    const out = fine.map((value, i) => value - coarse[i]);
    const deviation = Math.sqrt(out.reduce((sum, value) => sum + value * value, 0) / out.length);
    return out.map((value) => value / deviation);
  });
}

/** The bands of a skin's noise, from pores to broad spots, at a pixel: a deviation of 1 each. */
export type SkinNoise = (band: 0 | 1 | 2 | 3, x: number, y: number) => number;

/** Noise to draw a skin with. */
export function skinNoise(): SkinNoise {
  bands ??= noiseBands();
  const all = bands;
  return (band, x, y) => all[band][(y & (tile - 1)) * tile + (x & (tile - 1))];
}

/** Side of the squares that the skin's detail is measured in. */
const square = 32;

/**
 * The deviation of ln brightness in each band where a canvas shows skin that is well known: medians over
 * squares, so that wrinkles, hairs and edges don't count. Usual values where too little is known.
 */
function measureDetail({ size, colour, weight, source }: Canvas, own: OwnSkin): number[] {
  const found: number[][] = [[], [], []];
  const light = new Float32Array(square * square);
  const step = Math.max(square, size >> 4);
  for (let top = 0; top + square <= size; top += step) {
    for (let left = 0; left + square <= size; left += step) {
      let known = 0;
      for (let i = 0; i < light.length; i++) {
        const at = (top + (i >> 5)) * size + left + (i & (square - 1));
        if (weight[at] < 0.9 || (source?.[at] ?? 255) < 150) break;
        known++;
        light[i] = Math.log(1 + colour[3 * at] + colour[3 * at + 1] + colour[3 * at + 2]);
      }
      if (known < light.length) continue;
      let fine: Float32Array = light.slice();
      for (const [band, radius] of radii.slice(1, 4).entries()) {
        const coarse = blur(light, square, square, radius);
        let sum = 0;
        for (let i = 0; i < fine.length; i++) sum += (fine[i] - coarse[i]) ** 2;
        found[band].push(Math.sqrt(sum / fine.length));
        fine = coarse;
      }
    }
  }
  const level = Math.max(...own.tone) / 200;
  return found.map((values, band) => {
    const usual = [0.008, 0.012, 0.018][band] / clamp(level, 0.5, 1);
    const middle = values.length < 5 ? usual : values.sort((p, q) => p - q)[Math.floor(0.4 * values.length)];
    return clamp(middle, 0.6 * usual, 2.2 * usual);
  });
}

/** How much of the measured detail is grown: all of it, without the face's own structure, looks like grit. */
const vividness = 0.5;

/**
 * Gives what was filled in, and is smooth, the detail of the person's own skin: noise with the same deviation
 * in each of three bands (after Heeger and Bergen 1995), pores darker than they are light.
 */
export function growDetail(canvas: Canvas, own: OwnSkin): void {
  const deviations = measureDetail(canvas, own);
  bands ??= noiseBands();
  for (let y = 0; y < canvas.size; y++) growRow(canvas, deviations, bands, y);
}

/** A row of it, in a function that V8 keeps optimised. */
function growRow(
  { size, colour, weight }: Canvas,
  deviations: readonly number[],
  noise: readonly Float32Array[],
  y: number,
): void {
  const [fine, middle, coarse] = deviations;
  const [first, second, third, broad] = noise;
  for (let x = 0; x < size; x++) {
    const i = y * size + x;
    const unknown = 1 - weight[i];
    if (unknown <= 0.02) continue;
    const t = (y & (tile - 1)) * tile + (x & (tile - 1));
    const pore = first[t] * fine + Math.min(0.8, second[t]) * middle;
    // Blood lies deeper than pores: broad spots are redder rather than darker.
    const blood = third[t] * coarse + broad[t] * 0.012;
    const share = vividness * smoothstep(0.02, 0.6, unknown);
    colour[3 * i] *= 1 + share * (pore + 0.6 * blood);
    colour[3 * i + 1] *= 1 + share * (pore + 1.1 * blood);
    colour[3 * i + 2] *= 1 + share * (pore + 1.1 * blood);
  }
}
