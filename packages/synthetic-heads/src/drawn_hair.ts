import { grain } from '@likeness/geometry/noise.ts';
import { at, clamp, length, smoothstep, subtract, type Vector } from '@likeness/geometry/vector.ts';
import type { Raster } from '@likeness/portrait/contract/head_model.ts';
import {
  craniumColumnOf,
  type HairSheet,
  hairColumns,
  openSheet,
} from '@likeness/portrait/hair/hair_sheet.ts';
import { hairDepth } from '@likeness/portrait/hair/hairline.ts';
import { type Cranium, craniumColumns, craniumRows, gridNormals } from '@likeness/portrait/skull/skull.ts';
import type { Colour } from '@likeness/portrait/texture/skin_texture.ts';

/** Share of the head that hair covers about its line; `around` is 0..1 round the head. */
export function hairCover(around: number, depth: number): number {
  const hairs = grain(around * 900, depth * 130, 3) * 0.55 + grain(around * 320, depth * 90, 4) * 0.45;
  return smoothstep(-0.0034, 0.0042, depth + 0.0055 * (hairs - 0.5));
}

/** Lightness of the strands, about −1..1; `way` is 0 at the forehead and 1 at the nape. */
export function strandLight(around: number, fromFront: number): number {
  const wander = 0.0035 * Math.sin(fromFront * 5 + around * 31);
  const s = around + wander;
  return (
    0.75 * (grain(s * 760, fromFront * 9, 5) - 0.5) +
    0.65 * (grain(s * 300, fromFront * 6, 6) - 0.5) +
    0.45 * (grain(s * 110, fromFront * 4, 7) - 0.5)
  );
}

/** How the hair lies: fuller on the crown, close at the sides and the nape; metres off the bare head. */
function fullness(p: Vector, depth: number, centre: Vector): number {
  const d = subtract(p, centre);
  const up = d[1] / length(d);
  const corner = smoothstep(0.15, 0.5, Math.abs(d[0]) / length(d)) * smoothstep(0.25, 0.6, up);
  const crown = 0.0045 + 0.0065 * smoothstep(0.05, 0.85, up) + 0.0015 * corner;
  const nape = 0.3 + 0.7 * smoothstep(-0.062, -0.005, p[1]);
  // Combed back from the forehead it stands up at once; at sides and nape it is cut short and rises slowly.
  const reach = 0.012 + 0.016 * smoothstep(0.03, -0.02, p[2]) * smoothstep(0.75, 0.2, up);
  return crown * nape * smoothstep(0.0005, reach, depth) ** 0.6;
}

/** Builds short hair, combed back, over the bare head. */
export function buildDrawnHair(cranium: Cranium): HairSheet {
  const { points, centre } = cranium;
  const count = (craniumRows + 1) * craniumColumns;
  const normals = gridNormals(points);
  const sheet = new Float32Array(count * 3);
  const coverage = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const p = at(points, i);
    const depth = hairDepth(p);
    coverage[i] = smoothstep(-0.004, 0.008, depth);
    const around = (((i % craniumColumns) / craniumColumns + 0.5) % 1) + 0.004 * Math.sin(depth * 60);
    const locks = grain(around * 34, depth * 22, 8) - 0.5 + 0.5 * (grain(around * 62, depth * 30, 9) - 0.5);
    const full = fullness(p, depth, centre);
    const rise = full + 0.16 * full * locks - 0.002 * smoothstep(0.0045, 0.001, depth);
    for (let c = 0; c < 3; c++) sheet[3 * i + c] = p[c] + normals[3 * i + c] * rise;
  }
  return openSheet(sheet, coverage);
}

/** Paints strands along the hair, thinning out to the scalp at the hairline. */
export function paintDrawnHair(cranium: Cranium, hair: Colour, scalp: Colour, width: number): Raster {
  // Along the hair little changes.
  const height = width / 4;
  const depths = new Float32Array((craniumRows + 1) * hairColumns);
  for (let i = 0; i < depths.length; i++) {
    const row = Math.floor(i / hairColumns);
    depths[i] = hairDepth(at(cranium.points, row * craniumColumns + craniumColumnOf(i % hairColumns)));
  }
  const data = new Uint8Array(width * height * 3);
  const rows = craniumRows / height;
  for (let y = 0; y < height; y++) {
    const row = (y + 0.5) * rows;
    const r = Math.min(craniumRows - 1, Math.floor(row));
    for (let x = 0; x < width; x++) {
      const around = (x + 0.5) / width;
      const column = around * (hairColumns - 1);
      const k = Math.floor(column);
      const i = r * hairColumns + k;
      const f = column - k;
      const upper = depths[i] * (1 - f) + depths[i + 1] * f;
      const lower = depths[i + hairColumns] * (1 - f) + depths[i + hairColumns + 1] * f;
      const depth = upper + (lower - upper) * (row - r);
      const cover = hairCover(around, depth);
      const light = strandLight(around, row / craniumRows);
      const o = 3 * (y * width + x);
      for (let c = 0; c < 3; c++) {
        const strand = hairShade(hair[c], light, depth);
        data[o + c] = clamp(Math.round(scalp[c] + (strand - scalp[c]) * cover), 0, 255);
      }
    }
  }
  return { name: 'Hair', width, height, channels: 3, data, quality: 80 };
}

/** A channel of the hair's colour by its strand's light; roots at the line are a little darker. */
export function hairShade(channel: number, light: number, depth: number): number {
  return channel * (1 + 0.42 * light) * (0.86 + 0.14 * smoothstep(0, 0.02, depth)) + 3 * light;
}
