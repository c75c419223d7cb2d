import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import type { Raster } from '../contract/head_model.ts';
import { eyeTextureAngle } from '../parts/eyeballs.ts';
import { toLinear, toSrgb } from '../photo/linear_light.ts';
import type { Colour } from '../texture/skin_texture.ts';

/** `#rrggbb` as sRGB, 0..255. */
export function readColour(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const lightness = (r: number, g: number, b: number): number =>
  0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);

/** How far strands and fibres of the new colour stray from its brightness, as factors. */
const [darkest, lightest] = [0.25, 2];

/** Light strands come closer to the limit the lighter they are, so that none are alike. */
const limited = (factor: number): number =>
  factor > 1 ? 1 + (lightest - 1) * (1 - Math.exp((1 - factor) / (lightest - 1))) : Math.max(darkest, factor);

/**
 * Gives a texture another colour. Its own variation of brightness stays, as factors.
 *
 * @param damping - How much less it varies the lighter it becomes, a power of that step.
 * @param share - 0..1: how far a pixel changes, by its number.
 */
function tinted(raster: Raster, colour: Colour, damping: number, share: (pixel: number) => number): Raster {
  const { data, channels } = raster;
  const count = data.length / channels;
  const light = new Float32Array(count);
  let sum = 0;
  let weights = 0;
  for (let i = 0; i < count; i++) {
    const o = channels * i;
    light[i] = Math.max(0.002, lightness(data[o], data[o + 1], data[o + 2]));
    const w = share(i);
    sum += w * light[i];
    weights += w;
  }
  if (weights === 0) return raster;
  const mean = sum / weights;
  const wanted = colour.map(toLinear);
  const lift = lightness(...colour) / mean;
  const contrast = clamp(lift ** -damping, 0.6, 1.15);
  const out = Uint8Array.from(data);
  for (let i = 0; i < count; i++) {
    const w = share(i);
    if (w === 0) continue;
    const factor = limited((light[i] / mean) ** contrast);
    for (let c = 0; c < 3; c++) {
      const painted = toSrgb(Math.min(1, wanted[c] * factor));
      const o = channels * i + c;
      out[o] = Math.round(data[o] + w * (painted - data[o]));
    }
  }
  return { ...raster, data: out };
}

/** Hair of another colour; the whole texture is hair. Dark hair varies more, by factors, than light hair. */
export const recolouredHair = (raster: Raster, colour: Colour): Raster =>
  tinted(raster, colour, 0.2, () => 1);

/**
 * An eye with another iris. Pupil, limbus and white stay.
 *
 * @param limbus - Angle of the iris's edge from the pole, radians.
 */
export function recolouredIris(raster: Raster, colour: Colour, limbus: number): Raster {
  const { width, height } = raster;
  return tinted(raster, colour, 0, (pixel) => {
    const x = ((pixel % width) + 0.5) / width - 0.5;
    const y = (Math.floor(pixel / width) + 0.5) / height - 0.5;
    const angle = (Math.hypot(x, y) / 0.5) * eyeTextureAngle;
    return smoothstep(0.3, 0.4, angle / limbus) * smoothstep(1.04, 0.94, angle / limbus);
  });
}
