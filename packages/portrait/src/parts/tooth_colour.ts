import { clamp, type Vector } from '@likeness/geometry/vector.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { toLinear } from '../photo/linear_light.ts';
import type { Picture } from '../photo/photo.ts';
import { polygonMask } from '../photo/pixel_filters.ts';
import { mouthRim } from '../topology/face_topology.ts';

/** Enamel where no photo tells of it, linear RGB. */
export const defaultEnamel: Vector = [0.66, 0.6, 0.5];

/**
 * The colour of a laugh's teeth, linear RGB: the lighter of the pixels between the lips, half-way from the
 * usual enamel, since the lips' shadow lies on them. Undefined where too little of them is seen.
 */
export function readToothColour(picture: Picture, fit: FaceFit): Vector | undefined {
  if (fit.lipGap < 0.05) return undefined;
  const { data, width, height } = picture;
  const rim = mouthRim().map((i): [number, number] => [fit.photo[2 * i], fit.photo[2 * i + 1]]);
  const seen: Vector[] = [];
  const mouth = polygonMask(rim, width, height);
  for (let i = 0; i < mouth.length; i++) {
    if (!mouth[i]) continue;
    const [r, g, b] = data.subarray(3 * i, 3 * i + 3);
    // Lips, gums and tongue are red, the gaps dark.
    if (g > 0.72 * r && g > 70) seen.push([toLinear(r), toLinear(g), toLinear(b)]);
  }
  if (seen.length < 40) return undefined;
  seen.sort((p, q) => q[1] - p[1]);
  const light = seen.slice(0, Math.ceil(seen.length * 0.5));
  return [0, 1, 2].map((c) => {
    const mean = light.reduce((sum, colour) => sum + colour[c], 0) / light.length;
    return clamp((mean + defaultEnamel[c]) / 2, defaultEnamel[c] * 0.6, defaultEnamel[c] * 1.25);
  }) as unknown as Vector;
}
