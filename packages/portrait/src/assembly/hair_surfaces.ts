import {
  at,
  length,
  mix,
  normalise,
  smoothstep,
  subtract,
  vertexNormals,
} from '@likeness/geometry/vector.ts';
import type { AssembledSkin } from '../appearance/appearance.ts';
import type { Raster, Surface } from '../contract/head_model.ts';
import { hairLayout } from '../hair/colour/hair_texture.ts';
import { rimShares, skinUnder } from '../hair/colour/skin_on_sheet.ts';
import { aboutAxis } from '../hair/draped_hair.ts';
import { craniumColumnOf, type HairSheet, hairColumns } from '../hair/hair_sheet.ts';
import type { HairRibbons } from '../hair/strands/hair_ribbons.ts';
import { toLinear } from '../photo/linear_light.ts';
import { type Cranium, chinColumn, craniumColumns, craniumRows } from '../skull/skull.ts';
import { withVisemes } from './displacements.ts';
import { material } from './head_materials.ts';

/** The vertices that triangles use, in their order of use, and the triangles by their numbers in it. */
function verticesInUse(all: Uint32Array): { kept: number[]; triangles: Uint32Array } {
  const order = new Map<number, number>();
  const triangles = all.map((i) => {
    const known = order.get(i) ?? order.size;
    order.set(i, known);
    return known;
  });
  return { kept: [...order.keys()], triangles };
}

/** Values, × `size`, of the vertices that are kept. */
const keepUsed = (kept: readonly number[], values: Float32Array, size: number): Float32Array =>
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

/** Metres off the neck from which on hair hangs free, and how far within the sheet its inside begins. */
const free = 0.012;
const within = 0.003;
/** Angle from the front behind which it is seen, and over how much more of it the inside comes in to the neck, radians. */
const behind = 1.0;
const turn = 0.45;
/** How far off the neck the inside then lies, metres. */
const lining = 0.007;
/** Its lightness against the hair's, at the outer edge and at the neck. */
const [outerLight, innerLight] = [0.4, 0.1];
/** Height below which hair hangs, metres: the eyes'. */
const below = 0;

/** The vertex of the cranium's grid below one of the sheet's. */
const onCranium = (i: number): number =>
  Math.floor(i / hairColumns) * craniumColumns + craniumColumnOf(i % hairColumns);

/**
 * The shaded inside of hair that hangs free of the neck, if any does. It is visible from the front beside the throat;
 * the sheet's back would be as light as its outside.
 *
 * @param points - The sheet's about the neck's base.
 */
export function hairInside(hair: HairSheet, cranium: Cranium, points: Float32Array): Surface | undefined {
  const isFree = (i: number): boolean => {
    if (hair.points[3 * i + 1] > below || Math.abs(aboutAxis(hair.points, i)[0]) < behind) return false;
    return length(subtract(at(hair.points, i), at(cranium.points, onCranium(i)))) > free;
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
  const colours = new Float32Array(inside.length);
  for (const [n, i] of kept.entries()) {
    const [angle, radius] = aboutAxis(hair.points, i);
    const [, neck] = aboutAxis(cranium.points, onCranium(i));
    const atNeck = smoothstep(behind, behind + turn, Math.abs(angle));
    const inwards = radius - within - atNeck * Math.max(0, radius - within - neck - lining);
    inside[3 * n] += (inwards - radius) * Math.sin(angle);
    inside[3 * n + 2] += (inwards - radius) * Math.cos(angle);
    colours.fill(outerLight + (innerLight - outerLight) * atNeck, 3 * n, 3 * n + 3);
  }
  return {
    name: 'HairInside',
    material: material('HairInside'),
    node: 'skin',
    points: inside,
    normals: vertexNormals(inside, triangles),
    uv: keepUsed(kept, hairLayout(hair), 2),
    colours,
    triangles,
  };
}

/**
 * Ribbons as a surface of the hair, coloured by the sheet's picture below them.
 *
 * @param points - About the neck's base.
 */
export function ribbonSurface(ribbons: HairRibbons, points: Float32Array, hair: Raster): Surface {
  const count = points.length / 3;
  const colours = new Float32Array(points.length);
  for (let i = 0; i < count; i++) {
    const row = ribbons.gridPositions[2 * i] / craniumRows;
    const around =
      ((ribbons.gridPositions[2 * i + 1] - chinColumn + 2 * craniumColumns) % craniumColumns) /
      craniumColumns;
    const mean = meanAbout(hair, around * hair.width, row * hair.height);
    for (let c = 0; c < 3; c++) colours[3 * i + c] = Math.min(1, toLinear(mean[c] * ribbons.tone[i]));
  }
  return {
    name: 'HairStrands',
    material: material('HairStrands'),
    node: 'skin',
    points,
    normals: ribbons.normals,
    uv: ribbons.uv,
    colours,
    triangles: ribbons.triangles,
  };
}

/** Half of the window about a ribbon's vertex, parts of the picture: some ten strands, no single one. */
const window = { across: 0.018, along: 0.012 } as const;

/** Mean colour about a place of a picture, sRGB 0..255. */
function meanAbout(
  { data, width, height, channels }: Raster,
  x: number,
  y: number,
): readonly [number, number, number] {
  const sum = [0, 0, 0] as [number, number, number];
  let n = 0;
  const [wide, high] = [window.across * width, window.along * height];
  for (let dy = -1; dy <= 1; dy += 0.5) {
    const py = Math.min(height - 1, Math.max(0, Math.round(y + dy * high)));
    for (let dx = -1; dx <= 1; dx += 0.2) {
      const px = Math.min(width - 1, Math.max(0, Math.round(x + dx * wide)));
      const i = channels * (py * width + px);
      for (const c of [0, 1, 2] as const) sum[c] += data[i + c];
      n++;
    }
  }
  return [sum[0] / n, sum[1] / n, sum[2] / n];
}
