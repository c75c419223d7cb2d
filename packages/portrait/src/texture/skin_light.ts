import { median } from '@likeness/geometry/median.ts';
import { smoothstep } from '@likeness/geometry/vector.ts';
import type { Raster } from '../contract/head_model.ts';

/** Side of the pictures of a skin's gloss and relief, pixels: half a millimetre of a face each. */
export const side = 512;

/** Brightness, against the skin's own, from which on something painted on it is hair, and matt as hair is. */
const hairBrightness = [0.72, 0.44] as const;

/** Data for gloss and relief, by pixel. */
export interface SkinLight {
  /** ln of the brightness that the skin's picture has. */
  readonly light: Float32Array;
  /** 0..1: how much of it is painted hair. */
  readonly matt: Float32Array;
}

export function skinLight(skin: Raster): SkinLight {
  const light = new Float32Array(side * side);
  for (let y = 0; y < side; y++) brightnessRow(skin, light, y);
  const medianLight = median(Float32Array.from({ length: light.length / 16 }, (_, i) => light[16 * i]));
  const [isSkin, isHair] = hairBrightness.map((share) => medianLight + Math.log(share));
  return { light, matt: light.map((value) => smoothstep(isSkin, isHair, value)) };
}

/** A row of the brightness, in a function that V8 keeps optimised. */
function brightnessRow({ data, width, height, channels }: Raster, light: Float32Array, y: number): void {
  const step = width / side;
  const bottom = Math.min(height, Math.ceil((y + 1) * step));
  for (let x = 0; x < side; x++) {
    const right = Math.min(width, Math.ceil((x + 1) * step));
    let sum = 0;
    let n = 0;
    for (let v = Math.floor(y * step); v < bottom; v++)
      for (let u = Math.floor(x * step); u < right; u++) {
        const o = channels * (v * width + u);
        sum += data[o] + 2 * data[o + 1] + data[o + 2];
        n++;
      }
    light[y * side + x] = Math.log(8 + sum / (4 * n));
  }
}
