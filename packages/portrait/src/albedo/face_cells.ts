import { smoothstep, vertexNormals } from '@likeness/geometry/vector.ts';
import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import { bareSkin, type HairMap, insideOutline } from '../hair/hair_map.ts';
import { linearBytes } from '../photo/linear_light.ts';
import type { Picture } from '../photo/photo.ts';
import { cropPixel } from '../segment/head_crop.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { walkTriangles } from '../texture/texture_fill.ts';
import { fineFace } from '../topology/fine_face.ts';

/** Cells a side of the face's layout in which its light is put together: some 1.6 mm each. */
export const side = 128;
const area = side * side;

/** The colours and surface of a face in a photo, by cell of the face's layout. */
export interface FaceCells {
  /** × 3: linear RGB, 0..1. */
  readonly colours: Float32Array;
  /** × 3, unit; the face's frame. */
  readonly normals: Float32Array;
  /** How much the surface faces the camera, −1..1. */
  readonly facing: Float32Array;
  /** 0..1: the photo shows the face there, and nothing before it. */
  readonly shown: Float32Array;
  /** 0..1: its colour is that of skin. */
  readonly skin: Float32Array;
}

/** Where the cells of a grid lie on the fine face: three vertices and their shares; shares of 0 beside the face. */
interface CellCoordinates {
  readonly corners: Uint16Array;
  readonly shares: Float32Array;
}

function coordinatesOf(cells: number): CellCoordinates {
  const corners = new Uint16Array(3 * cells * cells);
  const shares = new Float32Array(3 * cells * cells);
  walkTriangles(cells, fineFace.layout, fineFace.triangles, (i, a, b, c, [wa, wb, wc]) => {
    corners.set([a, b, c], 3 * i);
    shares.set([wa!, wb!, wc!], 3 * i);
  });
  return { corners, shares };
}

/** The same for every head: the cells, and their quarters, in which the photo is read. */
const cellCoordinates: CellCoordinates = coordinatesOf(side);
const quarterCoordinates = coordinatesOf(2 * side);

/** 1 in cells of the face. */
export const onFace: Uint8Array = Uint8Array.from({ length: area }, (_, i) =>
  cellCoordinates.shares[3 * i]! + cellCoordinates.shares[3 * i + 1]! + cellCoordinates.shares[3 * i + 2]! >
  0.5
    ? 1
    : 0,
);

/** Brings values of `width` numbers a vertex of the fine face to the cells. */
export function byCell(values: Float32Array, width: number): Float32Array {
  const { corners, shares } = cellCoordinates;
  const out = new Float32Array(area * width);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < width; c++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += shares[3 * i + k] * values[width * corners[3 * i + k] + c];
      out[width * i + c] = sum;
    }
  return out;
}

/**
 * How far a pixel of the crop shows the face, 0..1, that faces the camera so much there. Where it turns away, earrings and
 * background and hair would be smeared over the cheek.
 */
export function faceShown(
  cut: Pick<Silhouette, 'mask'>,
  map: Pick<HairMap, 'skin' | 'hair'>,
  k: number,
  facing: number,
): number {
  const own = bareSkin(map, k) * insideOutline(cut, k);
  const sure = smoothstep(0.45, 0.75, facing);
  return (sure + (1 - sure) * own) * smoothstep(0.2, 0.62, facing);
}

/** Reads what a photo shows of the fitted face. */
export function readFaceCells(
  picture: Picture,
  fit: FaceFit,
  cut: Silhouette,
  map: Pick<HairMap, 'skin' | 'hair'>,
): FaceCells {
  const points = fineFace.refine(fit.neutral, 3);
  const vertex = vertexNormals(points, fineFace.triangles);
  const photo = fineFace.refine(fit.photo, 2);
  const facing = new Float32Array(fineFace.count);
  const shown = new Float32Array(fineFace.count);
  const skin = new Float32Array(fineFace.count);
  for (let i = 0; i < fineFace.count; i++) {
    const k = cropPixel(cut, photo[2 * i], photo[2 * i + 1]);
    facing[i] = facingCamera(fit.pose, vertex, i);
    shown[i] = faceShown(cut, map, k, facing[i]);
    skin[i] = map.skin[k];
  }
  const normals = byCell(vertex, 3);
  for (let i = 0; i < area; i++) {
    const long = Math.hypot(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]) + 1e-9;
    for (let c = 0; c < 3; c++) normals[3 * i + c] /= long;
  }
  return {
    colours: readColours(picture, photo),
    normals,
    facing: byCell(facing, 1),
    shown: byCell(shown, 1),
    skin: byCell(skin, 1),
  };
}

/** The photo's linear colours in each cell: means of its quarters. */
function readColours(picture: Picture, photo: Float32Array): Float32Array {
  const { corners, shares } = quarterCoordinates;
  const out = new Float32Array(3 * area);
  const count = new Uint8Array(area);
  const pixel = new Float32Array(3);
  for (let y = 0; y < 2 * side; y++)
    for (let x = 0; x < 2 * side; x++) {
      const q = 3 * (2 * side * y + x);
      let px = 0;
      let py = 0;
      let known = 0;
      for (let k = 0; k < 3; k++) {
        const w = shares[q + k];
        known += w;
        px += w * photo[2 * corners[q + k]];
        py += w * photo[2 * corners[q + k] + 1];
      }
      if (known < 0.5) continue;
      readPixel(picture, px, py, pixel);
      const cell = (y >> 1) * side + (x >> 1);
      count[cell]++;
      for (let c = 0; c < 3; c++) out[3 * cell + c] += linearBytes[Math.round(pixel[c])];
    }
  for (let i = 0; i < area; i++) if (count[i]) for (let c = 0; c < 3; c++) out[3 * i + c] /= count[i];
  return out;
}
