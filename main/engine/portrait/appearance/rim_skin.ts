import { smoothCircle } from '../math/circular_filter.ts';
import { at, normalise } from '../math/vector.ts';
import { craniumColumns } from '../skull/skull.ts';
import { type Canvas, pixelOf } from '../texture/texture_fill.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';

/** How far inside the face's rim its skin is read, metres: hairs are painted up to it. */
const rimDepth = 0.012;

/** The fine face's vertex that is nearest, seen from the front. */
function nearestTo(points: Float32Array, x: number, y: number): number {
  let nearest = 0;
  let least = Infinity;
  for (let i = 0; i < fineFace.count; i++) {
    const far = (points[3 * i] - x) ** 2 + (points[3 * i + 1] - y) ** 2;
    if (far >= least) continue;
    least = far;
    nearest = i;
  }
  return nearest;
}

/** The skin at the face's rim, craniumColumns × 3 each. */
export interface RimSkin {
  /** As the texture has it just inside the rim, sRGB 0..255. */
  readonly colour: Float32Array;
  /** What the photo's colours were multiplied by there, to take its light out. */
  readonly gain: Float32Array;
}

export const noRim: RimSkin = {
  colour: new Float32Array(3 * craniumColumns),
  gain: new Float32Array(3 * craniumColumns).fill(1),
};

/** Evens three values a column out with those of the columns beside them. */
function evenedRound(values: Float32Array): Float32Array {
  const out = new Float32Array(values.length);
  for (let c = 0; c < 3; c++)
    for (const [k, value] of smoothCircle(
      values.filter((_, i) => i % 3 === c),
      4,
    ).entries())
      out[3 * k + c] = value;
  return out;
}

/** @param gain - What took the light out of the photo's colours, × 3 by vertex of the skin. */
export function rimSkin({ colour, size }: Canvas, skin: AssembledSkin, gain: Float32Array): RimSkin {
  const rim = new Float32Array(3 * craniumColumns);
  const light = new Float32Array(3 * craniumColumns);
  for (let k = 0; k < craniumColumns; k++) {
    const edge = at(skin.points, fineFace.oval[k]);
    const inwards = normalise([-edge[0], -edge[1], 0]);
    const [x, y] = [edge[0] + rimDepth * inwards[0], edge[1] + rimDepth * inwards[1]];
    const inside = 3 * pixelOf(skin.uv, nearestTo(skin.points, x, y), size);
    rim.set(colour.subarray(inside, inside + 3), 3 * k);
    light.set(gain.subarray(3 * fineFace.oval[k], 3 * fineFace.oval[k] + 3), 3 * k);
  }
  return { colour: evenedRound(rim), gain: evenedRound(light) };
}
