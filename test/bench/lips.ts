/** Where a face's weights put the lips of the default head, from its shapes alone. */

import { buildExpressions } from '@likeness/portrait/expressions/expressions.ts';
import { lowerLip, upperLip } from '@likeness/portrait/topology/face_topology.ts';
import { inventedHeads } from '@likeness/synthetic-heads/invented_heads.ts';
import { fitPortrayed } from '@likeness/synthetic-heads/resting_face.ts';

/** Millimetres. */
export interface Lips {
  /** Widest opening between the lips' inner rims, and the least; below 0 they overlap. */
  readonly gap: number;
  readonly minGap: number;
  /** From corner to corner. */
  readonly width: number;
  /** How far the corners lie above the middle of the opening. */
  readonly cornersAbove: number;
  /** Red of the lower lip that is seen from in front: height from its lower edge to its top. */
  readonly lowerRed: number;
  /** How far the lower lip's rim lies behind where it rests. */
  readonly lowerBehind: number;
}

const fit = fitPortrayed(inventedHeads.default.face);
const expressions = buildExpressions(fit);
const columns = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const middle = 5;

/** @param weights by the position of the ARKit names, at least [52] */
export function lipsOf(weights: ArrayLike<number>): Lips {
  const at = (landmark: number): [number, number, number] =>
    [0, 1, 2].map((c) =>
      expressions.reduce(
        (sum, { skin }, k) => sum + 1000 * (weights[k] ?? 0) * (skin?.[3 * landmark + c] ?? 0),
        1000 * (fit.neutral[3 * landmark + c] as number),
      ),
    ) as [number, number, number];
  const [upper, lower] = [upperLip[3], lowerLip[3]] as [number[], number[]];
  const gaps = columns.map((k) => at(upper[k] as number)[1] - at(lower[k] as number)[1]);
  const [right, left] = [at(upper[0] as number), at(upper[10] as number)];
  const [top, bottom] = [at(upper[middle] as number), at(lower[middle] as number)];
  const red = lowerLip.map((row) => at(row[middle] as number)[1]);
  return {
    gap: Math.max(...gaps),
    minGap: Math.min(...gaps),
    width: Math.hypot(left[0] - right[0], left[1] - right[1], left[2] - right[2]),
    cornersAbove: (right[1] + left[1] - top[1] - bottom[1]) / 2,
    lowerRed: Math.max(...red) - (red[0] as number),
    lowerBehind: 1000 * (fit.neutral[3 * (lower[middle] as number) + 2] as number) - bottom[2],
  };
}
