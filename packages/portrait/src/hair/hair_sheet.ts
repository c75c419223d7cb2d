import type { Vector } from '@likeness/geometry/vector.ts';
import { chinColumn, craniumColumns, craniumRows } from '../skull/skull.ts';
import type { HairRibbons } from './strands/hair_ribbons.ts';

/** Columns of the hair's sheet: the cranium's, cut open at the chin; first and last coincide. */
export const hairColumns = craniumColumns + 1;

/** The hair as a sheet over the cranium. */
export interface HairSheet {
  /** (rows + 1) × hairColumns × 3, face frame. */
  readonly points: Float32Array;
  /** 0..1 a vertex: below about 0.45 the sheet dips under the skin. */
  readonly coverage: Float32Array;
  readonly triangles: Uint32Array;
  /** Coverage on the cranium's own grid, (rows + 1) × craniumColumns. */
  readonly craniumCoverage: Float32Array;
  /** The same of hair that grows there and doesn't merely hang before it: what shades the scalp. */
  readonly roots?: Float32Array;
  /** Direction of the hair; every sheet that is painted from a photo has one. */
  readonly flow?: Float32Array;
  readonly ribbons?: HairRibbons;
  /** Length of the strands that are drawn where no photo shows hair, metres; that of long hair when absent. */
  readonly strandLength?: number;
  /** Whether it is known to hang over both ears, as invented hair may. */
  readonly coversEars?: boolean;
}

/** The column of the cranium below a column of the sheet. */
export const craniumColumnOf = (j: number): number => (j + chinColumn) % craniumColumns;

/** The cranium's column at a place across a picture of the sheet, 0..1; it may lie beyond the last. */
export const craniumColumnAt = (across: number): number => across * (hairColumns - 1) + chinColumn;

/** Coverage from which on a cell is part of the sheet. */
export const minCoverage = 0.3;

/** Draws vertices just beyond the hair's edge in to it: the edge would be a saw of whole cells. */
export function drawInEdge(sheet: Float32Array, coverage: Float32Array): void {
  const full = sheet.slice();
  for (let row = 0; row <= craniumRows; row++) {
    for (let k = 0; k < craniumColumns; k++) {
      const i = row * craniumColumns + k;
      if (coverage[i] >= minCoverage) continue;
      const sum: Vector = [0, 0, 0];
      let n = 0;
      for (let r = Math.max(0, row - 1); r <= Math.min(craniumRows, row + 1); r++) {
        for (const column of [k + craniumColumns - 1, k, k + 1]) {
          const j = r * craniumColumns + (column % craniumColumns);
          if (coverage[j] < minCoverage) continue;
          // A cell drawn in wholly may turn its other side outwards.
          const t = Math.max(0.12, (coverage[j] - minCoverage) / (coverage[j] - coverage[i]));
          // Where it has neighbours beside it, those across a cell would fold the edge over.
          const share = r === row || column % craniumColumns === k ? 1 : 0.02;
          n += share;
          for (const c of [0, 1, 2] as const)
            sum[c] += share * (full[3 * j + c] + (full[3 * i + c] - full[3 * j + c]) * t);
        }
      }
      if (n) for (const c of [0, 1, 2] as const) sheet[3 * i + c] = sum[c] / n;
    }
  }
}

/** Cuts the grid open at the chin and drops what lies well under the skin. */
export function openSheet(sheet: Float32Array, craniumCoverage: Float32Array): HairSheet {
  const coverage = openGrid(craniumCoverage, 1);
  return { points: openGrid(sheet, 3), coverage, triangles: sheetTriangles(coverage), craniumCoverage };
}

/** The sheet's points on the cranium's own grid, without the seam. */
export function onGrid({ points }: HairSheet): Float32Array {
  const grid = new Float32Array((craniumRows + 1) * craniumColumns * 3);
  for (let i = 0; i < points.length / 3; i++) {
    const k = Math.floor(i / hairColumns) * craniumColumns + craniumColumnOf(i % hairColumns);
    grid.set(points.subarray(3 * i, 3 * i + 3), 3 * k);
  }
  return grid;
}

/** Values of the cranium's grid, × `size`, on the sheet's, which is open at the chin. */
export function openGrid(values: Float32Array, size: number): Float32Array {
  const out = new Float32Array((craniumRows + 1) * hairColumns * size);
  for (let i = 0; i < out.length / size; i++) {
    const from = size * (Math.floor(i / hairColumns) * craniumColumns + craniumColumnOf(i % hairColumns));
    out.set(values.subarray(from, from + size), size * i);
  }
  return out;
}

/** The greatest coverage at a corner of the cell right of a vertex of the sheet, and below. */
export const cellCoverage = (coverage: Float32Array, i: number): number =>
  Math.max(coverage[i], coverage[i + 1], coverage[i + hairColumns], coverage[i + hairColumns + 1]);

/** Triangles of the cells that have hair at any corner. */
function sheetTriangles(coverage: Float32Array): Uint32Array {
  const triangles: number[] = [];
  for (let row = 0; row < craniumRows; row++) {
    for (let j = 0; j + 1 < hairColumns; j++) {
      const a = row * hairColumns + j;
      if (cellCoverage(coverage, a) < minCoverage) continue;
      triangles.push(a, a + 1, a + hairColumns, a + 1, a + hairColumns + 1, a + hairColumns);
    }
  }
  return Uint32Array.from(triangles);
}
