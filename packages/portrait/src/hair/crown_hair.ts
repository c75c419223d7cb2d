import { medianCircle, smoothCircle } from '@likeness/geometry/circular_filter.ts';
import { smoothstep } from '@likeness/geometry/vector.ts';
import { craniumColumns, craniumRows, mirrorOf } from '../skull/skull.ts';
import type { InflatedCranium } from './hair_volume.ts';

/** The photo's data for a vertex, 0..1: how well it is seen, and how much hair it has. */
export interface PhotoCoverage {
  seen(i: number): number;
  hair(i: number): number;
}

/** Metres inside the usual hairline up to which bare skin may be a receding temple, and not a bald crown. */
const templeDepth = 0.035;

/**
 * Hair of the crown behind each column, 0..1: what is last seen there, evened out. A photo of a turned head shows one
 * side as far as the temple alone: its crown is as the other side’s.
 *
 * @param depths - How far inside the usual hairline each vertex lies, metres.
 */
export function crownHair(
  { points }: Pick<InflatedCranium, 'points'>,
  depths: Float32Array,
  photo: PhotoCoverage,
): Float32Array {
  const lastSeen = new Float32Array(craniumColumns).fill(1);
  const reaches = new Uint8Array(craniumColumns);
  for (let k = 0; k < craniumColumns; k++) {
    let known = false;
    for (let row = 0; row <= craniumRows; row++) {
      const i = row * craniumColumns + k;
      if (photo.seen(i) <= 0.5 || points[3 * i + 1] <= 0.02) continue;
      lastSeen[k] = known ? lastSeen[k] * 0.75 + photo.hair(i) * 0.25 : photo.hair(i);
      known = true;
      if (depths[i] > templeDepth) reaches[k] = 1;
    }
  }
  const crown = lastSeen.map((own, k) => (!reaches[k] && reaches[mirrorOf(k)] ? lastSeen[mirrorOf(k)] : own));
  return smoothCircle(medianCircle(crown, 7), 24).map((v) => smoothstep(0.2, 0.5, v));
}
