import { smoothCircle } from '@likeness/geometry/circular_filter.ts';
import { at, dot, length, normalise, smoothstep, subtract } from '@likeness/geometry/vector.ts';
import type { HairStyle } from '@likeness/proto/heads/hair_style.ts';
import type { Sex } from '../contract/head_request.ts';
import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { type Cranium, chinColumn, craniumColumns, craniumRows, gridNormals } from '../skull/skull.ts';
import { landmark } from '../topology/landmark.ts';
import { estimateHairCoverage } from './hair_coverage.ts';
import { findFlow } from './hair_flow.ts';
import type { HairMap } from './hair_map.ts';
import { drawInEdge, type HairSheet, openSheet } from './hair_sheet.ts';
import { inflateCranium } from './hair_volume.ts';
import { graduatedLengths, hairDepths } from './hairline.ts';
import { type HangingHair, lengthOf, measureHangingHair } from './hanging_hair.ts';
import { fitSkull, measureOutline, raisedBy } from './head_outline.ts';
import { cropSampler, type PicturePlane, picturePlane } from './picture_plane.ts';
import { buildRibbons } from './strands/hair_ribbons.ts';
import { hangingTips } from './strands/hanging_tips.ts';

/**
 * Fits skull and hair to the silhouette. The bare skull is first brought inside the outline (or, where the
 * outline is skin, onto it): `cranium` is changed in place. Then the hair's sheet is the cranium, inflated to
 * the outline.
 *
 * @param crown - How far the user raised the crown, parts of the face's height.
 * @param style - A bald or shaved head has no sheet; a shaved one has roots, as cropped hair has.
 */
export function buildHair(
  fit: FaceFit,
  cranium: Cranium,
  cut: Silhouette,
  map: HairMap,
  sex: Sex,
  crown: number,
  style: HairStyle,
): HairSheet {
  const plane = picturePlane(fit, cranium.centre);
  const raise = raisedBy(fit, crown);
  const outline = measureOutline(plane, cranium, cut, map, raise);
  fitSkull(cranium, outline, plane);
  const normals = gridNormals(cranium.points);
  const hairAt = cropSampler(cut, map.hair, 1);
  const insideAt = cropSampler(cut, cut.mask, 1 / 255);
  const outsideAt = cropSampler(cut, cut.outside, 1);
  const sides = measureHangingHair(fit, plane, cranium, hairAt);
  const depths = hairDepths(cranium.points);
  const long = lengthOf(sides);
  const lengths = graduatedLengths(cranium.points, depths, long);
  const blown = inflateCranium(cranium, normals, plane, outline, sides, raise, lengths);
  const coverage = estimateHairCoverage({
    fit,
    sex,
    cranium,
    blown,
    plane,
    sides,
    depths,
    hairAt,
    insideAt,
    outsideAt,
  });
  const roots = map.any && style !== 'bald' ? findRoots(cranium, coverage, depths, long) : undefined;
  if (!map.any || map.isCropped || style !== 'seen') {
    coverage.fill(0);
    return { ...openSheet(cranium.points, coverage), ...(roots ? { roots } : {}) };
  }
  const sheet = offsetHair(cranium, blown.points, normals, coverage, plane, sides, long);
  drawInEdge(sheet, coverage);
  const flow = findFlow(sheet, fallsFrom(long));
  const seen = seenShare(sheet, fit);
  // Clipped hair ends without locks.
  const grows = besideNeck(coverage, sheet, cranium);
  const tips = long > 0.4 ? hangingTips(sheet, grows, flow, tipsBelow(fit, cranium, sides)) : [];
  const ribbons = buildRibbons({ sheet, coverage: grows, flow, seen, long, tips, lengths });
  const strandLength = strands.short + (strands.long - strands.short) * long;
  return { ...openSheet(sheet, coverage), flow, ribbons, strandLength, ...(roots ? { roots } : {}) };
}

/** Visible length of strands of short and of long hair, metres: longer ones make short hair look combed back and set. */
const strands = { short: 0.018, long: 0.06 } as const;

/** Metres above the neck's cut within which long hair ends in tips: further up they would lie on the neck. */
const longTips = 0.03;

/** Height below which hair's ends have tips, metres. */
const tipsBelow = ({ neutral }: FaceFit, { points }: Cranium, { isLong }: HangingHair): number =>
  isLong
    ? points[3 * (craniumRows * craniumColumns + chinColumn) + 1] + longTips
    : neutral[3 * landmark.subnasale + 1];

/** How far hair falls by height, 0..1: long hair from the crown on, short hair at the sides. */
const fallsFrom =
  (long: number) =>
  (height: number): number =>
    (0.62 + 0.38 * long) * smoothstep(0.085 + 0.025 * long, 0.02 + 0.01 * long, height);

/** Hair within the usual hairline grows where it is; what lies beyond hangs there. */
function findRoots(
  { points }: Cranium,
  coverage: Float32Array,
  depths: Float32Array,
  long: number,
): Float32Array {
  // Stubble goes on below the end of short hair.
  const above = Float32Array.from(coverage);
  for (let i = craniumColumns; i < above.length; i++)
    above[i] = Math.max(above[i], above[i - craniumColumns]);
  const roots = coverage.map((share, i) => {
    // Before the ears the photo shows where hair ends; the nape's is guessed, and thins out.
    const before = smoothstep(-0.01, 0.03, points[3 * i + 2]);
    const grows = smoothstep(0.08 + 0.22 * before, 0.6 + 0.15 * before, share);
    const depth = depths[i];
    const low = (1 - long) * (1 - before) * smoothstep(0.04, 0.02, points[3 * i + 1]);
    const stubble = low * smoothstep(0.15, 0.4, above[i]) * smoothstep(-0.012, 0.01, depth);
    return Math.max(grows * smoothstep(-0.012, 0.002, depth), stubble);
  });
  // Hair ends in locks; what a razor leaves doesn't.
  for (let row = 0; row < roots.length; row += craniumColumns)
    roots.set(smoothCircle(roots.subarray(row, row + craniumColumns), 3), row);
  return roots;
}

/** Coverage from which on the sheet rises off the skin, and wholly. */
const rising = [0.36, 0.78] as const;
/** Metres off the skin from which on hair hangs free of it. */
const hangsFree = [0.004, 0.011] as const;
/**
 * The front edge: it rises `over` so much from the first hair, by `lies` (0..1) less at first. It begins at a height, lower
 * for short hair, and fades between two depths. Metres.
 */
const front = { over: 0.02, lies: 0.7, height: 0.03, short: 0.05, depth: [-0.03, 0] } as const;
/** How far a bob turns in to the neck at its end, from how far above it on, and between which depths; metres. */
const curl = { inwards: 0.3, above: 0.045, depth: [0.02, -0.02] } as const;

/**
 * The sheet: where there is hair it rises to the blown-up cranium, elsewhere it dips under the skin. Hair that hangs
 * free ends open: led back to the skin, its end would be a shelf.
 */
function offsetHair(
  { points }: Cranium,
  blown: Float32Array,
  normals: Float32Array,
  coverage: Float32Array,
  plane: PicturePlane,
  { lobes, hem, isLong }: HangingHair,
  long: number,
): Float32Array {
  const sheet = new Float32Array(points.length);
  const inside = insideHair(points, coverage);
  const lowest = front.height - front.short * (1 - long);
  for (let i = 0; i < coverage.length; i++) {
    const off = length(subtract(at(blown, i), at(points, i)));
    const height = plane.of(at(points, i))[1];
    const low = smoothstep(lobes, lobes - 0.02, height);
    const curls = isLong
      ? 0
      : smoothstep(hem + curl.above, hem, height) * smoothstep(...curl.depth, blown[3 * i + 2]);
    // Short hair lies on the skin there; what stands off is an earring, or the shade behind a lobe.
    const free = long * low * smoothstep(hangsFree[0], hangsFree[1], off);
    // At its front hair lies on the skin: it would stand as a step round the forehead.
    const edge =
      smoothstep(lowest, lowest + 0.015, points[3 * i + 1]) *
      smoothstep(...front.depth, points[3 * i + 2]) *
      smoothstep(front.over, 0, inside[i]);
    const rises = Math.max(free, smoothstep(...rising, coverage[i]) * (1 - front.lies * edge));
    const dip =
      (1 - free) * 0.0035 * (1 - smoothstep(0.28, 0.62, coverage[i])) + (i < craniumColumns ? 0.0012 : 0);
    for (let c = 0; c < 3; c++) {
      sheet[3 * i + c] =
        points[3 * i + c] +
        (blown[3 * i + c] - points[3 * i + c]) * rises * (1 - curl.inwards * curls) +
        normals[3 * i + c] * (0.0012 * rises - dip);
    }
  }
  return sheet;
}

/** How far each vertex lies behind the first hair of its column, metres. */
function insideHair(points: Float32Array, coverage: Float32Array): Float32Array {
  const inside = new Float32Array(coverage.length);
  for (let i = craniumColumns; i < inside.length; i++) {
    const before = i - craniumColumns;
    if (coverage[before] > rising[0])
      inside[i] = inside[before] + length(subtract(at(points, i), at(points, before)));
  }
  return inside;
}

/** Coverage without what is drawn back below the jaw into the neck: nothing may grow out of it there. */
function besideNeck(
  coverage: Float32Array,
  sheet: Float32Array,
  { neckTop, neckBase, neckRadius }: Cranium,
): Float32Array {
  const axis = normalise(subtract(neckBase, neckTop));
  return coverage.map((share, i) => {
    const from = subtract(at(sheet, i), neckTop);
    const down = dot(from, axis);
    return down > 0 && length(from) ** 2 - down ** 2 < (neckRadius - 0.002) ** 2 ? 0 : share;
  });
}

/** How well the photo shows each vertex of the sheet, 0..1. */
function seenShare(sheet: Float32Array, { pose }: FaceFit): Float32Array {
  const normals = gridNormals(sheet);
  return Float32Array.from({ length: sheet.length / 3 }, (_, i) =>
    smoothstep(0.1, 0.5, facingCamera(pose, normals, i)),
  );
}
