import { clamp, smoothstep } from '../../math/vector.ts';
import { lerpAt, type PlacesAcross, placesAcross, readRows } from '../../photo/picture_sampling.ts';
import { blur } from '../../photo/pixel_filters.ts';
import { craniumColumns, craniumRows } from '../../skull/skull.ts';
import type { Canvas } from '../../texture/texture_fill.ts';
import { craniumColumnOf, type HairSheet, hairColumns } from '../hair_sheet.ts';
import type { HairTones } from './hair_tone.ts';
import { drawStrands, type Strands, strandAt } from './made_strands.ts';

/** Lightness of the sheet below ribbons, which lie in the light. */
const ground = 0.95;

/**
 * The finished texture, RGB: beyond what is seen the colour led on from there, with strands as the hair lies.
 *
 * @param spots - Lobes and earrings amid hair, 0..255.
 */
export function drawMade(canvas: Canvas, tones: HairTones, sheet: HairSheet, spots: Uint8Array): Uint8Array {
  const { size, weight: known } = canvas;
  const strands = drawStrands(
    sheet,
    (u, v) => known[Math.min(size - 1, Math.floor(v * size)) * size + Math.floor(u * size)] < 1,
  );
  const seen = seenAbout(canvas);
  const made: MadeHair = {
    tones,
    sheet,
    spots,
    strands,
    seen: new Float32Array(seen.side),
    places: placesAcross(size, seen.side),
    colour: new Float32Array(3),
  };
  const data = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    readRows([seen.cells], seen.side, seen.side, (y + 0.5) / seen.step, made.seen);
    drawMadeRow(data, canvas, made, y);
  }
  return data;
}

/** What hair is made of where the photo shows none. */
interface MadeHair {
  readonly tones: HairTones;
  readonly sheet: HairSheet;
  /** Lobes and earrings amid hair, 0..255. */
  readonly spots: Uint8Array;
  readonly strands: Strands;
  /** How much is known about each cell of the row that is just drawn, of {@link seenAbout}. */
  readonly seen: Float32Array;
  readonly places: PlacesAcross;
  /** The pixel's that is just drawn. */
  readonly colour: Float32Array;
}

/** A row of it. */
function drawMadeRow(data: Uint8Array, canvas: Canvas, made: MadeHair, y: number): void {
  const { size, weight: known, colour } = canvas;
  const { seen, places } = made;
  for (let x = 0; x < size; x++) {
    const i = y * size + x;
    let drawn = 0;
    if (known[i] < 1) {
      const about = lerpAt(seen, places.left[x], places.share[x]);
      // A gap in what is seen, on a hairline say, shows what is round it; what lies beyond, hair.
      drawn = (1 - known[i]) * Math.max(made.spots[i] / 255, smoothstep(0.8, 0.45, about));
      if (drawn > 0) madeColour(made, x, y, size);
    }
    for (let c = 0; c < 3; c++) {
      const filled = colour[3 * i + c];
      data[3 * i + c] = clamp(Math.round(filled + (made.colour[c] - filled) * drawn), 0, 255);
    }
  }
}

/** The colour of hair at a pixel of the texture. Whole numbers, for V8 allocates every fraction that it hands over. */
function madeColour(made: MadeHair, x: number, y: number, size: number): void {
  const { tones, sheet, colour } = made;
  const { colours, contrast } = tones;
  const u = (x + 0.5) / size;
  const v = (y + 0.5) / size;
  const row = v * craniumRows;
  const r = Math.min(craniumRows - 1, Math.floor(row));
  const fy = row - r;
  const column = u * (hairColumns - 1);
  const j = Math.floor(column);
  const a = 3 * (r * craniumColumns + craniumColumnOf(j));
  const b = 3 * (r * craniumColumns + craniumColumnOf(j + 1));
  const next = 3 * craniumColumns;
  const wb = (column - j) * (1 - fy);
  const wc = (1 - column + j) * fy;
  const wd = (column - j) * fy;
  const wa = 1 - wb - wc - wd;
  const strand = strandAt(made.strands, u, v);
  // Strands lie in the shade of each other where they begin.
  const roots = 0.8 + 0.2 * smoothstep(0.35, 0.95, sheet.presence[r * hairColumns + j]);
  const light = roots * (ground + contrast * strand);
  for (let c = 0; c < 3; c++) {
    const tone =
      wa * colours[a + c] + wb * colours[b + c] + wc * colours[a + next + c] + wd * colours[b + next + c];
    colour[c] = tone * light + 2 * strand;
  }
}

/** How much of the texture is known about each cell of some hundredth of it. */
function seenAbout({ size, weight }: Canvas): { cells: Float32Array; side: number; step: number } {
  const step = Math.max(1, size >> 6);
  const side = Math.floor(size / step);
  const cells = new Float32Array(side * side);
  for (let y = 0; y < side * step; y++) {
    for (let x = 0; x < side * step; x++)
      cells[Math.floor(y / step) * side + Math.floor(x / step)] += weight[y * size + x] / (step * step);
  }
  return { cells: blur(blur(cells, side, side, 1), side, side, 1), side, step };
}
