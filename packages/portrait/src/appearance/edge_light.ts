import { median } from '../math/median.ts';
import { averageAbout } from '../math/mesh_mean.ts';
import { clamp, smoothstep } from '../math/vector.ts';
import { fineFace } from '../topology/fine_face.ts';

/** What is known of a face's light by vertex of the fine face. */
export interface EdgeSamples {
  /** × 3: colours of the photo with its light taken out as far as the normals tell it, sRGB 0..255. */
  readonly colours: Float32Array;
  /** 0..1: how sure a vertex shows bare skin. */
  readonly weight: Float32Array;
  /** How much it faces the camera, −1..1. */
  readonly facing: Float32Array;
}

/** Facing from which on the photo's light holds, and to which on the edge is evened out. */
const [towards, away] = [0.88, 0.58];
/** Places in the layout, 0 in its middle and 1 at the oval, between which evening out begins. */
const [inner, outer] = [0.6, 0.85];
/** How much of what strays is taken out at the edge. */
const strength = 0.7;
/** Shade that tells of a face's shape, ln: without it likeness falls. */
const usualShade = 0.2;
/** Most that counts, ln: what strays further is hair or a lamp's mirror image. */
const most = 1;
/** Rounds of averaging, each over some 2 mm: a field of some 10 mm. */
const rounds = 24;

/** Way from the middle of the face's layout by vertex, 1 at the oval. */
export const wayFromMiddle: Float32Array = (() => {
  const { layout: flat } = fineFace;
  return Float32Array.from({ length: fineFace.count }, (_, i) =>
    Math.hypot((flat[2 * i] - 0.5) / 0.49, (flat[2 * i + 1] - 0.5) / 0.42),
  );
})();
/** 1 towards the oval and 0 about eyes, nose and mouth, by vertex. */
export const outwards: Float32Array = wayFromMiddle.map((way) => smoothstep(inner, outer, way));

/**
 * What the skin's brightness is multiplied by, a vertex of the fine face: towards the face's edge, light that no
 * lamp far away explains (gloss, a beard's shade, a window close by) ends where the photo ends, and would stand
 * beside the skin that is made there as a band.
 */
export function edgeGains({ colours, weight, facing }: EdgeSamples): Float32Array {
  const { count, triangles } = fineFace;
  const bright = Float32Array.from({ length: count }, (_, i) =>
    Math.log(1 + colours[3 * i] + colours[3 * i + 1] + colours[3 * i + 2]),
  );
  const sure = bright.filter((_, i) => weight[i] > 0.6);
  if (sure.length < 50) return new Float32Array(count).fill(1);
  const tone = median(sure);
  const sum = averageAbout(
    bright.map((value, i) => weight[i] * clamp(value - tone, -most, most)),
    triangles,
    rounds,
  );
  const known = averageAbout(weight.subarray(0, count), triangles, rounds);
  return sum.map((value, i) => {
    const share = strength * outwards[i] * smoothstep(towards, away, facing[i]);
    const off = value / (known[i] + 0.002);
    return Math.exp(-share * (Math.max(0, off) + Math.min(0, off + usualShade)));
  });
}
