import type { AssembledSkin } from '../appearance/appearance.ts';
import type { Surface } from '../contract/head_model.ts';
import { hairLayout } from '../hair/colour/hair_texture.ts';
import { rimShares, skinUnder } from '../hair/colour/skin_on_sheet.ts';
import { type HairSheet, hairColumns } from '../hair/hair_sheet.ts';
import { at, mix, normalise, vertexNormals } from '../math/vector.ts';
import { withVisemes } from './displacements.ts';
import { material } from './head_materials.ts';

/** The vertices that triangles use, in their order of use, and the triangles by their numbers in it. */
export function verticesInUse(all: Uint32Array): { kept: number[]; triangles: Uint32Array } {
  const order = new Map<number, number>();
  const triangles = all.map((i) => {
    const known = order.get(i) ?? order.size;
    order.set(i, known);
    return known;
  });
  return { kept: [...order.keys()], triangles };
}

/** Values, × `size`, of the vertices that are kept. */
export const keepUsed = (kept: readonly number[], values: Float32Array, size: number): Float32Array =>
  Float32Array.from(
    { length: size * kept.length },
    (_, o) => values[size * kept[Math.floor(o / size)] + (o % size)],
  );

/** Rows from the face's oval in which hair lies close on the skin: coarser, it would dip into it. */
const rimRows = 3;
/** Where the hairline is seen, height and depth of the face, metres; and coverage from which on hair has risen off the skin. */
const hairline = { above: 0.03, before: -0.02 } as const;
const risenFully = 0.85;

/** The hair follows the skin below it where that moves, and bends with the neck as the skin does. */
export function hairSurface(hair: HairSheet, skin: AssembledSkin, points: Float32Array): Surface {
  const { kept, triangles } = verticesInUse(hair.triangles);
  const out = keepUsed(kept, points, 3);
  const share = new Float32Array(kept.length);
  const risen = new Uint8Array(kept.length);
  const sources = kept.map(skinUnder);
  for (let n = 0; n < kept.length; n++) {
    const i = kept[n];
    const row = Math.floor(i / hairColumns);
    const inFront = hair.points[3 * i + 1] > hairline.above && hair.points[3 * i + 2] > hairline.before;
    const isClose = row < rimRows || (inFront && hair.coverage[i] < risenFully);
    risen[n] = Number(!isClose);
    share[n] = Math.max(skin.headShare[sources[n]], 0.35);
  }
  const allRims = rimShares(hair, skin);
  const rims = kept.map((i) => allRims[i]);
  // Rows near the oval move with it; the hair itself does not stretch.
  const follows = Float32Array.from(kept, (i) => Math.max(0, 1 - Math.floor(i / hairColumns) / 9));
  const deltas = skin.deltas.map((delta) => delta && followSkin(delta, sources, follows));
  return {
    name: 'Hair',
    material: material('Hair'),
    node: 'skin',
    points: out,
    normals: rimNormals(vertexNormals(out, triangles), rims, sources, skin),
    uv: keepUsed(kept, hairLayout(hair), 2),
    triangles,
    covered: risen,
    morphs: withVisemes(deltas),
    headShare: share,
  };
}

/** A displacement of the skin below on the sheet's vertices, by how far each follows. */
function followSkin(delta: Float32Array, sources: readonly number[], follows: Float32Array): Float32Array {
  const own = new Float32Array(3 * sources.length);
  for (let n = 0; n < sources.length; n++) {
    if (follows[n] === 0) continue;
    const i = 3 * sources[n];
    for (let c = 0; c < 3; c++) own[3 * n + c] = delta[i + c] * follows[n];
  }
  return own;
}

/** Normals, of which the sheet's rim has those of the skin below it: lit by its slope down to that, it would end in a line. */
function rimNormals(
  own: Float32Array,
  rims: readonly number[],
  sources: readonly number[],
  { normals }: AssembledSkin,
): Float32Array {
  for (const [n, share] of rims.entries())
    if (share > 0) own.set(normalise(mix(at(own, n), at(normals, sources[n]), share)), 3 * n);
  return own;
}
