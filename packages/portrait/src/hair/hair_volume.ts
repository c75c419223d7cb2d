import { limitToMirror, smoothCircle } from '@likeness/geometry/circular_filter.ts';
import { at, clamp, smoothstep } from '@likeness/geometry/vector.ts';
import { type Cranium, craniumColumns, craniumRows, smoothGrid } from '../skull/skull.ts';
import { drapeHair } from './draped_hair.ts';
import { type HangingHair, lengthOf } from './hanging_hair.ts';
import { type HeadOutline, heightOf, mostlyHair, readByAngle, skullRadius } from './head_outline.ts';
import type { PicturePlane } from './picture_plane.ts';

/** Depth at which hair beside the neck hangs, behind the jaw's corners; metres, face frame. */
const hangDepth = -0.018;

/** Where the cranium's grid stands if all of it is hair. */
export interface InflatedCranium {
  /** (rows + 1) × craniumColumns × 3, metres in the face frame. */
  readonly points: Float32Array;
  /** The part of it that the user added, as a share of the vertex's position in the picture plane. */
  readonly raised: Float32Array;
}

/**
 * Heights of directions in which the sides' hair is measured, above the ears; and the thickest back of short hair,
 * metres.
 */
const [sidesFrom, sidesTo] = [0.1, 0.55];
const thickestShort = 0.016;

/**
 * Maximum by which short and long hair is thicker on one side than on the other, metres: more is a curtain behind the
 * head. A parting may be at heights of directions between the last two.
 */
const uneven = { short: 0.004, long: 0.05, parting: [0.75, 0.95] } as const;

/** The mean of values by angle in directions between two heights. */
function meanBetween(values: Float32Array, from: number, to: number): number {
  const between = values.filter((_, b) => heightOf(b) > from && heightOf(b) < to);
  return between.reduce((sum, value) => sum + value, 0) / between.length;
}

/**
 * How thick the hair is above the ears, metres: around the fitted skull by angle of the picture plane, usually (`full`),
 * and behind, where the photo can't look.
 */
function measureThickness(outline: HeadOutline, cranium: Cranium, plane: PicturePlane, long: number) {
  const skull = smoothCircle(skullRadius(cranium, plane), 2);
  const measured = skull.map((radius, b) =>
    outline.hairy[b] > mostlyHair ? clamp(outline.seen[b] - radius, 0.0015, 0.09) : 0,
  );
  const thick = limitToMirror(
    measured,
    (b) => uneven.short + (uneven.long - uneven.short) * long + smoothstep(...uneven.parting, heightOf(b)),
  );
  const full = clamp(meanBetween(thick, 0.3, 1) * 0.9, 0.003, 0.03);
  // Short hair is cut behind as it is at the sides, not as on top.
  const short = Math.min(full, clamp(meanBetween(thick, sidesFrom, sidesTo), 0.004, thickestShort));
  return { skull, around: smoothCircle(thick, 4), full, behind: short + (full - short) * long };
}

/**
 * Blows the cranium up to the outline: radially above the ears, sideways below them, and backwards by as much
 * as the hair is thick elsewhere.
 *
 * @param raise - How far the user raised the outline by angle, metres.
 * @param lengths - How long hair is at each point, parts of its length.
 */
export function inflateCranium(
  cranium: Cranium,
  normals: Float32Array,
  plane: PicturePlane,
  outline: HeadOutline,
  sides: HangingHair,
  raise: Float32Array,
  lengths: Float32Array,
): InflatedCranium {
  const long = lengthOf(sides);
  const thickness = measureThickness(outline, cranium, plane, long);
  const count = cranium.points.length / 3;
  const blown = cranium.points.slice();
  const raised = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const p = at(cranium.points, i);
    const [u, v] = plane.of(p);
    const r = Math.hypot(u, v);
    const angle = Math.atan2(v, u);
    const edge = readByAngle(thickness.skull, angle);
    const radial = (readByAngle(thickness.around, angle) * Math.min(1, r / edge)) / Math.max(1e-6, r);
    const sideways = sidewaysShare(sides, u, v);
    const upper = smoothstep(-0.03, 0.012, v);
    const cut = lengths[i];
    // From the front the back's width is seen down to the ears.
    const cutBeside = 1 - (1 - cut) * smoothstep(0.05, 0.02, v);
    const du = u * cutBeside * (radial * upper + sideways * (1 - upper));
    const dv = v * radial * upper;
    const back =
      cut * thickness.behind * smoothstep(0.1, 0.9, -normals[3 * i + 2]) * (v > 0 ? 1 : 1 + 0.6 * sideways);
    const row = Math.floor(i / craniumColumns);
    const taper = row === 0 ? 0 : smoothstep(0, 0.016, cranium.columnDistance[i]);
    raised[i] = ((taper * upper * readByAngle(raise, angle)) / Math.max(1e-6, r)) * Math.min(1, r / edge);
    const lift =
      0.3 *
      thickness.full *
      smoothstep(0.15, 0.6, normals[3 * i + 2]) *
      smoothstep(0.3, 0.9, normals[3 * i + 1] + normals[3 * i + 2] * 0.4);
    // Hair beside the neck hangs behind the jaw: a photo tells its width, not its depth.
    const behind =
      (1 - long) *
      smoothstep(sides.lobes, sides.lobes - 0.02, v) *
      smoothstep(0.002, 0.014, Math.abs(du)) *
      Math.max(0, p[2] - hangDepth);
    for (let c = 0; c < 3; c++)
      blown[3 * i + c] +=
        taper * (du * plane.right[c] + dv * plane.up[c] + (c === 2 ? lift - back - behind : 0));
  }
  drapeHair(blown, cranium, plane, sides);
  smoothGrid(blown, craniumRows, craniumColumns, 2);
  return { points: blown, raised };
}

/** By what share hanging hair is wider than the bare head at a place beside it. */
function sidewaysShare({ level, width, bare }: HangingHair, u: number, v: number): number {
  const l = level(v);
  const side = u > 0 ? 0 : 1;
  const i0 = Math.floor(l);
  const i1 = Math.min(width[side].length - 1, i0 + 1);
  const f = l - i0;
  const w = width[side][i0] * (1 - f) + width[side][i1] * f;
  const w0 = Math.max(0.02, bare[side][i0] * (1 - f) + bare[side][i1] * f);
  return Math.max(0, w / w0 - 1);
}
