import { at, smoothstep } from '@likeness/geometry/vector.ts';
import { type FaceFit, facingCamera, type PhotoPose, project } from '../fit/face_fit.ts';
import { cropPixel } from '../segment/head_crop.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { aside } from '../topology/face_regions.ts';
import { fineFace } from '../topology/fine_face.ts';
import { type HairMap, hairOnSkin } from './hair_map.ts';
import { craniumColumnOf, hairColumns } from './hair_sheet.ts';

/** How much skin must face the camera that strands on it aren't drawn out, and up to where they are wholly. */
const hairAskance = [0.82, 0.62] as const;
/** The way from the face's middle line from which on strands hang over a temple. */
const beside = [0.3, 0.5] as const;
/** How sure the photo must show hair, 0..1, to count at the face's oval, and wholly. */
const hairSeen = [0.3, 0.6] as const;

/**
 * How much of the hair at a distance from the face's oval, metres, grows on the scalp, 0..1. The rest goes on from the
 * face.
 */
export const beyondFace = (distance: number): number => smoothstep(0.001, 0.012, distance);

/** The photo's evidence for hair on the face. */
interface FringeEvidence {
  readonly fit: Pick<FaceFit, 'pose'>;
  readonly cut: Silhouette;
  readonly map: Pick<HairMap, 'hair' | 'skin'>;
}

/**
 * How far hair over a temple is drawn out at a vertex of the face, 0..1. Painted on skin it would be a stain from the
 * side: skin is filled in instead. A fringe, which the photo shows from the front, stays.
 *
 * @param hair - How sure the photo shows hair there, 0..1.
 */
export const smearedHair = (pose: PhotoPose, normals: Float32Array, vertex: number, hair: number): number =>
  smoothstep(...hairAskance, facingCamera(pose, normals, vertex)) *
  smoothstep(...beside, aside[vertex]) *
  smoothstep(0.25, 0.55, hair);

/** How far hair that the photo shows at the face's oval isn't painted on the face, 0..1 by column of the sheet. */
export function hairLostAtFace(
  { fit, cut, map }: FringeEvidence,
  skin: { readonly points: Float32Array; readonly normals: Float32Array },
): Float32Array {
  return Float32Array.from({ length: hairColumns }, (_, j) => {
    const i = fineFace.oval[craniumColumnOf(j)];
    const k = cropPixel(cut, ...project(fit.pose, at(skin.points, i)));
    const painted = hairOnSkin(map, k) * (1 - smearedHair(fit.pose, skin.normals, i, map.hair[k]));
    return Math.max(0, smoothstep(...hairSeen, map.hair[k]) - painted);
  });
}
