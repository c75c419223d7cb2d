import { at, normalise, smoothstep, type Vector, vertexNormals } from '@likeness/geometry/vector.ts';
import type { AssembledSkin } from '../appearance/appearance.ts';
import type { Raster } from '../contract/head_model.ts';
import { type FaceFit, facingCamera, project } from '../fit/face_fit.ts';
import { earShape } from '../parts/ear_shape.ts';
import type { Ear } from '../parts/ears.ts';
import { toLinear } from '../photo/linear_light.ts';
import { craniumVertex, skinPatches, skinVertexOf } from '../skull/skin_patches.ts';
import { type Cranium, craniumColumns, craniumRows, smoothGrid } from '../skull/skull.ts';
import { pixelOf } from '../texture/texture_fill.ts';
import { fineFace } from '../topology/fine_face.ts';

/** Share of the skin's texture that the face takes across; the cranium lies round it out to the circle. */
const faceShare = 0.64;
const craniumRim = 0.496;
/** How far down the cranium from the oval the face's expressions move the skin, metres. */
const expressionReach = 0.058;

/** Side of the ears' corner in the skin's texture, parts of its side. */
const earPatch = 0.138;

/** The skin during assembly; where the vertices of the ears and of the neck's closing begin, behind face and cranium. */
const blankSkin = (earStart: number, capStart: number, count: number) => ({
  points: new Float32Array(count * 3),
  uv: new Float32Array(count * 2),
  photo: new Float32Array(count * 2),
  headShare: new Float32Array(count).fill(1),
  light: new Float32Array(count).fill(1),
  all: skinPatches.list.flatMap((patch) => patch.triangles),
  earStart,
  capStart,
});
type SkinParts = ReturnType<typeof blankSkin>;

/**
 * Face, cranium and ears as one surface.
 *
 * @param photo - Where the photo shows the fine face, × 2 pixels.
 */
export function assembleSkin(
  fit: FaceFit,
  fine: Float32Array,
  photo: Float32Array,
  cranium: Cranium,
  ear: Ear,
  fineDeltas: readonly (Float32Array | undefined)[],
): AssembledSkin {
  const signs = ([ear.hidden.left ? 0 : 1, ear.hidden.right ? 0 : -1] as const).filter((sign) => sign !== 0);
  const earStart = fineFace.count + craniumRows * craniumColumns;
  const capStart = earStart + (signs.length * ear.points.length) / 3;
  const count = capStart + craniumColumns;
  const skin = blankSkin(earStart, capStart, count);
  skin.points.set(fine);
  skin.points.set(cranium.points.subarray(3 * craniumColumns), 3 * fineFace.count);
  skin.photo.set(photo);
  layOutFace(skin);
  layOutCranium(skin, fit, cranium);
  const earTriangles = addEars(skin, ear, signs);
  closeNeck(skin, cranium);
  shareWithNeck(skin, cranium);
  const triangles = Uint32Array.from(skin.all);
  const normals = vertexNormals(skin.points, triangles);
  evenNormals(normals);
  return {
    ...skin,
    normals,
    trust: trustInPhoto(skin, fit, normals),
    triangles,
    deltas: fineDeltas.map((delta) => delta && spreadToCranium(delta, cranium, count)),
    earTriangles,
  };
}

function layOutFace({ uv }: SkinParts): void {
  const { layout: flat } = fineFace;
  for (let i = 0; i < fineFace.count; i++) {
    uv[2 * i] = 0.5 + (flat[2 * i] - 0.5) * faceShare;
    uv[2 * i + 1] = 0.5 + (flat[2 * i + 1] - 0.5) * faceShare;
  }
}

/** Evens out the cranium's normals, in place: its triangles cross the crease between skull and neck aslant, as a row of dents. */
function evenNormals(normals: Float32Array): void {
  const grid = new Float32Array((craniumRows + 1) * craniumColumns * 3);
  for (let i = 0; i < grid.length / 3; i++) grid.set(at(normals, skinVertexOf(i)), 3 * i);
  smoothGrid(grid, craniumRows, craniumColumns, 4);
  for (let i = craniumColumns; i < grid.length / 3; i++)
    normals.set(normalise(at(grid, i)), 3 * skinVertexOf(i));
}

/** Lays the cranium out round the face, column by column, and finds its vertices in the photo. */
function layOutCranium({ points, uv, photo }: SkinParts, fit: FaceFit, cranium: Cranium): void {
  for (let k = 0; k < craniumColumns; k++) {
    const rim = fineFace.oval[k];
    const x0 = uv[2 * rim];
    const y0 = uv[2 * rim + 1];
    const own = Math.atan2(y0 - 0.5, x0 - 0.5);
    const total = cranium.columnDistance[craniumRows * craniumColumns + k];
    const x1 = 0.5 + craniumRim * Math.cos(own);
    const y1 = 0.5 + craniumRim * Math.sin(own);
    const seen = project(fit.pose, at(points, rim));
    const off = [photo[2 * rim] - seen[0], photo[2 * rim + 1] - seen[1]] as const;
    for (let row = 1; row <= craniumRows; row++) {
      const i = craniumVertex(row, k);
      const distance = cranium.columnDistance[row * craniumColumns + k];
      // More of the texture for what the photo shows: the way near the oval counts more.
      const t = (distance / total) ** 0.8;
      uv[2 * i] = x0 + (x1 - x0) * t;
      uv[2 * i + 1] = y0 + (y1 - y0) * t;
      const [px, py] = project(fit.pose, at(points, i));
      const keep = 1 - smoothstep(0, 0.03, distance);
      photo[2 * i] = px + off[0] * keep;
      photo[2 * i + 1] = py + off[1] * keep;
    }
  }
}

/**
 * Adds the ears that hair doesn't hide. One is painted; the other wears its mirror image in a corner of its
 * own.
 *
 * @returns where the triangles of the painted one begin and end
 */
function addEars(skin: SkinParts, ear: Ear, signs: readonly number[]): readonly [number, number] {
  const { points, uv, light, all } = skin;
  const earCount = ear.points.length / 3;
  const from = all.length;
  for (const [n, sign] of signs.entries()) {
    const start = skin.earStart + n * earCount;
    light.set(earShape.light, start);
    for (let i = 0; i < earCount; i++) {
      points.set([sign * ear.points[3 * i], ear.points[3 * i + 1], ear.points[3 * i + 2]], 3 * (start + i));
      const across = earShape.patch[2 * i] * earPatch;
      uv.set([n === 0 ? across : 1 - across, earShape.patch[2 * i + 1] * earPatch], 2 * (start + i));
    }
    for (let t = 0; t < earShape.triangles.length; t += 3) {
      const a = start + earShape.triangles[t];
      const b = start + earShape.triangles[t + 1];
      const c = start + earShape.triangles[t + 2];
      all.push(...(sign > 0 ? [a, b, c] : [a, c, b]));
    }
  }
  return [from, from + (signs.length ? earShape.triangles.length : 0)];
}

/** Closes the neck below: each column's own middle, so that it keeps its column's colour. */
function closeNeck({ points, uv, headShare, all, capStart }: SkinParts, { neckBase }: Cranium): void {
  for (let k = 0; k < craniumColumns; k++) {
    const edge = craniumVertex(craniumRows, k);
    points.set([0, neckBase[1] + 0.002, neckBase[2]], 3 * (capStart + k));
    uv.set(uv.subarray(2 * edge, 2 * edge + 2), 2 * (capStart + k));
    headShare[capStart + k] = 0;
    all.push(edge, craniumVertex(craniumRows, k + 1), capStart + k);
  }
}

/** Lets the neck bend: vertices low and far from the face follow the head less. */
function shareWithNeck({ points, headShare }: SkinParts, cranium: Cranium): void {
  for (let k = craniumColumns; k < cranium.columnDistance.length; k++) {
    const i = skinVertexOf(k);
    const y = points[3 * i + 1] - cranium.neckBase[1];
    const beside = smoothstep(0, 0.045, cranium.columnDistance[k]);
    headShare[i] = Math.max(smoothstep(0.005, 0.085, y), 1 - beside);
  }
}

/** Trust in the photo by vertex, 0..1: how far the skin faces the camera; 0 on ears and cap. */
function trustInPhoto(
  { points, earStart }: SkinParts,
  { pose }: FaceFit,
  normals: Float32Array,
): Float32Array {
  const trust = new Float32Array(points.length / 3);
  for (let i = 0; i < earStart; i++) {
    const facing = facingCamera(pose, normals, i);
    trust[i] =
      i < fineFace.count
        ? 0.03 + 0.97 * smoothstep(0.1, 0.4, facing)
        : 0.97 * (points[3 * i + 1] < 0.03 ? smoothstep(0.5, 0.8, facing) : smoothstep(0.25, 0.5, facing));
  }
  return trust;
}

/** An expression of the face on the whole skin: it fades out over the cranium. */
function spreadToCranium(fineDelta: Float32Array, cranium: Cranium, count: number): Float32Array {
  const delta = new Float32Array(count * 3);
  delta.set(fineDelta);
  for (let k = craniumColumns; k < cranium.columnDistance.length; k++) {
    const distance = cranium.columnDistance[k];
    if (distance > expressionReach) continue;
    const share = 1 - smoothstep(0, expressionReach, distance);
    const rim = fineFace.oval[k % craniumColumns];
    const i = skinVertexOf(k);
    for (let c = 0; c < 3; c++) delta[3 * i + c] = fineDelta[3 * rim + c] * share;
  }
  return delta;
}

/** Mirrors the first ear's corner of the skin's picture, RGB, into the second one's. */
export function withBothEars(data: Uint8Array, side: number): Uint8Array {
  const reach = Math.ceil(side * earPatch) + 2;
  for (let y = 0; y < reach; y++)
    for (let x = 0; x < reach; x++) {
      const from = 3 * (y * side + x);
      data.copyWithin(3 * (y * side + side - 1 - x), from, from + 3);
    }
  return data;
}

/** A texture's colour at a vertex, linear RGB. */
export function colourAt({ data, width, height, channels }: Raster, uv: Float32Array, i: number): Vector {
  const at = channels * pixelOf(uv, i, width, height);
  return [0, 1, 2].map((c) => toLinear(data[at + c])) as Vector;
}
