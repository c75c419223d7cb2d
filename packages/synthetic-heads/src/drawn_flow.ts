import { at, type Vector } from '@likeness/geometry/vector.ts';
import { neighbours, tangent } from '@likeness/portrait/hair/hair_flow.ts';
import { gridNormals } from '@likeness/portrait/skull/skull.ts';

/** The direction of invented hair: `directionAt` each vertex of the cranium's grid, evened out over so many rounds. */
export function drawFlow(
  points: Float32Array,
  directionAt: (p: Vector, normal: Vector) => Vector,
  rounds: number,
): Float32Array {
  const normals = gridNormals(points);
  const count = points.length / 3;
  let along = new Float32Array(points.length);
  for (let i = 0; i < count; i++)
    along.set(tangent(directionAt(at(points, i), at(normals, i)), at(normals, i)), 3 * i);
  for (let round = 0; round < rounds; round++) {
    const next = new Float32Array(along.length);
    for (let i = 0; i < count; i++) {
      const mean = at(along, i);
      for (let e = 4 * i; e < 4 * i + 4; e++)
        for (const c of [0, 1, 2] as const) mean[c] += along[3 * neighbours[e] + c];
      next.set(tangent(mean, at(normals, i)), 3 * i);
    }
    along = next;
  }
  return along;
}
