import { hash } from '@likeness/geometry/noise.ts';
import {
  at,
  clamp,
  cross,
  dot,
  normalise,
  smoothstep,
  subtract,
  type Vector,
} from '@likeness/geometry/vector.ts';
import {
  craniumColumns,
  craniumRows,
  gridNormals,
  readCranium,
  readCraniumVector,
} from '../../skull/skull.ts';

/** Ribbons of strands along the hair, with alpha between them; face frame, metres. */
export interface HairRibbons {
  /** Two a row, `ribbonRows` rows a ribbon. */
  readonly points: Float32Array;
  readonly normals: Float32Array;
  /** In the picture of strands: u across one of its locks, v from root to tip. */
  readonly uv: Float32Array;
  /** × 2: row and column of the cranium's grid below each vertex, whose colour it wears. */
  readonly gridPositions: Float32Array;
  /** Lightness against the hair below. */
  readonly tone: Float32Array;
  readonly triangles: Uint32Array;
}

const ribbonRows = 6;
/** Locks side by side in the picture of strands: of ribbons that lie on the hair, then of those that stand off it. */
export const ribbonLocks = 4;
export const looseLocks = 4;
const locks = ribbonLocks + looseLocks;

export interface RibbonInput {
  /** The hair's sheet and how much hair there is, on the cranium's grid. */
  readonly sheet: Float32Array;
  readonly coverage: Float32Array;
  readonly flow: Float32Array;
  /** 0..1 a vertex: how well the photo shows it; what it shows is not covered. */
  readonly seen: Float32Array;
  /** 0 for short hair … 1 for long. */
  readonly long: number;
  /** Parts of their length that ribbons have, a vertex; 1 when absent. */
  readonly lengths?: Float32Array;
  /** Least lightness of a ribbon against the hair below, and by how much more it may have. */
  readonly tones?: readonly [number, number];
  /** Most ribbons that lie on the hair, without `tips`; where absent, what those and loose ones leave. */
  readonly max?: number;
  /** More of them, over the ends of hair. */
  readonly tips?: readonly RibbonTip[];
}

type AnyRoot = RibbonRoot | RibbonTip | LooseRibbon;

/** Where a ribbon begins, on the cranium's grid. */
interface RibbonRoot {
  readonly row: number;
  readonly column: number;
}

/** A ribbon on its edge: loose strands, which the hair's outline shows, while from above it is a line. */
interface LooseRibbon extends RibbonRoot {
  readonly loose: true;
}

/** A ribbon that goes on beyond the end of the hair that it lies on. */
export interface RibbonTip extends RibbonRoot {
  /** Metres. */
  readonly length: number;
  readonly width: number;
  /** Lies inside of the hair, and shows from its end on. */
  readonly inside?: boolean;
  /** Wears the colour of its root throughout: the sheet's edge may show skin. */
  readonly rootColour?: boolean;
}

/** Builds ribbons where the photo shows no hair, over the edge of what it shows and over the hair's own edges. */
export function buildRibbons(input: RibbonInput): HairRibbons {
  const { tips = [] } = input;
  const looseRibbons = chooseLoose(input);
  const max = input.max ?? maxRibbons - tips.length - looseRibbons.length;
  const roots: AnyRoot[] = [...chooseRoots(input, max), ...looseRibbons, ...tips];
  const rows = roots.length * ribbonRows;
  const ribbons: HairRibbons = {
    points: new Float32Array(6 * rows),
    normals: new Float32Array(6 * rows),
    uv: new Float32Array(4 * rows),
    gridPositions: new Float32Array(4 * rows),
    tone: new Float32Array(2 * rows),
    triangles: new Uint32Array(roots.length * (ribbonRows - 1) * 6),
  };
  const normals = gridNormals(input.sheet);
  for (const [n, root] of roots.entries()) buildRibbon(ribbons, n, root, input, normals);
  return ribbons;
}

/** Metres of surface that a ribbon stands for, squared; and the most ribbons. */
const areaPerRibbon = { short: 2.6e-4, long: 3.6e-4 } as const;
const maxRibbons = 260;

/** Loose ribbons: from which row of the grid on, square metres for each, and most of them. */
const loose = { firstRow: 5, area: 6e-4, max: 64 } as const;

/** Where the photo shows little hair. */
function chooseRoots({ sheet, coverage, seen, long }: RibbonInput, max: number): RibbonRoot[] {
  const area = areaPerRibbon.short + (areaPerRibbon.long - areaPerRibbon.short) * long;
  const wanted = (i: number): number => smoothstep(0.5, 0.8, coverage[i]) * smoothstep(0.55, 0.25, seen[i]);
  return evenRoots(sheet, wanted, area, max);
}

/** Loose strands all over the hair but at its edges, and where it is clipped. */
function chooseLoose({ sheet, coverage, lengths }: RibbonInput): LooseRibbon[] {
  const wanted = (i: number): number =>
    i < loose.firstRow * craniumColumns
      ? 0
      : smoothstep(0.8, 0.95, coverage[i]) * smoothstep(0.5, 0.9, lengths?.[i] ?? 1);
  return evenRoots(sheet, wanted, loose.area, loose.max).map((root) => ({ ...root, loose: true }));
}

/**
 * Rows and columns where ribbons begin, evenly by area.
 *
 * @param wanted - 0..1 for a vertex.
 * @param area - Square metres a ribbon.
 */
function evenRoots(
  sheet: Float32Array,
  wanted: (i: number) => number,
  area: number,
  max: number,
): RibbonRoot[] {
  const roots: RibbonRoot[] = [];
  let due = 0;
  const cells: [number, number, number][] = [];
  for (let row = 0; row < craniumRows; row++) {
    for (let k = 0; k < craniumColumns; k++) {
      const i = row * craniumColumns + k;
      const there = wanted(i);
      if (there === 0) continue;
      const p = at(sheet, i);
      const right = at(sheet, row * craniumColumns + ((k + 1) % craniumColumns));
      const spread = cross(subtract(right, p), subtract(at(sheet, i + craniumColumns), p));
      cells.push([row, k, there * Math.hypot(...spread)]);
    }
  }
  const total = cells.reduce((sum, [, , weight]) => sum + weight, 0);
  const each = Math.max(area, total / max);
  for (const [n, [row, k, weight]] of cells.entries()) {
    due += weight / each;
    if (due < 1) continue;
    due -= 1 + 0.5 * (hash(n, 9) - 0.5);
    roots.push({ row: row + hash(n, 7), column: k + hash(n, 8) });
  }
  return roots;
}

const defaultTones = [0.97, 0.22] as const;

/** Tangents by which ribbons lie apart from each other: all of short hair's, and loose ones. */
const strays = 0.8;

/** Height of a ribbon that lies inside of the hair, metres. */
const insideBy = -0.0012;

/** A ribbon's shape besides its path. */
interface RibbonShape {
  /** Metres. */
  readonly length: number;
  /** Tangent of its way against the hair's. */
  readonly stray: number;
  /** Number of its lock in the picture of strands. */
  readonly lock: number;
  /** How far an edge lies to the side of its way and off the hair, metres; `t`: 0 at the root … 1. */
  readonly edgeAt: (t: number, edge: 0 | 1) => readonly [aside: number, off: number];
}

/** It lies on the hair, a little to one side. */
function lyingShape(
  n: number,
  tip: RibbonTip | undefined,
  cut: number,
  { long, lengths }: RibbonInput,
): RibbonShape {
  const length = tip
    ? tip.length + 0.008 * (hash(n, 0) - 0.5)
    : (0.036 + 0.03 * long) * (0.75 + 0.5 * hash(n, 0)) * (0.35 + 0.65 * cut);
  const width = (tip?.width ?? 0.009 + 0.006 * long) * (0.75 + 0.5 * hash(n, 1));
  const lift = (0.0009 + 0.0008 * long) * (0.4 + 1.2 * hash(n, 2)) * (0.5 + 0.5 * cut);
  // Ends lie flat and keep their width: strands on a twisted strip have kinks.
  const tilt = tip ? 0 : 0.75 * (hash(n, 3) - 0.5);
  return {
    length,
    // Cut hair doesn't lie all alike.
    stray: lengths && !tip ? (1 - long) * strays * (hash(n, 10) - 0.5) : 0,
    lock: Math.floor(hash(n, 5) * ribbonLocks),
    edgeAt: (t, edge) => {
      const height = tip?.inside
        ? insideBy * smoothstep(1, 0.5, t)
        : lift * Math.sin(Math.min(1, 1.35 * t) * Math.PI * 0.62) - 0.0004 * (1 - t);
      const half = tip
        ? 0.5 * width
        : 0.5 * width * (0.75 + 0.5 * Math.sin(Math.PI * Math.min(1, t + 0.15))) * (1 - 0.35 * t);
      const turn = tilt * smoothstep(0, 0.6, t);
      const sign = edge ? half : -half;
      return [sign * Math.cos(turn), sign * Math.sin(turn) + height + half * Math.abs(Math.sin(turn))];
    },
  };
}

/** It stands on its first edge, which lies in the hair, and leans to a side. */
function looseShape(n: number, { long }: RibbonInput): RibbonShape {
  const rise = (0.003 + 0.0035 * long) * (0.6 + 0.8 * hash(n, 1));
  const lean = 0.6 * (hash(n, 3) - 0.5);
  return {
    length: (0.03 + 0.03 * long) * (0.75 + 0.5 * hash(n, 0)),
    stray: strays * (hash(n, 10) - 0.5),
    lock: ribbonLocks + Math.floor(hash(n, 5) * looseLocks),
    edgeAt: (_, edge) => (edge ? [lean * rise, rise] : [0, -0.0006]),
  };
}

function buildRibbon(
  out: HairRibbons,
  n: number,
  root: AnyRoot,
  input: RibbonInput,
  normals: Float32Array,
): void {
  const { sheet, coverage, flow, lengths, tones = defaultTones } = input;
  const tip = 'length' in root ? root : undefined;
  const stands = 'loose' in root;
  const cut = lengths && !tip ? readCranium(lengths, 1, 0, root.row, root.column) : 1;
  const { length, stray, lock, edgeAt } = stands ? looseShape(n, input) : lyingShape(n, tip, cut, input);
  const tone = tones[0] + tones[1] * hash(n, 4);
  const step = length / (ribbonRows - 1);
  let { row, column } = root;
  let p = readCraniumVector(sheet, row, column);
  let direction: Vector = [0, -1, 0];
  let off = 0;
  for (let s = 0; s < ribbonRows; s++) {
    const t = s / (ribbonRows - 1);
    const normal = normalise(readCraniumVector(normals, row, column));
    if (off === 0) {
      direction = normalise(readCraniumVector(flow, row, column));
      const aside = cross(normal, direction);
      for (const c of [0, 1, 2] as const) direction[c] += stray * aside[c];
      direction = normalise(direction);
    }
    const side = normalise(cross(normal, direction));
    for (const edge of [0, 1] as const) {
      const v = 2 * (n * ribbonRows + s) + edge;
      const [aside, up] = edgeAt(t, edge);
      for (let c = 0; c < 3; c++) {
        out.points[3 * v + c] = p[c] + aside * side[c] + up * normal[c];
        // What stands faces its side; viewers turn the normal of a back.
        out.normals[3 * v + c] = stands ? -side[c] : normal[c];
      }
      out.uv.set([(lock + 0.03 + 0.94 * edge) / locks, t], 2 * v);
      out.gridPositions.set(tip?.rootColour ? [tip.row, tip.column] : [row, column], 2 * v);
      out.tone[v] = tone * (0.94 + 0.08 * t);
    }
    // On along the surface; beyond its edge freely, a little down.
    const [dr, dk] = stepAlong(sheet, row, column, direction);
    const [nextRow, nextColumn] = [row + dr * step, column + dk * step];
    const there =
      coverage[
        Math.round(clamp(nextRow, 0, craniumRows)) * craniumColumns +
          (((Math.round(nextColumn) % craniumColumns) + craniumColumns) % craniumColumns)
      ];
    if (off === 0 && nextRow > 0.5 && nextRow < craniumRows - 0.5 && there > 0.4) {
      [row, column] = [nextRow, nextColumn];
      p = readCraniumVector(sheet, row, column);
    } else {
      // Ends stand out by a few millimetres only.
      off++;
      const on = step * (tip ? 0.9 : cut * Math.max(0.12, 0.55 - 0.2 * off));
      direction = normalise([direction[0], direction[1] - 0.25, direction[2]]);
      p = [p[0] + on * direction[0], p[1] + on * direction[1], p[2] + on * direction[2]];
    }
    if (s + 1 < ribbonRows) {
      const v = 2 * (n * ribbonRows + s);
      out.triangles.set([v, v + 2, v + 1, v + 1, v + 2, v + 3], 6 * (n * (ribbonRows - 1) + s));
    }
  }
}

/** Rows and columns a metre along a direction, at a place on the sheet. */
export function stepAlong(
  sheet: Float32Array,
  row: number,
  column: number,
  direction: Vector,
): readonly [rows: number, columns: number] {
  const across = (dr: number, dk: number): Vector =>
    subtract(
      readCraniumVector(sheet, row + dr, column + dk),
      readCraniumVector(sheet, row - dr, column - dk),
    );
  return gridStep(across(0.5, 0), across(0, 0.5), direction);
}

/** Rows and columns a metre along a direction, from the edges of a cell. */
export function gridStep(
  er: Vector,
  ek: Vector,
  direction: Vector,
): readonly [rows: number, columns: number] {
  const [rr, rk, kk] = [dot(er, er), dot(er, ek), dot(ek, ek)];
  const [wr, wk] = [dot(direction, er), dot(direction, ek)];
  const area = rr * kk - rk * rk;
  return area > 1e-14 ? [(wr * kk - wk * rk) / area, (wk * rr - wr * rk) / area] : [1, 0];
}
