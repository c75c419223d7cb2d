import { grain } from '@likeness/geometry/noise.ts';
import { clamp, smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import { hairDepth } from '@likeness/portrait/hair/hairline.ts';

/** Whether hair hangs over the ears or is cut short about them. */
export type CutKind = 'hanging' | 'short';

/**
 * Metres from the hairline within which cut hair comes to its full density: clipped short at the nape and
 * above the ears, at once over the forehead.
 */
function densityReach([x, y, z]: Vector, kind: CutKind): number {
  if (kind === 'hanging') return 0.009;
  const nape = smoothstep(-0.015, -0.055, z) * smoothstep(0.06, 0.005, y);
  // Behind and above the ear; before it sideburns go down.
  const beside =
    smoothstep(0.03, 0.05, Math.abs(x)) * smoothstep(0.004, -0.012, z) * smoothstep(0.07, 0.03, y);
  return 0.0085 + Math.max(0.044 * nape, 0.018 * beside);
}

/** How far into cut hair a point of the bare head lies: 0 at its line, 1 where it is at its full density. */
export function cutShare(p: Vector, kind: CutKind): number {
  return clamp(cutDepth(p, kind) / densityReach(p, kind), -1, 4);
}

/** Hair that hangs over the ears has no sideburns below it; metres, as {@link hairDepth}. */
export function cutDepth(p: Vector, kind: CutKind): number {
  const depth = hairDepth(p);
  if (kind === 'short') return depth;
  return Math.min(depth, p[1] - 0.016 + 0.06 * smoothstep(0, -0.02, p[2]));
}

/**
 * Share of the head that cut hair covers: single hairs first, then a ground between them.
 *
 * @param around - 0..1 round the head.
 * @param share - {@link cutShare} of the place.
 * @param depth - {@link cutDepth} of the place.
 */
export function cutCover(around: number, depth: number, share: number): number {
  const density = smoothstep(-0.2, 0.95, share);
  if (density === 0) return 0;
  const hairs = 0.6 * grain(around * 1300, depth * 160, 3) + 0.4 * grain(around * 420, depth * 110, 4);
  return 0.58 * density + 0.42 * smoothstep(-0.2, 0.26, 1.3 * density - 0.2 - hairs);
}
