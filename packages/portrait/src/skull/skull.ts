import {
  at,
  clamp,
  cross,
  dot,
  length,
  normalise,
  scale,
  smoothstep,
  subtract,
  type Vector,
  vertexNormals,
} from '@likeness/geometry/vector.ts';
import type { Sex } from '../contract/head_request.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';

export const craniumColumns = 144;
export const craniumRows = 40;
/** The column that runs down the throat. */
export const chinColumn = craniumColumns / 2;

/**
 * The rest of the head: a grid from the face's oval to the ring of the neck base, without a pole or a seam. Column 0
 * runs from the forehead over the crown down the nape, column 72 from the chin down the throat.
 */
export interface Cranium {
  /** (rows + 1) × columns × 3, metres in the face frame; row 0 is the oval itself. */
  readonly points: Float32Array;
  /** Distance along the column from the oval, metres, (rows + 1) × columns. */
  readonly columnDistance: Float32Array;
  /** Middle of the skull, from which directions are measured. */
  readonly centre: Vector;
  /** Middle of the neck's base ring: the origin of the finished head. */
  readonly neckBase: Vector;
  /** Where the neck's axis enters the skull, and its radius. */
  readonly neckTop: Vector;
  readonly neckRadius: number;
}

interface Skull {
  readonly centre: Vector;
  readonly ellipsoids: readonly { readonly at: Vector; readonly semi: Vector }[];
  readonly neckTop: Vector;
  readonly neckBase: Vector;
  readonly neckRadius: number;
}

/** Middle of every skull in the face frame, metres: from here hair is measured outwards. */
export const skullCentre: Vector = [0, -0.008, -0.018];

/**
 * A skull's length in heights of its face, from the mesh's forehead to the chin. The error on drawn heads of known
 * shape is 6 mm; an estimate by the face's width errs by 8. Beside the height neither width nor sex tells more.
 */
const lengthInHeights = 1.178;
/** Between these heights of a face, metres, its skull follows it. */
const [minHeight, maxHeight] = [0.139, 0.18];

/** Way from the oval over which a column leaves the face's own direction, metres: else the jaw would have a crease. */
const tangentReach = 0.01;

/**
 * Proportions of skull and neck: adult means of ANSUR (head breadth 152/145 mm, neck girth 380/330 mm, men/women). The
 * face's width scales them, its height the length; jaw and chin come from the photo.
 */
function skullOf(face: Float32Array, sex: Sex): Skull {
  const width = face[3 * landmark.leftTragus] - face[3 * landmark.rightTragus];
  const s = clamp(width / (sex === 'male' ? 0.15 : 0.144), 0.9, 1.12);
  const chin = at(face, landmark.chin);
  const male = sex === 'male';
  const brow = at(face, landmark.glabella)[2];
  const height = face[3 * landmark.foreheadTop + 1] - chin[1];
  const long = lengthInHeights * clamp(height, minHeight, maxHeight);
  const back = brow - long;
  const semiZ = (brow - back) / 2;
  const top = (male ? 0.122 : 0.119) * s;
  const half = Math.max(width / 2 + 0.001, (male ? 0.077 : 0.074) * s);
  const neckRadius = (male ? 0.0575 : 0.0485) * s;
  return {
    centre: skullCentre,
    ellipsoids: [
      { at: [0, top - 0.088 * s, (brow + back) / 2 - 0.002], semi: [half, 0.088 * s, semiZ] },
      { at: [0, 0.012, back + 0.365 * long], semi: [half * 0.9, 0.07 * s, 0.365 * long] },
    ],
    neckTop: [0, 0, -0.034 * s],
    neckBase: [0, chin[1] - 0.055, -0.05 * s],
    neckRadius,
  };
}

/** Distance from the centre to the surface: a smooth maximum over cranium, occiput and neck. */
function radius(skull: Skull, d: Vector): number {
  const softness = 0.007;
  let sum = 0;
  let peak = 0;
  const reach: number[] = [];
  for (const { at: middle, semi } of skull.ellipsoids) {
    const o = subtract(skull.centre, middle);
    const a = (d[0] / semi[0]) ** 2 + (d[1] / semi[1]) ** 2 + (d[2] / semi[2]) ** 2;
    const b = (o[0] * d[0]) / semi[0] ** 2 + (o[1] * d[1]) / semi[1] ** 2 + (o[2] * d[2]) / semi[2] ** 2;
    const c = (o[0] / semi[0]) ** 2 + (o[1] / semi[1]) ** 2 + (o[2] / semi[2]) ** 2 - 1;
    const h = b * b - a * c;
    if (h > 0) reach.push((-b + Math.sqrt(h)) / a);
  }
  const axis = normalise(subtract(skull.neckBase, skull.neckTop));
  const o = subtract(skull.centre, skull.neckTop);
  const da = dot(d, axis);
  const oa = dot(o, axis);
  const a = 1 - da * da;
  const b = dot(o, d) - oa * da;
  const c = dot(o, o) - oa * oa - skull.neckRadius ** 2;
  const h = b * b - a * c;
  if (h > 0 && da > 0 && a > 1e-6) reach.push(Math.min(0.4, (-b + Math.sqrt(h)) / a));
  for (const r of reach) peak = Math.max(peak, r);
  for (const r of reach) sum += Math.exp((r - peak) / softness);
  return peak + softness * Math.log(sum) * 0.6;
}

/**
 * The direction in which the face goes on at a point of its oval, of length 1: across the oval, along its surface.
 */
function outwardsAt(fine: Float32Array, normals: Float32Array, k: number): Vector {
  const { oval } = fineFace;
  const before = at(fine, oval[(k + oval.length - 1) % oval.length]);
  const after = at(fine, oval[(k + 1) % oval.length]);
  return normalise(cross(at(normals, oval[k]), subtract(after, before)));
}

/** Stereographic plane: the forward direction at infinity, the backward one at the origin. */
function toPlane(d: Vector): [number, number] {
  const k = 1 / Math.max(1e-6, 1 - d[2]);
  return [d[0] * k, d[1] * k];
}

function fromPlane(x: number, y: number): Vector {
  const q = x * x + y * y;
  return [(2 * x) / (q + 1), (2 * y) / (q + 1), (q - 1) / (q + 1)];
}

/**
 * Builds the cranium. Each column is a straight line in the stereographic plane from its oval point to the neck ring,
 * projected on skull and neck and re-spaced evenly. Its first 45 mm blend from the photo's oval.
 */
export function buildCranium(face: Float32Array, fine: Float32Array, sex: Sex): Cranium {
  const skull = skullOf(face, sex);
  const { centre } = skull;
  const columns = craniumColumns;
  const rows = craniumRows;
  const samples = 64;
  const points = new Float32Array((rows + 1) * columns * 3);
  const path = new Float32Array((samples + 1) * 3);
  const along = new Float32Array(samples + 1);
  const normals = vertexNormals(fine, fineFace.triangles);
  for (let k = 0; k < columns; k++) {
    const start = at(fine, fineFace.oval[k]);
    const outwards = outwardsAt(fine, normals, k);
    const startOffset = subtract(start, centre);
    const startRadius = length(startOffset);
    const startDirection = scale(startOffset, 1 / startRadius);
    const lead = startRadius / radius(skull, startDirection);
    const psi = (Math.PI * 2 * k) / columns;
    // The base is cut aslant, the front lower, as a bust is; the neck widens towards it.
    const flare = 1.08;
    const end: Vector = [
      Math.sin(psi) * skull.neckRadius * flare * 1.02,
      skull.neckBase[1] + 0.012 * Math.cos(psi),
      skull.neckBase[2] - Math.cos(psi) * skull.neckRadius * flare,
    ];
    const endOffset = subtract(end, centre);
    const endRadius = length(endOffset);
    const endDirection = scale(endOffset, 1 / endRadius);
    const endLead = endRadius / radius(skull, endDirection);
    const [x0, y0] = toPlane(startDirection);
    const [x1, y1] = toPlane(endDirection);
    for (let i = 0; i <= samples; i++) {
      const t = i / samples;
      const d = fromPlane(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t);
      const r = radius(skull, d);
      const p: Vector = [centre[0] + d[0] * r, centre[1] + d[1] * r, centre[2] + d[2] * r];
      path.set(p, 3 * i);
      along[i] = i === 0 ? 0 : along[i - 1] + length(subtract(p, at(path, i - 1)));
    }
    const total = along[samples];
    for (let i = 0; i <= samples; i++) {
      const blend = 1 - smoothstep(0, Math.min(0.05, total * 0.8), along[i]);
      const endBlend = smoothstep(Math.max(total - 0.06, total * 0.25), total, along[i]);
      const factor = 1 + (lead - 1) * blend + (endLead - 1) * endBlend;
      const p = at(path, i);
      const own = 1 - smoothstep(0, tangentReach, along[i]);
      for (let c = 0; c < 3; c++) {
        const onSkull = centre[c] + (p[c] - centre[c]) * factor;
        path[3 * i + c] = onSkull + own * (start[c] + outwards[c] * along[i] - onSkull);
      }
    }
    for (let i = 1; i <= samples; i++)
      along[i] = along[i - 1] + length(subtract(at(path, i), at(path, i - 1)));
    let from = 0;
    for (let row = 0; row <= rows; row++) {
      // Closer near the oval, where the hairline is.
      const wanted = along[samples] * (row / rows) ** 1.35;
      while (from < samples - 1 && along[from + 1] < wanted) from++;
      const t = clamp((wanted - along[from]) / Math.max(1e-9, along[from + 1] - along[from]), 0, 1);
      const o = (row * columns + k) * 3;
      for (let c = 0; c < 3; c++) {
        points[o + c] = path[3 * from + c] + (path[3 * from + 3 + c] - path[3 * from + c]) * t;
      }
      if (row === 0) points.set(start, o);
      if (row === rows) points.set(end, o);
    }
  }
  smoothGrid(points, rows, columns, 6);
  const columnDistance = new Float32Array((rows + 1) * columns);
  for (let i = columns; i < columnDistance.length; i++)
    columnDistance[i] =
      columnDistance[i - columns] + length(subtract(at(points, i), at(points, i - columns)));
  const { neckBase, neckTop, neckRadius } = skull;
  return { points, columnDistance, centre, neckBase, neckTop, neckRadius };
}

/** Relaxes a closed grid towards the mean of its four neighbours; the first and last rows stay. */
export function smoothGrid(points: Float32Array, rows: number, columns: number, rounds: number): void {
  const next = new Float32Array(points.length);
  for (let round = 0; round < rounds; round++) {
    next.set(points);
    for (let row = 1; row < rows; row++) {
      for (let k = 0; k < columns; k++) {
        const o = (row * columns + k) * 3;
        const l = (row * columns + ((k + columns - 1) % columns)) * 3;
        const r = (row * columns + ((k + 1) % columns)) * 3;
        for (let c = 0; c < 3; c++) {
          const mean =
            (points[l + c] + points[r + c] + points[o - 3 * columns + c] + points[o + 3 * columns + c]) / 4;
          next[o + c] = points[o + c] * 0.5 + mean * 0.5;
        }
      }
    }
    points.set(next);
  }
}

export const gridTriangles: Uint32Array = (() => {
  const triangles: number[] = [];
  for (let row = 0; row < craniumRows; row++) {
    for (let k = 0; k < craniumColumns; k++) {
      const a = row * craniumColumns + k;
      const b = row * craniumColumns + ((k + 1) % craniumColumns);
      triangles.push(a, b, a + craniumColumns, b, b + craniumColumns, a + craniumColumns);
    }
  }
  return Uint32Array.from(triangles);
})();

/** Normals of the cranium's closed grid. */
export const gridNormals = (points: Float32Array): Float32Array => vertexNormals(points, gridTriangles);

/**
 * Reads values on the cranium's grid, or another one round the head, between its points: the c-th of `step` a point. Rows
 * end at the first and the last, columns go on.
 */
export function readCranium(
  values: ArrayLike<number>,
  step: number,
  c: number,
  row: number,
  column: number,
  rows = craniumRows,
  columns = craniumColumns,
): number {
  const r = clamp(Math.floor(row), 0, rows - 1);
  const k0 = Math.floor(column);
  const [fr, fk] = [clamp(row - r, 0, 1), column - k0];
  const k = ((k0 % columns) + columns) % columns;
  const a = step * (r * columns + k) + c;
  const b = step * (r * columns + ((k + 1) % columns)) + c;
  const below = step * columns;
  const upper = values[a] * (1 - fk) + values[b] * fk;
  return upper + (values[a + below] * (1 - fk) + values[b + below] * fk - upper) * fr;
}

/** Reads points or directions on the cranium's grid, × 3, between its points. */
export const readCraniumVector = (values: ArrayLike<number>, row: number, column: number): Vector => [
  readCranium(values, 3, 0, row, column),
  readCranium(values, 3, 1, row, column),
  readCranium(values, 3, 2, row, column),
];

/** The cranium's vertex on the other side. */
export const mirrorOf = (i: number): number =>
  i - (i % craniumColumns) + ((craniumColumns - (i % craniumColumns)) % craniumColumns);
