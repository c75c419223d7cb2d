import type { Vector } from '../math/vector.ts';
import { chinColumn, craniumColumns, craniumRows } from '../skull/skull.ts';
import type { HairFlow } from './hair_flow.ts';
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
  readonly flow?: HairFlow;
  readonly ribbons?: HairRibbons;
  /** Whether it is known to hang over both ears, as invented hair may. */
  readonly coversEars?: boolean;
}

/** The column of the cranium below a column of the sheet. */
export const craniumColumnOf = (j: number): number => (j + chinColumn) % craniumColumns;

/** The cranium's column at a place across a picture of the sheet, 0..1; it may lie beyond the last. */
export const craniumColumnAt = (across: number): number => across * (hairColumns - 1) + chinColumn;

/** Smallest connected piece of hair that stays, cells. */
const minCells = 260;

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

/** Clears hair of which no cell would be left, on the cranium's grid: nothing may grow on it either. */
export function clearSpecks(coverage: Float32Array): void {
  const cells = hairCells(openGrid(coverage, 1));
  const stays = new Uint8Array(coverage.length);
  for (const [cell, isHair] of cells.entries()) {
    if (!isHair) continue;
    const row = Math.floor(cell / craniumColumns);
    const j = cell % craniumColumns;
    for (const r of [row, row + 1])
      for (const k of [craniumColumnOf(j), craniumColumnOf(j + 1)]) stays[r * craniumColumns + k] = 1;
  }
  for (let i = 0; i < coverage.length; i++)
    if (!stays[i]) coverage[i] = Math.min(coverage[i], minCoverage - 0.01);
}

/** The sheet's points on the cranium's own grid, without the seam. */
export function onGrid({ points }: HairSheet): Float32Array {
  const grid = new Float32Array((craniumRows + 1) * craniumColumns * 3);
  for (let row = 0; row <= craniumRows; row++) {
    for (let j = 0; j < craniumColumns; j++) {
      const from = 3 * (row * hairColumns + j);
      grid.set(points.subarray(from, from + 3), 3 * (row * craniumColumns + craniumColumnOf(j)));
    }
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

/** 1 for each cell of the sheet that has hair at any corner, without specks. */
function hairCells(coverage: Float32Array): Uint8Array {
  const wide = hairColumns - 1;
  const cells = new Uint8Array(craniumRows * wide);
  for (let row = 0; row < craniumRows; row++) {
    for (let j = 0; j < wide; j++) {
      cells[row * wide + j] = Number(cellCoverage(coverage, row * hairColumns + j) >= minCoverage);
    }
  }
  dropSpecks(cells, wide, minCells);
  return cells;
}

function sheetTriangles(coverage: Float32Array): Uint32Array {
  const wide = hairColumns - 1;
  const cells = hairCells(coverage);
  const triangles: number[] = [];
  for (let row = 0; row < craniumRows; row++) {
    for (let j = 0; j < wide; j++) {
      if (!cells[row * wide + j]) continue;
      const a = row * hairColumns + j;
      triangles.push(a, a + 1, a + hairColumns, a + 1, a + hairColumns + 1, a + hairColumns);
    }
  }
  return Uint32Array.from(triangles);
}

/** Clears connected pieces of fewer than `least` cells. */
function dropSpecks(cells: Uint8Array, wide: number, min: number): void {
  const done = new Uint8Array(cells.length);
  for (let start = 0; start < cells.length; start++) {
    if (!cells[start] || done[start]) continue;
    const piece = [start];
    done[start] = 1;
    for (let n = 0; n < piece.length; n++) {
      const i = piece[n];
      const x = i % wide;
      for (const j of [x > 0 ? i - 1 : -1, x + 1 < wide ? i + 1 : -1, i - wide, i + wide]) {
        if (j >= 0 && j < cells.length && cells[j] && !done[j]) {
          done[j] = 1;
          piece.push(j);
        }
      }
    }
    if (piece.length < min) for (const i of piece) cells[i] = 0;
  }
}
