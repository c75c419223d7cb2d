import type { Sex } from '../contract/head_request.ts';
import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import { type HairMap, hairOnSkin } from '../hair/hair_map.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import { smoothstep } from '../math/vector.ts';
import { cropPixel } from '../matte/crop_pixel.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import type { Picture } from '../photo/photo.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';
import { learnSkin, type OwnSkin } from '../texture/own_skin.ts';
import { readPixel, type SkinLayout } from '../texture/skin_texture.ts';
import { features } from '../topology/face_regions.ts';
import { leftEye, rightEye } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';

/** How far below the eyes' outer corners, by vertex of the fine face: from 4 mm on, and from 16 mm on wholly. */
export function belowEyes(
  { points }: Pick<AssembledSkin, 'points'>,
  { neutral }: Pick<FaceFit, 'neutral'>,
): Float32Array {
  const eyes = (neutral[3 * leftEye.outer + 1] + neutral[3 * rightEye.outer + 1]) / 2;
  return Float32Array.from({ length: fineFace.count }, (_, i) =>
    smoothstep(eyes - 0.004, eyes - 0.016, points[3 * i + 1]),
  );
}

/**
 * How far the photo must show the person's own skin at a vertex, and nothing else, 0..1: where the face turns
 * away and below hanging hair, a photo shows cloth, background and earrings; hair on the skin may stay. And
 * how far a vertex lies below hanging hair, 0..1.
 */
export function findBareSkin(
  skin: AssembledSkin,
  fit: FaceFit,
  cut: Silhouette,
  map: HairMap,
  hair: HairSheet,
  sex: Sex,
): Float32Array {
  const bare = new Float32Array(skin.trust.length);
  const beardless = sex === 'female';
  const lower = belowEyes(skin, fit);
  for (let i = 0; i < fineFace.count + craniumRows * craniumColumns; i++) {
    const k = cropPixel(cut, skin.photo[2 * i], skin.photo[2 * i + 1]);
    const isHair = hairOnSkin(map, k) * smoothstep(0.6, 0.95, cut.mask[k] / 255);
    if (i < fineFace.count) {
      const aside = 1 - smoothstep(0.45, 0.75, facingCamera(fit.pose, skin.normals, i));
      const cheek = beardless ? lower[i] : 0;
      bare[i] = (1 - features[i]) * aside * (1 - isHair * (1 - cheek));
    } else {
      const covered = smoothstep(0.2, 0.5, hair.craniumPresence[i - fineFace.count + craniumColumns]);
      bare[i] = (1 - covered) * (1 - isHair);
    }
  }
  return bare;
}

/** The person's own skin, learnt where the photo shows it best and as it will be in the texture. */
export function ownSkin(
  picture: Picture,
  skin: SkinLayout,
  cut: Silhouette,
  map: HairMap,
): OwnSkin | undefined {
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
  return learnSkin(samples);
}
