import { clamp } from '../../math/vector.ts';
import { chinColumn, craniumColumns, craniumRows } from '../../skull/skull.ts';
import { craniumColumnAt, type HairSheet, hairColumns, onGrid } from '../hair_sheet.ts';
import { drawStreaks, streakLayers } from '../strands/strand_streaks.ts';

/** How much single strands, tufts and locks count. */
const strandShares = [0.85, 0.4, 0.1] as const;
/** Darkest that strands get, in deviations: where dark strands, tufts and locks met they were spots. */
const deepest = 3;

/** A picture of strands, round the head and from the face back. */
export interface Strands {
  readonly width: number;
  readonly height: number;
  /** Lightness in layers, of a deviation of 1 each. */
  readonly streaks: Float32Array;
}

/** Draws strands of the sheet, `width` pixels round it, where `isDrawn` holds, by place in the texture, 0..1. */
export function drawStrands(
  sheet: HairSheet,
  width: number,
  isDrawn: (u: number, v: number) => boolean,
): Strands {
  const { coverage, flow } = sheet;
  const height = width / 2;
  const isHair = (row: number, column: number): boolean => {
    const j = (column - chinColumn + craniumColumns) % craniumColumns;
    const u = j / (hairColumns - 1);
    const i = Math.floor(row) * hairColumns + Math.floor(j);
    const there = Math.max(
      coverage[i],
      coverage[i + 1],
      coverage[i + hairColumns],
      coverage[i + hairColumns + 1],
    );
    return there > 0.2 && isDrawn(u, row / craniumRows);
  };
  return {
    width,
    height,
    streaks: drawStreaks(onGrid(sheet), flow!.along, craniumColumnAt, isHair, width, height),
  };
}

/** Lightness of strands at a place in the texture, 0..1, with a deviation of about 1. */
export function strandAt({ width, height, streaks }: Strands, u: number, v: number): number {
  const line = streakLayers * width;
  const x = clamp(u * width - 0.5, 0, width - 1.001);
  const y = clamp(v * height - 0.5, 0, height - 1.001);
  const ix = x | 0;
  const iy = y | 0;
  const fx = x - ix;
  const fy = y - iy;
  let sum = 0;
  for (let layer = 0; layer < streakLayers; layer++) {
    const o = line * iy + streakLayers * ix + layer;
    const upper = streaks[o] * (1 - fx) + streaks[o + streakLayers] * fx;
    const lower = streaks[o + line] * (1 - fx) + streaks[o + line + streakLayers] * fx;
    sum += strandShares[layer] * (upper + (lower - upper) * fy);
  }
  return sum < 0 ? (deepest * sum) / (deepest - sum) : sum;
}
