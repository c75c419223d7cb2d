import { at, clamp, smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import type { AssembledSkin } from '../appearance/appearance.ts';
import { type FaceFit, facingCamera, type PhotoPose, project, refinePose } from '../fit/face_fit.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { type Canvas, interpolate, pixelOf, trianglesWith, walkTriangles } from '../texture/texture_fill.ts';
import { landmarkCount } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import { fillHarmonically } from '../topology/harmonic_interpolation.ts';
import type { UsedPhoto } from './other_photos.ts';

/** Facing from which on, and from which on fully, another photo tells a colour. */
const [minFacing, fullFacing] = [0.4, 0.7];
/** The front photo's trust below which others come in, and from which on it tells alone. */
const [littleTrust, ownTrust] = [0.15, 0.6];
/**
 * Differences (ln) from the front photo's colours nearby up to which a colour counts fully, and from which on it isn't
 * skin.
 */
const [alike, strange] = [0.35, 0.8];

/**
 * Paints the parts of the face that the front photo shows badly, or not at all, as another photo shows them, in the
 * front photo's light. The canvas must be known all over.
 */
export function paintSkinFromViews(
  canvas: Canvas,
  skin: AssembledSkin,
  fit: FaceFit,
  photo: UsedPhoto,
): void {
  const seen = findVertexPixels(skin, fit, photo);
  const share = Float32Array.from(seen.facing, (facing, i) => {
    const isMissed = 1 - smoothstep(littleTrust, ownTrust, skin.trust[i]);
    return isMissed * smoothstep(minFacing, fullFacing, facing) * seen.inside[i];
  });
  const gain = lightBetween(canvas, skin, fit, photo, seen);
  if (!gain) return;
  const pixel = new Float32Array(3);
  const { size, colour } = canvas;
  const { picture } = photo;
  const isDone = new Uint8Array(size * size);
  walkTriangles(size, skin.uv, trianglesWith(fineFace.triangles, share), (i, a, b, c, shares) => {
    let w = interpolate(share, a, b, c, shares);
    if (w < 0.01 || isDone[i]) return;
    isDone[i] = 1;
    const mixed = (values: Float32Array, stride: number, o: number): number =>
      interpolate(values, stride * a + o, stride * b + o, stride * c + o, shares);
    readPixel(picture, mixed(seen.pixels, 2, 0), mixed(seen.pixels, 2, 1), pixel);
    for (let k = 0; k < 3; k++) {
      pixel[k] *= mixed(gain, 3, k);
      const off = Math.abs(Math.log((pixel[k] + 8) / (Math.max(0, colour[3 * i + k]) + 8)));
      w *= 1 - smoothstep(alike, strange, off);
    }
    for (let k = 0; k < 3; k++) colour[3 * i + k] += w * (pixel[k] - colour[3 * i + k]);
  });
}

/**
 * Where a photo shows the fine face's vertices, × 2 pixels; how much they face the camera; and whether the head covers
 * that place, 0..1.
 */
function findVertexPixels(skin: AssembledSkin, fit: FaceFit, photo: UsedPhoto) {
  const { count } = fineFace;
  const pose = poseIn(fit, photo);
  const facing = Float32Array.from({ length: count }, (_, i) => facingCamera(pose, skin.normals, i));
  if (photo.kind === 'turned') {
    const pixels = fineFace.refine(photo.fit.photo, 2);
    return { pixels, facing, inside: new Float32Array(count).fill(1) };
  }
  const pixels = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) pixels.set(project(pose, at(skin.points, i)), 2 * i);
  const inside = facing.map((_, i) => smoothstep(0.6, 0.95, photo.inside(pixels[2 * i], pixels[2 * i + 1])));
  return { pixels, facing, inside };
}

/** The shared face as it stands in a photo. */
function poseIn({ neutral, closing }: FaceFit, photo: UsedPhoto): PhotoPose {
  if (photo.kind === 'profile') return photo.pose;
  const open = neutral.map((value, i) => value - closing[i]);
  return { ...photo.fit.pose, ...refinePose(open, photo.fit.photo, photo.fit.pose) };
}

/** Weight that both photos must show of all, and about a landmark so that it tells of itself. */
const [minShared, minHere] = [150, 3];
/** Over how far ratios are averaged, metres: further than pores, moles and what the pose errs by. */
const averagedOver = 0.007;

/**
 * Gains from a photo's colours to the canvas's, × 3 a vertex. Measured where both are known and at the face's rim,
 * smoothed, and extrapolated to the rest, so that the skin has no seam. Null where both share too little.
 */
function lightBetween(
  { size, colour }: Canvas,
  skin: AssembledSkin,
  { weights }: FaceFit,
  { picture }: UsedPhoto,
  { pixels, facing, inside }: ReturnType<typeof findVertexPixels>,
): Float32Array | null {
  const pixel = new Float32Array(3);
  const samples: { readonly at: Vector; readonly weight: number; readonly ratio: Vector }[] = [];
  const rim = new Set(fineFace.oval);
  for (let i = 0; i < fineFace.count; i++) {
    const isKnown = rim.has(i) ? 1 : smoothstep(0.3, 0.7, skin.trust[i]);
    const weight = isKnown * smoothstep(0.3, 0.6, facing[i]) * inside[i];
    if (weight < 0.05) continue;
    readPixel(picture, pixels[2 * i], pixels[2 * i + 1], pixel);
    const own = 3 * pixelOf(skin.uv, i, size);
    const ratio = (k: number): number => clamp(Math.log((colour[own + k] + 4) / (pixel[k] + 4)), -0.9, 0.9);
    samples.push({ at: at(skin.points, i), weight, ratio: [ratio(0), ratio(1), ratio(2)] });
  }
  if (samples.reduce((sum, { weight }) => sum + weight, 0) < minShared) return null;
  const known = new Map<number, Vector>();
  for (let landmark = 0; landmark < landmarkCount; landmark++) {
    const [x, y, z] = at(skin.points, landmark);
    const sum = [0, 0, 0, 0];
    for (const { at: position, weight, ratio } of samples) {
      const far = (position[0] - x) ** 2 + (position[1] - y) ** 2 + (position[2] - z) ** 2;
      const w = weight * Math.exp(-far / (2 * averagedOver ** 2));
      sum[3] += w;
      for (let k = 0; k < 3; k++) sum[k] += w * ratio[k];
    }
    if (sum[3] > minHere) known.set(landmark, [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]]);
  }
  return fineFace.refine(fillHarmonically(known, weights), 3).map(Math.exp);
}
