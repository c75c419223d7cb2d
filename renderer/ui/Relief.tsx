import { useMemo } from 'react';
import classes from './Relief.module.css';

/*
 * A bust in horizontal sections, from a few tables and bumps. One unit is half the height from crown to chin;
 * v runs down from -1 (crown) over 1 (chin) to the shoulders; z is towards the viewer.
 */

/** Table of heights and values, read between its rows by a smooth step. */
function read(table: readonly (readonly [number, number])[], v: number): number {
  const next = table.findIndex(([at]) => at >= v);
  if (next <= 0) return table[next < 0 ? table.length - 1 : 0]?.[1] ?? 0;
  const [v0, a] = table[next - 1]!;
  const [v1, b] = table[next]!;
  return a + ((b - a) * (v - v0)) / (v1 - v0);
}

const width = [
  [-1, 0],
  [-0.98, 0.2],
  [-0.93, 0.36],
  [-0.85, 0.49],
  [-0.7, 0.62],
  [-0.5, 0.69],
  [-0.25, 0.715],
  [0, 0.7],
  [0.2, 0.675],
  [0.4, 0.62],
  [0.6, 0.53],
  [0.78, 0.41],
  [0.9, 0.29],
  [0.98, 0.16],
  [1.03, 0],
] as const;
const front = [
  [-1, 0],
  [-0.98, 0.22],
  [-0.93, 0.42],
  [-0.85, 0.58],
  [-0.7, 0.74],
  [-0.5, 0.82],
  [-0.3, 0.845],
  [-0.2, 0.85],
  [-0.08, 0.8],
  [0.1, 0.8],
  [0.3, 0.79],
  [0.45, 0.8],
  [0.6, 0.77],
  [0.72, 0.76],
  [0.84, 0.78],
  [0.94, 0.72],
  [1.0, 0.5],
  [1.03, 0],
] as const;
const back = [
  [-1, 0],
  [-0.98, 0.26],
  [-0.9, 0.52],
  [-0.7, 0.78],
  [-0.4, 0.92],
  [-0.1, 0.92],
  [0.2, 0.8],
  [0.45, 0.6],
  [0.7, 0.3],
  [0.9, 0.1],
  [1.03, 0],
] as const;
const neckWidth = [
  [0.3, 0.1],
  [0.5, 0.34],
  [0.7, 0.385],
  [1, 0.385],
  [1.2, 0.4],
  [1.34, 0.47],
  [1.46, 0.66],
  [1.56, 0.98],
  [1.66, 1.2],
  [1.8, 1.34],
] as const;
const neckDepth = [
  [0.3, 0.1],
  [0.5, 0.34],
  [0.7, 0.37],
  [1.2, 0.38],
  [1.4, 0.42],
  [1.6, 0.5],
  [1.8, 0.56],
] as const;

/** A soft bump of height `h` at azimuth `at` (radians) and height `v0`. */
const bump = (a: number, v: number, at: number, v0: number, sa: number, sv: number, h: number): number =>
  h * Math.exp(-(((a - at) / sa) ** 2) - ((v - v0) / sv) ** 2);

/** Features of the face on the head's surface; `side` is the azimuth without its sign. */
function features(azimuth: number, v: number): number {
  const side = Math.abs(azimuth);
  const nose = v < 0.27 ? Math.max(0, Math.min(1, (v + 0.12) / 0.36)) : Math.max(0, 1 - (v - 0.27) / 0.07);
  return (
    0.31 * nose * Math.exp(-((azimuth / (0.1 + 0.07 * nose)) ** 2)) +
    bump(side, v, 0.17, 0.25, 0.075, 0.055, 0.06) + // wings of the nose
    bump(side, v, 0.34, -0.2, 0.27, 0.055, 0.065) + // brow
    bump(side, v, 0.4, -0.045, 0.2, 0.085, -0.15) + // eye socket
    bump(side, v, 0.4, -0.035, 0.13, 0.05, 0.1) + // eyeball
    bump(side, v, 0.4, -0.03, 0.17, 0.012, -0.03) + // lid
    bump(side, v, 0.7, 0.16, 0.24, 0.13, 0.055) + // cheekbone
    bump(side, v, 0.55, 0.5, 0.22, 0.16, -0.05) + // hollow of the cheek
    bump(azimuth, v, 0, 0.38, 0.05, 0.045, -0.02) + // philtrum
    bump(azimuth, v, 0, 0.455, 0.24, 0.04, 0.095) + // upper lip
    bump(azimuth, v, 0, 0.507, 0.29, 0.018, -0.1) + // mouth
    bump(azimuth, v, 0, 0.565, 0.2, 0.04, 0.105) + // lower lip
    bump(azimuth, v, 0, 0.665, 0.22, 0.045, -0.075) + // under the lip
    bump(azimuth, v, 0, 0.84, 0.2, 0.09, 0.05) + // chin
    bump(side, v, 1.66, 0.08, 0.11, 0.2, 0.1) // ear
  );
}

/** Distance along a ray from the middle of an ellipse of half axes `w` and `d` to its edge. */
const reach = (sin: number, cos: number, w: number, d: number): number =>
  w < 0.01 || d < 0.01 ? 0 : 1 / Math.hypot(sin / w, cos / d);

const yaw = -0.56; // radians
const pitch = 0.17;

/** The section at height `v`, as seen: points in the drawing's units. */
function section(v: number): string {
  const samples = 160;
  const points: string[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const azimuth = -Math.PI + (2 * Math.PI * sample) / samples;
    const sin = Math.sin(azimuth);
    const cos = Math.cos(azimuth);
    const head =
      v < 0.985
        ? reach(sin, cos, read(width, v), cos > 0 ? read(front, v) : read(back, v)) +
          features(azimuth, v) * Math.min(1, (v + 1) * 2.5, (0.99 - v) * 12)
        : 0;
    // The neck stands a little behind the middle of the head.
    const offset = -0.2;
    const own = v > 0.3 ? reach(sin, cos, read(neckWidth, v), read(neckDepth, v)) : 0;
    const neckX = own * sin;
    const neckZ = own * cos + offset;
    // Under the jaw only its front stands free of the neck.
    const free = v < 0.8 || cos > 0.25 + Math.max(0, v - 0.86) * 5;
    const isHead = free && head > Math.hypot(neckX, neckZ) * (neckZ * cos > 0 || Math.abs(cos) < 0.3 ? 1 : 0);
    const x = isHead ? head * sin : neckX;
    const z = isHead ? head * cos : neckZ;
    const turnedX = x * Math.cos(yaw) + z * Math.sin(yaw);
    const turnedZ = z * Math.cos(yaw) - x * Math.sin(yaw);
    points.push(
      `${(205 + turnedX * 150).toFixed(1)} ${(190 + (v * Math.cos(pitch) + turnedZ * Math.sin(pitch)) * 150).toFixed(1)}`,
    );
  }
  return `M${points.join('L')}Z`;
}

/**
 * A bust in contour lines. It stands where a head will be, and is plainly not one. Drawn
 * from below upwards, each section covering what it hides: seen from a little above,
 * that is all the hidden-line removal it needs.
 */
export function Relief({ lines = 84, className }: { lines?: number; className?: string | undefined }) {
  const sections = useMemo(
    () => Array.from({ length: lines }, (_, line) => section(1.78 - (2.77 * (line + 0.5)) / lines)),
    [lines],
  );
  return (
    <svg
      viewBox="0 0 400 520"
      className={[classes.relief, className].filter(Boolean).join(' ')}
      aria-hidden="true"
    >
      {sections.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
