import { smoothstep } from '../math/vector.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import { blur } from '../photo/pixel_filters.ts';

/** How far a pixel's lightness lies off its four neighbours' mean. */
function roughness({ lab, width }: Silhouette, i: number): number {
  const around = lab[3 * (i - 1)] + lab[3 * (i + 1)] + lab[3 * (i - width)] + lab[3 * (i + width)];
  return Math.abs(lab[3 * i] - around / 4);
}

/** Roughness (8-bit lightness from pixel to pixel) from which on a light place may be hair, and is: skin has 2 to 3. */
const rough = [3.6, 5.5] as const;

/** Whether the crop's pixels are as rough as strands are, 0..1. */
export function roughShare(cut: Silhouette): Float32Array {
  const { width, height } = cut;
  const values = new Float32Array(width * height);
  for (let i = width; i < values.length - width; i++) if (cut.mask[i] > 200) values[i] = roughness(cut, i);
  return blur(values, width, height, 3).map((value) => smoothstep(rough[0], rough[1], value));
}
