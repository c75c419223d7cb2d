import { clamp } from '../math/vector.ts';
import type { HeadCrop } from './head_crop.ts';

/** Where a crop lies in its photo. */
export type CropFrame = Pick<HeadCrop, 'toCrop' | 'width' | 'height'>;

/** The crop's pixel that a place of the photo falls on; the nearest where it lies outside. */
export function cropPixel(cut: CropFrame, x: number, y: number): number {
  const [cx, cy] = cut.toCrop(x, y);
  return nearestPixel(cut, cx, cy);
}

/** Where places of the photo lie in its crop, × 2. */
export function pointsInCrop(cut: Pick<CropFrame, 'toCrop'>, points: Float32Array): Float32Array {
  const out = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) out.set(cut.toCrop(points[i], points[i + 1]), i);
  return out;
}

/** The crop's pixel nearest to a place in it. */
export function nearestPixel(cut: CropFrame, cx: number, cy: number): number {
  const px = clamp(Math.round(cx - 0.5), 0, cut.width - 1);
  const py = clamp(Math.round(cy - 0.5), 0, cut.height - 1);
  return py * cut.width + px;
}
