/** A part of the upright picture, in fractions 0..1 of it. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const wholePicture: Crop = { x: 0, y: 0, width: 1, height: 1 };

/** Places within a part, x, y, x, y …, as places within the whole picture. */
export const pointsInWhole = (points: readonly number[], part: Crop): number[] =>
  points.map((value, i) => (i % 2 === 0 ? part.x + value * part.width : part.y + value * part.height));

/** A box within a part as one within the whole picture, as far as it lies in it. */
export function boxInWhole(box: Crop, part: Crop): Crop {
  const clamp = (value: number): number => Math.min(1, Math.max(0, value));
  const left = clamp(part.x + box.x * part.width);
  const top = clamp(part.y + box.y * part.height);
  return {
    x: left,
    y: top,
    width: clamp(Math.min(box.width * part.width, 1 - left)),
    height: clamp(Math.min(box.height * part.height, 1 - top)),
  };
}
