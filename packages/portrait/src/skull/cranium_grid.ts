import { clamp, type Vector } from '../math/vector.ts';
import { craniumColumns, craniumRows } from './skull.ts';

/**
 * Reads values on the cranium's grid between its points: the c-th of `step` a point. Rows end at the first and the
 * last, columns go on round the head.
 */
export function readCranium(
  values: ArrayLike<number>,
  step: number,
  c: number,
  row: number,
  column: number,
): number {
  const r = clamp(Math.floor(row), 0, craniumRows - 1);
  const k0 = Math.floor(column);
  const [fr, fk] = [clamp(row - r, 0, 1), column - k0];
  const k = ((k0 % craniumColumns) + craniumColumns) % craniumColumns;
  const a = step * (r * craniumColumns + k) + c;
  const b = step * (r * craniumColumns + ((k + 1) % craniumColumns)) + c;
  const below = step * craniumColumns;
  const upper = values[a] * (1 - fk) + values[b] * fk;
  return upper + (values[a + below] * (1 - fk) + values[b + below] * fk - upper) * fr;
}

/** Reads points or directions on the cranium's grid, × 3, between its points. */
export const readCraniumVector = (values: ArrayLike<number>, row: number, column: number): Vector => [
  readCranium(values, 3, 0, row, column),
  readCranium(values, 3, 1, row, column),
  readCranium(values, 3, 2, row, column),
];

/** The cranium's vertex on the other side. */
export const mirrorOf = (i: number): number =>
  i - (i % craniumColumns) + ((craniumColumns - (i % craniumColumns)) % craniumColumns);
