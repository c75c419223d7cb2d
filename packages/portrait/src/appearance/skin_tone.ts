import { median } from '@likeness/geometry/median.ts';
import type { HairMap } from '../hair/hair_map.ts';
import type { Picture } from '../photo/photo.ts';
import { cropPixel } from '../segment/head_crop.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { type Colour, readPixel, type SkinLayout } from '../texture/skin_texture.ts';
import { features } from '../topology/face_regions.ts';
import { fineFace } from '../topology/fine_face.ts';

/** Fewer samples tell of no skin. */
const minSamples = 60;
/** Range of the samples' lightness that is neither shade nor gloss, as quantiles. */
const [darkest, lightest] = [0.05, 0.9];

/** The skin's usual colour as it will be in the texture; undefined where the photo shows too little of it. */
export function skinTone(
  picture: Picture,
  skin: SkinLayout,
  cut: Silhouette,
  map: HairMap,
): Colour | undefined {
  const samples: [number, number, number][] = [];
  const pixel = new Float32Array(3);
  for (let i = 0; i < fineFace.count; i++) {
    if (features[i] > 0.2 || skin.trust[i] < 0.6) continue;
    const [x, y] = [skin.photo[2 * i], skin.photo[2 * i + 1]];
    const k = cropPixel(cut, x, y);
    if (map.skin[k] < 0.6 || map.hair[k] > 0.4) continue;
    readPixel(picture, x, y, pixel);
    samples.push([0, 1, 2].map((c) => pixel[c] * skin.gain[3 * i + c]) as [number, number, number]);
  }
  const count = samples.length;
  if (count < minSamples) return undefined;
  samples.sort((p, q) => p[0] + p[1] + p[2] - q[0] - q[1] - q[2]);
  const middleTones = samples.slice(Math.floor(darkest * count), Math.ceil(lightest * count));
  const middle = (c: 0 | 1 | 2): number => median(middleTones.map((colour) => colour[c]));
  return [middle(0), middle(1), middle(2)];
}
