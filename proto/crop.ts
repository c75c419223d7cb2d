/** A part of the upright picture, in fractions 0..1 of it. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
