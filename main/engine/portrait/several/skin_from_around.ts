import type { AssembledSkin } from '../appearance/appearance.ts';
import { type FaceFit, facingCamera, type PhotoPose, project, refinePose } from '../fit/face_fit.ts';
import { solve } from '../fit/photo_light.ts';
import { at, clamp, smoothstep } from '../math/vector.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { type Canvas, walkTriangles } from '../texture/texture_fill.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { UsedPhoto } from './other_photos.ts';

/** Facing from which on, and from which on fully, another photo tells a colour. */
const [leastFacing, fullFacing] = [0.4, 0.7];
/** The front photo's trust below which others come in, and from which on it tells alone. */
const [littleTrust, ownTrust] = [0.15, 0.6];
/** ln: by how much a colour may differ from the front photo's surroundings, and from where on it is no skin. */
const [alike, strange] = [0.35, 0.8];

/**
 * Paints the parts of the face that the front photo shows badly, or not at all, as another photo shows them, in the
 * front photo's light. The canvas must be known all over.
 */
export function paintFromAround(canvas: Canvas, skin: AssembledSkin, fit: FaceFit, photo: UsedPhoto): void {
  const seen = placesIn(skin, fit, photo);
  const share = Float32Array.from(seen.facing, (facing, i) => {
    const isMissed = 1 - smoothstep(littleTrust, ownTrust, skin.trust[i]);
    return isMissed * smoothstep(leastFacing, fullFacing, facing) * seen.inside[i];
  });
  const gain = lightBetween(canvas, skin, photo, seen);
  if (!gain) return;
  const pixel = new Float32Array(3);
  const { size, colour } = canvas;
  const { picture } = photo;
  const isDone = new Uint8Array(size * size);
  walkTriangles(size, skin.uv, fineFace.triangles, (i, a, b, c, wa, wb, wc) => {
    let w = wa * share[a] + wb * share[b] + wc * share[c];
    if (w < 0.01 || isDone[i]) return;
    isDone[i] = 1;
    const mixed = (values: Float32Array, stride: number, o: number): number =>
      wa * values[stride * a + o] + wb * values[stride * b + o] + wc * values[stride * c + o];
    readPixel(picture, mixed(seen.places, 2, 0), mixed(seen.places, 2, 1), pixel);
    for (let k = 0; k < 3; k++) {
      pixel[k] *= mixed(gain, 3, k);
      const off = Math.abs(Math.log((pixel[k] + 8) / (Math.max(0, colour[3 * i + k]) + 8)));
      w *= 1 - smoothstep(alike, strange, off);
    }
    for (let k = 0; k < 3; k++) colour[3 * i + k] += w * (pixel[k] - colour[3 * i + k]);
  });
}

/** Where a photo shows the fine face's vertices, and how well. */
interface SeenPlaces {
  /** × 2, pixels. */
  readonly places: Float32Array;
  readonly facing: Float32Array;
  /** 0..1: the head covers that place. */
  readonly inside: Float32Array;
}

function placesIn(skin: AssembledSkin, fit: FaceFit, photo: UsedPhoto): SeenPlaces {
  const { count } = fineFace;
  const pose = poseIn(fit, photo);
  const facing = Float32Array.from({ length: count }, (_, i) => facingCamera(pose, skin.normals, i));
  if (photo.kind === 'turned') {
    const places = fineFace.refine(photo.fit.photo, 2);
    return { places, facing, inside: new Float32Array(count).fill(1) };
  }
  const places = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) places.set(project(pose, at(skin.points, i)), 2 * i);
  const inside = facing.map((_, i) => smoothstep(0.6, 0.95, photo.inside(places[2 * i], places[2 * i + 1])));
  return { places, facing, inside };
}

/** The shared face as it stands in a photo. */
function poseIn({ neutral, closing }: FaceFit, photo: UsedPhoto): PhotoPose {
  if (photo.kind === 'profile') return photo.pose;
  const open = neutral.map((value, i) => value - closing[i]);
  return { ...photo.fit.pose, ...refinePose(open, photo.fit.photo, photo.fit.pose) };
}

/** Least vertices that both photos must show for their light to be compared. */
const leastShared = 150;

/**
 * What brings a photo's colours to the canvas's, × 3 a vertex: a ratio that changes with the surface's direction, by
 * least squares over what both show. Null where that is too little.
 */
function lightBetween(
  { size, colour }: Canvas,
  skin: AssembledSkin,
  { picture }: UsedPhoto,
  { places, facing, inside }: SeenPlaces,
): Float32Array | null {
  const { count } = fineFace;
  const a = Array.from({ length: 3 }, () => new Float64Array(16));
  const b = Array.from({ length: 3 }, () => new Float64Array(4));
  const pixel = new Float32Array(3);
  let shared = 0;
  for (let i = 0; i < count; i++) {
    const w = smoothstep(0.3, 0.7, skin.trust[i]) * smoothstep(0.3, 0.6, facing[i]) * inside[i];
    if (w < 0.05) continue;
    shared += w;
    readPixel(picture, places[2 * i], places[2 * i + 1], pixel);
    const x = clamp(Math.floor(skin.uv[2 * i] * size), 0, size - 1);
    const y = clamp(Math.floor(skin.uv[2 * i + 1] * size), 0, size - 1);
    const terms = termsOf(skin.normals, i);
    for (let k = 0; k < 3; k++) {
      const ratio = clamp(Math.log((colour[3 * (y * size + x) + k] + 4) / (pixel[k] + 4)), -0.9, 0.9);
      for (let p = 0; p < 4; p++) {
        b[k][p] += w * terms[p] * ratio;
        for (let q = 0; q <= p; q++) a[k][4 * p + q] += w * terms[p] * terms[q];
      }
    }
  }
  if (shared < leastShared) return null;
  const light = a.map((matrix, k) => {
    for (let p = 1; p < 4; p++) matrix[5 * p] += 0.05 * shared;
    return solve(matrix, b[k]);
  });
  const gain = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const terms = termsOf(skin.normals, i);
    for (let k = 0; k < 3; k++)
      gain[3 * i + k] = Math.exp(
        clamp(
          terms.reduce((sum, t, p) => sum + t * light[k][p], 0),
          -0.9,
          0.9,
        ),
      );
  }
  return gain;
}

const termsOf = (normals: Float32Array, i: number): [number, number, number, number] => [
  1,
  normals[3 * i],
  normals[3 * i + 1],
  normals[3 * i + 2],
];
