import type { Sex } from '../contract/head_request.ts';
import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import { type HairMap, hairOnSkin } from '../hair/hair_map.ts';
import { averageAbout } from '../math/mesh_mean.ts';
import { smoothstep } from '../math/vector.ts';
import { type CropFrame, cropPixel } from '../matte/crop_pixel.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';
import type { BlendZones } from '../texture/multiband_blend.ts';
import { eyeRims, marked, otherSide, outwards, wayFromMiddle } from '../topology/face_regions.ts';
import { leftBrow, leftEye, lowerLip, rightBrow, rightEye, upperLip } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';
import { belowEyes } from './bare_skin.ts';

const { layout: flat } = fineFace;
/** How far to the side of the face's middle a vertex lies, 1 at the oval. */
const aside = wayFromMiddle.map((_, i) => Math.abs(flat[2 * i] - 0.5) / 0.49);
/** Below the eyes: cheeks wholly, and towards the jaw's edge; of the chin half, whose shade tells of its shape. */
const lower = outwards.map((out, i) =>
  Math.max(
    out *
      (0.5 + 0.5 * Math.max(smoothstep(0.25, 0.5, aside[i]), 0.25 * smoothstep(0.9, 0.98, wayFromMiddle[i]))),
    smoothstep(0.45, 0.68, aside[i]),
  ),
);
/** Above: temples and the last strip before the oval. Shade of brows and forehead tells of a face's shape. */
const upper = wayFromMiddle.map((way, i) =>
  Math.max(smoothstep(0.85, 1, way), smoothstep(0.55, 0.8, aside[i])),
);
/** 1 on eyes and lips, which are moist. */
const moist = marked([rightEye, leftEye].flatMap(eyeRims).concat([upperLip, lowerLip].flat(2)));
const brows = marked([leftBrow, rightBrow].flat(2));
/** How much of the shade just below the jaw goes: the rest tells where the face ends. */
const belowJaw = 0.5;
/** How much skin must face the camera that its detail isn't drawn out, and up to where it is wholly. */
const [crisp, drawnOut] = [0.72, 0.4];

/**
 * How far, by vertex, the photo gives way to the skin's tone (`blendBands`). A beard and hair that falls over a temple
 * stay.
 *
 * @param bare - What must be bare skin beyond the face, 0..1.
 */
export function blendZones(
  skin: Pick<AssembledSkin, 'points' | 'photo' | 'trust' | 'normals'>,
  fit: Pick<FaceFit, 'neutral' | 'pose'>,
  cut: CropFrame,
  map: Pick<HairMap, 'strands' | 'skin' | 'rough'>,
  bare: Float32Array,
  sex: Sex,
): BlendZones {
  const hair = new Float32Array(fineFace.count);
  const rough = new Float32Array(fineFace.count);
  for (let i = 0; i < fineFace.count; i++) {
    const k = cropPixel(cut, skin.photo[2 * i], skin.photo[2 * i + 1]);
    hair[i] = hairOnSkin(map, k);
    rough[i] = map.rough[k];
  }
  const sure = hair.map((share, i) => share * smoothstep(0.1, 0.5, skin.trust[i]));
  const beard = sex === 'female' ? new Float32Array(fineFace.count) : findBeard(sure, rough, skin.trust);
  const edge = Float32Array.from(bare);
  const alike = new Float32Array(bare.length);
  const below = belowEyes(skin, fit);
  for (let i = 0; i < fineFace.count; i++) {
    const grown = Math.max(sure[i] * rough[i], Math.min(sure[i], sure[otherSide[i]]));
    const temple = sex === 'female' ? hair[i] : grown;
    edge[i] = below[i] * lower[i] * (1 - beard[i]) + (1 - below[i]) * upper[i] * (1 - temple);
    const onBoth = Math.min(hair[i], hair[otherSide[i]]);
    alike[i] = (1 - moist[i]) * (1 - brows[i]) * (1 - beard[i]) * (1 - onBoth);
  }
  shadeBelowJaw(edge, skin, fit, beard);
  return { edge, alike, smeared: findSmeared(skin, fit, bare) };
}

/** How far what the photo tells of a vertex is drawn out, 0..1: on both sides, for one lends to the other. */
function findSmeared(
  { normals }: Pick<AssembledSkin, 'normals'>,
  { pose }: Pick<FaceFit, 'pose'>,
  bare: Float32Array,
): Float32Array {
  const facing = bare.map((_, i) => facingCamera(pose, normals, i));
  return facing.map((own, i) =>
    smoothstep(crisp, drawnOut, i < fineFace.count ? Math.max(own, facing[otherSide[i]]) : own),
  );
}

/**
 * Where a beard grows, 0..1. A cheek in the shade counts as hair, but a beard grows on both sides; where the photo
 * shows one alone, it is as rough as hair is.
 */
function findBeard(sure: Float32Array, rough: Float32Array, trust: Float32Array): Float32Array {
  const beard = sure.map((hair, i) => {
    const other = otherSide[i];
    return hair * Math.max(sure[other], rough[i] * (1 - smoothstep(0.3, 0.7, trust[other])));
  });
  return averageAbout(beard, fineFace.triangles, 3);
}

/** Below the jaw shade and cloth count as hair, and would stand there as a dark line; a beard alone goes on. */
function shadeBelowJaw(
  edge: Float32Array,
  { points }: Pick<AssembledSkin, 'points'>,
  { neutral }: Pick<FaceFit, 'neutral'>,
  beard: Float32Array,
): void {
  const eyes = (neutral[3 * leftEye.outer + 1] + neutral[3 * rightEye.outer + 1]) / 2;
  for (let k = 0; k < craniumRows * craniumColumns; k++) {
    const i = fineFace.count + k;
    const low = smoothstep(eyes - 0.03, eyes - 0.05, points[3 * i + 1]);
    edge[i] = Math.max(edge[i], belowJaw * low * (1 - beard[fineFace.oval[k % craniumColumns]]));
  }
}
