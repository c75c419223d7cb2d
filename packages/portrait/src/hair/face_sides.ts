import { type FaceFit, project } from '../fit/face_fit.ts';
import { median } from '../math/median.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { landmark } from '../topology/landmark.ts';
import type { HairMap } from './hair_map.ts';

/** One side beside the face, as a photo shows it. Lengths in metres, heights in the face frame. */
export interface SideView {
  /**
   * How far skin reaches sideways, x in metres at the depth of the ear's rim. One value a millimetre from
   * `faceSidesTop` down; 0 where the face ends.
   */
  readonly reach: Float32Array;
}

/** Both sides beside the face, as a photo shows them. */
export interface FaceSides {
  readonly left: SideView;
  readonly right: SideView;
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
  const pixel = (x: number, y: number, z: number): number => {
    const [cx, cy] = cut.toCrop(...project(fit.pose, [x, y, z]));
    const px = Math.floor(cx);
    const py = Math.floor(cy);
    if (px < 0 || py < 0 || px >= cut.width || py >= cut.height) return -1;
    const i = py * cut.width + px;
    return cut.outside[i] ? -1 : i;
  };
  const isSkin = (i: number): boolean =>
    i >= 0 && cut.mask[i] > 128 && map.skin[i] > 0.3 && map.hair[i] < 0.5;
  const side = (sign: 1 | -1): SideView => {
    const from = Math.abs(face[3 * (sign > 0 ? 454 : 234)]) - 0.006;
    const reach = new Float32Array(rows);
    for (let row = 0; row < rows; row++) {
      const y = faceSidesTop - 0.001 * row;
      for (let x = from, gap = 0; x < 0.125 && gap < 4; x += 0.001) {
        if (isSkin(pixel(sign * x, y, rimDepth))) {
          reach[row] = x;
          gap = 0;
        } else gap++;
      }
    }
    return { reach };
  };
  const neck = readNeck(face, isSkin, pixel);
  return { left: side(1), right: side(-1), ...(neck ? { neck } : {}) };
}

/** The median of the neck's half-widths below the jaw's corners, when its two edges agree. */
function readNeck(
  face: Float32Array,
  isSkin: (i: number) => boolean,
  pixel: (x: number, y: number, z: number) => number,
): number | undefined {
  const chin = face[3 * landmark.chin + 1];
  const widths: number[] = [];
  for (let y = chin + 0.012; y > chin - 0.02; y -= 0.001) {
    const edges = [1, -1].map((sign) => {
      let last = 0;
      for (let x = 0.03, gap = 0; x < 0.1 && gap < 4; x += 0.001) {
        if (isSkin(pixel(sign * x, y, -0.03))) {
          last = x;
          gap = 0;
        } else gap++;
      }
      return last;
    });
    const [left, right] = edges as [number, number];
    if (Math.min(left, right) > 0.042 && Math.abs(left - right) < 0.012) widths.push((left + right) / 2);
  }
  if (widths.length < 5) return undefined;
  return median(widths);
}
