import type { Crop } from '../crop.ts';

/** A stroke of a brush: what is hair under it, and what is background. */
export interface HairStroke {
  kind: 'hair' | 'background';
  /** In parts of the picture's width. */
  radius: number;
  /** x, y, x, y … in parts of the picture's upright width and height. */
  points: number[];
}

/**
 * A user's corrections of the outline of head and hair: extension `head-corrections` of B1. Either part is
 * optional on the wire.
 */
export interface HeadCorrections {
  strokes: HairStroke[];
  /** Raises the top of the head, in parts of the face's height; 0 leaves it. */
  crown: number;
}

/** Limits of corrections. */
export const correctionBounds = {
  /**
   * How far the crown goes up or down. Beyond a fifth down only the hair sinks into the skull; raised by a
   * whole face it comes out lower than by half of one.
   */
  crown: 0.3,
  /** Places and radius on a whole photo; a stroke may leave it. */
  photo: { least: -1, most: 2, radius: 1 },
  /** The same on the wire: within a part that was cut out of the photo the numbers grow. */
  sent: { least: -10, most: 10, radius: 10 },
} as const;

/** Corrections of a whole picture, as those of a part of it. */
export const correctionsInPart = <Corrections extends Partial<HeadCorrections>>(
  corrections: Corrections,
  part: Crop,
): Corrections => ({
  ...corrections,
  ...(corrections.strokes && {
    strokes: corrections.strokes.map(({ kind, radius, points }) => ({
      kind,
      radius: radius / part.width,
      points: points.map((value, i) =>
        i % 2 === 0 ? (value - part.x) / part.width : (value - part.y) / part.height,
      ),
    })),
  }),
});
