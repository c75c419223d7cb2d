import type { vec4 } from '@gltf-transform/core';

const inDegrees = 180 / Math.PI;

/** Converts a quaternion x, y, z, w to rotations about X, then Y, then Z (FBX's order), in degrees. */
export function degrees([x, y, z, w]: vec4): number[] {
  const sine = 2 * (w * y - z * x);
  const length = x * x + y * y + z * z + w * w || 1;
  const about = Math.asin(Math.max(-1, Math.min(1, sine / length)));
  // Straight up or down, rotations about X and Z coincide; all of it goes to X.
  if (Math.abs(sine / length) > 0.999_999) return [2 * Math.atan2(x, w) * inDegrees, about * inDegrees, 0];
  return [
    Math.atan2(2 * (w * x + y * z), length - 2 * (x * x + y * y)) * inDegrees,
    about * inDegrees,
    Math.atan2(2 * (w * z + x * y), length - 2 * (y * y + z * z)) * inDegrees,
  ];
}

/** Returns the equivalent rotation nearest to the previous frame, so that curves don't jump. */
export function nearest([x, y, z]: number[], before: readonly number[]): number[] {
  const candidates = [
    [x!, y!, z!],
    [x! + 180, 180 - y!, z! + 180],
  ].map((candidate) => candidate.map((value, k) => value + 360 * Math.round((before[k]! - value) / 360)));
  const far = (candidate: number[]): number =>
    candidate.reduce((sum, value, k) => sum + Math.abs(value - before[k]!), 0);
  return far(candidates[1]!) < far(candidates[0]!) ? candidates[1]! : candidates[0]!;
}
