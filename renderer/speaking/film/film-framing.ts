/** Where the camera of a film stands: as the stage frames a head, in a picture of any shape. */

import type { FilmJob } from '@likeness/proto/takes/film_message.ts';
import { type Framing, frameOf, type Measures } from '../framing.ts';

/** Vertical field of view, degrees: that of the stage. */
export const filmFieldOfView = 22;

const cuts: Record<FilmJob['framing'], Framing> = { bust: 'shoulders', head: 'head', close: 'close' };
/** Radians to the head's own left. */
const sides = { front: 0, threeQuarter: (38 * Math.PI) / 180, profile: (85 * Math.PI) / 180 };
/**
 * Required width of the picture, in heights of the upper face, eyes to hair: the head with its hair, or the
 * face. A bust needs its full width.
 */
const widths: Record<FilmJob['framing'], number> = { bust: Infinity, head: 2.1, close: 1.5 };
/** Room beside it. */
const room = 1.08;

export interface FilmCamera {
  /** Metres above the head's middle that it looks at, and how far away it is. */
  up: number;
  distance: number;
}

/** A head as it is measured for a film: with its width from the side that is widest of those that are seen, metres. */
export interface FilmMeasures extends Measures {
  across: number;
}

/** @param aspect width / height */
export function filmCamera(framing: FilmJob['framing'], head: FilmMeasures, aspect: number): FilmCamera {
  const { up, distance } = frameOf(cuts[framing], head, filmFieldOfView);
  const { eyes, top, bottom, across } = head;
  const upper = eyes !== null && eyes > bottom && eyes < top ? top - eyes : (top - bottom) * 0.4;
  const width = Math.min(across, widths[framing] * upper) * room;
  const slope = Math.tan((filmFieldOfView * Math.PI) / 360) * aspect;
  return { up, distance: Math.max(distance, width / 2 / slope) };
}

/** Radians around the head, to its own left, at one of `frames`. */
export const azimuthAt = (camera: FilmJob['camera'], frame: number, frames: number): number =>
  camera === 'turntable' ? (2 * Math.PI * frame) / frames : sides[camera];
