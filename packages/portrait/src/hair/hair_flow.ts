import { at, cross, dot, normalise, scale, smoothstep, subtract, type Vector } from '../math/vector.ts';
import { craniumColumns, craniumRows, gridNormals } from '../skull/skull.ts';

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

/**
 * The way of the hair: combed back over the crown, falling at sides and back.
 *
 * @param points - The sheet, metres.
 * @param hangs - How far hair falls rather than being combed back, 0..1, by height in metres.
 */
export function findFlow(points: Float32Array, hangs: (height: number) => number): HairFlow {
  const normals = gridNormals(points);
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
  return { along: way };
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
