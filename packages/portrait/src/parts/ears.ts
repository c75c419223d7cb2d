import { at, clamp, dot, smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import type { Sex } from '../contract/head_request.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { type FaceSides, faceSidesTop, rimDepth } from '../hair/face_sides.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import { type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import { landmark } from '../topology/landmark.ts';
import { earHeight, earRoot, earShape, standOff, toHead } from './ear_shape.ts';

/** A left ear on the cranium; the right one is its mirror image. Face frame, metres. */
export interface Ear {
  readonly points: Float32Array;
  /** Whether hair hides it, by side. */
  readonly hidden: { readonly left: boolean; readonly right: boolean };
  /** Its place: the middle of the concha, level axes (back, out) and metres a millimetre of the shape. */
  readonly frame: EarFrame;
}

interface EarFrame {
  readonly origin: Vector;
  readonly back: Vector;
  readonly out: Vector;
  readonly unit: number;
  /** Sine and cosine of the angle at which the plane stands off the head. */
  readonly sine: number;
  readonly cosine: number;
}

/** Defaults of an ear that the photo doesn't show: top and bottom by the face's heights, the angle by sex. */
const defaultAngle: Readonly<Record<Sex, number>> = { female: 22, male: 26 };
const sides = ['left', 'right'] as const;
/** Degrees of a turn from which on a photo tells nothing of the far ear. */
const farEarHides = 14;
const tilt = (11 * Math.PI) / 180;

/**
 * Builds the ears on the cranium between the height of the brow and that of the nose's base. Where the photo
 * shows skin beside the head, its upper and lower end set height and size, and how far it reaches the angle
 * to the head.
 */
export function buildEar(
  fit: FaceFit,
  cranium: Cranium,
  hair: HairSheet,
  sex: Sex,
  sight: FaceSides | undefined,
): Ear {
  const face = fit.neutral;
  const near = besidePoints(cranium);
  const bare = { left: contour(cranium, fit, 1), right: contour(cranium, fit, -1) };
  const defaultTop = (face[3 * landmark.leftBrowPeak + 1] + face[3 * landmark.rightBrowPeak + 1]) / 2 + 0.002;
  const defaultBottom = face[3 * landmark.subnasale + 1] - 0.001;
  const defaultSize = ((sex === 'male' ? 0.064 : 0.059) + clamp(defaultTop - defaultBottom, 0.05, 0.07)) / 2;
  const middle = (defaultTop + defaultBottom) / 2;
  const seen = { left: measure(sight?.left, bare.left), right: measure(sight?.right, bare.right) };
  const found = [seen.left, seen.right].filter((one) => one !== undefined);
  const mean = (read: (one: Seen) => number | undefined, spare: number, share: number): number => {
    const values = found.map(read).filter((v) => v !== undefined);
    if (!values.length) return spare;
    return spare + (values.reduce((sum, v) => sum + v, 0) / values.length - spare) * share;
  };
  const upper = middle + defaultSize / 2;
  const lower = middle - defaultSize / 2;
  const close = (v: number, expected: number, reach: number): number | undefined =>
    Math.abs(v - expected) < reach ? v : undefined;
  // Hair that falls over an ear hides its upper end; the lower one then tells how low it sits.
  const isUnderHair = (one: Seen): boolean => one.top < upper - 0.009;
  const underHair = found.length > 0 && found.every(isUnderHair);
  const bottom = mean((one) => close(one.bottom, lower, underHair ? 0.02 : 0.011), lower, 0.7);
  const top = underHair
    ? upper + Math.min(0, bottom - lower)
    : mean((one) => close(one.top, upper, 0.009), upper, 0.7);
  const unit = clamp(top - bottom, 0.052, 0.075) / earHeight;
  const level = bottom + (top - bottom) * 0.48;
  let angle = defaultAngle[sex];
  let frame = earFrame(near, level, unit, angle);
  if (found.length) {
    const wanted = mean((one) => one.protrusion, 0, 1);
    // Two secant steps: the reach grows almost in proportion to the angle's sine.
    for (let step = 0; step < 3; step++) {
      const now = protrusionOf(frame, fit, bare);
      angle = clamp(angle + ((wanted - now) / (0.03 * unit * 1000)) * (180 / Math.PI), 14, 44);
      frame = earFrame(near, level, unit, angle);
    }
  }
  const ear = { points: pointsOf(frame, near), frame, hidden: { left: false, right: false } };
  if (hair.coversEars) return { ...ear, hidden: { left: true, right: true } };
  if (!sight) return ear;
  const covers = { left: coverOf(hair, frame, 'left'), right: coverOf(hair, frame, 'right') };
  // A lobe below hair that hangs beside it (or hair as light as skin): an ear would cut it in two.
  const isLobe = (side: 'left' | 'right'): boolean => {
    const own = seen[side];
    return own !== undefined && isUnderHair(own) && covers[side] > 0.85;
  };
  const isAnyBare = sides.some((side) => seen[side] && !isLobe(side));
  // If one ear is bare, the other is seldom covered by hair, and then wholly: not by shade that looks like hair.
  const hidden = (side: 'left' | 'right'): boolean =>
    seen[side] ? isLobe(side) : covers[side] > (isAnyBare ? 0.98 : 0.35);
  // The far side of a head that is turned away tells nothing: hair lies over both ears, or over none.
  const turned = Math.abs(fit.pose.yaw) > farEarHides;
  const [left, right] = [
    hidden(turned && fit.pose.yaw > 0 ? 'right' : 'left'),
    hidden(turned && fit.pose.yaw < 0 ? 'left' : 'right'),
  ];
  return { ...ear, hidden: { left, right } };
}

/** How much of an ear's lower half lies under the hair's sheet, 0..1. */
function coverOf(hair: HairSheet, frame: EarFrame, side: 'left' | 'right'): number {
  let covered = 0;
  let n = 0;
  for (let i = 0; i < hair.coverage.length; i++) {
    const p = at(hair.points, i);
    if ((side === 'left' ? p[0] : -p[0]) < 0.03) continue;
    const [x, y] = inEar(frame, p);
    if (Math.abs(x - 3) > 11 || y > 2 || y < -24) continue;
    n++;
    if (hair.coverage[i] > 0.5) covered++;
  }
  return n ? covered / n : 0;
}

interface Seen {
  readonly top: number;
  readonly bottom: number;
  readonly protrusion: number;
}

/** Ends and reach of the skin that stands out beside the bare head; undefined where none does. */
function measure(reach: Float32Array | undefined, bare: Contour): Seen | undefined {
  if (!reach) return undefined;
  const out = reach.map((x, row) => (x ? x - bare(faceSidesTop - 0.001 * row) : 0));
  let first = -1;
  let last = -1;
  let n = 0;
  for (let row = 0; row < out.length; row++) {
    if (out[row] < 0.003 || out[row] > 0.03) continue;
    const y = faceSidesTop - 0.001 * row;
    if (y < -0.07) break;
    if (first < 0) first = row;
    // A lone patch far below is a jaw or a neck.
    if (last >= 0 && row - last > 8) break;
    last = row;
    n++;
  }
  if (n < 9) return undefined;
  const highest = [...out.subarray(first, last + 1)].filter((v) => v < 0.03).sort((p, q) => q - p);
  return {
    top: faceSidesTop - 0.001 * first,
    bottom: faceSidesTop - 0.001 * last,
    protrusion: highest[2] ?? highest[0],
  };
}

type Contour = (y: number) => number;

/** How far a point moves aside in the photo, along the line of the ears, for lying nearer to the camera. */
const leanOf = ({ pose: { x, z } }: FaceFit): number => (z[0] * x[0] + z[1] * x[1]) / (x[0] ** 2 + x[1] ** 2);

/** The bare head's outline as the camera sees it: x at the depth of the ear's rim, by height. */
function contour(cranium: Cranium, fit: FaceFit, sign: 1 | -1): Contour {
  const lean = leanOf(fit);
  const step = 0.002;
  const from = -0.09;
  const widths = new Float32Array(80);
  for (let i = 0; i < cranium.points.length / 3; i++) {
    const [x, y, z] = at(cranium.points, i);
    if (sign * x < 0.03) continue;
    const bin = Math.round((y - from) / step);
    const wide = sign * (x + (z - rimDepth) * lean);
    for (const b of [bin - 2, bin - 1, bin, bin + 1, bin + 2])
      if (b >= 0 && b < widths.length) widths[b] = Math.max(widths[b], wide);
  }
  return (y) => widths[clamp(Math.round((y - from) / step), 0, widths.length - 1)];
}

/** How far the model's ears stand out of the head in the photo's view, metres; mean of both. */
function protrusionOf(
  frame: EarFrame,
  fit: FaceFit,
  bare: { readonly left: Contour; readonly right: Contour },
): number {
  const lean = leanOf(fit);
  let sum = 0;
  for (const sign of [1, -1] as const) {
    const outline = sign > 0 ? bare.left : bare.right;
    let max = 0;
    for (let i = 0; i < earShape.backFrom; i += 3) {
      const [x, y, z] = pointOf(frame, i);
      max = Math.max(max, x + sign * (z - rimDepth) * lean - outline(y));
    }
    sum += max / 2;
  }
  return sum;
}

function earFrame(near: Float32Array, y: number, unit: number, angle: number): EarFrame {
  const z = -0.0125;
  const front = surfaceX(near, y, z + 0.01);
  const behind = surfaceX(near, y, z - 0.022);
  const slope = Math.atan2(front - behind, 0.032);
  const radians = (angle * Math.PI) / 180;
  return {
    origin: [surfaceX(near, y, z) + 0.0005, y, z],
    back: [-Math.sin(slope), 0, -Math.cos(slope)],
    out: [Math.cos(slope), 0, -Math.sin(slope)],
    unit,
    sine: Math.sin(radians),
    cosine: Math.cos(radians),
  };
}

/** A vertex of the shape in the face frame. */
function pointOf(frame: EarFrame, i: number): Vector {
  const x = earShape.points[3 * i];
  const y = earShape.points[3 * i + 1];
  const h = earShape.points[3 * i + 2];
  // The whole ear leans back a little.
  const leant = x * Math.cos(tilt) + y * Math.sin(tilt);
  const upright = y * Math.cos(tilt) - x * Math.sin(tilt);
  const off = standOff(leant, upright);
  const rise = off * frame.sine;
  const back = leant - off * (1 - frame.cosine) - h * frame.sine * smoothstep(0, 12, off) * 0.6;
  // The back of the ear runs down to the head and ends under its skin.
  const end = toHead(i);
  const out = (h + rise) * (1 - end) + Math.min(h + rise, -2.5) * end;
  const level = (c: 0 | 2): number => frame.unit * (back * frame.back[c] + out * frame.out[c]);
  return [frame.origin[0] + level(0), frame.origin[1] + frame.unit * upright, frame.origin[2] + level(2)];
}

function pointsOf(frame: EarFrame, near: Float32Array): Float32Array {
  const points = new Float32Array(earShape.points.length);
  // The head is not flat below the ear: what lies near it follows its surface.
  for (let i = 0; i < points.length / 3; i++) {
    const p = pointOf(frame, i);
    const flat = frame.origin[0] + (frame.origin[2] - p[2]) * frame.back[0];
    const rim = smoothstep(12, -6, earShape.points[3 * i] - earRoot);
    points.set([p[0] + (surfaceX(near, p[1], p[2]) - flat) * (0.25 + 0.75 * rim), p[1], p[2]], 3 * i);
  }
  return points;
}

/** In the ear's own millimetres: how far behind the middle, above it, and out of the head a point lies. */
function inEar(frame: EarFrame, p: Vector): Vector {
  const d: Vector = [Math.abs(p[0]) - frame.origin[0], p[1] - frame.origin[1], p[2] - frame.origin[2]];
  const along = (axis: Vector): number => dot(d, axis) / frame.unit;
  const back = along(frame.back);
  const up = d[1] / frame.unit;
  return [
    back * Math.cos(tilt) - up * Math.sin(tilt),
    up * Math.cos(tilt) + back * Math.sin(tilt),
    along(frame.out),
  ];
}

/** 1 well inside the outline of the ear, 0 outside; soft over `soft` mm. */
function under(x: number, y: number, grow: number, soft: number): number {
  // An ellipse is close enough to the pinna's outline for this.
  const d = Math.hypot((x - 4.6) / (16.5 + grow), (y - 1.6) / (29.5 + grow));
  return smoothstep(1, 1 - soft / 16, d);
}

/** Presses the head in where a concha lies, so that the skin does not fill it. In place. */
export function makeRoomForEars(cranium: Cranium, ear: Ear): void {
  for (let i = craniumColumns; i < (craniumRows + 1) * craniumColumns; i++) {
    const p = at(cranium.points, i);
    if (Math.abs(p[0]) < 0.03 || ear.hidden[p[0] > 0 ? 'left' : 'right']) continue;
    const [x, y] = inEar(ear.frame, p);
    const depth = 0.021 * smoothstep(1, 0.55, Math.hypot((x - 0.5) / 15, y / 20));
    cranium.points[3 * i] = p[0] - Math.sign(p[0]) * depth;
  }
}

/** Lays hair that would grow through an ear behind it. In place. */
export function tuckBehindEars({ points, ribbons }: HairSheet, ear: Ear): void {
  tuckPoints(points, ear);
  if (ribbons) tuckPoints(ribbons.points, ear);
}

/** How far beyond the ear hair lies back for it, mm: before it, where it grows out of the head, hair would saw its rim. */
const clear = { before: 8, behind: 4.5 } as const;

function tuckPoints(points: Float32Array, ear: Ear): void {
  for (let i = 0; i < points.length / 3; i++) {
    const p = at(points, i);
    if (Math.abs(p[0]) < 0.03 || ear.hidden[p[0] > 0 ? 'left' : 'right']) continue;
    const [x, y, out] = inEar(ear.frame, p);
    const inside = under(x, y, x < 0 ? clear.before : clear.behind, 6);
    if (!inside) continue;
    // Behind the root there is room between the ear and the head; before it a deep step would show as a saw.
    const room = x < 0 ? -9 : standOff(x, y) * ear.frame.sine - 5.5;
    const over = out - (Math.hypot((x - 1) / 13.5, y / 19) < 1 ? -21 : Math.max(-21, room));
    if (over <= 0) continue;
    points[3 * i] = p[0] - Math.sign(p[0]) * over * ear.frame.unit * inside;
  }
}

/** The cranium's points beside the face on the left, x y z; where ears grow. */
function besidePoints(cranium: Cranium): Float32Array {
  const near: number[] = [];
  for (let i = 0; i < (craniumRows + 1) * craniumColumns; i++) {
    const [x, y, z] = at(cranium.points, i);
    if (x > 0.02 && Math.abs(y) < 0.08 && z < 0.04 && z > -0.08) near.push(x, y, z);
  }
  return Float32Array.from(near);
}

/** Half-width of the head at a height and depth: the mean of the nearest of its points. */
function surfaceX(near: Float32Array, y: number, z: number): number {
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < near.length; i += 3) {
    const dy = near[i + 1] - y;
    const dz = near[i + 2] - z;
    const d = dy * dy + dz * dz;
    if (d > 2e-4) continue;
    const w = Math.exp(-d / 3e-5);
    sum += w * near[i];
    weight += w;
  }
  return weight > 1e-9 ? sum / weight : 0.07;
}
