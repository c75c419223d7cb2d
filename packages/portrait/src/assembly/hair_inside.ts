import type { Surface } from '../contract/head_model.ts';
import { hairLayout } from '../hair/colour/hair_texture.ts';
import { aboutAxis } from '../hair/draped_hair.ts';
import { craniumColumnOf, type HairSheet, hairColumns } from '../hair/hair_sheet.ts';
import { at, length, subtract, vertexNormals } from '../math/vector.ts';
import { type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import { keepUsed, verticesInUse } from './hair_surface.ts';
import { material } from './head_materials.ts';

/** Metres off the neck from which on hair hangs free, and how far within the sheet its inside lies. */
const free = 0.012;
const within = 0.003;
/** Radians from the front behind which it is seen; further forward locks are folded, and it would show through them. */
const behind = 1.25;
/** Height below which hair hangs, metres: the eyes'. */
const below = 0;

/**
 * The shaded inside of hair that hangs free of the neck, if any does. It is visible from the front beside the throat;
 * the sheet's back would be as light as its outside.
 *
 * @param points - The sheet's about the neck's base.
 */
export function hairInside(hair: HairSheet, cranium: Cranium, points: Float32Array): Surface | undefined {
  const isFree = (i: number): boolean => {
    const row = Math.floor(i / hairColumns);
    if (row > craniumRows || hair.points[3 * i + 1] > below) return false;
    if (Math.abs(aboutAxis(hair.points, i)[0]) < behind) return false;
    const under = at(cranium.points, row * craniumColumns + craniumColumnOf(i % hairColumns));
    return length(subtract(at(hair.points, i), under)) > free;
  };
  const frees = Uint8Array.from({ length: hair.points.length / 3 }, (_, i) => Number(isFree(i)));
  const turned: number[] = [];
  for (let t = 0; t < hair.triangles.length; t += 3) {
    const [a, b, c] = hair.triangles.subarray(t, t + 3);
    if (frees[a] && frees[b] && frees[c]) turned.push(a, c, b);
  }
  if (turned.length === 0) return undefined;
  const { kept, triangles } = verticesInUse(Uint32Array.from(turned));
  const inside = keepUsed(kept, points, 3);
  const normals = vertexNormals(inside, triangles);
  // Towards the axis: normals of the slivers at the hair's edge point anywhere.
  for (const [n, i] of kept.entries()) {
    const [angle] = aboutAxis(hair.points, i);
    inside[3 * n] -= within * Math.sin(angle);
    inside[3 * n + 2] -= within * Math.cos(angle);
  }
  return {
    name: 'HairInside',
    material: material('HairInside'),
    node: 'skin',
    points: inside,
    normals,
    uv: keepUsed(kept, hairLayout(hair), 2),
    triangles,
  };
}
