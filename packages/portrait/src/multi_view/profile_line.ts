import { solve } from '@likeness/geometry/cholesky.ts';
import { clamp } from '@likeness/geometry/vector.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';

/** The face's middle line from the hairline to the chin, landmarks from above. */
export const middleLine = [
  10, 151, 9, 8, 168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 164, 0, 11, 12, 13, 14, 15, 16, 17, 18, 200, 199, 175,
  152,
] as const;

/** Where the face's origin lies, pixels; pixels a metre; how far it looks up or down, radians. */
export type ProfileStand = Readonly<{ s: number; turn: number; tx: number; ty: number }>;
/** The shape of a face by an outline of its profile. */
export interface ProfileShape {
  /** By the middle line's points: how far further forward the outline shows them than the face has them, metres. */
  readonly forward: readonly number[];
  /** Mean distance of the line from the outline after its own share was taken out, metres. */
  readonly residual: number;
}

interface Laid extends ProfileShape {
  readonly stand: ProfileStand;
}
export type ProfilePoint = readonly [number, number];

/** How far head and hair cover a place of a photo, 0..1. */
export type HeadCut = (x: number, y: number) => number;

/** Picture pixels of a point's height and depth. */
export const toPicture = (
  { s, turn, tx, ty }: ProfileStand,
  side: number,
  [y, z]: ProfilePoint,
): [number, number] => {
  const [c, n] = [Math.cos(turn), Math.sin(turn)];
  return [tx + s * (side * z * c - y * n), ty - s * (side * z * n + y * c)];
};

/** A point's height and depth, where a picture has it, pixels, and how much it counts. */
export type PointPair = readonly [ProfilePoint, ProfilePoint, number];

/**
 * Fits the stand that brings points closest to where a picture has them.
 *
 * @param tooWide - The factor by which the picture has them too far apart.
 */
export function standOver(pairs: readonly PointPair[], side: number, tooWide = 1): ProfileStand {
  const total = pairs.reduce((sum, [, , w]) => sum + w, 0);
  const mean = (of: (pair: PointPair) => number): number =>
    pairs.reduce((sum, pair) => sum + (pair[2] * of(pair)) / total, 0);
  const [mu, mv] = [mean(([p]) => side * p[1]), mean(([p]) => p[0])];
  const [mx, my] = [mean(([, q]) => q[0]), mean(([, q]) => -q[1])];
  const along = mean(([p, q]) => (side * p[1] - mu) * (q[0] - mx) + (p[0] - mv) * (-q[1] - my));
  const across = mean(([p, q]) => (side * p[1] - mu) * (-q[1] - my) - (p[0] - mv) * (q[0] - mx));
  const size = mean(([p]) => (side * p[1] - mu) ** 2 + (p[0] - mv) ** 2);
  const s = Math.hypot(along, across) / size / tooWide;
  const turn = Math.atan2(across, along);
  const [c, n] = [Math.cos(turn), Math.sin(turn)];
  return { s, turn, tx: mx - s * (mu * c - mv * n), ty: -(my - s * (mu * n + mv * c)) };
}

/** Lays a face along the outline of a head that is cut out; null where there is none. */
export function layProfile(cut: HeadCut, start: ProfileStand, side: number, fit: FaceFit): Laid | null {
  const contour = faceContour(cut, start, side, fit);
  if (contour.length < 60) return null;
  // On the fine surface: subdivision draws it in.
  const fine = fineFace.refine(fit.neutral, 3);
  const line = middleLine.map((i): ProfilePoint => [fine[3 * i + 1], fine[3 * i + 2]]);
  return alongContour(line, contour, start, side);
}

/** Where the face ends before the background, row by row from the forehead to the chin; picture pixels. */
function faceContour(
  inside: HeadCut,
  stand: ProfileStand,
  side: number,
  { neutral }: FaceFit,
): ProfilePoint[] {
  const top = neutral[3 * landmark.foreheadTop + 1] + 0.008;
  const bottom = neutral[3 * landmark.chin + 1] - 0.012;
  const points: ProfilePoint[] = [];
  const step = 0.0005;
  for (let y = top; y > bottom; y -= 0.001) {
    let before = 0;
    for (let z = 0.15; z > 0; z -= step) {
      const [px, py] = toPicture(stand, side, [y, z]);
      const now = inside(px, py);
      if (now >= 0.5) {
        const share = (0.5 - before) / Math.max(1e-6, now - before);
        points.push(toPicture(stand, side, [y, z + step * (1 - share)]));
        break;
      }
      before = now;
    }
  }
  return points;
}

/**
 * How far the marks' pose errs, how far a face's middle line strays, how far tip and root of the nose shift; metres.
 */
const deviations = { scale: 0.035, turn: 0.06, forward: 0.005, tip: 0.0025, root: 0.004 };
const rounds = 30;

/**
 * Alternates between pose (point to line) and shape. The middle line may move some millimetres from the front photo's
 * estimate.
 */
function alongContour(
  line: readonly ProfilePoint[],
  contour: readonly ProfilePoint[],
  start: ProfileStand,
  side: number,
): Laid {
  let stand = start;
  let forward = line.map(() => 0);
  let residual = 0;
  const own = noseOf(
    line.map(([y, z]) => [side * z, -y]),
    side,
  );
  const theirs = noseOf(contour, side);
  for (let round = 0; round < rounds; round++) {
    const a = new Float64Array(16);
    const b = new Float64Array(4);
    const off: number[] = [];
    residual = 0;
    /** Adds a least-squares row: a point shall move along a direction. Unknowns: log scale, turn, both shifts. */
    const addConstraint = (
      at: ProfilePoint,
      along: ProfilePoint,
      distance: number,
      squaredWeight: number,
    ): void => {
      const [x, y] = [at[0] - stand.tx, at[1] - stand.ty];
      const rows = [along[0] * x + along[1] * y, along[0] * y - along[1] * x, along[0], along[1]];
      for (let p = 0; p < 4; p++) {
        b[p] += squaredWeight * rows[p] * distance;
        for (let q = 0; q <= p; q++) a[4 * p + q] += squaredWeight * rows[p] * rows[q];
      }
    };
    const weight = 1 / 0.001;
    for (const [i, [y, z]] of line.entries()) {
      const moved: ProfilePoint = [y, z + forward[i]];
      const [px, py] = toPicture(stand, side, moved);
      const { distance, normal } = nearest(contour, px, py);
      const w = weight / stand.s;
      const robustWeight = 1 / (1 + (distance / (0.004 * stand.s)) ** 2);
      addConstraint([px, py], normal, distance, robustWeight * w * w);
      // How far to go along the face's depth to meet the contour.
      const depth: ProfilePoint = [side * Math.cos(stand.turn), -side * Math.sin(stand.turn)];
      const facing = normal[0] * depth[0] + normal[1] * depth[1];
      off.push(Math.abs(facing) > 0.25 ? distance / facing / stand.s : 0);
      residual += Math.abs(distance) / stand.s / line.length;
    }
    // A line can slide along a line: tip and root of the nose hold it.
    const up: ProfilePoint = [-Math.sin(stand.turn), -Math.cos(stand.turn)];
    for (const [i, k, error] of [
      [own.tip, theirs.tip, deviations.tip],
      [own.root, theirs.root, deviations.root],
    ] as const) {
      const [y, z] = line[i];
      const [px, py] = toPicture(stand, side, [y, z + forward[i]]);
      const off = up[0] * (contour[k][0] - px) + up[1] * (contour[k][1] - py);
      const w = 3 / (error * stand.s);
      addConstraint([px, py], up, off, w * w);
    }
    a[0] += 1 / deviations.scale ** 2;
    b[0] += Math.log(start.s / stand.s) / deviations.scale ** 2;
    a[5] += 1 / deviations.turn ** 2;
    b[1] += (start.turn - stand.turn) / deviations.turn ** 2;
    const step = solve(a, b);
    stand = {
      s: stand.s * Math.exp(step[0]),
      turn: stand.turn + step[1],
      tx: stand.tx + step[2],
      ty: stand.ty + step[3],
    };
    // First the face as it is, then its own shape.
    if (round < 8) continue;
    const share = deviations.forward ** 2 / (deviations.forward ** 2 + 0.0015 ** 2);
    forward = smooth(
      forward.map((value, i) => clamp(value + 0.5 * (share * (value + off[i]) - value), -0.012, 0.012)),
    );
  }
  const mean = forward.reduce((sum, value) => sum + value / forward.length, 0);
  // What all of it stands further out is where the head stands.
  return { stand: movedOut(stand, side, mean), forward: forward.map((value) => value - mean), residual };
}

/** A stand further out, the way the face looks, by some metres. */
export const movedOut = (stand: ProfileStand, side: number, metres: number): ProfileStand => ({
  ...stand,
  tx: stand.tx + stand.s * metres * side * Math.cos(stand.turn),
  ty: stand.ty - stand.s * metres * side * Math.sin(stand.turn),
});

/** Where the nose's tip is looked for, in parts of the way from forehead to chin. */
const [minTip, maxTip] = [0.42, 0.72];

/** Tip and root of the nose on a line from forehead to chin: furthest out, and furthest in on the way there. */
function noseOf(line: readonly ProfilePoint[], side: number): { tip: number; root: number } {
  const [first, last] = [line[0], line[line.length - 1]];
  const max = (of: (p: ProfilePoint) => number, isAmong: (i: number) => boolean): number => {
    let best = -1;
    for (const [i, p] of line.entries()) if (isAmong(i) && (best < 0 || of(p) > of(line[best]))) best = i;
    return Math.max(0, best);
  };
  const fractionDown = (p: ProfilePoint): number => (p[1] - first[1]) / (last[1] - first[1]);
  const tip = max(
    ([x]) => side * x,
    (i) => fractionDown(line[i]) > minTip && fractionDown(line[i]) < maxTip,
  );
  const [dx, dy] = [line[tip][0] - first[0], line[tip][1] - first[1]];
  const inward = ([x, y]: ProfilePoint): number => -side * ((x - first[0]) * dy - (y - first[1]) * dx);
  return { tip, root: max(inward, (i) => i < tip) };
}

const smooth = (values: readonly number[]): number[] =>
  values.map((value, i) => 0.7 * value + 0.15 * ((values[i - 1] ?? value) + (values[i + 1] ?? value)));

/** Signed distance from a place to a line of points along its normal there, pixels. */
function nearest(
  line: readonly ProfilePoint[],
  x: number,
  y: number,
): { distance: number; normal: ProfilePoint } {
  let best = 0;
  let min = Infinity;
  for (const [i, [px, py]] of line.entries()) {
    const d = (px - x) ** 2 + (py - y) ** 2;
    if (d < min) {
      min = d;
      best = i;
    }
  }
  const [a, b] = [line[Math.max(0, best - 2)], line[Math.min(line.length - 1, best + 2)]];
  const l = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const normal: ProfilePoint = [-(b[1] - a[1]) / l, (b[0] - a[0]) / l];
  const [px, py] = line[best];
  return { distance: normal[0] * (px - x) + normal[1] * (py - y), normal };
}
