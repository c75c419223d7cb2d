import type { Silhouette } from '../../matte/silhouette.ts';
import { blur } from '../../photo/pixel_filters.ts';
import type { HairMap } from '../hair_map.ts';

/** Which way the strands lie in the crop, a direction without a sign by pixel. */
export interface StrandOrientation {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** 0..1: how clearly; 0 where no hair is. */
  readonly sure: Float32Array;
}

/** Reads the way of the hair off its pixels: across the strands lightness changes most (structure tensor). */
export function orientStrands(cut: Silhouette, map: HairMap): StrandOrientation {
  const { width, height, lab, mask } = cut;
  const n = width * height;
  const xx = new Float32Array(n);
  const xy = new Float32Array(n);
  const yy = new Float32Array(n);
  const hair = new Float32Array(n);
  for (let py = 1; py < height - 1; py++) {
    for (let px = 1; px < width - 1; px++) {
      const i = py * width + px;
      // The outline against the background is no strand.
      if (mask[i] < 250 || map.hair[i] < 0.5) continue;
      const gx = lab[3 * (i + 1)] - lab[3 * (i - 1)];
      const gy = lab[3 * (i + width)] - lab[3 * (i - width)];
      // Strands count by how they lie, not by their contrast alone: one highlight would rule its surroundings.
      const w = 1 / (8 + Math.hypot(gx, gy));
      xx[i] = w * gx * gx;
      xy[i] = w * gx * gy;
      yy[i] = w * gy * gy;
      hair[i] = 1;
    }
  }
  const [a, b, c, share] = [xx, xy, yy, hair].map((field) =>
    blur(blur(field, width, height, 3), width, height, 2),
  );
  const x = new Float32Array(n);
  const y = new Float32Array(n);
  const sure = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    if (share[i] < 0.05) continue;
    const spread = Math.hypot(a[i] - c[i], 2 * b[i]);
    const across = 0.5 * Math.atan2(2 * b[i], a[i] - c[i]);
    x[i] = -Math.sin(across);
    y[i] = Math.cos(across);
    sure[i] = (hair[i] * spread) / (a[i] + c[i] + 0.05 * share[i]);
  }
  return { x, y, sure };
}
