import { at, clamp, mix, smoothstep, type Vector, vertexNormals } from '@likeness/geometry/vector.ts';
import { collarHeight, shoulderPoint, shoulderRows, torsoEnd } from '@likeness/proto/heads/shoulders.ts';
import type { HeadModel, Surface } from '../contract/head_model.ts';
import { toLinear } from '../photo/linear_light.ts';
import { craniumVertex } from '../skull/skin_patches.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';
import { readColour } from './recolour.ts';

/** Columns of the cloth; each lies below every other one of the neck. */
const columns = craniumColumns / 2;
/** The collar's band, from its hidden inner edge to the seam: how far off the skin, and how far above that place, metres. */
const band = [
  { at: 1, out: -0.002, up: -0.003 },
  { at: 1, out: 0.0012, up: 0.0002 },
  { at: 1, out: 0.0026, up: 0.001 },
  { at: 1, out: 0.0042, up: 0.0002 },
  { at: 0.9, out: 0.005, up: 0 },
  { at: 0.45, out: 0.0054, up: 0 },
  { at: 0.05, out: 0.005, up: 0 },
  { at: 0, out: 0.0036, up: -0.0016 },
  { at: 0, out: 0.0058, up: -0.0034 },
] as const;
interface Column {
  /** Away from the neck's axis, of length 1. */
  out: readonly [number, number];
  /** Neck below the collar's upper edge, and the neck's edge. */
  top: Vector;
  edge: Vector;
}

/**
 * Sets a head on shoulders in a round-necked shirt, which hides the neck's cut. The cloth is an object of its own that stays still
 * when the head turns.
 *
 * @param colour - Of the cloth, `#rrggbb`.
 */
export function withBust(model: HeadModel, colour: string): HeadModel {
  const skin = model.surfaces.find(({ name }) => name === 'Skin');
  if (!skin) return model;
  const [r, g, b] = readColour(colour);
  const cloth = {
    name: 'Cloth',
    colour: [toLinear(r), toLinear(g), toLinear(b), 1] as const,
    roughness: 1,
  };
  return {
    ...model,
    materials: [...model.materials, cloth],
    surfaces: [...model.surfaces, clothOver(skin, model.materials.length)],
  };
}

function clothOver(skin: Surface, material: number): Surface {
  const around = Array.from({ length: columns }, (_, k) => columnOf(skin.points, 2 * k));
  const neck = around.reduce((sum, { top }) => sum + Math.hypot(top[0], top[2]), 0) / columns;
  const grid: number[][] = around.map((column) => [...bandOf(column), ...bodyOf(column, neck)]);
  const height = grid[0].length / 3;
  const points = new Float32Array(3 * (height * columns + 1));
  for (const [k, column] of grid.entries())
    for (let row = 0; row < height; row++)
      points.set(column.slice(3 * row, 3 * row + 3), 3 * (row * columns + k));
  const middle = height * columns;
  points.set([0, points[3 * (middle - columns) + 1], 0], 3 * middle);
  const triangles: number[] = [];
  for (let k = 0; k < columns; k++) {
    const next = (k + 1) % columns;
    for (let row = 0; row + 1 < height; row++) {
      const [a, b] = [row * columns + k, row * columns + next];
      triangles.push(a, b, a + columns, b, b + columns, a + columns);
    }
    triangles.push(middle - columns + k, middle - columns + next, middle);
  }
  return {
    name: 'Cloth',
    material,
    node: 'skin',
    points,
    normals: vertexNormals(points, triangles),
    triangles: Uint32Array.from(triangles),
    headShare: new Float32Array(points.length / 3),
  };
}

/** A column of the neck, by its number in the cranium. */
function columnOf(points: Float32Array, k: number): Column {
  const pointAt = (row: number): Vector => at(points, craniumVertex(row, k));
  // The last row is turned in.
  const edge = pointAt(craniumRows - 1);
  let row = craniumRows - 1;
  while (row > 1 && pointAt(row)[1] < edge[1] + collarHeight) row--;
  const [above, below] = [pointAt(row), pointAt(row + 1)];
  const share = clamp((edge[1] + collarHeight - below[1]) / Math.max(1e-6, above[1] - below[1]), 0, 1);
  const far = Math.hypot(edge[0], edge[2]) || 1;
  return { out: [edge[0] / far, edge[2] / far], top: mix(below, above, share), edge };
}

const bandOf = ({ out, top, edge }: Column): number[] =>
  band.flatMap(({ at, out: off, up }) => [
    edge[0] + at * (top[0] - edge[0]) + out[0] * off,
    edge[1] + at * (top[1] - edge[1]) + up,
    edge[2] + at * (top[2] - edge[2]) + out[1] * off,
  ]);

/** Shoulder, chest or back below the collar, down to the rounded lower edge and the rim of what closes it. */
function bodyOf({ out: [x, z], edge }: Column, neck: number): number[] {
  const last = band[band.length - 1];
  const from = Math.hypot(edge[0], edge[2]) + last.out;
  const start = edge[1] + last.up;
  const { to, down } = torsoEnd(x, z, neck);
  const fall = start + down;
  const aside = smoothstep(0.25, 0.95, Math.abs(x));
  const body: number[] = [];
  for (let row = 1; row <= shoulderRows; row++) {
    const { far, below } = shoulderPoint(row / shoulderRows, aside, { from, to, fall });
    body.push(x * far, start - below, z * far);
  }
  const end = start - fall;
  for (const [inwards, lower] of [
    [0.003, 0.003],
    [0.009, 0.0045],
    [0.5 * to, 0.0045],
  ] as const)
    body.push(x * (to - inwards), end - lower, z * (to - inwards));
  return body;
}
