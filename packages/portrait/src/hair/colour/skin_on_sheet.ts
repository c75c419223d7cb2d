import type { Raster } from '../../contract/head_model.ts';
import { at, dot, length, smoothstep, subtract } from '../../math/vector.ts';
import { craniumVertex } from '../../skull/skin_patches.ts';
import { craniumColumns } from '../../skull/skull.ts';
import { readPixel } from '../../texture/skin_texture.ts';
import { walkTriangles } from '../../texture/texture_fill.ts';
import { craniumColumnOf, drawInEdge, type HairSheet, hairColumns } from '../hair_sheet.ts';

/** The skin that hair lies on, face frame. */
export interface SkinBelow {
  readonly points: Float32Array;
  readonly normals: Float32Array;
}

/** The same with its colours as they are shown. */
export interface PaintedSkin extends SkinBelow {
  readonly texture: Raster;
  /** Of its vertices, 0..1. */
  readonly uv: Float32Array;
  readonly triangles: Uint32Array;
}

/**
 * Coverage at and below which the sheet wears the skin's colours, and from which on its own: between, hair rises off
 * the skin.
 */
const [rim, risen] = [0.36, 0.66] as const;
/** The same by the way from the face's oval, metres, where the sheet begins amid hair that is painted on the face. */
const [begins, own] = [0.001, 0.012] as const;
/**
 * How far hair may stand off the skin, metres, to have a rim there, and up to where wholly: hair that hangs free ends
 * in strands.
 */
const [free, close] = [0.006, 0.003] as const;
/** How far, 0..1, a place must seem skin before it shows the skin below: what seems less is wisps. */
const wisps = 0.5;

/** The photo's content at each pixel of the hair's texture, 0..255. */
export interface SeenOnSheet {
  readonly skin: Uint8Array;
  readonly hair: Uint8Array;
}

/** The skin's vertex under one of the sheet's. */
export const skinUnder = (i: number): number =>
  craniumVertex(Math.floor(i / hairColumns), craniumColumnOf(i % hairColumns));

/**
 * Copies the skin below to the sheet's rim, and to where the sheet is skin, in place. Photographed skin there would
 * have another light than the face and end in a line. Hair that the photo shows stays as it is.
 *
 * @param data - The hair's texture, RGB.
 * @param layout - Texture coordinates of the sheet's vertices.
 */
export function showSkin(
  data: Uint8Array,
  size: number,
  sheet: HairSheet,
  layout: Float32Array,
  shows: SeenOnSheet,
  skin: PaintedSkin,
): void {
  walkTriangles(size, layout, sheet.triangles, showSkinPixel, {
    data,
    shows,
    rims: rimShares(sheet, skin),
    positions: skinUvBelow(sheet, skin),
    pixel: new Float32Array(3),
    done: new Uint8Array(size * size),
  });
}

interface SkinShown {
  readonly data: Uint8Array;
  readonly shows: SeenOnSheet;
  readonly rims: Float32Array;
  readonly positions: SkinUvBelow;
  readonly pixel: Float32Array;
  readonly done: Uint8Array;
}

function showSkinPixel(
  i: number,
  a: number,
  b: number,
  c: number,
  shares: Float64Array,
  { data, shows: { hair, skin }, rims, positions, pixel, done }: SkinShown,
): void {
  if (done[i]) return;
  done[i] = 1;
  const wa = shares[0];
  const wb = shares[1];
  const wc = shares[2];
  const rimShare = wa * rims[a] + wb * rims[b] + wc * rims[c];
  const share = Math.max(smoothstep(wisps, 1, skin[i] / 255), rimShare * (1 - hair[i] / 255));
  if (share < 0.004) return;
  readBelow(positions, a, b, c, shares, pixel);
  mixInto(data, i, pixel, share);
}

/** Where the skin's texture shows what lies below the sheet. */
interface SkinUvBelow {
  readonly texture: Raster;
  /** By vertex of the sheet, × 2: place in the texture. */
  readonly below: Float32Array;
}

const skinUvBelow = (sheet: HairSheet, { uv, texture }: PaintedSkin): SkinUvBelow => ({
  texture,
  below: uvBelow(sheet, uv),
});

/** Reads the skin's texture below a place in a triangle of the sheet, by its corners and their shares. */
function readBelow(
  { texture, below }: SkinUvBelow,
  a: number,
  b: number,
  c: number,
  shares: Float64Array,
  out: Float32Array,
): void {
  const u = shares[0] * below[2 * a] + shares[1] * below[2 * b] + shares[2] * below[2 * c];
  const v = shares[0] * below[2 * a + 1] + shares[1] * below[2 * b + 1] + shares[2] * below[2 * c + 1];
  readPixel(texture, u * texture.width, v * texture.height, out);
}

/** Mixes a colour into a pixel of a picture, × 3. */
function mixInto(data: Uint8Array, i: number, colour: Float32Array, share: number): void {
  for (let c = 0; c < 3; c++) data[3 * i + c] += share * (colour[c] - data[3 * i + c]);
}

/** Where the skin's texture shows what lies below each of the sheet's vertices, × 2. */
function uvBelow(sheet: HairSheet, uv: Float32Array): Float32Array {
  const positions = new Float32Array(3 * sheet.craniumCoverage.length);
  for (let i = 0; i < sheet.craniumCoverage.length; i++) {
    const under = craniumVertex(Math.floor(i / craniumColumns), i % craniumColumns);
    positions.set([uv[2 * under], uv[2 * under + 1], 0], 3 * i);
  }
  // The sheet's edge doesn't lie over its own vertices.
  drawInEdge(positions, sheet.craniumCoverage);
  const below = new Float32Array((sheet.points.length / 3) * 2);
  for (let i = 0; i < below.length / 2; i++) {
    const k = Math.floor(i / hairColumns) * craniumColumns + craniumColumnOf(i % hairColumns);
    below.set(positions.subarray(3 * k, 3 * k + 2), 2 * i);
  }
  return below;
}

/** How far each of the sheet's vertices is its rim, 0..1. */
export function rimShares(sheet: HairSheet, skin: SkinBelow): Float32Array {
  const { points, coverage } = sheet;
  const shares = new Float32Array(points.length / 3);
  const distance = new Float32Array(hairColumns);
  for (let i = 0; i < shares.length; i++) {
    const j = i % hairColumns;
    if (i >= hairColumns) distance[j] += length(subtract(at(points, i), at(points, i - hairColumns)));
    shares[i] =
      smoothstep(free, close, offSkin(sheet, skin, i)) *
      Math.max(smoothstep(own, begins, distance[j]), smoothstep(risen, rim, coverage[i]));
  }
  return shares;
}

/** How far a vertex of the sheet stands off the skin, metres. */
function offSkin(sheet: HairSheet, skin: SkinBelow, i: number): number {
  const under = skinUnder(i);
  return dot(subtract(at(sheet.points, i), at(skin.points, under)), at(skin.normals, under));
}
