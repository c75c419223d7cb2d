import { type FaceFit, facingCamera, project } from '../fit/face_fit.ts';
import {
  at,
  clamp,
  cross,
  dot,
  normalise,
  scale,
  smoothstep,
  subtract,
  type Vector,
} from '../math/vector.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import { craniumColumns, craniumRows, gridNormals } from '../skull/skull.ts';
import type { StrandOrientation } from './strands/strand_orientation.ts';

/** The way of the hair over its sheet, on the cranium's grid. */
export interface HairFlow {
  /** × 3: unit directions along the surface, from root to tip. */
  readonly along: Float32Array;
}

/** That of hair that is invented. */
export interface InventedFlow extends HairFlow {
  /**
   * Place across the strands, metres: the same all along a strand. What is drawn by it lies as the hair does.
   */
  readonly across: Float32Array;
}

/** What a photo tells of the way of the hair. */
export interface SeenStrands {
  readonly fit: FaceFit;
  readonly cut: Silhouette;
  readonly orientation: StrandOrientation;
}

const count = (craniumRows + 1) * craniumColumns;
/**
 * The four neighbours in the grid, right, left, before and after; beyond the first and the last row a vertex
 * is its own.
 */
export const neighbours: Int32Array = (() => {
  const list = new Int32Array(4 * count);
  for (let i = 0; i < count; i++) {
    const k = i % craniumColumns;
    const row = i - k;
    list[4 * i] = row + ((k + 1) % craniumColumns);
    list[4 * i + 1] = row + ((k + craniumColumns - 1) % craniumColumns);
    list[4 * i + 2] = row === 0 ? i : i - craniumColumns;
    list[4 * i + 3] = i + craniumColumns < count ? i + craniumColumns : i;
  }
  return list;
})();

/**
 * The way of the hair: where a photo shows strands, theirs, led on from there to the sides and the back; far
 * from them as hair is combed or falls.
 *
 * @param points - The sheet, metres.
 * @param hangs - How far hair falls rather than being combed back, 0..1, by height in metres.
 */
export function findFlow(
  points: Float32Array,
  hangs: (height: number) => number,
  seen: SeenStrands,
): HairFlow {
  const normals = gridNormals(points);
  const usual = usualWay(points, normals, hangs);
  const shown = agreed(seenWay(points, normals, usual, seen));
  return { along: leadOn(shown, usual, normals) };
}

/**
 * The way of hair that is invented: `wayAt` a vertex, evened out over so many rounds.
 *
 * @param parting - The x from which hair goes to both sides, metres.
 */
export function drawFlow(
  points: Float32Array,
  wayAt: (p: Vector, normal: Vector) => Vector,
  parting: number,
  rounds: number,
): InventedFlow {
  const normals = gridNormals(points);
  let along = new Float32Array(3 * count);
  for (let i = 0; i < count; i++)
    along.set(tangent(wayAt(at(points, i), at(normals, i)), at(normals, i)), 3 * i);
  for (let round = 0; round < rounds; round++) {
    const next = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      const mean = at(along, i);
      for (let e = 4 * i; e < 4 * i + 4; e++)
        for (const c of [0, 1, 2] as const) mean[c] += along[3 * neighbours[e] + c];
      next.set(tangent(mean, at(normals, i)), 3 * i);
    }
    along = next;
  }
  // Counted from the front on both sides: turned over at the parting, places across would run in rings.
  const turn = Float32Array.from({ length: count }, (_, i) => (points[3 * i] < parting ? -1 : 1));
  return { along, across: placeAcross(points, normals, along, turn) };
}

/** `v` without its part along the normal, unit length. */
const tangent = (v: Vector, normal: Vector): Vector => {
  const out = dot(v, normal);
  return normalise([v[0] - out * normal[0], v[1] - out * normal[1], v[2] - out * normal[2]]);
};

/** Combed back over the crown, falling at sides and back. */
function usualWay(
  points: Float32Array,
  normals: Float32Array,
  hangs: (height: number) => number,
): Float32Array {
  const way = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const after = Math.min(i + craniumColumns, count - craniumColumns + (i % craniumColumns));
    const before = Math.max(i - craniumColumns, i % craniumColumns);
    const normal = at(normals, i);
    const back = normalise(subtract(at(points, after), at(points, before)));
    // Nothing falls on top of a head.
    const falls = hangs(points[3 * i + 1]) * smoothstep(0.95, 0.5, normal[1]);
    const mixed: Vector = [
      back[0] * (1 - falls),
      back[1] * (1 - falls) - falls,
      back[2] * (1 - falls) - 0.12 * falls,
    ];
    way.set(tangent(mixed, normal), 3 * i);
  }
  return way;
}

/** The photo's directions on the surface, their length how sure they are. */
function seenWay(
  points: Float32Array,
  normals: Float32Array,
  usual: Float32Array,
  { fit, cut, orientation }: SeenStrands,
): Float32Array {
  const way = new Float32Array(3 * count);
  const inCrop = (p: Vector): [number, number] => cut.toCrop(...project(fit.pose, p));
  const probe = 0.001;
  for (let i = 0; i < count; i++) {
    const facing = smoothstep(0.25, 0.55, facingCamera(fit.pose, normals, i));
    if (facing === 0) continue;
    const p = at(points, i);
    const [x, y] = inCrop(p);
    const pixel =
      Math.floor(clamp(y, 0, cut.height - 1)) * cut.width + Math.floor(clamp(x, 0, cut.width - 1));
    const sure = facing * smoothstep(0.15, 0.5, orientation.sure[pixel]);
    if (sure === 0) continue;
    // Two directions of the surface as the picture has them; the strand is a mixture of both.
    const e1 = at(usual, i);
    const n = at(normals, i);
    const e2: Vector = [
      n[1] * e1[2] - n[2] * e1[1],
      n[2] * e1[0] - n[0] * e1[2],
      n[0] * e1[1] - n[1] * e1[0],
    ];
    const [ax, ay] = inCrop([p[0] + probe * e1[0], p[1] + probe * e1[1], p[2] + probe * e1[2]]);
    const [bx, by] = inCrop([p[0] + probe * e2[0], p[1] + probe * e2[1], p[2] + probe * e2[2]]);
    const [px, py, qx, qy] = [ax - x, ay - y, bx - x, by - y];
    const area = px * qy - py * qx;
    if (Math.abs(area) < 1e-9) continue;
    const [ox, oy] = [orientation.x[pixel], orientation.y[pixel]];
    const c1 = (ox * qy - oy * qx) / area;
    const c2 = (px * oy - py * ox) / area;
    // A strand has no sign in a picture: from root to tip is as hair usually lies.
    const sign = Math.sign(c1) / (Math.hypot(c1, c2) || 1);
    // Straight across the usual way the sign is a guess.
    const told = sure * smoothstep(0.05, 0.4, Math.abs(c1) / (Math.hypot(c1, c2) || 1));
    for (let c = 0; c < 3; c++) way[3 * i + c] = told * sign * (c1 * e1[c] + c2 * e2[c]);
  }
  return way;
}

/** Directions that the neighbours share: an ear's edge or a shadow among strands would be the middle of a whorl. */
function agreed(seen: Float32Array): Float32Array {
  let way = seen;
  for (let round = 0; round < 6; round++) {
    const mean = new Float32Array(3 * count);
    for (let o = 0; o < mean.length; o++) {
      const c = o % 3;
      const e = (4 * (o - c)) / 3;
      const around =
        way[3 * neighbours[e] + c] +
        way[3 * neighbours[e + 1] + c] +
        way[3 * neighbours[e + 2] + c] +
        way[3 * neighbours[e + 3] + c];
      mean[o] = 0.4 * way[o] + 0.15 * around;
    }
    way = mean;
  }
  return way;
}

/** Rounds in which directions are led on: so many grid cells far. */
const flowRounds = 40;

/** Leads directions on from where they are known, turning to the usual way far from there. */
function leadOn(seen: Float32Array, usual: Float32Array, normals: Float32Array): Float32Array {
  const way = usual.slice();
  for (let i = 0; i < seen.length; i++) way[i] += seen[i] * 4;
  for (let round = 0; round < flowRounds; round++) leadFurther(way, seen, usual, normals);
  return way;
}

/** A round of it, in a function that V8 keeps optimised. */
function leadFurther(
  way: Float32Array,
  seen: Float32Array,
  usual: Float32Array,
  normals: Float32Array,
): void {
  for (let i = 0; i < count; i++) {
    const o = 3 * i;
    const n0 = 3 * neighbours[4 * i];
    const n1 = 3 * neighbours[4 * i + 1];
    const n2 = 3 * neighbours[4 * i + 2];
    const n3 = 3 * neighbours[4 * i + 3];
    let x = (way[n0] + way[n1] + way[n2] + way[n3]) / 4 + 0.05 * usual[o] + 0.5 * seen[o];
    let y =
      (way[n0 + 1] + way[n1 + 1] + way[n2 + 1] + way[n3 + 1]) / 4 + 0.05 * usual[o + 1] + 0.5 * seen[o + 1];
    let z =
      (way[n0 + 2] + way[n1 + 2] + way[n2 + 2] + way[n3 + 2]) / 4 + 0.05 * usual[o + 2] + 0.5 * seen[o + 2];
    const out = x * normals[o] + y * normals[o + 1] + z * normals[o + 2];
    x -= out * normals[o];
    y -= out * normals[o + 1];
    z -= out * normals[o + 2];
    const l = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    way[o] = x * l;
    way[o + 1] = y * l;
    way[o + 2] = z * l;
  }
}

const acrossRounds = 75;
/** Over-relaxation of the places across: near 2 for the longest way of the grid. */
const overRelaxation = 1.7;

/**
 * The places across the strands: along an edge of the grid they differ by its length across the way of the
 * hair. Least squares; an edge along the hair counts most, so that strands stay whole.
 *
 * @param turn - −1 a vertex where they are counted the other way round.
 */
function placeAcross(
  points: Float32Array,
  normals: Float32Array,
  along: Float32Array,
  turn: Float32Array,
): Float32Array {
  const across = new Float32Array(count);
  const steps = new Float32Array(4 * count);
  const weights = new Float32Array(4 * count);
  const side = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) side.set(scale(cross(at(normals, i), at(along, i)), turn[i]), 3 * i);
  for (let e = 0; e < 4 * count; e++) {
    const i = e >> 2;
    const j = neighbours[e];
    const edge = subtract(at(points, j), at(points, i));
    const step =
      (edge[0] * (side[3 * i] + side[3 * j]) +
        edge[1] * (side[3 * i + 1] + side[3 * j + 1]) +
        edge[2] * (side[3 * i + 2] + side[3 * j + 2])) /
      2;
    const whole = dot(edge, edge);
    steps[e] = step;
    // The grid is open at the chin, where strands of both sides would meet.
    const isOpen = isCut(i % craniumColumns, j % craniumColumns);
    weights[e] = isOpen || whole < 1e-12 ? 0 : (1.15 - Math.min(1, (step * step) / whole)) / whole;
  }
  startRound(across, steps);
  for (let round = 0; round < acrossRounds; round++) relax(across, steps, weights, round);
  return across;
}

/** A round of it, in a function that V8 keeps optimised. */
function relax(across: Float32Array, steps: Float32Array, weights: Float32Array, round: number): void {
  // The last rounds take out the ripple that over-relaxing leaves.
  const relax = round < acrossRounds - 15 ? overRelaxation : 1;
  for (let i = 0; i < count; i++) {
    let sum = 0;
    let total = 1e-9;
    for (let e = 4 * i; e < 4 * i + 4; e++) {
      sum += weights[e] * (across[neighbours[e]] - steps[e]);
      total += weights[e];
    }
    across[i] += relax * (sum / total - across[i]);
  }
}

/** A good start: the way round the head, from the middle of the crown to the chin on both sides. */
function startRound(across: Float32Array, steps: Float32Array): void {
  for (let row = 0; row < count; row += craniumColumns) {
    for (let k = 1; k < cut; k++) across[row + k] = across[row + k - 1] + steps[4 * (row + k - 1)];
    for (let k = craniumColumns - 1; k >= cut; k--)
      across[row + k] = across[row + ((k + 1) % craniumColumns)] - steps[4 * (row + k)];
  }
}

const cut = craniumColumns / 2;
const isCut = (k: number, l: number): boolean => (k === cut && l === cut - 1) || (k === cut - 1 && l === cut);
