import { at, smoothstep, vertexNormals } from '@likeness/geometry/vector.ts';
import type { Raster } from '../../contract/head_model.ts';
import { type FaceFit, facingCamera, project } from '../../fit/face_fit.ts';
import type { Picture } from '../../photo/photo.ts';
import { readStack, stackGrids } from '../../photo/picture_sampling.ts';
import { blur } from '../../photo/pixel_filters.ts';
import { nearestPixel, pointsInCrop } from '../../segment/head_crop.ts';
import type { Silhouette } from '../../segment/silhouette.ts';
import { craniumRows } from '../../skull/skull.ts';
import { readPixel } from '../../texture/skin_texture.ts';
import {
  blankCanvas,
  fillUnknown,
  interpolate,
  type PixelVisitor,
  release,
  trianglesWith,
  walkTriangles,
} from '../../texture/texture_fill.ts';
import { hairLostAtFace } from '../fringe.ts';
import type { HairMap } from '../hair_map.ts';
import { type HairSheet, hairColumns } from '../hair_sheet.ts';
import { evenHairLight } from './hair_light.ts';
import { leadTonesOn } from './hair_tone.ts';
import { drawMade } from './made_hair.ts';
import { closeToSkin, type PaintedSkin, showSkin } from './skin_on_sheet.ts';

/** Texture coordinates of the sheet: u round the head from the chin, v from the face backwards. */
export function hairLayout({ points }: HairSheet): Float32Array {
  const uv = new Float32Array((points.length / 3) * 2);
  for (let i = 0; i < uv.length / 2; i++) {
    uv[2 * i] = (i % hairColumns) / (hairColumns - 1);
    uv[2 * i + 1] = Math.floor(i / hairColumns) / craniumRows;
  }
  return uv;
}

export interface HairPhoto {
  readonly picture: Picture;
  readonly fit: FaceFit;
  readonly cut: Silhouette;
  readonly map: HairMap;
}

/**
 * Paints the hair: the photo where it shows hair. Behind that, the photo's strands go on along the hair; further on,
 * drawn strands have its colour.
 *
 * @param removedLight - How much of the light on one side of the hair is taken out, 0..1.
 * @param skin - What the sheet shows where it is skin.
 */
export function paintHair(
  photo: HairPhoto,
  sheet: HairSheet,
  removedLight: number,
  size: number,
  skin: PaintedSkin,
): Raster {
  const layout = hairLayout(sheet);
  const { canvas, sure, shows } = paintSeen(photo, sheet, layout, size, skin);
  evenHairLight(canvas, sure, photo.map, removedLight);
  const tones = leadTonesOn(sure, photo.map.hairColour);
  release(sure.colour, sure.weight);
  fillUnknown(canvas);
  const data = drawMade(canvas, tones, sheet);
  release(canvas.colour, canvas.weight);
  showSkin(data, size, sheet, layout, { ...shows, lost: hairLostAtFace(photo, skin) }, skin);
  return { name: 'Hair', width: size, height: size, channels: 3, data, quality: 80 };
}

/** Where the photo shows each vertex, pixels, and how far it may be believed there, 0..1. */
function findInPhoto(sheet: HairSheet, { pose }: FaceFit): { photo: Float32Array; trust: Float32Array } {
  const count = sheet.points.length / 3;
  const photo = new Float32Array(count * 2);
  const trust = new Float32Array(count);
  const normals = vertexNormals(sheet.points, sheet.triangles);
  for (let i = 0; i < count; i++) {
    photo.set(project(pose, at(sheet.points, i)), 2 * i);
    const facing = facingCamera(pose, normals, i);
    // Seen askance, strands are drawn out to patches: made ones take over before that.
    trust[i] = smoothstep(0.36, 0.6, facing);
  }
  return { photo, trust };
}

/** Reads what the photo shows. */
function paintSeen(
  photo: HairPhoto,
  sheet: HairSheet,
  layout: Float32Array,
  size: number,
  skin: PaintedSkin,
): SeenHair {
  const seen = openSeen(photo, sheet, size, skin);
  walkTriangles(size, layout, trianglesWith(sheet.triangles, seen.trust), paintSeenPixel, seen);
  return seen;
}

/** Sources of the sheet's texture, and buffers for one pixel. */
type SeenHair = ReturnType<typeof openSeen>;

function openSeen({ picture, fit, cut, map }: HairPhoto, sheet: HairSheet, size: number, skin: PaintedSkin) {
  const { photo, trust } = findInPhoto(sheet, fit);
  const mask = Float32Array.from(cut.mask);
  for (let i = 0; i < mask.length; i++) mask[i] /= 255;
  const stack = stackGrids([map.hair, blur(mask, cut.width, cut.height, 2), map.skin], cut.width, cut.height);
  return {
    canvas: blankCanvas(size),
    /**
     * The pixels that are certainly hair; only these are continued. The brow that shows where the sheet dips into the
     * skin, or gloss on it, would make the hair behind as light as itself.
     */
    sure: blankCanvas(size),
    /** How far each pixel is hair or skin. */
    shows: { skin: new Uint8Array(size * size), hair: new Uint8Array(size * size) },
    picture,
    cut,
    coverage: sheet.coverage,
    lies: sheet.coverage.map((_, i) => closeToSkin(sheet, skin, i)),
    photo,
    trust,
    inCrop: pointsInCrop(cut, photo),
    /** Hair, how far inside the outline, and skin, by pixel of the crop. */
    stack,
    read: new Float64Array(stack.count),
    pixel: new Float32Array(3),
  };
}

const paintSeenPixel: PixelVisitor<SeenHair> = (i, a, b, c, shares, hair) => {
  const { canvas, sure, shows, photo, trust, inCrop, coverage, lies, cut, read, pixel } = hair;
  let w = interpolate(trust, a, b, c, shares);
  if (w < 0.01 || canvas.weight[i] >= w) return;
  const cx = interpolate(inCrop, 2 * a, 2 * b, 2 * c, shares);
  const cy = interpolate(inCrop, 2 * a + 1, 2 * b + 1, 2 * c + 1, shares);
  if (cut.outside[nearestPixel(cut, cx, cy)]) return;
  // The crop's pixels are some three of the photo's: by themselves they would be steps at every edge.
  readStack(hair.stack, cx, cy, read);
  const isInner = smoothstep(0.86, 0.995, read[1]);
  // The outermost pixels mix with the background: stay inside, and on hair.
  const isHair = smoothstep(0.5, 0.8, read[0]);
  // Skin beside hair that hangs free lies behind it.
  const isEither = smoothstep(0.5, 0.85, read[0] + read[2]) * interpolate(lies, a, b, c, shares);
  // Where the sheet dips into the skin it shows what the skin shows: the hairline is the photo's own. A collar is neither.
  const dips = smoothstep(0.8, 0.5, interpolate(coverage, a, b, c, shares)) * isEither;
  const strands = w * isInner * isHair;
  w *= isInner * Math.max(isHair, dips);
  if (w < 0.01) return;
  const x = interpolate(photo, 2 * a, 2 * b, 2 * c, shares);
  const y = interpolate(photo, 2 * a + 1, 2 * b + 1, 2 * c + 1, shares);
  readPixel(hair.picture, x, y, pixel);
  canvas.weight[i] = w;
  shows.hair[i] = 255 * isHair;
  shows.skin[i] = 255 * isEither * smoothstep(0.5, 0.1, isHair);
  sure.weight[i] = strands;
  for (let ch = 0; ch < 3; ch++) {
    canvas.colour[3 * i + ch] = pixel[ch] * w;
    sure.colour[3 * i + ch] = pixel[ch] * strands;
  }
};
