import { medianCircle, smoothCircle } from '@likeness/geometry/circular_filter.ts';
import { at, clamp, smoothstep } from '@likeness/geometry/vector.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { type Cranium, craniumColumns } from '../skull/skull.ts';
import { landmark } from '../topology/landmark.ts';
import type { HairMap } from './hair_map.ts';
import { cropSampler, lastAlong, type PicturePlane } from './picture_plane.ts';

/** Directions of the picture plane in which radii are measured, evenly round the circle. */
const bins = 240;

/** Share of hair in the outer band from which on the outline in that direction is hair's, not skin's. */
export const mostlyHair = 0.45;

/** No hair is looked for further from the skull's middle than this, metres. */
const farthest = 0.26;

/** The head's outline in the photo, measured from the skull's middle in the picture plane. */
export interface HeadOutline {
  /** Radius of the bare skull by angle, metres. */
  readonly skull: Float32Array;
  /** Radius of the silhouette by angle, metres. */
  readonly seen: Float32Array;
  /** 0..1 by angle: how much of the outer band is hair. */
  readonly hairy: Float32Array;
}

/** Sine of a direction's angle: 1 above the skull's middle, 0 beside it. */
export const heightOf = (bin: number): number => Math.sin(((bin + 0.5) / bins) * 2 * Math.PI);

/** A value by angle, between the two nearest directions. */
export const readByAngle = (values: Float32Array, angle: number): number => {
  const x = (((angle / (2 * Math.PI)) % 1) + 1) % 1;
  const p = x * bins - 0.5;
  const i = Math.floor(p);
  const f = p - i;
  return values[(i + bins) % bins] * (1 - f) + values[(i + 1) % bins] * f;
};

/** How far beyond the outline the photo must go on, metres: closer to its edge hair is cut off. */
const photoEdge = 0.01;

/** Radii by angle, in which the outline goes on round where the photo's edge cuts it off. */
function roundedOff(seen: Float32Array, isCutOff: Uint8Array): Float32Array {
  const nearest = (b: number, step: 1 | -1): [radius: number, away: number] => {
    let away = 1;
    while (away < bins && isCutOff[(b + step * away + bins) % bins]) away++;
    return [seen[(b + step * away + bins) % bins], away];
  };
  return seen.map((radius, b) => {
    if (!isCutOff[b]) return radius;
    const [[before, left], [after, right]] = [nearest(b, -1), nearest(b, 1)];
    return Math.max(radius, (before * right + after * left) / (left + right));
  });
}

/** @param raise - What {@link raisedBy} tells. */
export function measureOutline(
  plane: PicturePlane,
  cranium: Cranium,
  cut: Silhouette,
  map: HairMap,
  raise: Float32Array,
): HeadOutline {
  const skull = skullRadius(cranium, plane);
  const inside = cropSampler(cut, cut.mask, 1 / 255);
  const hair = cropSampler(cut, map.hair, 1);
  const outside = cropSampler(cut, cut.outside, 1);
  const seen = new Float32Array(bins);
  const hairy = new Float32Array(bins);
  const isCutOff = new Uint8Array(bins);
  for (let b = 0; b < bins; b++) {
    const angle = ((b + 0.5) / bins) * 2 * Math.PI;
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    const inner = skull[b] * 0.8;
    const last = lastAlong(inner, farthest, 12, inner, (r) => inside(...plane.toPhoto(c * r, s * r)) > 0.5);
    seen[b] = last;
    isCutOff[b] = Number(outside(...plane.toPhoto(c * (last + photoEdge), s * (last + photoEdge))) > 0.5);
    let sum = 0;
    let n = 0;
    const from = Math.max(skull[b] * 0.9, last - 0.03);
    for (let r = Math.min(from, last - 0.004); r < last - 0.001; r += 0.001) {
      sum += hair(...plane.toPhoto(c * r, s * r)) > 0.5 ? 1 : 0;
      n++;
    }
    hairy[b] = sum / n;
  }
  const even = smoothCircle(medianCircle(roundedOff(seen, isCutOff), 3), 2);
  return Object.freeze({ skull, seen: even.map((r, b) => r + raise[b]), hairy: smoothCircle(hairy, 3) });
}

/** By how much a user raised the outline, by angle, metres; `crown` in parts of the face's height. */
export function raisedBy(fit: FaceFit, crown: number): Float32Array {
  const height = fit.neutral[3 * landmark.foreheadTop + 1] - fit.neutral[3 * landmark.chin + 1];
  return Float32Array.from({ length: bins }, (_, b) => crown * height * Math.max(0, heightOf(b)) ** 2);
}

/** How far the bare skull reaches in each direction of the picture plane, metres. */
export function skullRadius(cranium: Cranium, plane: PicturePlane): Float32Array {
  const skull = new Float32Array(bins);
  for (let i = 0; i < cranium.points.length / 3; i++) {
    const [u, v] = plane.of(at(cranium.points, i));
    const bin = Math.floor(((Math.atan2(v, u) / (2 * Math.PI) + 1) % 1) * bins) % bins;
    const r = Math.hypot(u, v);
    for (const b of [bin, (bin + 1) % bins, (bin + bins - 1) % bins]) skull[b] = Math.max(skull[b], r);
  }
  // A direction in which no vertex lies takes its neighbour's.
  for (let pass = 0; pass < 2; pass++) {
    for (let b = 0; b < bins; b++) if (!skull[b]) skull[b] = skull[(b + bins - 1) % bins];
  }
  return skull;
}

/** Minimum thickness of hair at the outline, metres. */
const minHair = 0.003;
/**
 * Errors of a skull estimated from the face and from the outline, metres. The photo gives neither its distance nor the
 * head's pitch to a degree or two, and a crown lies 9 cm behind the face.
 */
const [skullErrs, outlineErrs] = [0.0051, 0.0053];
const outlineWeight = skullErrs ** 2 / (skullErrs ** 2 + outlineErrs ** 2);

/**
 * Brings the upper skull towards the outline where that is hair and too low for it, onto it where it is skin; in place.
 */
export function fitSkull(cranium: Cranium, outline: HeadOutline, plane: PicturePlane): void {
  const factor = new Float32Array(bins);
  for (let b = 0; b < bins; b++) {
    const wanted =
      outline.hairy[b] > mostlyHair
        ? outline.skull[b] - outlineWeight * Math.max(0, outline.skull[b] - (outline.seen[b] - minHair))
        : outline.seen[b];
    // Beside the ears the outline is the ears'.
    const share = smoothstep(0.25, 0.5, heightOf(b));
    factor[b] = 1 + (clamp(wanted / outline.skull[b], 0.9, 1.1) - 1) * share;
  }
  const smooth = smoothCircle(factor, 8);
  for (let i = craniumColumns; i < cranium.points.length / 3; i++) {
    const p = at(cranium.points, i);
    const [u, v] = plane.of(p);
    const f = readByAngle(smooth, Math.atan2(v, u)) - 1;
    const taper = smoothstep(0, 0.03, cranium.columnDistance[i]);
    for (let c = 0; c < 3; c++)
      cranium.points[3 * i + c] = p[c] + f * taper * (u * plane.right[c] + v * plane.up[c]);
  }
}
