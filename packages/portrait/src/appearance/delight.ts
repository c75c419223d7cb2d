import { defaultHeadOptions } from '@likeness/proto/heads/head_options.ts';
import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import { shadingOf } from '../fit/photo_light.ts';
import type { HairMap } from '../hair/hair_map.ts';
import { clamp, smoothstep } from '../math/vector.ts';
import { cropPixel } from '../matte/crop_pixel.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import { toLinear } from '../photo/linear_light.ts';
import type { Picture } from '../photo/photo.ts';
import { type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';
import { edgeGains } from './edge_light.ts';
import { innerFace, sideLight } from './side_light.ts';

/** Least trust in what the photo shows from which on its light is looked at. */
const leastTrust = 0.04;
/** Way from the oval within which what was evened out at the face's edge fades, metres. */
const edgeReach = 0.03;

export interface PhotoLightInput {
  readonly picture: Picture;
  readonly fit: FaceFit;
  /** How much of the photo's light stays in the skin, 0..1; {@link defaultHeadOptions} where absent. */
  readonly light?: number;
}

/**
 * Factors that remove the photo's light from a colour (sRGB) at a vertex, × 3: more than 1 in the shade. The
 * skin records the light, and is trusted less where a shadow hides it.
 */
export function takeLight(
  skin: AssembledSkin,
  cranium: Cranium,
  { picture, fit, light }: PhotoLightInput,
  cut: Silhouette,
  map: HairMap,
): Float32Array {
  const delight = 1 - (light ?? defaultHeadOptions.light);
  const count = skin.trust.length;
  const seen = new Float32Array(count * 3);
  const weight = new Float32Array(count);
  const shaded = new Float32Array(count);
  const uncovered = new Float32Array(count);
  const pixel = new Float32Array(3);
  const hairLight = map.hairColour[0] + map.hairColour[1] + map.hairColour[2];
  for (let i = 0; i < fineFace.count; i++) {
    if (skin.trust[i] < leastTrust) continue;
    const [x, y] = [skin.photo[2 * i], skin.photo[2 * i + 1]];
    const k = cropPixel(cut, x, y);
    const isSkin = smoothstep(0.4, 0.8, map.skin[k]);
    weight[i] = skin.trust[i] * isSkin;
    readPixel(picture, x, y, pixel);
    seen.set(pixel, 3 * i);
    // What is far darker than the hair, and red, is neither hair nor a spectacle frame: a cheek in the shade.
    const sum = pixel[0] + pixel[1] + pixel[2];
    const isShade =
      smoothstep(0.75, 0.5, sum / hairLight) * smoothstep(0.1, 0.18, (pixel[0] - pixel[2]) / (sum + 1));
    uncovered[i] =
      smoothstep(0, 0.3, skin.trust[i]) *
      Math.max(isSkin, innerFace[i], smoothstep(0.6, 0.3, map.hair[k]), isShade);
    shaded[i] = skin.trust[i] * Math.max(isSkin, isShade);
  }
  const gain = shadingOf({ normals: skin.normals, colours: seen.map(toLinear), weight }).map((lit) =>
    clamp(lit ** (-delight / 2.2), 0.75, 1.5),
  );
  if (delight > 0) {
    const share = lightTaken(light);
    const sides = sideLight({ colours: seen.map((value, k) => value * gain[k]), weight: uncovered });
    for (const [k, side] of sides.gains.entries()) gain[k] *= side ** delight;
    for (const [i, lost] of sides.lost.entries()) skin.trust[i] *= 1 - share * lost;
    const edges = edgeGains({
      colours: seen.map((value, k) => value * gain[k]),
      weight: shaded,
      facing: Float32Array.from({ length: fineFace.count }, (_, i) =>
        facingCamera(fit.pose, skin.normals, i),
      ),
    });
    const add = (i: number, edge: number): void => {
      for (let c = 0; c < 3; c++) gain[3 * i + c] *= 1 + share * (edge - 1);
    };
    for (const [i, edge] of edges.entries()) add(i, edge);
    for (let k = 0; k < craniumRows * craniumColumns; k++) {
      const near = 1 - smoothstep(0, edgeReach, cranium.way[k + craniumColumns]);
      add(fineFace.count + k, edges[fineFace.oval[k % craniumColumns]] ** near);
    }
  }
  recordGains(skin, (i, c) => Math.log(gain[3 * i + c]));
  return gain;
}

/** How much of what is more than light from afar goes: all at the usual choice of light, nothing at 1. */
export const lightTaken = (light: number = defaultHeadOptions.light): number =>
  Math.min(1, (1 - light) / (1 - defaultHeadOptions.light));

/** Records that a vertex's colours (sRGB) were multiplied: by ln of the gain, by vertex and channel. */
export function recordGains({ photoLight }: AssembledSkin, log: (i: number, c: number) => number): void {
  for (let i = 0; i < photoLight.length / 3; i++)
    for (let c = 0; c < 3; c++) photoLight[3 * i + c] *= Math.exp(-2.2 * log(i, c));
}
