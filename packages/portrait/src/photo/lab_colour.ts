import { clamp } from '@likeness/geometry/vector.ts';
import { linearBytes } from './linear_light.ts';

/** sRGB to CIE Lab (D65), 8 bits a channel: L · 255/100, a + 128, b + 128. */
export function toLab(rgb: Float32Array): Uint8Array {
  const out = new Uint8Array(rgb.length);
  for (let i = 0; i < rgb.length; i += 3) writeLab(rgb, i, out);
  return out;
}

/** A pixel, in a function that V8 keeps optimised: in a loop that runs once each one leaves arrays behind. */
function writeLab(rgb: Float32Array, i: number, out: Uint8Array): void {
  const [l, a, b] = labOf([
    linearBytes[rgb[i] | 0],
    linearBytes[rgb[i + 1] | 0],
    linearBytes[rgb[i + 2] | 0],
  ]);
  out[i] = clamp(Math.round(l * 2.55), 0, 255);
  out[i + 1] = clamp(Math.round(a + 128), 0, 255);
  out[i + 2] = clamp(Math.round(b + 128), 0, 255);
}

const labRoot = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);

/** CIE Lab (D65). */
export type Lab = readonly [lightness: number, red: number, yellow: number];

/** CIE Lab of a linear RGB colour, 0..1. */
export function labOf([r, g, b]: readonly [number, number, number]): Lab {
  const x = labRoot((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = labRoot(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = labRoot((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
