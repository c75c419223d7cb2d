import type { FaceFit } from '../fit/face_fit.ts';
import { clamp, type Vector } from '../math/vector.ts';
import { toLinear } from '../photo/linear_light.ts';
import type { Picture } from '../photo/photo.ts';
import { mouthRim } from '../topology/face_topology.ts';

/** Enamel where no photo tells of it, linear RGB. */
export const usualEnamel: Vector = [0.66, 0.6, 0.5];

/**
 * The colour of a laugh's teeth, linear RGB: the lighter of the pixels between the lips, half-way from the
 * usual enamel, since the lips' shadow lies on them. Undefined where too little of them is seen.
 */
export function readToothColour(picture: Picture, fit: FaceFit): Vector | undefined {
  if (fit.lipGap < 0.05) return undefined;
  const rim = mouthRim().map((i) => [fit.photo[2 * i], fit.photo[2 * i + 1]] as const);
  const xs = rim.map(([x]) => x);
  const ys = rim.map(([, y]) => y);
  const seen: Vector[] = [];
  for (let y = Math.ceil(Math.min(...ys)); y <= Math.max(...ys); y++) {
    for (let x = Math.ceil(Math.min(...xs)); x <= Math.max(...xs); x++) {
      if (x < 0 || y < 0 || x >= picture.width || y >= picture.height || !isInside(rim, x, y)) continue;
      const o = 3 * (y * picture.width + x);
      const [r, g, b] = [picture.data[o], picture.data[o + 1], picture.data[o + 2]];
      // Lips, gums and tongue are red, the gaps dark.
      if (g > 0.72 * r && g > 70) seen.push([toLinear(r), toLinear(g), toLinear(b)]);
    }
  }
  if (seen.length < 40) return undefined;
  seen.sort((p, q) => q[1] - p[1]);
  const light = seen.slice(0, Math.ceil(seen.length * 0.5));
  return [0, 1, 2].map((c) => {
    const mean = light.reduce((sum, colour) => sum + colour[c], 0) / light.length;
    return clamp((mean + usualEnamel[c]) / 2, usualEnamel[c] * 0.6, usualEnamel[c] * 1.25);
  }) as unknown as Vector;
}

function isInside(ring: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i];
    const [xj, yj] = ring[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}
