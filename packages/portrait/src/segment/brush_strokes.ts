import type { HairStroke } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadCrop } from './head_crop.ts';

/** Value of a pixel without a stroke. */
export const unstroked = -1;

/** Places along a line of a stroke at which the brush is set down. */
const stepsPerLine = 24;

/** A user's strokes on the crop, by pixel: 1 hair, 0 background, else {@link unstroked}; later ones win. */
export function paintStrokes(
  { width, height, scale, toCrop }: HeadCrop,
  strokes: readonly HairStroke[],
  photo: { readonly width: number; readonly height: number },
): Int8Array {
  const painted = new Int8Array(width * height).fill(unstroked);
  const dab = (x0: number, y0: number, r: number, value: number): void => {
    for (let y = Math.max(0, Math.floor(y0 - r)); y <= Math.min(height - 1, y0 + r); y++) {
      for (let x = Math.max(0, Math.floor(x0 - r)); x <= Math.min(width - 1, x0 + r); x++) {
        if (Math.hypot(x - x0, y - y0) <= r) painted[y * width + x] = value;
      }
    }
  };
  for (const { kind, radius, points } of strokes) {
    const r = Math.max(1.5, (radius * photo.width) / scale);
    const at = (i: number): [number, number] => toCrop(points[i] * photo.width, points[i + 1] * photo.height);
    for (let i = 0; i + 1 < points.length; i += 2) {
      const [sx, sy] = at(i);
      const goesOn = i + 3 < points.length;
      const steps = goesOn ? stepsPerLine : 1;
      const [ex, ey] = goesOn ? at(i + 2) : [sx, sy];
      for (let s = 0; s < steps; s++)
        dab(sx + ((ex - sx) * s) / steps, sy + ((ey - sy) * s) / steps, r, kind === 'hair' ? 1 : 0);
    }
  }
  return painted;
}
