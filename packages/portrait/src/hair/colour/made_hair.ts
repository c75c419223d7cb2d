import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import {
  type CellIndices,
  cellIndices,
  type GridStack,
  lerpAt,
  readRows,
} from '../../photo/picture_sampling.ts';
import { craniumRows } from '../../skull/skull.ts';
import { type Canvas, sumCells } from '../../texture/texture_fill.ts';
import { softened } from '../../texture/tone_grid.ts';
import { type HairSheet, hairColumns } from '../hair_sheet.ts';
import { type HairTones, toneCells } from './hair_tone.ts';
import { drawStrands, strandAt } from './made_strands.ts';

/** Lightness of the sheet below ribbons, which lie in the light. */
const ground = 0.95;

/**
 * The finished texture, RGB: beyond what is seen the colour led on from there, with strands as the hair lies.
 */
export function drawMade(canvas: Canvas, tones: HairTones, sheet: HairSheet): Uint8Array {
  const { size, weight: known } = canvas;
  const strands = drawStrands(
    sheet,
    size,
    (u, v) => known[Math.min(size - 1, Math.floor(v * size)) * size + Math.floor(u * size)] < 1,
  );
  const fields = [seenAbout(canvas), ...tones.colours];
  const made: MadeHair = {
    sheet,
    strands,
    contrast: tones.contrast,
    line: new Float32Array(fields.length * toneCells),
    columns: cellIndices(size, toneCells),
  };
  const data = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    readRows(fields, toneCells, toneCells, ((y + 0.5) * toneCells) / size, made.line);
    drawMadeRow(data, canvas, made, y);
  }
  return data;
}

/** Material of hair where the photo shows none. */
interface MadeHair {
  readonly sheet: HairSheet;
  readonly strands: GridStack;
  readonly contrast: number;
  /** How much is seen about each cell of the row that is just drawn, and the tone's channels. */
  readonly line: Float32Array;
  readonly columns: CellIndices;
}

function drawMadeRow(data: Uint8Array, canvas: Canvas, made: MadeHair, y: number): void {
  const { size, weight: known, colour } = canvas;
  const { sheet, strands, contrast, line, columns } = made;
  const v = (y + 0.5) / size;
  const row = Math.min(craniumRows - 1, Math.floor(v * craniumRows)) * hairColumns;
  for (let x = 0; x < size; x++) {
    const i = y * size + x;
    const left = columns.left[x];
    const share = columns.share[x];
    // A gap in what is seen, on a hairline say, shows what is round it; what lies beyond, hair.
    const drawn = known[i] < 1 ? (1 - known[i]) * smoothstep(0.8, 0.45, lerpAt(line, left, share)) : 0;
    let light = 0;
    let strand = 0;
    if (drawn > 0) {
      const u = (x + 0.5) / size;
      strand = strandAt(strands, u, v);
      // Strands lie in the shade of each other where they begin.
      const coverage = sheet.coverage[row + Math.floor(u * (hairColumns - 1))];
      light = (0.8 + 0.2 * smoothstep(0.35, 0.95, coverage)) * (ground + contrast * strand);
    }
    for (let c = 0; c < 3; c++) {
      const filled = colour[3 * i + c];
      const own = drawn > 0 ? lerpAt(line, (c + 1) * toneCells + left, share) * light + 2 * strand : filled;
      data[3 * i + c] = clamp(Math.round(filled + (own - filled) * drawn), 0, 255);
    }
  }
}

/** How much of the texture is known about each cell, 0..1. */
function seenAbout(canvas: Canvas): Float32Array {
  const whole = (canvas.size / toneCells) ** 2;
  const known = sumCells(canvas, toneCells).known.map((sum) => sum / whole);
  return softened(known, toneCells, 1);
}
