import { median } from '@likeness/geometry/median.ts';
import { clamp } from '@likeness/geometry/vector.ts';
import type { Colour } from '../../texture/skin_texture.ts';
import { addBase, blankCanvas, type Canvas, fillUnknown, sumCells } from '../../texture/texture_fill.ts';
import { middleColour } from '../hair_map.ts';

/** The hair's colour where no photo shows it, and how lively strands are. */
export interface HairTones {
  /** By channel, over {@link toneCells}² cells of the hair's layout, sRGB 0..255. */
  readonly colours: readonly Float32Array[];
  /** Deviation of lightness from strand to strand, parts of it. */
  readonly contrast: number;
}

/** Cells per side of the grid in which the hair's tone is averaged. */
export const toneCells = 64;
/** Least of a cell that must show hair. */
const minSeen = 0.05;
/** Minimum, maximum and default deviation of strands' lightness. */
const [evenest, liveliest, defaultContrast] = [0.07, 0.22, 0.14];

/**
 * Leads the colours of the seen hair on by the means of ever wider surroundings, to its usual colour.
 *
 * @param seen - What surely is hair, in the hair's layout.
 * @param defaultColour - The hair's colour where none is seen, sRGB.
 */
export function leadTonesOn(seen: Canvas, defaultColour: Colour): HairTones {
  const { known, sums } = sumCells(seen, toneCells);
  const whole = (seen.size / toneCells) ** 2;
  const cells = blankCanvas(toneCells);
  const means = sums.map((sum, i) => sum / (known[Math.floor(i / 3)] || 1));
  for (let i = 0; i < known.length; i++) {
    const share = Math.min(1, known[i] / whole);
    if (share < minSeen) continue;
    cells.weight[i] = share;
    for (let c = 0; c < 3; c++) cells.colour[3 * i + c] = share * means[3 * i + c];
  }
  // What is seen last lies askance, in shade: further on hair has its usual colour.
  const isSeen = cells.weight.some((share) => share > 0);
  addBase(cells, isSeen ? middleColour(means, (i) => cells.weight[i]) : defaultColour);
  fillUnknown(cells);
  return {
    colours: defaultColour.map((_, c) => known.map((_, i) => cells.colour[3 * i + c])),
    contrast: clamp(contrastIn(seen, known, sums), evenest, liveliest),
  };
}

/** The usual deviation of the seen hair's lightness from that of its cell, parts of it. */
function contrastIn(seen: Canvas, known: Float32Array, sums: Float32Array): number {
  const squares = new Float32Array(known.length);
  const counts = new Float32Array(known.length);
  for (let y = 0; y < seen.size; y += 2) addSquares(seen, y, known, sums, squares, counts);
  const full = (seen.size / toneCells) ** 2 / 2;
  const contrasts = [...squares.keys()]
    .filter((i) => counts[i] > 0.7 * full)
    .map((i) => Math.sqrt(squares[i] / counts[i]));
  return median(contrasts, defaultContrast);
}

/** Adds squares of relative deviations in a row to its cells. */
function addSquares(
  { size, colour, weight }: Canvas,
  y: number,
  known: Float32Array,
  sums: Float32Array,
  squares: Float32Array,
  counts: Float32Array,
): void {
  const row = Math.floor((y * toneCells) / size) * toneCells;
  for (let x = 0; x < size; x++) {
    const i = y * size + x;
    if (weight[i] < 0.05) continue;
    const cell = row + Math.floor((x * toneCells) / size);
    const mean = (sums[3 * cell] + sums[3 * cell + 1] + sums[3 * cell + 2]) / known[cell];
    const own = (colour[3 * i] + colour[3 * i + 1] + colour[3 * i + 2]) / weight[i];
    squares[cell] += ((own - mean) / Math.max(20, mean)) ** 2;
    counts[cell] += 1;
  }
}
