import { fallOffSoftly } from '@likeness/geometry/mesh_mean.ts';
import { at, clamp, smoothstep, type Vector, vertexNormals } from '@likeness/geometry/vector.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import type { Raster } from '../contract/head_model.ts';
import { type FaceFit, facingCamera, project } from '../fit/face_fit.ts';
import { hairLayout } from '../hair/colour/hair_texture.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { interpolate, pixelOf, trianglesWith, walkTriangles } from '../texture/texture_fill.ts';
import { softened } from '../texture/tone_grid.ts';
import type { UsedPhoto } from './other_photos.ts';

type ProfilePhoto = Extract<UsedPhoto, { kind: 'profile' }>;

/** Facing from which on, and from which on fully, the front photo tells the hair; and a photo from the side. */
const [frontLeast, frontFull] = [0.16, 0.42];
const [sideLeast, sideFull] = [0.35, 0.65];
/** Metres from the outline within which hair mixes with what is behind it. */
const edge = 0.004;
/** ln: by how much hair may differ from the hair around it, and from where on it is something else. */
const [alike, strange] = [0.5, 0.95];
/** Vertices that both photos must show for their light to be compared. */
const minShared = 40;
/** Weight of a photo from one side for the other side. */
const mirroredShare = 0.85;

/**
 * Paints the hair that the front photo doesn't show as photos from the side show it, in the front photo's light; in
 * place. If only one side was photographed, the other copies it.
 */
export function paintHairFromProfiles(
  hair: Raster,
  sheet: HairSheet,
  fit: FaceFit,
  photos: readonly ProfilePhoto[],
): void {
  if (photos.length === 0) return;
  const layout: Layout = {
    uv: hairLayout(sheet),
    normals: vertexNormals(sheet.points, sheet.triangles),
    around: surroundings(hair),
  };
  const sides = new Set(photos.map(({ pose }) => Math.sign(pose.yaw)));
  for (const photo of photos) paintSide(hair, sheet, layout, fit, photo, sides.size === 1);
}

interface Layout {
  readonly uv: Float32Array;
  readonly normals: Float32Array;
  /** The picture's colours, blurred over some centimetres, × 3. */
  readonly around: Float32Array;
}

function surroundings({ data, width }: Raster): Float32Array {
  const out = new Float32Array(data.length);
  for (let c = 0; c < 3; c++) {
    const channel = Float32Array.from({ length: data.length / 3 }, (_, i) => data[3 * i + c]);
    const soft = softened(channel, width, Math.max(1, width >> 6));
    for (const [i, value] of soft.entries()) out[3 * i + c] = value;
  }
  return out;
}

function paintSide(
  hair: Raster,
  sheet: HairSheet,
  layout: Layout,
  fit: FaceFit,
  photo: ProfilePhoto,
  mirrors: boolean,
): void {
  const { width: size, data } = hair;
  const { uv, around } = layout;
  const seen = findFromSide(sheet, layout, fit, photo);
  const gain = lightBetween(hair, layout, fit, photo, seen);
  const bare = skinIn(photo, fit).map((value, k) => value * gain[k]);
  const pixel = new Float32Array(3);
  const isDone = new Uint8Array(size * size);
  const paint = (i: number, share: number): void => {
    const w = share * (1 - smoothstep(alike, strange, off(pixel, around, 3 * i) / 3));
    for (let k = 0; k < 3; k++)
      data[3 * i + k] = clamp(Math.round(data[3 * i + k] + w * (pixel[k] - data[3 * i + k])), 0, 255);
  };
  walkTriangles(size, uv, trianglesWith(sheet.triangles, seen.share), (i, a, b, c, shares) => {
    const w = interpolate(seen.share, a, b, c, shares);
    if (w < 0.01 || isDone[i]) return;
    isDone[i] = 1;
    const pixelAt = (o: 0 | 1): number => interpolate(seen.pixels, 2 * a + o, 2 * b + o, 2 * c + o, shares);
    readPixel(photo.picture, pixelAt(0), pixelAt(1), pixel);
    for (let k = 0; k < 3; k++) pixel[k] *= gain[k];
    const nearer = off(pixel, bare, 0) - off(pixel, around, 3 * i);
    const hairy = w * smoothstep(-0.2, 0.2, nearer);
    paint(i, hairy);
    if (!mirrors) return;
    const row = i - (i % size);
    const other = row + size - 1 - (i % size);
    if (isDone[other]) return;
    isDone[other] = 1;
    paint(other, mirroredShare * hairy);
  });
}

/**
 * Where a photo from the side shows the sheet's vertices, × 2 pixels; how far it is to tell, 0..1; and the same by facing
 * and inside alone.
 */
function findFromSide(sheet: HairSheet, { normals }: Layout, fit: FaceFit, photo: ProfilePhoto) {
  const count = sheet.points.length / 3;
  const pixels = new Float32Array(2 * count);
  const share = new Float32Array(count);
  const sure = new Float32Array(count);
  const reach = edge * photo.pose.scale;
  for (let i = 0; i < count; i++) {
    const [x, y] = project(photo.pose, at(sheet.points, i));
    pixels.set([x, y], 2 * i);
    const facing = smoothstep(sideLeast, sideFull, facingCamera(photo.pose, normals, i));
    if (facing === 0 || sheet.coverage[i] < 0.5) continue;
    const inside = Math.min(
      photo.inside(x - reach, y),
      photo.inside(x + reach, y),
      photo.inside(x, y - reach),
      photo.inside(x, y + reach),
    );
    sure[i] = facing * smoothstep(0.6, 0.95, inside) * smoothstep(0.5, 0.85, sheet.coverage[i]);
    share[i] = sure[i] * (1 - smoothstep(frontLeast, frontFull, facingCamera(fit.pose, normals, i)));
  }
  fallOffSoftly(share, sheet.triangles, 3);
  return { pixels, share, sure };
}

/** Gains from the photo's colours to the front photo's: the median ratio where both show hair, else of all hair. */
function lightBetween(
  { data, width }: Raster,
  { uv, normals }: Layout,
  fit: FaceFit,
  { picture }: ProfilePhoto,
  { pixels, sure }: ReturnType<typeof findFromSide>,
): Vector {
  const pixel = new Float32Array(3);
  const both: number[][] = [[], [], []];
  const all: number[][] = [[], [], []];
  for (let i = 0; i < sure.length; i++) {
    if (sure[i] < 0.5) continue;
    readPixel(picture, pixels[2 * i], pixels[2 * i + 1], pixel);
    const own = 3 * pixelOf(uv, i, width);
    const isShared = facingCamera(fit.pose, normals, i) > frontLeast;
    for (let k = 0; k < 3; k++) {
      const ratio = Math.log((data[own + k] + 4) / (pixel[k] + 4));
      all[k].push(ratio);
      if (isShared) both[k].push(ratio);
    }
  }
  const ratios = both[0].length >= minShared ? both : all;
  const gain = (k: number): number => Math.exp(clamp(percentile(ratios[k], 0.5) || 0, -0.9, 0.9));
  return [gain(0), gain(1), gain(2)];
}

/** Landmarks of a cheek, the subject's right and left. */
const cheeks = [
  [50, 101, 118, 205, 36, 123, 187, 147],
  [280, 330, 347, 425, 266, 352, 411, 376],
] as const;

/** The skin's colour in a photo from the side: the median of the cheek that it shows. */
function skinIn({ picture, pose }: ProfilePhoto, { neutral }: FaceFit): number[] {
  const pixel = new Float32Array(3);
  const seen = cheeks[pose.yaw > 0 ? 0 : 1].map((i) => {
    readPixel(picture, ...project(pose, at(neutral, i)), pixel);
    return Array.from(pixel);
  });
  return [0, 1, 2].map((k) =>
    percentile(
      seen.map((colour) => colour[k]),
      0.5,
    ),
  );
}

/** ln: how far two colours differ, over all channels. */
function off(a: ArrayLike<number>, b: ArrayLike<number>, at: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += Math.abs(Math.log((a[k] + 8) / (b[at + k] + 8)));
  return sum;
}
