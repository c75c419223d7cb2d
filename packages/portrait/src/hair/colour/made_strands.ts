import { grain } from '../../math/noise.ts';
import { clamp } from '../../math/vector.ts';
import { chinColumn, craniumColumns, craniumRows } from '../../skull/skull.ts';
import { type Fringe, fringeRows } from '../fringe.ts';
import { craniumColumnAt, craniumColumnOf, type HairSheet, hairColumns, onGrid } from '../hair_sheet.ts';
import { drawStreaks, streakLayers } from '../strands/strand_streaks.ts';

/** Pixels of the picture of strands round the head and from the face back. */
const strandPicture = { width: 1024, height: 512 } as const;
/** How much single strands, tufts and locks count. */
const strandShares = [0.85, 0.4, 0.1] as const;
/** Darkest that strands get, in deviations: where dark strands, tufts and locks met they were spots. */
const deepest = 3;

/** A picture of strands. */
export interface Strands {
  /** Lightness in layers, of a deviation of 1 each. */
  readonly streaks: Float32Array;
  /** 0 for straight hair … 1 for curls. */
  readonly wave: number;
  /** Rows of the texture, and those of them before the oval. */
  readonly rows: number;
  readonly before: number;
}

/** Draws strands of the sheet where `isDrawn` holds, by place in the texture, 0..1. */
export function drawStrands(sheet: HairSheet, isDrawn: (u: number, v: number) => boolean): Strands {
  const { presence, flow, fringe, wave = 0 } = sheet;
  const { width, height } = strandPicture;
  const before = fringe ? fringeRows : 0;
  const rows = craniumRows + before;
  const isHair = (stretched: number, column: number): boolean => {
    const v = stretched / craniumRows;
    const row = Math.floor(v * rows) - before;
    const j = (column - chinColumn + craniumColumns) % craniumColumns;
    const u = j / (hairColumns - 1);
    if (row < 0)
      return fringe !== undefined && fringe.hangs[craniumColumnOf(Math.floor(j))] > 0 && isDrawn(u, v);
    const i = row * hairColumns + Math.floor(j);
    const there = Math.max(
      presence[i],
      presence[i + 1],
      presence[i + hairColumns],
      presence[i + hairColumns + 1],
    );
    return there > 0.2 && isDrawn(u, v);
  };
  const grid = onGrid(sheet);
  const { points, along } = fringe
    ? withFringe(grid, flow!.along, fringe)
    : { points: grid, along: flow!.along };
  const streaks = drawStreaks(points, along, craniumColumnAt, isHair, width, height);
  return { streaks, wave, rows, before };
}

/** Lightness of strands at a place in the texture, 0..1, with a deviation of about 1. */
export function strandAt({ streaks, wave, rows, before }: Strands, u: number, v: number): number {
  const { width, height } = strandPicture;
  const line = streakLayers * width;
  const swing = wave === 0 ? 0 : 2 * wave * swingAt(u, v * rows - before);
  const x = clamp((u + swing) * width - 0.5, 0, width - 1.001);
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

/**
 * The sheet's points and the way of its hair with the fringe's before them, drawn together to the rows of the cranium's
 * grid. The fringe's hair lies as that at the oval behind it.
 */
function withFringe(
  grid: Float32Array,
  along: Float32Array,
  fringe: Fringe,
): { points: Float32Array; along: Float32Array } {
  const line = 3 * craniumColumns;
  const points = new Float32Array(fringe.points.length + grid.length);
  points.set(fringe.points);
  points.set(grid, fringe.points.length);
  // Where none hangs its rows lie all in one: strands go on there as the sheet would.
  for (let o = 0; o < fringe.points.length; o++) {
    const onOval = o % line;
    if (fringe.reach[Math.floor(onOval / 3)]) continue;
    const row = Math.floor(o / line) - fringeRows;
    points[o] = grid[onOval] + row * (grid[onOval + line] - grid[onOval]);
  }
  const way = new Float32Array(points.length);
  for (let n = 0; n < fringeRows; n++) way.set(along.subarray(0, line), n * line);
  way.set(along, fringe.points.length);
  const drawTogether = (values: Float32Array): Float32Array => {
    const out = new Float32Array(grid.length);
    for (let o = 0; o < out.length; o++) {
      const row = (Math.floor(o / line) / craniumRows) * (craniumRows + fringeRows);
      const a = Math.floor(row) * line + (o % line);
      const b = Math.min(values.length - line, Math.floor(row) * line + line) + (o % line);
      out[o] = values[a] + (values[b] - values[a]) * (row % 1);
    }
    return out;
  };
  return { points: drawTogether(points), along: drawTogether(way) };
}

/** How far curls swing to the side, shares of half the way round the head; no two alike, or they look like the grain of wood. */
const swingAt = (u: number, row: number): number =>
  0.0005 * Math.sin(1.9 * row + 5 * Math.sin(30 * u) + 7 * grain(45 * u, 0.3 * row, 83)) +
  0.0022 * (grain(75 * u, 0.6 * row, 84) - 0.5);
