import { landmarkCount, mirrorPoint } from '../topology/face_topology.ts';
import { profilePoints, profileWays, readProfile, tellProfile } from './profile_weights.ts';

/**
 * How far the surface at each landmark comes forward beside the eyes, metres, by how much further forward a profile shows
 * the points of the middle line than the front photo told them.
 */
export function surfaceByProfile(line: readonly number[]): Float64Array {
  const surface = new Float64Array(landmarkCount);
  for (let way = 0; way < profileWays; way++) {
    const share = line.reduce((sum, z, k) => sum + z * readProfile[k * profileWays + way], 0);
    for (const [p, i] of profilePoints.entries())
      surface[i] += share * tellProfile[way * profilePoints.length + p];
  }
  for (const i of profilePoints) surface[mirrorPoint[i]] = surface[i];
  return surface;
}
