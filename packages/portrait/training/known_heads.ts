/** Heads of the population whose basis lies in ../shared/shapes, and where a camera sees them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const shapes = join(import.meta.dirname, '../../../../shared/shapes');

const bytes = (name: string): ArrayBuffer => {
  const b = readFileSync(join(shapes, name));
  return b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength) as ArrayBuffer;
};
export const info = JSON.parse(readFileSync(join(shapes, 'heads.json'), 'utf8')) as {
  vertices: number;
  triangles: number;
  faceTriangles: number;
  regions: string[];
  landmarks: Record<'rightEyeOuter' | 'rightEyeInner' | 'leftEyeInner' | 'leftEyeOuter', number>;
};
const shapeModes = JSON.parse(readFileSync(join(shapes, 'basis/modes.json'), 'utf8')) as {
  modes: number;
  scale: number[];
};
export const { modes } = shapeModes;
export const mean = new Float32Array(bytes('truth/mean.bin'));
const basis = new Int16Array(bytes('basis/modes.i16'));
const topology = bytes('topology.bin');
export const triangles = Uint32Array.from(new Uint16Array(topology, 0, 3 * info.triangles));
export const regions = new Uint8Array(topology, 6 * info.triangles, info.vertices);

/** A small generator of even numbers, 0..1 (mulberry32). */
export const random = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

export function shapeOf(coefficients: readonly number[]): Float32Array {
  const sum = Float64Array.from(mean);
  for (let m = 0; m < modes; m++) {
    const k = coefficients[m]! * shapeModes.scale[m]!;
    const from = m * mean.length;
    for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + k * basis[from + i]!;
  }
  return Float32Array.from(sum);
}

/** Numbers of a normal distribution of deviation 1. */
export const normalOf = (next: () => number) => (): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

/** How a head is held before the camera: radians, and millimetres from its middle. */
export interface HeadStand {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  readonly distance: number;
}

/** Points of a head, mm, as a camera sees them: x to the right, y up, z to the camera, metres at the head's middle. */
export function transformHead(
  points: ArrayLike<number>,
  { yaw, pitch, roll, distance }: HeadStand,
): Float32Array {
  const placed = new Float32Array(points.length);
  const [cy, sy, cp, sp, cr, sr] = [yaw, pitch, roll].flatMap((a) => [Math.cos(a), Math.sin(a)]) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i]!, points[i + 1]! - 10, points[i + 2]! - 40];
    const x1 = cy * x + sy * z;
    const z1 = -sy * x + cy * z;
    const y2 = cp * y + sp * z1;
    const z2 = -sp * y + cp * z1;
    const x3 = cr * x1 - sr * y2;
    const y3 = sr * x1 + cr * y2;
    // Perspective by the points themselves: the rasteriser's own camera has none.
    const f = distance / (distance - z2);
    placed.set([x3 * f * 0.001, y3 * f * 0.001, z2 * 0.001], i);
  }
  return placed;
}
