import type { Raster } from '../../contract/head_model.ts';
import { grain } from '../../math/noise.ts';
import { at, clamp, dot, length, smoothstep, subtract } from '../../math/vector.ts';
import { craniumVertex } from '../../skull/skin_patches.ts';
import { craniumColumns, craniumRows } from '../../skull/skull.ts';
import { readPixel } from '../../texture/skin_texture.ts';
import { trianglesWith, walkTriangles } from '../../texture/texture_fill.ts';
import { fineFace } from '../../topology/fine_face.ts';
import { fringeRows } from '../fringe.ts';
import { craniumColumnOf, type HairSheet, hairColumns } from '../hair_sheet.ts';
import {
  mixInto,
  type PaintedSkin,
  readBelow,
  type SkinBelow,
  type SkinPlaces,
  skinPlaces,
  skinUnder,
} from './skin_on_sheet.ts';

/** Metres before hair's edge, on the skin, and behind it, on the sheet, over which its strands end. */
const ends = { face: [0.0125, 0.004], sheet: [0.018, 0.006] } as const;
/** Metres by which tufts and single strands begin sooner or later, and half of what a strand's tip fades over. */
const uneven = { tufts: 0.004, strands: 0.013, tip: 0.0065 } as const;
/** How far down along the oval strands lead, columns a metre of their way out of the hair. */
const lean = 430;
/** Metres behind the edge from which on hair has its own colours: nearer they are mixed with skin, gloss and shade. */
const inner = 0.006;
/** How far they are replaced by those. */
const ownColour = 0.5;
/** How much strands on the skin cover of it. */
const cover = 0.75;
/** Presence at which hair is seen to begin, and from which on it grows behind that, and wholly. */
const [visible, grown] = [0.6, [0.65, 0.8]] as const;
/** Rows of the sheet from the oval in which its edge is looked for. */
const edgeRows = 5;
/** How far behind the oval that edge may lie, metres, and up to where wholly: further on it is the photo's own hairline. */
const behind = [0.008, 0.003] as const;
/** Where temples and sideburns are: metres aside, and heights from which on and up to which. */
const aside = [0.04, 0.055] as const;
const [above, belowForehead] = [
  [-0.03, -0.015],
  [0.03, 0.022],
] as const;
/** How far off the skin hair may stand there, metres: further it hangs. */
const off = [0.012, 0.007] as const;
/** Columns beside hair that hangs before the face in which it still is locks. */
const besideLocks = 5;
/** Way of a vertex that isn't near the oval, metres. */
const nowhere = -1;

/** Where hair begins in a line along the oval, by the cranium's column. */
interface LinedEdge {
  /** How far it does, 0..1. */
  readonly lined: Float32Array;
  /** How far behind the oval it is seen to begin, metres. */
  readonly begins: Float32Array;
}

/** Finds hair that is cut off at the face's oval beside temples and before ears. */
function findLinedEdge(sheet: HairSheet, distances: Float32Array, skin: SkinBelow): LinedEdge {
  const lined = new Float32Array(craniumColumns);
  const begins = new Float32Array(craniumColumns);
  const { points, presence } = sheet;
  for (let j = 0; j < hairColumns - 1; j++) {
    const k = craniumColumnOf(j);
    let most = presence[j];
    for (let i = j + hairColumns; i <= j + edgeRows * hairColumns; i += hairColumns) {
      if (most < visible) {
        const t = clamp((visible - most) / Math.max(1e-3, presence[i] - most), 0, 1);
        begins[k] = distances[i - hairColumns] + t * (distances[i] - distances[i - hairColumns]);
      }
      most = Math.max(most, presence[i]);
    }
    const i = 2 * hairColumns + j;
    const below = skinUnder(sheet, i);
    const stands = dot(subtract(at(points, i), at(skin.points, below)), at(skin.normals, below));
    const [x, y] = at(skin.points, fineFace.oval[k]);
    lined[k] =
      smoothstep(...aside, Math.abs(x)) *
      smoothstep(...above, y) *
      smoothstep(...belowForehead, y) *
      smoothstep(...grown, most) *
      smoothstep(...behind, begins[k]) *
      smoothstep(...off, stands) *
      (1 - locksAbout(sheet, k));
  }
  return { lined, begins };
}

/** How far hair hangs before the face about a column, 0..1. */
function locksAbout({ fringe }: HairSheet, k: number): number {
  let most = 0;
  for (let n = -besideLocks; fringe && n <= besideLocks; n++)
    most = Math.max(most, fringe.hangs[(k + n + craniumColumns) % craniumColumns]);
  return most;
}

/** How much hair there is so far behind its edge (before it below 0, metres), at a place along the oval in columns, 0..1. */
function strandsAt(column: number, distance: number): number {
  const root = column + (column < craniumColumns / 2 ? lean : -lean) * distance;
  const tufts = grain(0.9 * root, 0, 71) - 0.5;
  const strands = (grain(3.5 * root, 100 * distance, 72) + grain(8 * root, 100 * distance, 73)) / 2 - 0.5;
  return smoothstep(-uneven.tip, uneven.tip, distance - uneven.tufts * tufts - uneven.strands * strands);
}

/**
 * Lets hair that is cut off at the face's oval end in strands on either side of it, in place in its own picture and the
 * skin's: it had a straight contour from the temple to the ear, with the gloss or shade of its edge.
 *
 * @param layout - Texture coordinates of the sheet's vertices.
 */
export function featherEdge(hair: Raster, sheet: HairSheet, layout: Float32Array, skin: PaintedSkin): void {
  const distances = distancesFromOval(sheet);
  const edge = findLinedEdge(sheet, distances, skin);
  if (!edge.lined.some((share) => share > 0.01)) return;
  const whole: Raster = { ...hair, data: hair.data.slice() };
  const begun: BegunHair = { whole, sheet, distances, edge, pixel: new Float32Array(3) };
  thinOnSheet(hair, layout, skin, begun);
  drawStrandsOnSkin(skin, begun);
}

/** Hair as it is before its edge is feathered. */
interface BegunHair {
  readonly whole: Raster;
  readonly sheet: HairSheet;
  readonly distances: Float32Array;
  readonly edge: LinedEdge;
  readonly pixel: Float32Array;
}

/** Reads hair's colour at a place along the oval, columns, so far behind it, metres. */
function readHair({ whole, sheet, distances, pixel }: BegunHair, column: number, distance: number): void {
  const [u, v] = placeOnSheet(sheet, distances, column, distance);
  readPixel(whole, u * whole.width, v * whole.height, pixel);
}

/** On the sheet: hair's own colours up to its edge, and skin between its strands. */
function thinOnSheet(hair: Raster, layout: Float32Array, skin: PaintedSkin, begun: BegunHair): void {
  const { sheet, distances, edge } = begun;
  const near = ends.sheet[0] + 2 * behind[0];
  const shares = new Float32Array(distances.length);
  for (let i = 0; i < distances.length; i++)
    if (distances[i] < near) shares[i] = edge.lined[craniumColumnOf(i % hairColumns)];
  walkTriangles(hair.width, layout, trianglesWith(sheet.triangles, shares), thinPixel, {
    hair,
    shares,
    begun,
    positions: skinPlaces(sheet, skin),
    done: new Uint8Array(hair.width ** 2),
  });
}

interface Thinned {
  readonly hair: Raster;
  readonly shares: Float32Array;
  readonly begun: BegunHair;
  readonly positions: SkinPlaces;
  readonly done: Uint8Array;
}

function thinPixel(
  i: number,
  a: number,
  b: number,
  c: number,
  shareOf: Float64Array,
  { hair: { data, width: size }, shares, begun, positions, done }: Thinned,
): void {
  const wa = shareOf[0];
  const wb = shareOf[1];
  const wc = shareOf[2];
  if (done[i]) return;
  done[i] = 1;
  const open = wa * shares[a] + wb * shares[b] + wc * shares[c];
  if (open < 0.01) return;
  const { distances, pixel } = begun;
  const column = (((i % size) + 0.5) / size) * (hairColumns - 1) + craniumColumnOf(0);
  const edge = alongColumns(begun.edge.begins, column);
  const distance = wa * distances[a] + wb * distances[b] + wc * distances[c] - edge;
  const own = ownColour * open * smoothstep(inner + 0.002, 0.001, distance);
  if (own > 0.01) {
    readHair(begun, column, edge + inner + 0.5 * Math.max(0, inner - distance));
    mixInto(data, i, pixel, own);
  }
  const free = open * smoothstep(ends.sheet[0], ends.sheet[1], Math.abs(distance));
  // Noise costs most: it is asked for last.
  const bare = free < 0.01 ? 0 : free * (1 - strandsAt(column % craniumColumns, distance));
  if (bare < 0.01) return;
  readBelow(positions, a, b, c, shareOf, pixel);
  mixInto(data, i, pixel, bare);
}

/** On the skin before the sheet: the same strands' ends. */
function drawStrandsOnSkin(skin: PaintedSkin, begun: BegunHair): void {
  const { lined } = begun.edge;
  const { distance, column } = alongOval(skin, lined, begun.distances);
  const zone = new Float32Array(distance.length);
  for (let i = 0; i < zone.length; i++)
    if (distance[i] > -ends.face[0] - 0.004) zone[i] = alongColumns(lined, column[i]);
  const { texture, uv, triangles } = skin;
  walkTriangles(texture.width, uv, trianglesWith(triangles, zone), drawStrandPixel, {
    texture,
    distance,
    column,
    begun,
  });
}

interface StrandsOnSkin {
  readonly texture: Raster;
  readonly distance: Float32Array;
  readonly column: Float32Array;
  readonly begun: BegunHair;
}

function drawStrandPixel(
  i: number,
  a: number,
  b: number,
  c: number,
  shareOf: Float64Array,
  { texture, distance, column, begun }: StrandsOnSkin,
): void {
  if (distance[a] === nowhere || distance[b] === nowhere || distance[c] === nowhere) return;
  const wa = shareOf[0];
  const wb = shareOf[1];
  const wc = shareOf[2];
  const { lined, begins } = begun.edge;
  const position = wa * column[a] + wb * column[b] + wc * column[c];
  const edge = alongColumns(begins, position);
  const from = wa * distance[a] + wb * distance[b] + wc * distance[c] - edge;
  const most = cover * alongColumns(lined, position) * smoothstep(ends.face[0], ends.face[1], -from);
  const share = most < 0.01 ? 0 : most * strandsAt(position, from);
  if (share < 0.01) return;
  readHair(begun, position, edge + inner + 0.5 * Math.abs(from));
  mixInto(texture.data, i, begun.pixel, share);
}

/** For the skin's vertices near the oval: how far behind it, metres, and where along it, columns. */
function alongOval({ points }: SkinBelow, lined: Float32Array, distances: Float32Array) {
  const { count, oval } = fineFace;
  const distance = new Float32Array(points.length / 3).fill(nowhere);
  const column = new Float32Array(points.length / 3);
  for (let k = 0; k < craniumColumns; k++) {
    if (!lined[k]) continue;
    const from = at(points, oval[k]);
    const along = subtract(at(points, oval[(k + 1) % craniumColumns]), from);
    for (let i = 0; i < count; i++) {
      if (Math.abs(points[3 * i + 1] - from[1]) > 0.02 || Math.abs(points[3 * i] - from[0]) > 0.02) continue;
      const off = subtract(at(points, i), from);
      const t = clamp(dot(off, along) / dot(along, along), 0, 1);
      const far = -Math.hypot(off[0] - t * along[0], off[1] - t * along[1], off[2] - t * along[2]);
      if (far <= distance[i]) continue;
      distance[i] = far;
      column[i] = k + t;
    }
  }
  for (let i = hairColumns; i < (edgeRows + 1) * hairColumns; i++) {
    const k = craniumColumnOf(i % hairColumns);
    const under = craniumVertex(Math.floor(i / hairColumns), k);
    distance[under] = distances[i];
    column[under] = k;
  }
  return { distance, column };
}

/** Ways from the oval to the sheet's vertices, metres; far to a fringe's. */
function distancesFromOval({ points }: HairSheet): Float32Array {
  const distances = new Float32Array(points.length / 3).fill(1);
  distances.fill(0, 0, hairColumns);
  for (let i = hairColumns; i < (craniumRows + 1) * hairColumns; i++)
    distances[i] = distances[i - hairColumns] + length(subtract(at(points, i), at(points, i - hairColumns)));
  return distances;
}

/** Texture coordinates of the sheet at a place along the oval, columns, so far behind it, metres. */
function placeOnSheet(
  { fringe }: HairSheet,
  distances: Float32Array,
  column: number,
  distance: number,
): [u: number, v: number] {
  const j = (column - craniumColumnOf(0) + craniumColumns) % craniumColumns;
  let i = Math.round(j);
  let row = 0;
  for (; row < craniumRows - 1 && distances[i + hairColumns] < distance; row++) i += hairColumns;
  const t = (distance - distances[i]) / (distances[i + hairColumns] - distances[i]);
  const before = fringe ? fringeRows : 0;
  return [j / (hairColumns - 1), (before + row + t) / (craniumRows + before)];
}

/** A value of the cranium's columns between two of them. */
function alongColumns(values: Float32Array, column: number): number {
  const k = Math.floor(column);
  const a = values[k % craniumColumns];
  return a + (column - k) * (values[(k + 1) % craniumColumns] - a);
}
