import { smoothstep } from '@likeness/geometry/vector.ts';
import shape from './ear_shape.json' with { type: 'json' };

/** Height and depth of the shape, mm: from the top of the helix to the lobe, from the tragus to the helix. */
export const earHeight = 60.5;
/** Where the ear grows out of the head, mm behind its middle: the plane turns about this line. */
export const earRoot = -9;

const spokes = 46;

/**
 * ear_shape.json: `outline` is the pinna's about its concha, mm, every 20° from straight back, upwards. `frontRings` lie
 * over the side that is seen, shares of the outline. `backRings` lie over rim and back: share of the outline, mm below
 * the rim, how far they run to the head.
 */
const { outline, frontRings, backRings } = shape;

/** A ridge along a line: its points x, y, its crest's height over the ear's plane, its half-width; mm. */
type Ridge = readonly (readonly number[])[];

const ridges: readonly Ridge[] = Object.values(shape.ridges);

/** Draws a height towards a ridge's crest, the nearer the more. */
function raise(h: number, line: Ridge, x: number, y: number): number {
  let weight = 0;
  let crest = 0;
  for (let i = 0; i + 1 < line.length; i++) {
    const [x0, y0, h0, w0] = line[i];
    const [x1, y1, h1, w1] = line[i + 1];
    const dx = x1 - x0;
    const dy = y1 - y0;
    const t = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)));
    const d = Math.hypot(x - x0 - t * dx, y - y0 - t * dy) / (w0 + (w1 - w0) * t);
    const w = Math.exp(-(d ** 2.4));
    if (w <= weight) continue;
    weight = w;
    crest = h0 + (h1 - h0) * t;
  }
  return h + (crest - h) * weight;
}

/** Radius of the outline in a direction, mm: a Catmull-Rom spline. */
function outlineAt(angle: number): number {
  const n = outline.length;
  const x = ((angle / (2 * Math.PI)) * n + n) % n;
  const i = Math.floor(x);
  const t = x - i;
  const [a, b, c, d] = [-1, 0, 1, 2].map((k) => outline[(i + k + n) % n]) as [number, number, number, number];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/** Height of the ear's outer face over its plane, mm. */
function relief(x: number, y: number): number {
  const angle = Math.atan2(y, x);
  const inset = outlineAt(angle) - Math.hypot(x, y);
  const cavum = Math.hypot((x - 0.6) / 11.4, (y + 5) / 11);
  const cymba = Math.hypot((x - 2.4) / 10.8, (y - 8.6) / 7);
  const bowl = Math.max(11 * smoothstep(1.02, 0.5, cavum), 8.5 * smoothstep(1.02, 0.45, cymba));
  const canal = 4 * Math.exp(-(((x + 4.6) / 3) ** 2) - ((y + 2.6) / 3.4) ** 2);
  let h = -bowl - canal;
  h += 3 * Math.exp(-(((x - 5) / 8) ** 2) - ((y + 23) / 6.5) ** 2);
  // Towards the cheek all of it runs out into the skin.
  h *= 1 - 0.9 * smoothstep(5, 0.5, inset) * smoothstep(0, -5, x) * smoothstep(-26, -18, y);
  for (const line of ridges) h = raise(h, line, x, y);
  // The helix: from its root over the top and down the back, where it runs out into the lobe.
  const along = ((angle + 2 * Math.PI) % (2 * Math.PI)) / (2 * Math.PI);
  const share = along < 0.5 ? smoothstep(0.42, 0.345, along) : smoothstep(0.79, 0.93, along);
  const wide = 2.5 + 0.4 * Math.sin(Math.max(0, angle));
  return h + (5.8 - h) * share * Math.exp(-(Math.abs((inset - 2.2) / wide) ** 2.4));
}

/** How open a place of the outer face is: the mean over directions of what rises beside it. */
function openness(x: number, y: number): number {
  const own = relief(x, y);
  let closed = 0;
  for (let k = 0; k < 8; k++) {
    const angle = (k * Math.PI) / 4;
    let steepest = 0;
    for (const r of [2.2, 4.6, 8]) {
      const [px, py] = [x + r * Math.cos(angle), y + r * Math.sin(angle)];
      if (Math.hypot(px, py) > outlineAt(Math.atan2(py, px)) - 1) continue;
      steepest = Math.max(steepest, (relief(px, py) - own) / r);
    }
    closed += Math.atan(steepest) / (Math.PI / 2) / 8;
  }
  return 1 - closed;
}

/** The ear's plane stands off less at the lobe than above. */
export const standOff = (back: number, up: number): number =>
  Math.max(0, back - earRoot) * (1 - 0.4 * smoothstep(-8, -27, up));

/** A left ear in its own plane, the same for everyone: `buildEar` gives place and size. */
export const earShape = (() => {
  const rings = frontRings.length + backRings.length;
  const count = rings * spokes;
  const points = new Float32Array(count * 3);
  const light = new Float32Array(count);
  const patch = new Float32Array(count * 2);
  for (let ring = 0; ring < rings; ring++) {
    const back = backRings[ring - frontRings.length];
    for (let k = 0; k < spokes; k++) {
      const angle = (2 * Math.PI * k) / spokes;
      const share = back ? back[0] : frontRings[ring];
      const r = outlineAt(angle) * share;
      const i = ring * spokes + k;
      const [x, y] = [r * Math.cos(angle), r * Math.sin(angle)];
      const front = smoothstep(-5, -10, x) * smoothstep(-26, -14, y);
      const edge = outlineAt(angle) * frontRings[frontRings.length - 1];
      // In front the sheet goes on under the cheek.
      const h = back
        ? relief(edge * Math.cos(angle), edge * Math.sin(angle)) - back[1] - 4.5 * front
        : relief(x, y);
      const lit = back ? 0.98 - 0.58 * smoothstep(0, 8, back[1]) : 0.06 + 0.96 * openness(x, y);
      points.set([x, y, h], 3 * i);
      light[i] = Math.min(1.03, lit);
      const span = back ? 0.76 + (0.24 * (ring - frontRings.length + 1)) / backRings.length : share * 0.76;
      patch[2 * i] = 0.5 + 0.48 * span * Math.cos(angle);
      patch[2 * i + 1] = 0.5 - 0.48 * span * Math.sin(angle);
    }
  }
  const triangles: number[] = [];
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let k = 0; k < spokes; k++) {
      const a = ring * spokes + k;
      const b = ring * spokes + ((k + 1) % spokes);
      // Outward for the left ear: +x. Spokes run back, up, front, which seen from +x turns clockwise.
      if (ring > 0) triangles.push(a, a + spokes, b);
      triangles.push(b, a + spokes, b + spokes);
    }
  }
  return {
    /** × 3, mm: back (away from the face), up, and out of the ear's plane. */
    points,
    /** 0..1 a vertex: how much light reaches it. */
    light,
    /** × 2, 0..1: place in the ear's own square of the texture. */
    patch,
    triangles: Uint32Array.from(triangles),
    /** First vertex of the side that faces the head. */
    backFrom: frontRings.length * spokes,
  } as const;
})();

/** How far the last rings run to the head, by vertex: 0 on the rim, 1 at the end. */
export const toHead = (vertex: number): number =>
  backRings[Math.floor(vertex / spokes) - frontRings.length]?.[2] ?? 0;
