/** Editing a crop: rectangles as fractions of the photo, 0..1, with a minimum size. */
import type { Photo } from '#contract';

export type Crop = NonNullable<Photo['crop']>;

const min = 0.05;
const within = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value));

/** Shifted, and kept within the photo. */
export const moved = ({ x, y, width, height }: Crop, dx: number, dy: number): Crop => ({
  x: within(x + dx, 0, 1 - width),
  y: within(y + dy, 0, 1 - height),
  width,
  height,
});

/** −1: the left or upper edge follows, 1: the right or lower one, 0: neither. */
export interface Grip {
  across: -1 | 0 | 1;
  down: -1 | 0 | 1;
}

export function resized({ x, y, width, height }: Crop, { across, down }: Grip, dx: number, dy: number): Crop {
  const [left, right] = stretched(x, x + width, across, dx);
  const [top, bottom] = stretched(y, y + height, down, dy);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function stretched(from: number, to: number, which: Grip['across'], by: number): [number, number] {
  if (which < 0) return [within(from + by, 0, to - min), to];
  if (which > 0) return [from, within(to + by, from + min, 1)];
  return [from, to];
}

/**
 * The initial crop: the present one, the suggested one, or a frame slightly inside the photo.
 */
export const firstCrop = ({ crop, suggestedCrop }: Photo): Crop =>
  crop ?? suggestedCrop ?? { x: 0.1, y: 0.1, width: 0.8, height: 0.8 };

/** Nothing is cut away. */
export const isWhole = ({ width, height }: Crop): boolean => width > 0.999 && height > 0.999;
