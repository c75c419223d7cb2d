import { polygonMask, scaledAbout } from '../photo/pixel_filters.ts';
import { oval } from '../topology/face_topology.ts';
import { eyeDistance, type FaceView } from './face_view.ts';
import { directions, type LineStrength } from './line_strength.ts';
import { type Rim, type Rims, rayAngle, rays, rimPoint } from './rim_contour.ts';

/** How far round from the nose a bridge may begin on a rim, radians. */
const nasal = 1.1;

/** The bridge's pixels: the straight line from rim to rim that has the most strength in it. */
export function findBridge({ width }: FaceView, { strongest }: LineStrength, rims: Rims): number[] {
  const nasalPart = (rim: Rim, towards: number): [number, number][] =>
    Array.from({ length: rays }, (_, k) => k)
      .filter((k) => Math.cos(rayAngle(k) - towards) > Math.cos(nasal))
      .map((k) => rimPoint(rim, k));
  const ends = nasalPart(rims.left, Math.PI);
  let best: number[] = [];
  let max = 0;
  for (const [x0, y0] of nasalPart(rims.right, 0)) {
    for (const [x1, y1] of ends) {
      const steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0));
      const line = Array.from(
        { length: steps + 1 },
        (_, n) => Math.round(y0 + ((y1 - y0) * n) / steps) * width + Math.round(x0 + ((x1 - x0) * n) / steps),
      );
      const strength = line.reduce((sum, i) => sum + strongest[i], 0) / line.length;
      if (strength > max) [best, max] = [line, strength];
    }
  }
  return best;
}

/** Slopes of an arm that are tried, in steps of 5°: it rises steeply where glasses sit low. */
const [steepest, lowest, slopeStep] = [-15, 3, Math.PI / 36] as const;
/** Steps by which the two arms' slopes may differ. */
const slopesApart = 3;
/** An arm's line counts up to that, less what skin and hair have anyway; and how much of it makes an arm. */
const [maxLine, noise, minArm] = [0.3, 0.09, 2.5] as const;
/** How far beyond the face's outline an arm is followed, a factor. */
const beyond = 1.12;

interface Arm {
  readonly sum: number;
  readonly path: readonly number[];
}

/** The arms' pixels: the straight lines from the rims' outer ends to the ears that have the most strength in them. */
export function findArms(view: FaceView, lines: LineStrength, { right, left }: Rims): (readonly number[])[] {
  const outline = oval.map(view.pointOf);
  const mean = (c: 0 | 1): number => outline.reduce((sum, point) => sum + point[c], 0) / outline.length;
  const within = polygonMask(scaledAbout([mean(0), mean(1)], beyond, outline), view.width, view.height);
  const ofSlopes = (rim: Rim, side: -1 | 1): Arm[] =>
    Array.from({ length: lowest - steepest + 1 }, (_, n) =>
      bestArm(view, lines, rim, side, (steepest + n) * slopeStep, within),
    );
  const [rights, lefts] = [ofSlopes(right, -1), ofSlopes(left, 1)];
  let best: readonly Arm[] = [];
  let max = 0;
  for (const [n, one] of rights.entries())
    for (const [m, other] of lefts.entries()) {
      // Both rise alike, but for perspective.
      if (Math.abs(n - m) > slopesApart || one.sum + other.sum <= max) continue;
      max = one.sum + other.sum;
      best = [one, other];
    }
  return best.filter(({ sum }) => sum > minArm).map(({ path }) => path);
}

/** Where an arm leaves the face's outline: above the ear's canal. */
function armEnd({ pointOf }: FaceView, side: -1 | 1): { x: number; top: number; bottom: number } {
  const [high, low] = (side < 0 ? [162, 127] : [389, 356]).map(pointOf);
  return { x: high[0], top: high[1] - 0.05 * eyeDistance, bottom: low[1] + 0.04 * eyeDistance };
}

/** The strongest straight line of one slope that begins on a rim's outer end, `side` 1 to the view's right. */
function bestArm(
  view: FaceView,
  lines: LineStrength,
  rim: Rim,
  side: -1 | 1,
  slope: number,
  within: Uint8Array,
): Arm {
  const { width, height } = view;
  const end = armEnd(view, side);
  const [dx, dy] = [side * Math.cos(slope), Math.sin(slope)];
  const turn = Math.round((Math.atan2(dx, -dy) / Math.PI) * directions) + 2 * directions;
  const across = lines.across[turn % directions];
  let best: Arm = { sum: 0, path: [] };
  for (let k = 0; k < rays; k++) {
    // The outer end, but for the lower part of it.
    if (side * Math.cos(rayAngle(k)) < 0.6 || Math.sin(rayAngle(k)) > 0.35) continue;
    const [x0, y0] = rimPoint(rim, k);
    const there = y0 + (dy / dx) * (end.x - x0);
    if (side * (end.x - x0) > 0 && (there < end.top || there > end.bottom)) continue;
    const path: number[] = [];
    let sum = 0;
    for (let t = 0; t < 0.7 * eyeDistance; t++) {
      const [x, y] = [x0 + dx * t, y0 + dy * t];
      const i = Math.round(y) * width + Math.round(x);
      if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2 || !within[i]) break;
      const ray = Math.round((Math.atan2(y - rim.y, x - rim.x) / (2 * Math.PI)) * rays + rays) % rays;
      // Along the rim itself, nothing tells of an arm.
      if (Math.hypot(x - rim.x, y - rim.y) < rim.radius[ray] + 5) {
        if (t > 12) break;
        continue;
      }
      let line = 0;
      for (const o of [-1, 0, 1])
        line = Math.max(
          line,
          across[Math.round(y + o * Math.abs(dx)) * width + Math.round(x + o * Math.abs(dy))],
        );
      sum += Math.min(maxLine, line) - noise;
      path.push(i);
      if (sum > best.sum) best = { sum, path: path.slice() };
    }
  }
  return best;
}
