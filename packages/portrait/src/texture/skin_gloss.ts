import { clamp } from '@likeness/geometry/vector.ts';
import type { Raster } from '../contract/head_model.ts';
import {
  brows,
  chinBoss,
  eyes,
  lips,
  lowerLip,
  noseBridge,
  noseTip,
  noseWings,
  oval,
  upperLip,
} from '../topology/face_topology.ts';
import { type LandmarkRegions, planeByRegion } from './plane_by_region.ts';
import { type SkinLight, side } from './skin_light.ts';
import { softened } from './tone_grid.ts';

/** Roughness of skin by region: oil makes the forehead and the nose shine, moisture the lips. */
const baseRoughness = { face: 0.58, cranium: 0.64 } as const;
const besideBridge = [3, 248, 196, 419, 236, 456, 134, 363, 220, 440, 131, 360];
const regions: LandmarkRegions = [
  // A step at the oval would be seen as a mask's edge wherever light grazes it.
  [baseRoughness.cranium, oval],
  // Forehead: between the outline's top and the brows.
  [0.5, [10, 151, 9, 8, 108, 337, 69, 299, 109, 338, 67, 297, 66, 296, 107, 336]],
  [0.54, chinBoss],
  // The cheekbones.
  [0.53, [50, 280, 101, 330, 118, 347, 117, 346, 205, 425]],
  [0.5, eyes.flatMap(({ upper }) => upper.slice(1).flat())],
  [0.54, eyes.flatMap(({ lower }) => lower.slice(1).flat())],
  [0.7, brows],
  [0.46, [...noseBridge, ...noseWings, ...besideBridge]],
  // Beside the middle too, or the tip were a line.
  [0.42, [...noseTip, 5, 45, 275, 44, 274, 51, 281]],
  [0.46, lips],
  [0.4, [...upperLip.slice(1), ...lowerLip.slice(1)].flat()],
  // A film of tears lies along the lids' rims; at their corners it would run down the cheek.
  [0.44, eyes.flatMap(({ upper, lower }) => [...upper[0], ...lower[0]])],
];

/** The material's own roughness, for programs that don't read the picture: it holds shares of it. */
export const maxRoughness = 0.9;

/** Pixels over which the surroundings of a pore or fold are averaged. */
const reach = 4;
/** Change of ln brightness beyond which a line is paint (a brow's edge, a spectacle frame) and no fold. */
const paint = 0.2;
/** Roughness, as a factor, that a fold gains for each unit of ln brightness that it is darker. */
const cavity = 1.5;

/** The same for every head, so it is made once. */
let byRegion: Float32Array | undefined;

/**
 * How rough a skin is, for its layout: by region, and rougher in pores and folds, which a photo shows darker
 * than the skin right round them. So a highlight lies broken on skin, not as on wax.
 *
 * @param uv - The fine face's place in the layout, × 2.
 */
export function skinRoughness({ light, matt }: SkinLight, uv: Float32Array): Raster {
  byRegion ??= softened(planeByRegion(uv, baseRoughness.face, baseRoughness.cranium, regions), side, 2);
  const around = softened(light, side, reach);
  const data = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y++) roughnessRow(data, y, light, around, matt, byRegion);
  return { name: 'SkinRoughness', width: side, height: side, channels: 3, data, quality: 75 };
}

/** A row of the roughness, in a function that V8 keeps optimised. */
function roughnessRow(
  data: Uint8Array,
  y: number,
  light: Float32Array,
  around: Float32Array,
  matt: Float32Array,
  plain: Float32Array,
): void {
  for (let i = y * side; i < (y + 1) * side; i++) {
    // Brightness against the skin right around it, ln; painted lines count less.
    const off = light[i] - around[i];
    const fold = Math.fround(off / (1 + (off / paint) ** 2));
    const skinned = plain[i] * (1 - cavity * fold);
    // Painted hair under a skin's gloss is a grey veil on a forehead.
    const roughness = skinned + matt[i] * (maxRoughness - skinned);
    // Grey: glTF reads the green; the factor of the metal in the blue is 0.
    const grey = Math.round(255 * clamp(roughness / maxRoughness, 0.4, 1));
    data[3 * i] = grey;
    data[3 * i + 1] = grey;
    data[3 * i + 2] = grey;
  }
}
