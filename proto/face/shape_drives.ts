/**
 * What moves the shapes of a head that has other names, or other shapes, than a face's channels: each shape follows a
 * sum of channels, bent by a curve and scaled by a gain.
 */

export interface ShapeDrive {
  /** The shape's name as the head has it. */
  readonly shape: string;
  /** Channels and how much of each; none: it stays still. */
  readonly parts: readonly { readonly channel: string; readonly weight: number }[];
  /** Of the sum, after the curve; 1 as it is. */
  readonly gain: number;
  /** Exponent: 1 straight, 2 slow at first, .5 fast at first. */
  readonly curve: number;
}

/** Bounds of a table that a person edits. */
export const driveLimits = {
  rows: 400,
  parts: 12,
  name: 120,
  weight: 4,
  gain: { least: 0, most: 4 },
  curve: { least: 0.25, most: 4 },
} as const;

/** A drive whose channels were found in a face. */
export interface FoundDrive {
  /** Positions of channels, and their weights. */
  readonly places: readonly { readonly place: number; readonly weight: number }[];
  readonly gain: number;
  readonly curve: number;
}

/** @returns null where the face has none of its channels: the shape stays still */
export function findDrive(
  { parts, gain, curve }: ShapeDrive,
  channelNames: readonly string[],
): FoundDrive | null {
  const places = parts
    .map(({ channel, weight }) => ({ place: channelNames.indexOf(channel), weight }))
    .filter(({ place, weight }) => place >= 0 && weight !== 0);
  return places.some(({ weight }) => weight > 0) ? { places, gain, curve } : null;
}

/** A shape's weight in one frame. Sums below 0 are 0, and only then bent; the gain may lead beyond 1. */
export function drivenWeight({ places, gain, curve }: FoundDrive, weights: ArrayLike<number>): number {
  const [first] = places;
  if (places.length === 1 && first!.weight === 1 && gain === 1 && curve === 1) return weights[first!.place]!;
  let sum = 0;
  for (const { place, weight } of places) sum += weight * weights[place]!;
  const positive = Math.max(0, sum);
  return gain * (curve === 1 ? positive : positive ** curve);
}
