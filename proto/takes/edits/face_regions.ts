import type { FaceRegion } from './edit_limits.ts';

/** The region that a channel belongs to, by its name; visemes are the mouth's. */
export function regionOf(channel: string): FaceRegion {
  if (/^jaw/i.test(channel)) return 'jaw';
  if (/brow/i.test(channel)) return 'brows';
  if (/eye|blink|squint|look/i.test(channel)) return 'eyes';
  return 'mouth';
}

const known = new WeakMap<readonly string[], Readonly<Record<FaceRegion, readonly number[]>>>();

/** Positions of each region's channels in a face's weights. */
export function regionChannels(
  channelNames: readonly string[],
): Readonly<Record<FaceRegion, readonly number[]>> {
  const found = known.get(channelNames);
  if (found) return found;
  const made: Record<FaceRegion, number[]> = { mouth: [], jaw: [], brows: [], eyes: [], head: [] };
  for (const [channel, name] of channelNames.entries()) made[regionOf(name)].push(channel);
  known.set(channelNames, made);
  return made;
}
