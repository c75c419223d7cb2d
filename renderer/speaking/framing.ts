import type { Box3 } from 'three';
import type { LoadedHead } from '../viewer/load-head.ts';

/** How a head is framed: what of it fills the picture, and from where it is seen. */
export const framings = ['shoulders', 'head', 'close', 'threeQuarter', 'profile'] as const;
export type Framing = (typeof framings)[number];

/**
 * Framed areas, in heights of the upper face: from the eyes to the top of the hair, half of a head. `middle`
 * is the height above the eyes; `azimuth` in degrees, to the head's own left.
 */
const cuts: Record<Exclude<Framing, 'shoulders'>, { middle: number; height: number; azimuth: number }> = {
  head: { middle: -0.15, height: 2.9, azimuth: 0 },
  close: { middle: -0.3, height: 1.9, azimuth: 0 },
  threeQuarter: { middle: -0.15, height: 2.9, azimuth: 38 },
  profile: { middle: -0.15, height: 2.9, azimuth: 85 },
};
/** Share of the height that all of the head fills. */
const fill = 0.86;
/** Where eyes are between the top and the bottom of a bust that has none. */
const eyesFromTop = 0.4;

export interface Frame {
  /** Metres above the head's middle that the camera looks at, and how far away it is. */
  up: number;
  distance: number;
  /** Radians to the head's own left. */
  azimuth: number;
}

/** A head as it is measured for framing, metres. */
export interface Measures {
  /** Height of all of it with room for what its shapes do, and the middle of that. */
  height: number;
  middle: number;
  /** Top of the visible part at rest. */
  top: number;
  bottom: number;
  /** Height of the eyes; null if the head has none. */
  eyes: number | null;
}

/**
 * @param box around what is seen at rest
 * @param eyes height of the eyes; null where the head has none
 */
export const measuresOf = (
  { size, middle }: Pick<LoadedHead, 'size' | 'middle'>,
  { min, max }: Box3,
  eyes: number | null,
): Measures => ({ height: size.y, middle: middle.y, top: max.y, bottom: min.y, eyes });

/** @param fieldOfView vertical, degrees */
export function frameOf(framing: Framing, head: Measures, fieldOfView: number): Frame {
  const { height, middle, top, bottom, eyes } = head;
  const away = (seen: number): number => seen / 2 / Math.tan(((fieldOfView / 2) * Math.PI) / 180);
  if (framing === 'shoulders') return { up: 0, distance: away(height / fill), azimuth: 0 };
  const level = eyes !== null && eyes > bottom && eyes < top ? eyes : top - (top - bottom) * eyesFromTop;
  const upper = top - level;
  const cut = cuts[framing];
  return {
    up: level + cut.middle * upper - middle,
    distance: away(cut.height * upper),
    azimuth: (cut.azimuth * Math.PI) / 180,
  };
}
