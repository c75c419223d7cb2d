import { at, dot, normalise, scale, smoothstep, subtract, type Vector } from '@likeness/geometry/vector.ts';
import { craniumColumns, craniumRows, gridNormals } from '../skull/skull.ts';

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

/** `v` without its part along the normal, unit length. */
export const tangent = (v: Vector, normal: Vector): Vector =>
  normalise(subtract(v, scale(normal, dot(v, normal))));

/**
 * The direction of the hair: combed back over the crown, falling at sides and back.
 *
 * @returns a vertex of the cranium's grid × 3: unit directions along the surface, from root to tip
 * @param points - The sheet, metres.
 * @param hangs - How far hair falls rather than being combed back, 0..1, by height in metres.
 */
export function findFlow(points: Float32Array, hangs: (height: number) => number): Float32Array {
  const normals = gridNormals(points);
  const directions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const [, , before, after] = neighbours.subarray(4 * i, 4 * i + 4);
    const normal = at(normals, i);
    const back = normalise(subtract(at(points, after), at(points, before)));
    // Nothing falls on top of a head.
    const falls = hangs(points[3 * i + 1]) * smoothstep(0.95, 0.5, normal[1]);
    const mixed: Vector = [
      back[0] * (1 - falls),
      back[1] * (1 - falls) - falls,
      back[2] * (1 - falls) - 0.12 * falls,
    ];
    directions.set(tangent(mixed, normal), 3 * i);
  }
  return directions;
}
