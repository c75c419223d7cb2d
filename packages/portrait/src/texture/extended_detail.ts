import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { Canvas } from './texture_fill.ts';

/** Where the face's own detail ends, and how far it goes on beyond there, parts of the oval's radius: 3 and 30 mm. */
const [inset, reach] = [0.03, 0.3];
/** Radius of the ring whose mean is a texel's surroundings, parts of the oval's radius: 4 mm. */
const around = 0.04;
const ringPoints = 12;
/** Most that a texel is lighter or darker than its surroundings: more is a hair or an edge. */
const most = 0.1;

/** Directions from the layout's middle for which the oval's radius is known, from straight left on clockwise. */
const directions = 256;

interface Pass {
  /** Texels from the middle to the oval, by direction. */
  readonly radii: Float32Array;
  /** The largest of them. */
  readonly largest: number;
  /** Steps in `colour` to the points round a texel. */
  readonly steps: Int32Array;
}

/**
 * Lets pores and stubble fade out below the jaw, where else they would end in a line. Beyond the oval, below the eyes, a
 * texel takes the brightness of its mirror image's detail.
 *
 * @param canvas - Filled; changed in place.
 */
export function extendDetail(canvas: Canvas, uv: Float32Array): void {
  const { size } = canvas;
  const radii = ovalRadii(uv, size);
  const largest = Math.max(...radii);
  const steps = Int32Array.from({ length: ringPoints }, (_, k) => {
    const angle = (2 * Math.PI * k) / ringPoints;
    const [x, y] = [Math.cos(angle), Math.sin(angle)].map((part) => Math.round(part * around * largest));
    return 3 * (y! * size + x!);
  });
  const last = Math.min(size - 1, Math.ceil(size / 2 + largest * (1 + reach)));
  for (let y = size / 2; y <= last; y++) extendRow(canvas, { radii, largest, steps }, y);
}

function ovalRadii(uv: Float32Array, size: number): Float32Array {
  const rim = fineFace.oval
    .map((i) => [uv[2 * i]! - 0.5, uv[2 * i + 1]! - 0.5] as const)
    .map(([x, y]) => ({ direction: directionOf(x, y), radius: size * Math.hypot(x, y) }))
    .sort((a, b) => a.direction - b.direction);
  const radii = new Float32Array(directions + 1);
  for (let k = 0; k <= directions; k++) {
    const after = Math.max(
      1,
      rim.findIndex(({ direction }) => direction >= k),
    );
    const [a, b] = [rim[after - 1]!, rim[after]!];
    radii[k] =
      a.radius + (b.radius - a.radius) * clamp((k - a.direction) / (b.direction - a.direction), 0, 1);
  }
  return radii;
}

const directionOf = (x: number, y: number): number => (Math.atan2(y, x) / (2 * Math.PI) + 0.5) * directions;

function extendRow({ size, colour }: Canvas, { radii, largest, steps }: Pass, y: number): void {
  const middle = size / 2;
  const down = y + 0.5 - middle;
  const outer = Math.sqrt(Math.max(0, (largest * (1 + reach)) ** 2 - down * down));
  for (let x = Math.ceil(middle - outer); x < middle + outer; x++) {
    const right = x + 0.5 - middle;
    const r = Math.hypot(right, down);
    const direction = directionOf(right, down);
    const k = direction | 0;
    const radius = radii[k] + (radii[k + 1] - radii[k]) * (direction - k);
    const beyond = r / radius - (1 - inset);
    if (beyond <= 0 || beyond >= reach) continue;
    const scale = (1 - inset - beyond) * (radius / r);
    const mirror = 3 * (Math.floor(middle + down * scale) * size + Math.floor(middle + right * scale));
    const below = smoothstep(0, 0.25, down / r);
    const detail = clamp(colour[mirror + 1] / meanAround(colour, mirror + 1, steps) - 1, -most, most);
    const gain = 1 + below * (1 - smoothstep(0, reach, beyond)) * detail;
    const even = below * smoothstep(0, inset, beyond) * (1 - smoothstep(2 * inset, 4 * inset, beyond));
    const i = 3 * (y * size + x);
    for (let c = i; c < i + 3; c++) {
      const own = even > 0 ? colour[c] + even * (meanAround(colour, c, steps) - colour[c]) : colour[c];
      colour[c] = own * gain;
    }
  }
}

function meanAround(colour: Float32Array, at: number, steps: Int32Array): number {
  let sum = 1e-6;
  for (let k = 0; k < steps.length; k++) sum += colour[at + steps[k]];
  return sum / steps.length;
}
