import { smoothCircle } from '@likeness/geometry/circular_filter.ts';
import { grain } from '@likeness/geometry/noise.ts';
import { at, clamp, smoothstep } from '@likeness/geometry/vector.ts';
import type { Sex } from '../contract/head_request.ts';
import { type FaceFit, facingCamera, project } from '../fit/face_fit.ts';
import { type Cranium, craniumColumns, craniumRows, gridNormals, mirrorOf } from '../skull/skull.ts';
import { landmark } from '../topology/landmark.ts';
import { crownHair, type PhotoCoverage } from './crown_hair.ts';
import { aboutAxis } from './draped_hair.ts';
import { neighbours } from './hair_flow.ts';
import { minCoverage } from './hair_sheet.ts';
import type { InflatedCranium } from './hair_volume.ts';
import { type HangingHair, lengthOf, sidesTop } from './hanging_hair.ts';
import type { PhotoField, PicturePlane } from './picture_plane.ts';

/** Rows of the cranium's grid from the oval to behind the ears. */
const behindEars = 14;

interface HairEvidence {
  readonly fit: FaceFit;
  readonly sex: Sex;
  readonly cranium: Cranium;
  readonly blown: InflatedCranium;
  readonly plane: PicturePlane;
  readonly sides: HangingHair;
  /** How far inside the usual hairline each vertex lies, metres. */
  readonly depths: Float32Array;
  /** 0..1 in the photo: hair, and the cut-out head. */
  readonly hairAt: PhotoField;
  readonly insideAt: PhotoField;
  /** 1 beyond the photo's edge. */
  readonly outsideAt: PhotoField;
}

/** Where hair is, 0..1 on the cranium's own grid: by the photo in front, by the usual hairline behind. */
export function estimateHairCoverage(evidence: HairEvidence): Float32Array {
  const { cranium, blown, plane } = evidence;
  const photo = photoCoverage(evidence);
  const unseenCoverage = estimateUnseenCoverage(
    evidence,
    crownHair(blown, evidence.depths, photo),
    sideburns(photo),
  );
  const coverage = new Float32Array((craniumRows + 1) * craniumColumns);
  // Of a head that is turned away one side is hidden: it wears its hair as the other does.
  const turned = smoothstep(9, 16, Math.abs(evidence.fit.pose.yaw));
  for (let i = 0; i < coverage.length; i++) {
    const seen = photo.seen(i);
    const mirrored = mirrorOf(i);
    const asOther = turned && turned * photo.seen(mirrored);
    const v = plane.of(at(cranium.points, i))[1];
    const u = plane.of(at(blown.points, i))[0];
    const hidden = asOther
      ? asOther * photo.hair(mirrored) + (1 - asOther) * unseenCoverage(i, u, v)
      : unseenCoverage(i, u, v);
    coverage[i] = seen * photo.hair(i) + (1 - seen) * hidden;
  }
  smoothValues(coverage, 3);
  endHair(evidence, coverage, photo);
  return coverage;
}

/**
 * Slopes of the coverage at the end of hair that hangs and of hair that grows there, per metre. The first is flat
 * enough for the longest cells.
 */
const [hangingSlope, growingSlope] = [25, 45];
const rampAt = (inside: number, slope: number): number => clamp(minCoverage + slope * inside, -1, 1.5);

/**
 * Ends hair along its lines, in place. Evened out between the grid's neighbours, whose distances differ several times
 * over, hair's end would have steps.
 */
function endHair(evidence: HairEvidence, coverage: Float32Array, photo: PhotoCoverage): void {
  const { cranium, blown, plane, sides } = evidence;
  const locks = lockLengths();
  const ends = hemEnds(locks);
  const inLine = hairlineOf(evidence);
  for (let i = 0; i < coverage.length; i++) {
    const v = plane.of(at(cranium.points, i))[1];
    const lower = ends[i % craniumColumns];
    const throat = insideThroat(blown, sides, i, v, lower) - 0.004;
    // Long hair goes on beyond the neck's cut: in locks, not as if cut with it. Other hair's end behind no photo shows.
    const hem = sides.isLong
      ? v + lower - sides.lowest - 0.014
      : v + lower - sides.hem + 0.008 + 0.1 * photo.seen(i);
    const line = sides.isLong ? -1 : inLine(i) + 0.5 * locks[i % craniumColumns];
    const end = Math.max(rampAt(hem, hangingSlope), rampAt(line, growingSlope));
    coverage[i] = Math.min(coverage[i], rampAt(throat, hangingSlope), end);
  }
}

/** How far inside the usual hairline behind the ears a vertex lies, metres; before it, well inside. */
function hairlineOf({ sex, cranium: { points }, depths }: HairEvidence): (i: number) => number {
  // The sheet ends within the hairline at the nape, where hair is stubble on the skin. Women's hair grows a little lower there.
  const within = sex === 'male' ? 0.009 : -0.001;
  return (i) => {
    const nape = smoothstep(0.01, -0.03, points[3 * i + 1]);
    const before = smoothstep(-0.03, -0.022, points[3 * i + 2]);
    return depths[i] + 0.007 - within * nape + 0.1 * before;
  };
}

/** How much lower than they show hair's ends are first taken, metres: {@link endHair} ends it. */
const lowered = 0.01;

/**
 * Where short hair may end before the neck: its height above the chin at the face's oval, and its fall to the nape,
 * steep from `free` metres on.
 */
const lockEnd = { above: 0.027, fall: 0.22, free: 0.055, steep: 3 } as const;

/**
 * Front edge of hair that hangs beside the neck: its angle from the front at the jaw, and how much further back it lies
 * at `chin` and `neck`, radians. Heights are above the chin, metres.
 */
const frontEdge = { at: 0.78, back: 0.07, further: 0.25, jaw: 0.055, chin: 0, neck: -0.06 } as const;
/** Above the jaw the face itself is hair's edge: over so many metres the front edge goes. */
const faceAbove = 0.03;

/**
 * How much lower than the photo shows it a bob ends beside the face, and by how much more behind, between which angles;
 * and how much higher its front corner is, within which angle of the front edge. Metres, radians.
 */
const bobEnd = { below: 0.006, behind: 0.008, from: 1.4, to: 2.6, corner: 0.03, within: 0.6 } as const;

/** How far above the end of hair before the neck a vertex lies, metres; a bob ends `lower` than usual there. */
function insideThroat(
  { points }: InflatedCranium,
  sides: HangingHair,
  i: number,
  v: number,
  lower: number,
): number {
  const rim = i % craniumColumns;
  const off = Math.hypot(points[3 * i] - points[3 * rim], points[3 * i + 2] - points[3 * rim + 2]);
  const { chin, isLong, hem } = sides;
  const jaw = chin + lockEnd.above - lockEnd.fall * off - lockEnd.steep * Math.max(0, off - lockEnd.free);
  const long = lengthOf(sides);
  if (long === 0) return v - jaw;
  const [angle, radius] = aboutAxis(points, i);
  const aside = Math.abs(angle);
  const above = v - chin;
  const edge =
    frontEdge.at +
    frontEdge.back * smoothstep(frontEdge.jaw, frontEdge.chin, above) +
    frontEdge.further * smoothstep(frontEdge.chin, frontEdge.neck, above);
  const behindEdge = (aside - edge) * radius + smoothstep(frontEdge.jaw, frontEdge.jaw + faceAbove, above);
  const end =
    hem -
    bobEnd.below -
    bobEnd.behind * smoothstep(bobEnd.from, bobEnd.to, aside) +
    bobEnd.corner * smoothstep(bobEnd.within, 0, aside - edge);
  const inside = isLong ? behindEdge : Math.min(behindEdge, v - end + lower);
  return (v - jaw) * (1 - long) + inside * long;
}

function photoCoverage(evidence: HairEvidence): PhotoCoverage {
  const { fit, cranium, blown, plane, hairAt, insideAt, outsideAt } = evidence;
  const { points } = cranium;
  const normals = gridNormals(blown.points);
  const inPhoto = (i: number): [x: number, y: number] => {
    const p = at(blown.points, i);
    if (blown.raised[i]) {
      // The photo shows this hair where it was before the user raised it.
      const [u, v] = plane.of(at(points, i));
      for (const c of [0, 1, 2] as const) p[c] -= blown.raised[i] * (u * plane.right[c] + v * plane.up[c]);
    }
    return project(fit.pose, p);
  };
  return {
    seen: (i) => smoothstep(0.12, 0.4, facingCamera(fit.pose, normals, i)) * (1 - outsideAt(...inPhoto(i))),
    hair: (i) => {
      const [x, y] = inPhoto(i);
      const over = hairAt(x, y) * (insideAt(x, y) > 0.3 ? 1 : 0);
      if (cranium.columnDistance[i] > 0.05 || points[3 * i + 1] < 0.03) return over;
      // At the hairline it is the roots that count: hair must not lean out over a high forehead.
      const [rx, ry] = project(fit.pose, at(points, i));
      return Math.min(over, hairAt(rx, ry));
    },
  };
}

/** Hair that goes on from the face's oval to the ear in each column, 0..1: what is last seen there. */
function sideburns(photo: PhotoCoverage): Float32Array {
  const lastSeen = new Float32Array(craniumColumns);
  for (let k = 0; k < craniumColumns; k++)
    for (let i = k; i < behindEars * craniumColumns; i += craniumColumns)
      if (photo.seen(i) > 0.4) lastSeen[k] = photo.hair(i);
  return smoothCircle(lastSeen, 2).map((v) => smoothstep(0.25, 0.55, v));
}

/** Irregular ends of the hair: how much lower they are in each column, metres. */
function lockLengths(): Float32Array {
  return Float32Array.from(
    { length: craniumColumns },
    (_, k) => 0.014 * noiseRound(k, 2.6, 41) + 0.004 * noiseRound(k, 6, 42),
  );
}

/** The same of hair that hangs: its tufts' ends too. */
const hemEnds = (locks: Float32Array): Float32Array =>
  locks.map((lock, k) => 0.65 * lock + 0.0025 * noiseRound(k, 8, 43));

/** Noise round the head of ±.5, some six lengths of it for 1 of `radius`. */
function noiseRound(column: number, radius: number, seed: number): number {
  const angle = (2 * Math.PI * column) / craniumColumns;
  return grain(64 + radius * Math.cos(angle), 64 + radius * Math.sin(angle), seed) - 0.5;
}

/**
 * How much hair a vertex has that the photo doesn't show, 0..1: above the usual hairline, and where hair
 * hangs.
 *
 * @param crown - How much of it the crown behind each column has, 0..1.
 * @param beside - How much of it goes on to the ear in each column, 0..1.
 * @returns a function of the vertex, its u with all hair, and its v without
 */
function estimateUnseenCoverage(
  evidence: HairEvidence,
  crown: Float32Array,
  beside: Float32Array,
): (i: number, u: number, v: number) => number {
  const { fit, cranium, sides, depths } = evidence;
  const { hangs, level, hem } = sides;
  const long = lengthOf(sides);
  const locks = lockLengths();
  const earTop = fit.neutral[3 * landmark.leftBrowPeak + 1] + 0.004;
  const inLine = hairlineOf(evidence);
  return (i, u, v) => {
    const y = cranium.points[3 * i + 1];
    const z = cranium.points[3 * i + 2];
    const lock = locks[i % craniumColumns];
    // The usual hairline: over the ear, down behind it, across the nape.
    let coverage = smoothstep(earTop - 0.008, earTop + 0.008, y);
    const back = smoothstep(-0.026, -0.036, z);
    if (back > 0) {
      // Rows are some 10 mm apart at the nape: a shorter way would show them as teeth.
      const soft = 0.008 + 0.01 * smoothstep(-0.03, -0.06, z);
      const inside = inLine(i) + lowered * smoothstep(-0.036, -0.05, z) + 0.5 * lock;
      coverage += back * (smoothstep(-soft, soft, inside) - coverage);
    }
    if (long < 1 && z > -0.03) {
      // Short hair comes down to the ear, and before it as far as the photo has a sideburn.
      const grows = smoothstep(-0.005, 0.004, depths[i]);
      const before = smoothstep(-0.008, -0.002, z) * (1 - beside[i % craniumColumns]);
      coverage = Math.max(coverage, (1 - long) * grows * (1 - before));
    }
    if (v < sidesTop && z < 0.02) {
      const tail = smoothstep(hem - 0.02, hem + 0.01, v + lock + back * lowered * long);
      const hung = hangs[u > 0 ? 0 : 1][Math.round(level(v))];
      const lowest = Math.round(level(Math.max(v, hem)));
      const behind = z < -0.03 ? Math.max(hangs[0][lowest], hangs[1][lowest]) : 0;
      coverage = Math.max(coverage, Math.max(hung, behind) * tail);
    }
    // A bald crown stays bald behind, with a wreath of hair below it that thins out in no line.
    const crownShare = smoothstep(0.038, 0.078, y + 1.2 * lock);
    return coverage * (1 - crownShare * (1 - crown[i % craniumColumns]));
  };
}

/** Evens values of the cranium's grid out between neighbours. */
function smoothValues(values: Float32Array, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    const copy = values.slice();
    for (let i = 0; i < values.length; i++) {
      values[i] = 0.4 * copy[i];
      for (let e = 4 * i; e < 4 * i + 4; e++) values[i] += 0.15 * copy[neighbours[e]];
    }
  }
}
