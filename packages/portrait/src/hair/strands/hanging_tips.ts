import { at, clamp, dot, length, normalise, subtract, type Vector } from '@likeness/geometry/vector.ts';
import { craniumColumns, craniumRows, readCranium, readCraniumVector } from '../../skull/skull.ts';
import { neighbours } from '../hair_flow.ts';
import { type RibbonTip, stepAlong } from './hair_ribbons.ts';

/** Metres along the hair's end between two ribbons of a layer, from their roots to it, and how wide they are. */
const spacing = 0.005;
const rooted = 0.02;
const wide = 0.013;
/** Row of the grid from which on: before it hair lies on the cheek. */
const firstRow = 3;
/** How much of a ribbon hangs beyond the end, metres. */
const beyond = 0.013;
/** Minimum coverage at a ribbon's root: with less the sheet wears the skin's colour there, and the ribbon would. */
const minRooted = 0.66;
/** Coverage at which hair ends. */
const end = 0.3;
/** Minimum cosine between the direction of the hair and the direction out of it where it ends and isn't merely its side. */
const minEnd = 0.6;
/** Minimum downward part of the direction of hair that hangs. */
const minFall = 0.5;

/**
 * Ribbons over the ends of hanging hair, where the sheet's edge would be a board's.
 *
 * @param below - Height from which downwards hair hangs, metres.
 */
export function hangingTips(
  sheet: Float32Array,
  coverage: Float32Array,
  along: Float32Array,
  below: number,
): RibbonTip[] {
  const tips: RibbonTip[] = [];
  const ends: Vector[] = [];
  for (let i = firstRow * craniumColumns; i < coverage.length; i++) {
    if (coverage[i] < end || sheet[3 * i + 1] > below) continue;
    const direction = at(along, i);
    if (direction[1] > -minFall) continue;
    for (let e = 4 * i; e < 4 * i + 4; e++) {
      const j = neighbours[e];
      // Towards the face lies hair's side: ends there would be strands on the jaw.
      if (coverage[j] >= end || i === j || j === i - craniumColumns) continue;
      const edge = subtract(at(sheet, j), at(sheet, i));
      if (dot(edge, direction) < minEnd * length(edge)) continue;
      const p = at(sheet, i);
      if (ends.some((q) => length(subtract(p, q)) < spacing)) break;
      ends.push(p);
      const [row, column] = goBack(sheet, along, i);
      if (readCranium(coverage, 1, 0, row, column) < minRooted) break;
      tips.push({ row, column, length: rooted + beyond, width: wide, rootColour: true });
      break;
    }
  }
  return tips;
}

/** The place on the grid that lies before a vertex along the hair. */
function goBack(sheet: Float32Array, along: Float32Array, i: number): readonly [row: number, column: number] {
  let column = i % craniumColumns;
  let row = (i - column) / craniumColumns;
  const steps = 4;
  for (let s = 0; s < steps; s++) {
    const direction = normalise(readCraniumVector(along, row, column));
    const [dr, dk] = stepAlong(sheet, row, column, direction);
    row = clamp(row - clamp((dr * rooted) / steps, -1, 1), 0, craniumRows - 0.5);
    column -= clamp((dk * rooted) / steps, -1, 1);
  }
  return [row, column];
}
