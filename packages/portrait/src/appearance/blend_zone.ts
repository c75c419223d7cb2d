import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import { type HairMap, hairOnSkin, insideOutline } from '../hair/hair_map.ts';
import { smoothstep } from '../math/vector.ts';
import { type CropFrame, cropPixel } from '../segment/crop_pixel.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';
import type { BlendZones } from '../texture/multiband_blend.ts';
import { distanceFromMiddle, eyeRims, marked, otherSide, outwards } from '../topology/face_regions.ts';
import { leftBrow, leftEye, lowerLip, rightBrow, rightEye, upperLip } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';

const { layout: flat } = fineFace;
/** How far to the side of the face's middle a vertex lies, 1 at the oval. */
const aside = distanceFromMiddle.map((_, i) => Math.abs(flat[2 * i] - 0.5) / 0.49);
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
const moist = marked([rightEye, leftEye].flatMap(eyeRims).concat([upperLip, lowerLip].flat(2)));
const brows = marked([leftBrow, rightBrow].flat(2));
/** How much of the shade just below the jaw goes: the rest tells where the face ends. */
const belowJaw = 0.5;
/** How much skin must face the camera that its detail isn't drawn out, and up to where it is wholly. */
const [crisp, drawnOut] = [0.72, 0.4];

/**
 * How far, by vertex, the photo gives way to the skin's tone. Hair that falls over a temple stays. Beside the face, below
 * hanging hair, a photo shows cloth, background and earrings.
 *
 * @param covered - How much hair there is, 0..1 on the cranium's grid.
 */
export function blendZones(
  skin: Pick<AssembledSkin, 'points' | 'photo' | 'normals'>,
  fit: Pick<FaceFit, 'neutral' | 'pose'>,
  cut: CropFrame & Pick<Silhouette, 'mask'>,
  map: Pick<HairMap, 'hair' | 'skin'>,
  covered: Float32Array,
): BlendZones {
  const count = skin.points.length / 3;
  const edge = new Float32Array(count);
  const alike = new Float32Array(count);
  const hair = new Float32Array(fineFace.count + craniumRows * craniumColumns);
  for (let i = 0; i < hair.length; i++) {
    const k = cropPixel(cut, skin.photo[2 * i], skin.photo[2 * i + 1]);
    hair[i] = hairOnSkin(map, k);
    if (i < fineFace.count) continue;
    const hangs = smoothstep(0.2, 0.5, covered[i - fineFace.count + craniumColumns]);
    edge[i] = (1 - hangs) * (1 - hair[i] * insideOutline(cut, k));
  }
  const below = belowEyes(skin, fit);
  for (let i = 0; i < fineFace.count; i++) {
    edge[i] = below[i] * lower[i] + (1 - below[i]) * upper[i] * (1 - hair[i]);
    const onBoth = Math.min(hair[i], hair[otherSide[i]]);
    alike[i] = (1 - moist[i]) * (1 - brows[i]) * (1 - onBoth);
  }
  shadeBelowJaw(edge, skin, fit);
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

/** How far below the eyes' outer corners, by vertex of the fine face: from 4 mm on, and from 16 mm on wholly. */
function belowEyes(
  { points }: Pick<AssembledSkin, 'points'>,
  { neutral }: Pick<FaceFit, 'neutral'>,
): Float32Array {
  const eyes = (neutral[3 * leftEye.outer + 1] + neutral[3 * rightEye.outer + 1]) / 2;
  return Float32Array.from({ length: fineFace.count }, (_, i) =>
    smoothstep(eyes - 0.004, eyes - 0.016, points[3 * i + 1]),
  );
}

/** Below the jaw shade and cloth would stand as a dark line. */
function shadeBelowJaw(
  edge: Float32Array,
  { points }: Pick<AssembledSkin, 'points'>,
  { neutral }: Pick<FaceFit, 'neutral'>,
): void {
  const eyes = (neutral[3 * leftEye.outer + 1] + neutral[3 * rightEye.outer + 1]) / 2;
  for (let k = 0; k < craniumRows * craniumColumns; k++) {
    const i = fineFace.count + k;
    const low = smoothstep(eyes - 0.03, eyes - 0.05, points[3 * i + 1]);
    edge[i] = Math.max(edge[i], belowJaw * low);
  }
}
