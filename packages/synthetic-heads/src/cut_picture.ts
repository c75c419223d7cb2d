import { grain } from '@likeness/geometry/noise.ts';
import { at, clamp, dot, normalise, smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import type { Raster } from '@likeness/portrait/contract/head_model.ts';
import { craniumColumnAt, type HairSheet, onGrid } from '@likeness/portrait/hair/hair_sheet.ts';
import { drawStreaks, streakLayers } from '@likeness/portrait/hair/strands/strand_streaks.ts';
import {
  type Cranium,
  craniumColumns,
  craniumRows,
  gridNormals,
  readCranium,
  readCraniumVector,
} from '@likeness/portrait/skull/skull.ts';
import type { Colour } from '@likeness/portrait/texture/skin_texture.ts';
import { cutCover, cutDepth, cutShare } from './cut_cover.ts';
import { type HairCut, sweptBack } from './hair_cuts.ts';

/** How much lighter a strand, a tuft and a lock may be than the hair, parts of it. */
const contrast = [0.1, 0.075, 0.07] as const;
/** Lamps whose gloss is painted: before and above, and behind and above; no viewer's material does it. */
const lamps: readonly { readonly direction: Vector; readonly power: number }[] = [
  { direction: normalise([-0.3, 0.8, 0.62]), power: 1 },
  { direction: normalise([0.35, 0.75, -0.65]), power: 0.7 },
];

/**
 * Paints a cut: strands along the hair, darker at the root and lighter at the tip, bands of gloss across them, and the
 * scalp between them at the hairline.
 */
export function paintCut(
  cranium: Cranium,
  hair: HairSheet,
  cut: HairCut,
  colours: { readonly hair: Colour; readonly scalp: Colour },
  width: number,
): Raster {
  const height = width / 2;
  const grid = onGrid(hair);
  const along = hair.flow!;
  const isHair = (row: number, column: number): boolean => {
    const r = Math.min(craniumRows - 1, Math.floor(row));
    const k = Math.floor(column) % craniumColumns;
    const [a, b] = [r * craniumColumns + k, r * craniumColumns + ((k + 1) % craniumColumns)];
    const there = hair.craniumCoverage;
    return Math.max(there[a], there[b], there[a + craniumColumns], there[b + craniumColumns]) > 0.2;
  };
  const streaks = drawStreaks(grid, along, isHair, width, height);
  const normals = gridNormals(grid);
  const shares = Float32Array.from({ length: grid.length / 3 }, (_, i) =>
    cutShare(at(cranium.points, i), 'short'),
  );
  const depths = Float32Array.from({ length: grid.length / 3 }, (_, i) =>
    cutDepth(at(cranium.points, i), 'short'),
  );
  // How far single hairs are seen at the hairline: over temples, hair hangs before it.
  const lines = Float32Array.from({ length: grid.length / 3 }, (_, i) => {
    const p = at(cranium.points, i);
    return cut.kind === 'short' ? 1 : sweptBack(p, cut) * smoothstep(0.064, 0.05, Math.abs(p[0]));
  });
  const data = new Uint8Array(width * height * 3);
  const shade = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    const row = ((y + 0.5) / height) * craniumRows;
    for (let x = 0; x < width; x++) {
      const around = (x + 0.5) / width;
      const column = craniumColumnAt(around);
      const s = streakLayers * (y * width + x);
      const [strand, tuft, lock] = [streaks[s], streaks[s + 1], streaks[s + 2]];
      const p = readCraniumVector(grid, row, column);
      const normal = normalise(readCraniumVector(normals, row, column));
      shadeHair(shade, colours.hair, cut, p, normal, normalise(readCraniumVector(along, row, column)), [
        strand,
        tuft,
        lock,
      ]);
      const depth = readCranium(depths, 1, 0, row, column);
      const bare = partingLine(p, cut) * smoothstep(0.4, 0.7, normal[1]);
      const line = readCranium(lines, 1, 0, row, column);
      const hidden = line && 1 - cutCover(around, depth, readCranium(shares, 1, 0, row, column));
      const cover = (1 - line * hidden) * (1 - bare);
      // What shows between roots lies in the shade of the hair beside it.
      const o = 3 * (y * width + x);
      for (let c = 0; c < 3; c++) {
        const ground = colours.scalp[c] * (1 - 0.3 * bare);
        data[o + c] = clamp(Math.round(ground + (shade[c] - ground) * cover), 0, 255);
      }
    }
  }
  return { name: 'Hair', width, height, channels: 3, data, quality: 80 };
}

/** The colour of hair at a place, sRGB, into `out`; `streaks` are its strand, tuft and lock. */
function shadeHair(
  out: number[],
  hair: Colour,
  cut: HairCut,
  p: Vector,
  normal: Vector,
  direction: Vector,
  [strand, tuft, lock]: readonly [number, number, number],
): void {
  const lively = clamp(contrast[0] * strand + contrast[1] * tuft + contrast[2] * lock, -0.34, 0.4);
  const tip = cut.kind === 'hanging' ? smoothstep(0.075, cut.hem, p[1]) : 0.35;
  const parted =
    cut.line * Math.exp(-(((p[0] - cut.parting) / 0.012) ** 2)) * smoothstep(0.4, 0.8, normal[1]);
  // Below, hair lies in its own shade.
  const under = 1 - 0.16 * smoothstep(0.1, -0.5, normal[1]);
  const light = (0.86 + 0.14 * tip) * (1 - 0.2 * parted) * under * (1 + lively);
  const gloss =
    glossOf(normal, direction, 0.04 * tuft + 0.03 * strand + 0.04 * lock) *
    (0.8 + 0.25 * clamp(strand, -1, 1.5));
  for (let c = 0; c < 3; c++) {
    // Tips are bleached a little, and warmer where light goes through them.
    const warm = 1 + tip * [0.1, 0.06, 0.02][c];
    out[c] = hair[c] * warm * light + gloss * ([26, 22, 18][c] + 0.36 * hair[c]);
  }
}

/** The gloss of hairs across their way, about 0..1 (Kajiya and Kay 1989), seen from straight before the place. */
function glossOf(normal: Vector, direction: Vector, shift: number): number {
  let sum = 0;
  for (const { direction: lamp, power } of lamps) {
    const facing = dot(lamp, normal);
    if (facing <= 0) continue;
    const half = normalise([lamp[0] + normal[0], lamp[1] + normal[1], lamp[2] + normal[2]]);
    const narrow = dot(direction, half) + 0.06 + shift;
    const broad = dot(direction, half) - 0.12 + 1.6 * shift;
    const lobes = 0.55 * Math.exp(-((narrow / 0.16) ** 2)) + 0.45 * Math.exp(-((broad / 0.34) ** 2));
    sum += power * smoothstep(0, 0.6, facing) * lobes;
  }
  return sum;
}

/** How much of the scalp shows along a parting, 0..1: a soft line of some 1.5 mm that wanders a little. */
const partingLine = (p: Vector, { parting, line }: HairCut): number =>
  line *
  smoothstep(0.0016, 0.0002, Math.abs(p[0] - parting - 0.004 * (grain(p[2] * 70, 1, 33) - 0.5))) *
  smoothstep(-0.015, 0.02, p[2]) *
  (0.6 + 0.4 * grain(p[2] * 400, 3, 34));
