import { describe, expect, it } from 'vitest';
import { featherEdge } from '../src/hair/colour/feathered_edge.ts';
import { hairLayout } from '../src/hair/colour/hair_texture.ts';
import { hairColumns, openSheet } from '../src/hair/hair_sheet.ts';
import { craniumVertex } from '../src/skull/skin_patches.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';
import { pixelOf } from '../src/texture/texture_fill.ts';
import { fineFace } from '../src/topology/fine_face.ts';

const [hairSize, skinSize] = [576, 512];
const [hairLevel, skinLevel] = [60, 200];
const { count, layout: flat, oval, triangles } = fineFace;

/** A flat face of 150 mm, whose oval begins a tube of hair of so much presence, 1 mm off the skin; temples lie at ±70 mm. */
function feather(presence: number) {
  const skinCount = count + craniumRows * craniumColumns;
  const points = new Float32Array(3 * skinCount);
  const normals = new Float32Array(3 * skinCount);
  const uv = new Float32Array(2 * skinCount).fill(0.01);
  uv.set(flat);
  for (let i = 0; i < count; i++)
    points.set([0.15 * (flat[2 * i]! - 0.5), 0.15 * (0.5 - flat[2 * i + 1]!), 0], 3 * i);
  const cranium = new Float32Array(3 * (craniumRows + 1) * craniumColumns);
  for (let row = 0; row <= craniumRows; row++)
    for (let k = 0; k < craniumColumns; k++) {
      const [x, y] = [points[3 * oval[k]!]!, points[3 * oval[k]! + 1]!];
      const under = 3 * craniumVertex(row, k);
      const far = Math.hypot(x, y);
      points.set([x, y, -0.006 * row], under);
      normals.set([x / far, y / far, 0], under);
      cranium.set([1.01 * x, 1.01 * y, -0.006 * row], 3 * (row * craniumColumns + k));
    }
  const sheet = openSheet(
    cranium,
    new Float32Array((craniumRows + 1) * craniumColumns).map((_, i) =>
      points[3 * oval[i % craniumColumns]! + 1]! > -0.03 ? presence : 0,
    ),
  );
  const raster = (name: 'Hair' | 'Skin', size: number, level: number) =>
    ({
      name,
      width: size,
      height: size,
      channels: 3,
      data: new Uint8Array(3 * size * size).fill(level),
    }) as const;
  const hair = raster('Hair', hairSize, hairLevel);
  const skin = raster('Skin', skinSize, skinLevel);
  const photoLight = new Float32Array(3 * skinCount).fill(1);
  featherEdge(hair, sheet, hairLayout(sheet), { points, normals, uv, triangles, texture: skin, photoLight });
  /** Red of the skin at the face's vertices, by how far they lie from the oval at the temple or amid the forehead. */
  const skinAt = (where: (x: number, y: number) => boolean): number[] =>
    Array.from({ length: count }, (_, i) => i)
      .filter((i) => where(points[3 * i]!, points[3 * i + 1]!))
      .map((i) => skin.data[3 * pixelOf(uv, i, skinSize)]!);
  const layout = hairLayout(sheet);
  const hairRow = (row: number): number[] =>
    Array.from({ length: hairColumns }, (_, j) => row * hairColumns + j)
      .filter((i) => sheet.points[3 * i + 1]! > 0 && Math.abs(sheet.points[3 * i]!) > 0.06)
      .map((i) => hair.data[3 * pixelOf(layout, i, hairSize)]!);
  return { skinAt, hairRow };
}

const atTemple = (x: number, y: number): boolean =>
  Math.hypot(x / 0.0735, y / 0.063) > 0.97 && y > 0 && y < 0.03;

describe('hair’s edge along the face’s oval', () => {
  it('ends in strands, on the skin before it as on the sheet', () => {
    const { skinAt, hairRow } = feather(1);
    const temple = skinAt(atTemple);
    expect(Math.min(...temple)).toBeLessThan(120);
    expect(Math.max(...temple)).toBeGreaterThan(140);
    expect(Math.max(...hairRow(0))).toBeGreaterThan(100);
    expect(new Set(hairRow(4))).toEqual(new Set([hairLevel]));
  });

  it('leaves the face as it is further in, and the forehead', () => {
    const { skinAt } = feather(1);
    expect(new Set(skinAt((x, y) => Math.hypot(x / 0.0735, y / 0.063) < 0.75))).toEqual(new Set([skinLevel]));
    expect(new Set(skinAt((x) => Math.abs(x) < 0.03))).toEqual(new Set([skinLevel]));
  });

  it('paints nothing where no hair is', () => {
    expect(new Set(feather(0.4).skinAt(atTemple))).toEqual(new Set([skinLevel]));
  });
});
