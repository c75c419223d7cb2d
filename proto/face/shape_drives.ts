/**
 * Maps face channels to the shapes of a head with other names or other shapes. Each shape follows a sum of
 * channels, bent by a curve and scaled by a gain.
 */

export interface ShapeDrive {
  /** The shape's name as the head has it. */
  readonly shape: string;
  /** Channels and how much of each; none: it stays still. */
  readonly parts: readonly { readonly channel: string; readonly weight: number }[];
  /** Factor of the sum after the curve; 1 changes nothing. */
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
  readonly channels: readonly { readonly channel: number; readonly weight: number }[];
  readonly gain: number;
  readonly curve: number;
}

/** @returns null where the face has none of its channels: the shape stays still */
export function findDrive(
  { parts, gain, curve }: ShapeDrive,
  channelNames: readonly string[],
): FoundDrive | null {
  const channels = parts
    .map(({ channel, weight }) => ({ channel: channelNames.indexOf(channel), weight }))
    .filter(({ channel, weight }) => channel >= 0 && weight !== 0);
  return channels.some(({ weight }) => weight > 0) ? { channels, gain, curve } : null;
}

/** A shape's weight in one frame. Sums below 0 are 0, and only then bent; the gain may lead beyond 1. */
export function drivenWeight({ channels, gain, curve }: FoundDrive, weights: ArrayLike<number>): number {
  const [first] = channels;
  if (channels.length === 1 && first!.weight === 1 && gain === 1 && curve === 1)
    return weights[first!.channel]!;
  let sum = 0;
  for (const { channel, weight } of channels) sum += weight * weights[channel]!;
  const positive = Math.max(0, sum);
  return gain * (curve === 1 ? positive : positive ** curve);
}
