import { type FaceFit, facingCamera, project } from '../fit/face_fit.ts';
import { medianCircle, smoothCircle } from '../math/circular_filter.ts';
import {
  at,
  clamp,
  length,
  mix,
  normalise,
  smoothstep,
  subtract,
  type Vector,
  vertexNormals,
} from '../math/vector.ts';
import { craniumColumns } from '../skull/skull.ts';
import { walkTriangles } from '../texture/texture_fill.ts';
import { fineFace } from '../topology/fine_face.ts';

/** Rows of a fringe, from its edge on the face outwards to just before the oval. */
export const fringeRows = 6;

/** Hair that hangs before temple and cheek: a strip from the oval inwards to the hair's end. */
export interface Fringe {
  /** fringeRows × craniumColumns × 3, metres in the face frame; row 0 is the edge, close on the skin. */
  readonly points: Float32Array;
  /** The vertex of the fine face below each. */
  readonly under: Int32Array;
  /** × 2, photo pixels: from where each is projected to where the photo, laughing perhaps, shows it. */
  readonly shift: Float32Array;
  /** The same for the oval's own vertices, craniumColumns × 2. */
  readonly rimShift: Float32Array;
  /** How far in from the oval it reaches, metres a column; 0 where none hangs. */
  readonly reach: Float32Array;
  /** Whether any hangs before a column, 0..1. */
  readonly hangs: Float32Array;
  /** How far each vertex of the fine face lies below it, 0..1. */
  readonly covered: Float32Array;
}

/** How far hair stands off the skin, metres, so far from its edge: rounded, as a lock is. */
export const fringeHeight = (fromEdge: number): number => {
  const t = 1 - clamp(fromEdge / 0.014, 0, 1);
  return 0.0003 + 0.0042 * Math.sqrt(1 - t * t);
};

const cells = 192;
const step = 0.0015;
const longest = 0.05;

/**
 * Finds the hair that hangs over the face where the face turns away from the camera. There it needs geometry
 * in front of the skin: painted on, it would be stretched over the cheek when the head turns. Elsewhere paint
 * is enough.
 *
 * @param hairAt - How much hair the photo shows at a place, 0..1.
 * @param rim - How much of it hangs at the oval, 0..1 by column: a fringe hangs on other hair.
 * @returns undefined where none hangs
 */
export function growFringe(
  fit: FaceFit,
  hairAt: (x: number, y: number) => number,
  rim: Float32Array,
): Fringe | undefined {
  if (!rim.some((share) => share > 0.3)) return undefined;
  const { layout: flat } = fineFace;
  const fine = fineFace.refine(fit.neutral, 3);
  const photo = fineFace.refine(fit.photo, 2);
  const normals = vertexNormals(fine, fineFace.triangles);
  const shiftOf = (vertex: number): [number, number] => {
    const [x, y] = project(fit.pose, at(fine, vertex));
    return [photo[2 * vertex] - x, photo[2 * vertex + 1] - y];
  };
  const paths = inwards(flat, fine);
  const found = new Float32Array(craniumColumns);
  /** How much hair the photo shows at each step of each way. */
  const seen = paths.map((path) =>
    Float32Array.from(path, ({ place, vertex }) => {
      const [x, y] = project(fit.pose, place);
      const [dx, dy] = shiftOf(vertex);
      return smoothstep(0.4, 0.8, hairAt(x + dx, y + dy));
    }),
  );
  for (let k = 0; k < craniumColumns; k++) {
    let hangs = rim[k];
    for (const [n, { vertex }] of paths[k].entries()) {
      const facing = facingCamera(fit.pose, normals, vertex);
      hangs = Math.min(hangs, seen[k][n] * smoothstep(0.94, 0.82, facing));
      found[k] += step * hangs;
    }
  }
  // Neighbouring columns reach about as far: a lock, not a comb.
  const reach = smoothCircle(taper(medianCircle(found, 6)), 8).map(
    (way) => way * smoothstep(0.002, 0.006, way),
  );
  if (!reach.some((way) => way > 0)) return undefined;

  // Where painted hair continues in front of it, the paint stays.
  const ends = smoothCircle(
    reach.map((way, k) => 1 - seen[k][Math.min(seen[k].length - 1, Math.ceil(way / step) + 2)]),
    2,
  );

  const count = fringeRows * craniumColumns;
  const points = new Float32Array(count * 3);
  const lift = new Float32Array(count * 3);
  const under = new Int32Array(count);
  const shift = new Float32Array(count * 2);
  for (let n = 0; n < fringeRows; n++) {
    for (let k = 0; k < craniumColumns; k++) {
      const i = n * craniumColumns + k;
      const path = paths[k];
      const way = reach[k] - fromEdge(reach[k], n);
      const p = clamp(way / step, 0, path.length - 1);
      const a = path[Math.floor(p)];
      const b = path[Math.min(path.length - 1, Math.floor(p) + 1)];
      const f = p % 1;
      under[i] = (f < 0.5 ? a : b).vertex;
      shift.set(shiftOf(under[i]), 2 * i);
      for (let c = 0; c < 3; c++) {
        points[3 * i + c] = a.place[c] * (1 - f) + b.place[c] * f;
        lift[3 * i + c] = normals[3 * a.vertex + c] * (1 - f) + normals[3 * b.vertex + c] * f;
      }
    }
  }
  evenRows(lift, 3);
  evenRows(shift, 2);
  for (let i = 0; i < count; i++) {
    const own = reach[i % craniumColumns];
    const height = own ? fringeHeight(fromEdge(own, Math.floor(i / craniumColumns))) : 0;
    const normal = normalise(at(lift, i));
    for (let c = 0; c < 3; c++) points[3 * i + c] += height * normal[c];
  }
  const rimShift = new Float32Array(craniumColumns * 2);
  for (let k = 0; k < craniumColumns; k++) rimShift.set(shiftOf(fineFace.oval[k]), 2 * k);
  return {
    points,
    under,
    shift,
    rimShift,
    reach,
    hangs: reach.map((way) => smoothstep(0, 0.006, way)),
    covered: coveredBy(reach, ends, flat, fine),
  };
}

/** Lets no column reach further beyond its neighbours than the edge of a lock does. */
const taper = (reach: Float32Array): Float32Array =>
  reach.map((way, k) => {
    let least = way;
    for (let d = 1; d < 20; d++) {
      for (const other of [k + d, k - d])
        least = Math.min(least, reach[(other + craniumColumns) % craniumColumns] + 0.003 * d);
    }
    return least;
  });

/** Way from the edge to a row of hair that reaches so far in: rows lie closer where it is rounded. */
const fromEdge = (reach: number, row: number): number => reach * (row / fringeRows) ** 1.4;

interface Step {
  readonly place: Vector;
  readonly vertex: number;
}

/** The ways over the face from each column's place on the oval towards the middle, in steps of `step`. */
function inwards(flat: Float32Array, fine: Float32Array): Step[][] {
  // The triangle on which each place of the layout lies.
  const corners = new Int32Array(cells * cells * 3).fill(-1);
  walkTriangles(cells, flat, fineFace.triangles, (i, a, b, c) => corners.set([a, b, c], 3 * i));
  const placeAt = (u: number, v: number): Step | undefined => {
    const cell = 3 * (Math.floor(v * cells) * cells + Math.floor(u * cells));
    const [a, b, c] = [corners[cell], corners[cell + 1], corners[cell + 2]];
    if (a < 0) return undefined;
    const [ux, uy] = [flat[2 * b] - flat[2 * a], flat[2 * b + 1] - flat[2 * a + 1]];
    const [vx, vy] = [flat[2 * c] - flat[2 * a], flat[2 * c + 1] - flat[2 * a + 1]];
    const [px, py] = [u - flat[2 * a], v - flat[2 * a + 1]];
    const area = ux * vy - uy * vx;
    const wb = (px * vy - py * vx) / area;
    const wc = (ux * py - uy * px) / area;
    const wa = 1 - wb - wc;
    const place = at(fine, a).map((x, k) => wa * x + wb * fine[3 * b + k] + wc * fine[3 * c + k]) as Vector;
    return { place, vertex: wa >= wb && wa >= wc ? a : wb >= wc ? b : c };
  };
  return fineFace.oval.map((rim) => {
    const [u0, v0] = [flat[2 * rim], flat[2 * rim + 1]];
    const path: Step[] = [{ place: at(fine, rim), vertex: rim }];
    let last = path[0];
    let way = 0;
    for (let n = 1; n < 2 * cells && path.length * step < longest; n++) {
      const t = n / (2 * cells);
      const next = placeAt(u0 + (0.5 - u0) * t, v0 + (0.5 - v0) * t);
      if (!next) continue;
      const ahead = way + length(subtract(next.place, last.place));
      while (path.length * step <= ahead && path.length * step < longest) {
        const f = clamp((path.length * step - way) / Math.max(1e-6, ahead - way), 0, 1);
        path.push({ place: mix(last.place, next.place, f), vertex: f < 0.5 ? last.vertex : next.vertex });
      }
      way = ahead;
      last = next;
    }
    return path;
  });
}

/** Smooths values read at the nearest vertex by averaging with the neighbouring columns. */
function evenRows(values: Float32Array, width: number): void {
  for (let round = 0; round < 3; round++) {
    const copy = values.slice();
    for (let i = 0; i < copy.length / width; i++) {
      const row = i - (i % craniumColumns);
      const left = row + ((i + craniumColumns - 1) % craniumColumns);
      const right = row + ((i + 1) % craniumColumns);
      for (let c = 0; c < width; c++) {
        values[width * i + c] =
          (copy[width * left + c] + 2 * copy[width * i + c] + copy[width * right + c]) / 4;
      }
    }
  }
}

/** The face's vertices below hair that reaches so far in from the oval, and a little around it. */
function coveredBy(
  reach: Float32Array,
  ends: Float32Array,
  flat: Float32Array,
  fine: Float32Array,
): Float32Array {
  const angle = (i: number): number => Math.atan2(flat[2 * i + 1] - 0.5, flat[2 * i] - 0.5);
  const rim = fineFace.oval.map(angle);
  const covered = new Float32Array(fineFace.count);
  for (let i = 0; i < covered.length; i++) {
    const own = angle(i);
    let column = 0;
    let least = Infinity;
    for (let k = 0; k < rim.length; k++) {
      const apart = Math.abs(own - rim[k]);
      const off = Math.min(apart, 2 * Math.PI - apart);
      if (off < least) [least, column] = [off, k];
    }
    const way = length(subtract(at(fine, i), at(fine, fineFace.oval[column])));
    const margin = 0.019 * ends[column] - 0.003;
    covered[i] =
      smoothstep(0, 0.006, reach[column]) * smoothstep(margin, margin - 0.008, way - reach[column]);
  }
  return covered;
}
