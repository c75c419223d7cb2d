import { hash } from '@likeness/geometry/noise.ts';
import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import { readGrid } from '@likeness/portrait/photo/picture_sampling.ts';
import { rightBrow } from '@likeness/portrait/topology/face_topology.ts';

/** Size of the drawn brow's map. */
const perMetre = 12000;
const [left, bottom] = [0.008, 0.008];
const width = Math.round(0.052 * perMetre);
const height = Math.round(0.028 * perMetre);

/** Hairs of a brow, and places along each at which ink is set down. */
const hairs = 620;
const hairSteps = 36;
/** How much of the skin below the hairs is darker: fine ones, and roots. */
const ground = 0.2;

/**
 * Draws a brow hair by hair; answers how much of it covers a place of the face, by |x| and y in metres.
 *
 * @param full - How full it is, 1 as usual.
 */
export function drawBrow(face: Float32Array, full = 1): (x: number, y: number) => number {
  const map = new Float32Array(width * height);
  const middle = browLine(face);
  drawShade(map, middle, full);
  for (let n = 0; n < hairs; n++) drawHair(map, middle, n, full);
  return (x, y) => {
    const u = (x - left) * perMetre;
    const v = (y - bottom) * perMetre;
    if (u < 0.5 || v < 0.5 || u >= width - 0.5 || v >= height - 0.5) return 0;
    return 0.88 * readGrid(map, width, height, u, v);
  };
}

/** The brow's middle line from the inner end (0) to the tail (1): |x| and y, metres. */
function browLine(face: Float32Array): (t: number) => [number, number] {
  const [top, low] = rightBrow;
  /** Catmull and Rom's spline through a row of landmarks. */
  const along = (row: readonly number[], t: number, c: number): number => {
    const s = clamp(t, 0, 1) * (row.length - 1);
    const k = Math.min(row.length - 2, Math.floor(s));
    const v = (n: number): number => face[3 * row[clamp(n, 0, row.length - 1)] + c];
    const f = s - k;
    const [p0, p1, p2, p3] = [v(k - 1), v(k), v(k + 1), v(k + 2)];
    return p1 + 0.5 * f * (p2 - p0 + f * (2 * p0 - 5 * p1 + 4 * p2 - p3 + f * (3 * (p1 - p2) + p3 - p0)));
  };
  return (t) => {
    const s = 1 - t;
    return [
      Math.abs(along(top, s, 0) * 0.45 + along(low, s, 0) * 0.55),
      along(top, s, 1) * 0.45 + along(low, s, 1) * 0.55,
    ];
  };
}

/** Half the brow's height along it, metres: full in its middle, and its tail runs out in hairs. */
const halfHeight = (t: number, full: number): number =>
  0.0036 * full * smoothstep(-0.3, 0.25, t) * (1 - 0.68 * smoothstep(0.45, 1.05, t));

/** How much hair grows along the brow, 0..1: it thins out at both ends. */
const growth = (t: number): number => smoothstep(-0.08, 0.2, t) * (1 - 0.75 * smoothstep(0.68, 1, t));

/** Lays a soft shade below the hairs. */
function drawShade(map: Float32Array, middle: (t: number) => [number, number], full: number): void {
  for (let n = 0; n <= 60; n++) {
    const t = n / 60;
    const [x, y] = middle(t);
    const half = halfHeight(t, full) * perMetre;
    const reach = 1.5 * half;
    const [cx, cy] = [(x - left) * perMetre, (y + 0.0004 - bottom) * perMetre];
    for (let py = Math.max(0, Math.floor(cy - reach)); py <= Math.min(height - 1, cy + reach); py++) {
      for (let px = Math.max(0, Math.floor(cx - reach)); px <= Math.min(width - 1, cx + reach); px++) {
        const near = smoothstep(1.4 * half, 0.2 * half, Math.hypot(px - cx, py - cy));
        const i = py * width + px;
        map[i] = Math.max(map[i], ground * growth(t) * near);
      }
    }
  }
}

/** Draws the n-th hair; low-discrepancy sequences spread them along and across the brow. */
function drawHair(map: Float32Array, middle: (t: number) => [number, number], n: number, full: number): void {
  const t = ((n * 0.618034) % 1) * 0.97;
  const grows = growth(t);
  if (hash(n, 25) > 0.35 + 0.75 * grows) return;
  // Denser in the middle of its height than at its edges.
  const spread = ((n * 0.754877 + 0.31) % 1) * 2 - 1;
  const v = spread * (0.62 + 0.38 * Math.abs(spread)) + 0.24 * (hash(n, 26) - 0.5);
  const half = halfHeight(t, full);
  const [mx, my] = middle(t);
  const [nx, ny] = middle(Math.min(1, t + 0.06));
  const [bx, by] = middle(Math.max(0, t - 0.06));
  const slope = Math.atan2(ny - by, nx - bx);
  // Upright at the inner end, then along the brow; lower hairs rise, upper ones fall to the middle.
  const lean = slope + 1.1 * smoothstep(0.34, -0.05, t) + 0.3 * (1 - t) - 0.42 * v * smoothstep(0.1, 0.5, t);
  const long = (0.0038 + 0.003 * hash(n, 21)) * (1 - 0.35 * smoothstep(0.7, 1, t));
  const bend = -0.5 * (0.4 + hash(n, 22));
  const dark = (0.45 + 0.55 * hash(n, 24)) * (0.4 + 0.6 * grows);
  const thick = 0.00008 + 0.00005 * hash(n, 27);
  let x = mx - Math.sin(slope) * half * v;
  let y = my + Math.cos(slope) * half * v - 0.0006;
  for (let q = 0; q < hairSteps; q++) {
    const f = q / (hairSteps - 1);
    const a = lean + bend * f * 0.6 + (hash(n, 23) - 0.5) * 0.35;
    x += (Math.cos(a) * long) / hairSteps;
    y += (Math.sin(a) * long) / hairSteps;
    const ink = (0.08 + 0.46 * (1 - f)) * smoothstep(0, 0.1, f + 0.04) * dark;
    setInk(map, (x - left) * perMetre, (y - bottom) * perMetre, ink, thick * perMetre * (1.15 - 0.7 * f));
  }
}

/** @param thick - Radius of the dot, pixels of the map. */
function setInk(map: Float32Array, cx: number, cy: number, ink: number, thick: number): void {
  for (let py = Math.floor(cy - 3); py <= cy + 3; py++) {
    for (let px = Math.floor(cx - 3); px <= cx + 3; px++) {
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const w = ink * smoothstep(thick + 0.9, thick - 0.4, Math.hypot(px + 0.5 - cx, py + 0.5 - cy));
      const i = py * width + px;
      map[i] = map[i] + (1 - map[i]) * w;
    }
  }
}
