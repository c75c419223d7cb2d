import { grain } from '@likeness/geometry/noise.ts';
import { at, clamp, smoothstep, type Vector } from '@likeness/geometry/vector.ts';

/**
 * The hairline in profile, mm: depths (forwards) and the heights at which hair begins there, from the forehead over
 * temple, sideburn and ear to the nape.
 */
const depths = Float64Array.of(
  ...[
    140, 62, 56, 50, 43, 37, 32, 28, 22, 15, 9.5, 6, -0.5, -3, -6.5, -13, -24, -33, -39, -43, -47, -55, -72,
    -260,
  ],
);
const heights = Float64Array.of(
  ...[61, 61, 60, 58, 53, 45, 37, 29, 20, 10, -3, -14, -16, -4, 13, 22, 24, 17, 0, -22, -40, -52, -57, -58],
);

/** How far inside the hair a point of the bare head lies, metres; negative outside it. */
export function hairDepth(p: Vector): number {
  const z = p[2] * 1000;
  const y = p[1] * 1000;
  let nearest = Infinity;
  let line = heights[0];
  for (let i = 0; i + 1 < depths.length; i++) {
    const z0 = depths[i];
    const y0 = heights[i];
    const z1 = depths[i + 1];
    const dz = z1 - z0;
    const dy = heights[i + 1] - y0;
    const t = clamp(((z - z0) * dz + (y - y0) * dy) / (dz * dz + dy * dy), 0, 1);
    const offZ = z - z0 - t * dz;
    const offY = y - y0 - t * dy;
    const square = offZ * offZ + offY * offY;
    if (square < nearest) nearest = square;
    if (z <= z0 && z >= z1) line = y0 + (dy * (z - z0)) / dz;
  }
  // No hairline is a clean line: it varies by some millimetres, differently on each side.
  const around = Math.atan2(p[0], Math.max(0.02, p[2]) + 0.03) * 9;
  const wander =
    0.0048 * (grain(around, p[1] * 20, 12) - 0.5) + 0.003 * (grain(around * 2.7, p[1] * 60, 13) - 0.5);
  return (Math.sign(y - line) * Math.sqrt(nearest)) / 1000 + wander;
}

/** Metres inside the hairline over which short hair comes to its length behind the ears and at the nape, and what it begins with. */
const graduatedOver = 0.078;
const shortest = 0.08;

/** {@link hairDepth} of each of the cranium's points. */
export const hairDepths = (points: Float32Array): Float32Array =>
  Float32Array.from({ length: points.length / 3 }, (_, i) => hairDepth(at(points, i)));

/**
 * How long hair is at each of the cranium's points, parts of its length: short hair is cut ever shorter downwards at the back.
 *
 * @param long - 0 for short hair … 1 for hair that hangs below the ears.
 */
export const graduatedLengths = (points: Float32Array, depths: Float32Array, long: number): Float32Array =>
  depths.map((depth, i) => {
    const behind = (1 - long) * smoothstep(-0.026, -0.052, points[3 * i + 2]);
    const whole = shortest + (1 - shortest) * smoothstep(-0.002, graduatedOver, depth);
    return 1 - behind * (1 - whole);
  });
