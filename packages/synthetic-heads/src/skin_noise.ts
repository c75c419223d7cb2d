import { hash } from '@likeness/geometry/noise.ts';

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
