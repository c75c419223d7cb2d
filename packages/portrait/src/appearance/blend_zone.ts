import { smoothstep } from '@likeness/geometry/vector.ts';
import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import { type HairMap, hairOnSkin, insideOutline } from '../hair/hair_map.ts';
import { type CropFrame, cropPixel } from '../segment/head_crop.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';
import type { BlendZones } from '../texture/multiband_blend.ts';
import { aside, distanceFromMiddle, eyeRims, marked, otherSide, outwards } from '../topology/face_regions.ts';
import { eyes as bothEyes, brows as browPoints, lips } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';
import type { AssembledSkin } from './appearance.ts';

/** Below the eyes: cheeks wholly, and towards the jaw's edge; of the chin half, whose shade tells of its shape. */
const lower = outwards.map((out, i) =>
  Math.max(
    out *
      (0.5 +
        0.5 * Math.max(smoothstep(0.25, 0.5, aside[i]), 0.25 * smoothstep(0.9, 0.98, distanceFromMiddle[i]))),
    smoothstep(0.45, 0.68, aside[i]),
  ),
);
/** Above: temples and the last strip before the oval. Shade of brows and forehead tells of a face's shape. */
const upper = distanceFromMiddle.map((distance, i) =>
  Math.max(smoothstep(0.85, 1, distance), smoothstep(0.55, 0.8, aside[i])),
);
/** 1 on eyes and lips, which are moist. */
const moist = marked([...bothEyes.flatMap(eyeRims), ...lips]);
const brows = marked(browPoints);
/** How much skin must face the camera that its detail isn't drawn out, and up to where it is wholly. */
const [crisp, drawnOut] = [0.72, 0.4];

/**
 * How far, by vertex, the photo gives way to the skin's tone. Hair over a temple stays if it is seen straight. Beside the face, below
 * hanging hair, a photo shows cloth, background and earrings.
 */
export function blendZones(
  skin: Pick<AssembledSkin, 'points' | 'photo' | 'normals'>,
  fit: Pick<FaceFit, 'neutral' | 'pose'>,
  cut: CropFrame & Pick<Silhouette, 'mask'>,
  map: Pick<HairMap, 'hair' | 'skin'>,
): BlendZones {
  const count = skin.points.length / 3;
  const edge = new Float32Array(count);
  const alike = new Float32Array(count);
  const hair = new Float32Array(fineFace.count + craniumRows * craniumColumns);
  const eyes = (fit.neutral[3 * landmark.leftEyeOuter + 1] + fit.neutral[3 * landmark.rightEyeOuter + 1]) / 2;
  for (let i = 0; i < hair.length; i++) {
    const k = cropPixel(cut, skin.photo[2 * i], skin.photo[2 * i + 1]);
    hair[i] = hairOnSkin(map, k);
    if (i < fineFace.count) continue;
    // Below the jaw shade and cloth would stand as a dark line.
    const low = smoothstep(eyes - 0.03, eyes - 0.05, skin.points[3 * i + 1]);
    edge[i] = Math.max(1 - hair[i] * insideOutline(cut, k), low);
  }
  for (let i = 0; i < fineFace.count; i++) {
    // From 4 mm below the eyes' outer corners on, and from 16 mm on wholly.
    const below = smoothstep(eyes - 0.004, eyes - 0.016, skin.points[3 * i + 1]);
    edge[i] = below * lower[i] + (1 - below) * upper[i] * (1 - hair[i]);
    const onBoth = Math.min(hair[i], hair[otherSide[i]]);
    alike[i] = (1 - moist[i]) * (1 - brows[i]) * (1 - onBoth);
  }
  return { edge, alike, smeared: findSmeared(skin, fit) };
}

/** How far what the photo tells of a vertex is drawn out, 0..1: on both sides, for one lends to the other. */
function findSmeared(
  { points, normals }: Pick<AssembledSkin, 'points' | 'normals'>,
  { pose }: Pick<FaceFit, 'pose'>,
): Float32Array {
  const facing = Float32Array.from({ length: points.length / 3 }, (_, i) => facingCamera(pose, normals, i));
  return facing.map((own, i) =>
    smoothstep(crisp, drawnOut, i < fineFace.count ? Math.max(own, facing[otherSide[i]]) : own),
  );
}
