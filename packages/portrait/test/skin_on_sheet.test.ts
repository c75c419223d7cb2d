import { beforeAll, describe, expect, it } from 'vitest';
import { hairLayout } from '../src/hair/colour/hair_texture.ts';
import { showSkin } from '../src/hair/colour/skin_on_sheet.ts';
import { type HairSheet, hairColumns, openSheet } from '../src/hair/hair_sheet.ts';
import { craniumVertex } from '../src/skull/skin_patches.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';
import { fineFace } from '../src/topology/fine_face.ts';

const size = 128;
const [hairLevel, skinLevel] = [60, 200];

/** A sheet all over a cylinder of 80 mm, so far off it, that ends in a rim at its last ten rows. */
function paint(off: number, seen: { skin?: number; hair?: number; lost?: number } = {}) {
  const count = (craniumRows + 1) * craniumColumns;
  const cranium = new Float32Array(3 * count);
  const coverage = new Float32Array(count);
  const skinCount = fineFace.count + craniumRows * craniumColumns;
  const points = new Float32Array(3 * skinCount);
  const normals = new Float32Array(3 * skinCount);
  for (let i = 0; i < count; i++) {
    const row = Math.floor(i / craniumColumns);
    const angle = (2 * Math.PI * i) / craniumColumns;
    const outwards = [Math.sin(angle), 0, Math.cos(angle)];
    const under = 3 * craniumVertex(row, i % craniumColumns);
    coverage[i] = row < craniumRows - 10 ? 1 : 0.32;
    for (let c = 0; c < 3; c++) {
      const low = c === 1 ? -0.006 * row : 0;
      points[under + c] = 0.08 * outwards[c]! + low;
      normals[under + c] = outwards[c]!;
      cranium[3 * i + c] = (0.08 + off) * outwards[c]! + low;
    }
  }
  const sheet: HairSheet = openSheet(cranium, coverage);
  const data = new Uint8Array(3 * size * size).fill(hairLevel);
  const shows = {
    skin: new Uint8Array(size * size).fill(seen.skin ?? 0),
    hair: new Uint8Array(size * size).fill(seen.hair ?? 0),
    lost: new Float32Array(hairColumns).fill(seen.lost ?? 0),
  };
  const texture = {
    name: 'Skin',
    width: 8,
    height: 8,
    channels: 3,
    data: new Uint8Array(192).fill(skinLevel),
  } as const;
  const uv = new Float32Array(2 * skinCount).fill(0.5);
  const skin = { points, normals, texture, uv, triangles: fineFace.triangles };
  showSkin(data, size, sheet, hairLayout(sheet), shows, skin);
  const at = (row: number): number => data[3 * (Math.floor((row / craniumRows) * size) * size + size / 2)]!;
  return { rim: at(craniumRows - 2), middle: at(craniumRows / 2) };
}

describe('skin on the sheet of hair', () => {
  let close: ReturnType<typeof paint>;
  beforeAll(() => {
    close = paint(0.001);
  });

  it('is the skin below it at the rim', () => {
    expect(close).toMatchObject({ rim: skinLevel, middle: hairLevel });
  });

  it('is the skin below it as far as the photo shows skin', () => {
    expect(paint(0.001, { skin: 255 }).middle).toBe(skinLevel);
    expect(paint(0.001, { skin: 51 }).middle).toBe(Math.trunc(hairLevel + 0.2 * (skinLevel - hairLevel)));
    expect(paint(0.001).middle).toBe(hairLevel);
  });

  it('is the skin below it at the rim where the face doesn’t go on with its hair', () => {
    expect(paint(0.001, { hair: 255, lost: 1 })).toMatchObject({ rim: skinLevel, middle: hairLevel });
  });

  it('is not shown where the photo shows hair, nor at the ends of hair that hangs free', () => {
    expect(paint(0.001, { hair: 255 }).rim).toBe(hairLevel);
    expect(paint(0.012).rim).toBe(hairLevel);
  });
});
