import type { Sex } from '../contract/head_request.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { type HairMap, hairOnSkin } from '../hair/hair_map.ts';
import { smoothstep } from '../math/vector.ts';
import { type CropFrame, cropPixel } from '../matte/crop_pixel.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';
import { belowEyes } from './bare_skin.ts';
import { outwards, wayFromMiddle } from './edge_light.ts';
import { otherSide } from './side_light.ts';

const { layout: flat } = fineFace;
/** How far to the side of the face's middle a vertex lies, 1 at the oval. */
const aside = wayFromMiddle.map((_, i) => Math.abs(flat[2 * i] - 0.5) / 0.49);
/** Below the eyes: cheeks wholly, and towards the jaw's edge; of the chin half, whose shade tells of its shape. */
const lower = outwards.map((out, i) =>
  Math.max(out * (0.5 + 0.5 * smoothstep(0.25, 0.5, aside[i])), smoothstep(0.45, 0.68, aside[i])),
);
/** Above: temples and the last strip before the oval. Shade of brows and forehead tells of a face's shape. */
const upper = wayFromMiddle.map((way, i) =>
  Math.max(smoothstep(0.85, 1, way), smoothstep(0.55, 0.8, aside[i])),
);

/**
 * How far, by vertex, the photo's spots and streaks give way to the skin's broad tone (`blendBands`): on cheeks and jaw,
 * and on what must be `bare` beyond the face, 0..1. A beard and hair that falls over a temple stay.
 */
export function blendZone(
  skin: Pick<AssembledSkin, 'points' | 'photo' | 'trust'>,
  fit: Pick<FaceFit, 'neutral'>,
  cut: CropFrame,
  map: Pick<HairMap, 'strands' | 'skin' | 'rough'>,
  bare: Float32Array,
  sex: Sex,
): Float32Array {
  const zone = Float32Array.from(bare);
  const hair = new Float32Array(fineFace.count);
  const rough = new Float32Array(fineFace.count);
  for (let i = 0; i < fineFace.count; i++) {
    const k = cropPixel(cut, skin.photo[2 * i], skin.photo[2 * i + 1]);
    hair[i] = hairOnSkin(map, k);
    rough[i] = map.rough[k];
  }
  // A cheek in the shade counts as hair. A beard grows on both sides, or is as rough as hair is.
  const sure = hair.map((share, i) => share * smoothstep(0.1, 0.5, skin.trust[i]));
  const below = belowEyes(skin, fit);
  for (let i = 0; i < fineFace.count; i++) {
    const grown = Math.max(sure[i] * rough[i], Math.min(sure[i], sure[otherSide[i]]));
    const beard = sex === 'female' ? 0 : grown;
    const temple = sex === 'female' ? hair[i] : grown;
    zone[i] = below[i] * lower[i] * (1 - beard) + (1 - below[i]) * upper[i] * (1 - temple);
  }
  return zone;
}
