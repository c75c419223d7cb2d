import { layout } from '../src/topology/face_topology.ts';
import { fineFace } from '../src/topology/fine_face.ts';

const flat = fineFace.refine(layout, 2);

/** A place of the face's layout, 0..1 from its upper left. */
export type Place = readonly [u: number, v: number];

/** How high in the layout a vertex of the fine face lies, 0 at the top. */
export const downAt = (i: number): number => flat[2 * i + 1]!;

/** How far to the right in the layout it lies, 0 at the left. */
export const acrossAt = (i: number): number => flat[2 * i]!;

/** How far a vertex of the fine face lies from a place. */
export const off = (i: number, [u, v]: Place): number => Math.hypot(acrossAt(i) - u, downAt(i) - v);

/** The vertex next to a place. */
export function vertexAt(place: Place): number {
  let best = 0;
  for (let i = 1; i < fineFace.count; i++) if (off(i, place) < off(best, place)) best = i;
  return best;
}

/** Normals of so many vertices, of a face whose halves turn away to the side, by so many radians at their edges. */
export const turning = (right: number, left: number, count = fineFace.count): Float32Array =>
  Float32Array.from({ length: 3 * count }, (_, k) => {
    const i = Math.floor(k / 3);
    const aside = i < fineFace.count ? 2 * acrossAt(i) - 1 : 0;
    const angle = aside * (aside < 0 ? right : left);
    return [Math.sin(angle), 0, Math.cos(angle)][k % 3]!;
  });
