import { smoothCircle } from '@likeness/geometry/circular_filter.ts';
import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import { project } from '../fit/face_fit.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import { type Cranium, skullCentre } from '../skull/skull.ts';
import type { ProfileView } from './profile_view.ts';

/** Directions in the head's middle plane, from the front over the crown to the nape. */
const bins = 180;
/** Angles, radians, between which the outline from the side is taken: from above the forehead to above the nape. */
const [first, last] = [(58 * Math.PI) / 180, (212 * Math.PI) / 180];
/** Over which it comes in and goes out. */
const ramp = (22 * Math.PI) / 180;
/** No head of hair that is shaped so reaches further, metres; and how far skull and hair may be drawn out or in. */
const farthest = 0.175;
const [min, max] = [0.78, 1.35];

/** Brings skull and hair to the outline that photos from the side show, in place; hair that hangs stays. */
export function shapeByProfiles(cranium: Cranium, hair: HairSheet, profiles: readonly ProfileView[]): void {
  if (profiles.length === 0) return;
  const made = outlineOf(cranium, hair);
  const factor = new Float32Array(bins).fill(1);
  for (let b = 0; b < bins; b++) {
    const seen = profiles.map((view) => seenReach(view, angleOf(b))).filter((reach) => reach !== null);
    if (seen.length === 0 || made[b] === 0) continue;
    factor[b] = clamp(seen.reduce((sum, reach) => sum + reach, 0) / seen.length / made[b], min, max);
  }
  const smooth = smoothCircle(factor, 2);
  const move = (points: Float32Array): void => {
    for (let i = 0; i < points.length; i += 3) {
      const y = points[i + 1] - skullCentre[1];
      const z = points[i + 2] - skullCentre[2];
      const angle = turned(Math.atan2(y, z));
      const isMoved = smoothstep(first, first + ramp, angle) * (1 - smoothstep(last - ramp, last, angle));
      // The face's own rim stays where the front photo has it.
      const share = isMoved * (1 - smoothstep(0.03, 0.06, points[i + 2]));
      const f = 1 + share * (smooth[binOf(angle)] - 1);
      points[i + 1] = skullCentre[1] + f * y;
      points[i + 2] = skullCentre[2] + f * z;
    }
  };
  move(cranium.points);
  move(hair.points);
  if (hair.ribbons) move(hair.ribbons.points);
}

const turned = (angle: number): number => (angle + 2 * Math.PI) % (2 * Math.PI);
const binOf = (angle: number): number => Math.min(bins - 1, Math.floor((angle / (2 * Math.PI)) * bins));
const angleOf = (bin: number): number => ((bin + 0.5) / bins) * 2 * Math.PI;

/** How far skull and hair reach from the skull's middle, seen from the side, by direction, metres. */
function outlineOf(cranium: Cranium, hair: HairSheet): Float32Array {
  const reach = new Float32Array(bins);
  const take = (points: Float32Array, i: number): void => {
    const y = points[3 * i + 1] - skullCentre[1];
    const z = points[3 * i + 2] - skullCentre[2];
    const b = binOf(turned(Math.atan2(y, z)));
    const r = Math.hypot(y, z);
    for (const k of [b, (b + 1) % bins, (b + bins - 1) % bins]) reach[k] = Math.max(reach[k], r);
  };
  for (let i = 0; i < cranium.points.length / 3; i++) take(cranium.points, i);
  for (const i of hair.triangles) take(hair.points, i);
  return reach;
}

/** How far the head reaches in a photo from the side; null where it goes on beyond the crop. */
function seenReach({ pose, inside }: ProfileView, angle: number): number | null {
  const step = 0.0005;
  let end = 0;
  let gap = 0;
  for (let r = 0.05; r < farthest && gap < 0.008; r += step) {
    const [x, y] = project(pose, [
      0,
      skullCentre[1] + r * Math.sin(angle),
      skullCentre[2] + r * Math.cos(angle),
    ]);
    if (inside(x, y) > 0.5) {
      end = r;
      gap = 0;
    } else gap += step;
  }
  return end === 0 || end > farthest - 0.01 ? null : end;
}
