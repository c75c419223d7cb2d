import { median } from '@likeness/geometry/median.ts';
import { type FaceFit, project } from '../fit/face_fit.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { landmark } from '../topology/landmark.ts';
import type { HairMap } from './hair_map.ts';
import { lastAlong } from './picture_plane.ts';

/**
 * Both sides beside the face, as a photo shows them: how far skin reaches sideways, x in metres at the depth of the ear's
 * rim. One value a millimetre from `faceSidesTop` down; 0 where the face ends.
 */
export interface FaceSides {
  readonly left: Float32Array;
  readonly right: Float32Array;
  /** Half the neck's width below the jaw, where both its edges are seen. */
  readonly neck?: number;
}

/** Highest row looked at, over the eye line, and how many rows of 1 mm. */
export const faceSidesTop = 0.045;
const rows = 110;
/** Depth at which the rim of an ear stands. */
export const rimDepth = -0.022;

/** Reads ears and neck off the cut-out head: skin that is not hair, row by row outwards. */
export function measureFaceSides(fit: FaceFit, cut: Silhouette, map: HairMap): FaceSides {
  const face = fit.neutral;
  const isSkin = (x: number, y: number, z: number): boolean => {
    const [px, py] = cut.toCrop(...project(fit.pose, [x, y, z])).map(Math.floor) as [number, number];
    if (px < 0 || py < 0 || px >= cut.width || py >= cut.height) return false;
    const i = py * cut.width + px;
    return !cut.outside[i] && cut.mask[i] > 128 && map.skin[i] > 0.3 && map.hair[i] < 0.5;
  };
  const side = (sign: 1 | -1): Float32Array => {
    const from = Math.abs(face[3 * (sign > 0 ? landmark.leftTragus : landmark.rightTragus)]) - 0.006;
    return Float32Array.from({ length: rows }, (_, row) =>
      lastAlong(from, 0.125, 4, 0, (x) => isSkin(sign * x, faceSidesTop - 0.001 * row, rimDepth)),
    );
  };
  const neck = readNeck(face[3 * landmark.chin + 1], isSkin);
  return { left: side(1), right: side(-1), ...(neck ? { neck } : {}) };
}

/** The median of the neck's half-widths below the jaw's corners, when its two edges agree. */
function readNeck(chin: number, isSkin: (x: number, y: number, z: number) => boolean): number | undefined {
  const widths: number[] = [];
  for (let y = chin + 0.012; y > chin - 0.02; y -= 0.001) {
    const [left, right] = [1, -1].map((sign) =>
      lastAlong(0.03, 0.1, 4, 0, (x) => isSkin(sign * x, y, -0.03)),
    ) as [number, number];
    if (Math.min(left, right) > 0.042 && Math.abs(left - right) < 0.012) widths.push((left + right) / 2);
  }
  return widths.length < 5 ? undefined : median(widths);
}
