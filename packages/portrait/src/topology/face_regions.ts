import { smoothstep } from '@likeness/geometry/vector.ts';
import { brows, type EyeGroup, eyes, landmarkCount, lips, noseTip, noseWings } from './face_topology.ts';
import { fineFace } from './fine_face.ts';
import { mirrorPairs } from './mirror_pairs.ts';

/** Places in the layout, 0 in its middle and 1 at the oval, between which the face's edge begins. */
const [inner, outer] = [0.6, 0.85];

/** Way from the middle of the face's layout by vertex, 1 at the oval. */
export const distanceFromMiddle: Float32Array = (() => {
  const { layout: flat } = fineFace;
  return Float32Array.from({ length: fineFace.count }, (_, i) =>
    Math.hypot((flat[2 * i] - 0.5) / 0.49, (flat[2 * i + 1] - 0.5) / 0.42),
  );
})();
/** How far to the side of the face's middle line a vertex lies, 1 at the oval. */
export const aside: Float32Array = distanceFromMiddle.map(
  (_, i) => Math.abs(fineFace.layout[2 * i] - 0.5) / 0.49,
);
/** 1 towards the oval and 0 about eyes, nose and mouth, by vertex. */
export const outwards: Float32Array = distanceFromMiddle.map((distance) =>
  smoothstep(inner, outer, distance),
);

/** The vertex of the fine face on the other side, by vertex. */
export const otherSide: Uint16Array = mirrorPairs(fineFace.layout);

/** 1 at landmarks and fading from there, by vertex of the fine face. */
export function marked(landmarks: readonly number[]): Float32Array {
  const coarse = new Float32Array(landmarkCount);
  for (const i of landmarks) coarse[i] = 1;
  return fineFace.refine(coarse, 1);
}

/** The landmarks of an eye and its lids' rims. */
export const eyeRims = (eye: EyeGroup): number[] => [
  eye.outer,
  eye.inner,
  ...eye.upper.slice(0, 2).flat(),
  ...eye.lower.slice(0, 2).flat(),
];

/** 1 on eyes, brows, lips and nostrils, which have colours of their own; by vertex of the fine face. */
export const features: Float32Array = marked([
  ...eyes.flatMap(eyeRims),
  ...[brows, lips, noseWings, noseTip].flat(),
]);
