import { landmarkCount } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import { side } from './skin_light.ts';
import { interpolate, walkTriangles } from './texture_fill.ts';

/** Values of groups of landmarks; where groups share one, the last holds. */
export type LandmarkRegions = readonly (readonly [value: number, landmarks: readonly number[]])[];

/**
 * Values of a face's regions by pixel of the skin's layout, smooth from landmark to landmark.
 *
 * @param uv - The fine face's place in the layout, × 2.
 * @param face - Of its landmarks in no region. @param beyond - Beside the face.
 * @returns side²
 */
export function planeByRegion(
  uv: Float32Array,
  face: number,
  beyond: number,
  regions: LandmarkRegions,
): Float32Array {
  const coarse = new Float32Array(landmarkCount).fill(face);
  for (const [value, landmarks] of regions) for (const i of landmarks) coarse[i] = value;
  const fine = fineFace.refine(coarse, 1);
  const plane = new Float32Array(side * side).fill(beyond);
  walkTriangles(side, uv, fineFace.triangles, (i, a, b, c, shares) => {
    plane[i] = interpolate(fine, a, b, c, shares);
  });
  return plane;
}
