import { at, dot, length, smoothstep, subtract } from '@likeness/geometry/vector.ts';
import type { Raster } from '../../contract/head_model.ts';
import { craniumVertex, skinVertexOf } from '../../skull/skin_patches.ts';
import { readPixel } from '../../texture/skin_texture.ts';
import { interpolate, type PixelVisitor, walkTriangles } from '../../texture/texture_fill.ts';
import { beyondFace } from '../fringe.ts';
import { craniumColumnOf, drawInEdge, type HairSheet, hairColumns, openGrid } from '../hair_sheet.ts';

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
/**
 * How far hair may stand off the skin, metres, to have a rim there, and up to where wholly: hair that hangs free ends
 * in strands.
 */
const [free, close] = [0.006, 0.003] as const;

/** The photo's content at each pixel of the hair's texture, 0..255. */
export interface SeenOnSheet {
  readonly skin: Uint8Array;
  readonly hair: Uint8Array;
  /** How far the face doesn't go on with the hair at its oval, 0..1 by column of the sheet. */
  readonly lost: Float32Array;
}

/** The skin's vertex under one of the sheet's. */
export const skinUnder = (i: number): number =>
  craniumVertex(Math.floor(i / hairColumns), craniumColumnOf(i % hairColumns));

/**
 * Copies the skin below to the sheet's rim, and to where the sheet is skin, in place. Photographed skin there would
 * have another light than the face and end in a line. Hair that the photo shows stays as it is, where the face
 * goes on with it.
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
    texture: skin.texture,
    below: uvBelow(sheet, skin.uv),
    pixel: new Float32Array(3),
    done: new Uint8Array(size * size),
  });
}

const showSkinPixel: PixelVisitor<{
  readonly data: Uint8Array;
  readonly shows: SeenOnSheet;
  readonly rims: Float32Array;
  readonly texture: Raster;
  /** By vertex of the sheet, × 3: where the skin's texture shows what lies below it. */
  readonly below: Float32Array;
  readonly pixel: Float32Array;
  readonly done: Uint8Array;
}> = (i, a, b, c, shares, { data, shows, rims, texture, below, pixel, done }) => {
  if (done[i]) return;
  done[i] = 1;
  const lost = interpolate(shows.lost, a % hairColumns, b % hairColumns, c % hairColumns, shares);
  const rimShare = interpolate(rims, a, b, c, shares) * (1 - (shows.hair[i] / 255) * (1 - lost));
  const share = Math.max(shows.skin[i] / 255, rimShare);
  if (share < 0.004) return;
  const u = interpolate(below, 3 * a, 3 * b, 3 * c, shares);
  const v = interpolate(below, 3 * a + 1, 3 * b + 1, 3 * c + 1, shares);
  readPixel(texture, u * texture.width, v * texture.height, pixel);
  for (let k = 0; k < 3; k++) data[3 * i + k] += share * (pixel[k] - data[3 * i + k]);
};

/** Where the skin's texture shows what lies below each of the sheet's vertices, × 3; the third is 0. */
function uvBelow(sheet: HairSheet, uv: Float32Array): Float32Array {
  const positions = new Float32Array(3 * sheet.craniumCoverage.length);
  for (let i = 0; i < sheet.craniumCoverage.length; i++) {
    const under = skinVertexOf(i);
    positions.set([uv[2 * under], uv[2 * under + 1]], 3 * i);
  }
  // The sheet's edge doesn't lie over its own vertices.
  drawInEdge(positions, sheet.craniumCoverage);
  return openGrid(positions, 3);
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
      closeToSkin(sheet, skin, i) *
      Math.max(1 - beyondFace(distance[j]), smoothstep(risen, rim, coverage[i]));
  }
  return shares;
}

/** How far a vertex of the sheet lies on the skin, 0..1. */
export function closeToSkin(sheet: HairSheet, skin: SkinBelow, i: number): number {
  const under = skinUnder(i);
  const off = dot(subtract(at(sheet.points, i), at(skin.points, under)), at(skin.normals, under));
  return smoothstep(free, close, off);
}
