import { type GridStack, readStack } from '../../photo/picture_sampling.ts';
import { chinColumn, craniumColumns, craniumRows } from '../../skull/skull.ts';
import { cellCoverage, type HairSheet, hairColumns, onGrid } from '../hair_sheet.ts';
import { drawStreaks, streakLayers } from '../strands/strand_streaks.ts';

/** How much single strands, tufts and locks count. */
const strandShares = [0.85, 0.4, 0.1] as const;
/** Darkest that strands get, in deviations: where dark strands, tufts and locks met they were spots. */
const deepest = 3;

/**
 * Draws strands of the sheet, `width` pixels round it and half as many from the face back, where `isDrawn` holds, by
 * place in the texture, 0..1. Lightness in layers, of a deviation of 1 each.
 */
export function drawStrands(
  sheet: HairSheet,
  width: number,
  isDrawn: (u: number, v: number) => boolean,
): GridStack {
  const { coverage, flow, strandLength } = sheet;
  const height = width / 2;
  const isHair = (row: number, column: number): boolean => {
    const j = (column - chinColumn + craniumColumns) % craniumColumns;
    const there = cellCoverage(coverage, Math.floor(row) * hairColumns + Math.floor(j));
    return there > 0.2 && isDrawn(j / (hairColumns - 1), row / craniumRows);
  };
  const values = drawStreaks(onGrid(sheet), flow!, isHair, width, height, strandLength);
  return { count: streakLayers, width, height, values };
}

const layers = new Float64Array(streakLayers);

/** Lightness of strands at a place in the texture, 0..1, with a deviation of about 1. */
export function strandAt(strands: GridStack, u: number, v: number): number {
  readStack(strands, u * strands.width, v * strands.height, layers);
  let sum = 0;
  for (let layer = 0; layer < streakLayers; layer++) sum += strandShares[layer] * layers[layer];
  return sum < 0 ? (deepest * sum) / (deepest - sum) : sum;
}
