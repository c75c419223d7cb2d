import { landmarkCount, skinTriangles } from './face_topology.ts';

/** The mesh's edges once each, with both ends' adjacency. */
const neighbours: readonly (readonly number[])[] = (() => {
  const sets = Array.from({ length: landmarkCount }, () => new Set<number>());
  for (let i = 0; i < skinTriangles.length; i += 3) {
    for (let e = 0; e < 3; e++) {
      const a = skinTriangles[i + e];
      const b = skinTriangles[i + ((e + 1) % 3)];
      sets[a].add(b);
      sets[b].add(a);
    }
  }
  return sets.map((set) => [...set]);
})();

const rowStart = new Int32Array(landmarkCount + 1);
for (let i = 0; i < landmarkCount; i++) rowStart[i + 1] = rowStart[i] + neighbours[i].length;
const columnOf = Int32Array.from(neighbours.flat());

/** Edge weights 1/length of a face, for {@link fillHarmonically}. */
export function edgeWeights(points: Float32Array): Float64Array {
  const weights = new Float64Array(columnOf.length);
  for (let i = 0; i < landmarkCount; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const j = columnOf[k];
      const length = Math.hypot(
        points[3 * i] - points[3 * j],
        points[3 * i + 1] - points[3 * j + 1],
        points[3 * i + 2] - points[3 * j + 2],
      );
      weights[k] = 1 / Math.max(length, 5e-4);
    }
  }
  return weights;
}

/**
 * Displacements of all 468 points (× 3) from those of a few. Every free point becomes the weighted mean of its
 * neighbours: conjugate gradients with a Jacobi preconditioner solve the discrete Laplace equation. The topology keeps
 * touching lips apart, where a falloff by distance would glue them.
 */
export function fillHarmonically(
  fixed: ReadonlyMap<number, readonly [number, number, number]>,
  weights: Float64Array,
): Float32Array {
  const n = landmarkCount;
  const isFixed = new Uint8Array(n);
  const x = new Float64Array(3 * n);
  for (const [point, value] of fixed) {
    isFixed[point] = 1;
    x.set(value, 3 * point);
  }
  const diagonal = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += weights[k];
    diagonal[i] = sum || 1;
  }
  const r = new Float64Array(3 * n);
  const p = new Float64Array(3 * n);
  const q = new Float64Array(3 * n);
  const apply = (source: Float64Array, target: Float64Array): void => {
    for (let i = 0; i < n; i++) {
      if (isFixed[i]) continue;
      let a = diagonal[i] * source[3 * i];
      let b = diagonal[i] * source[3 * i + 1];
      let c = diagonal[i] * source[3 * i + 2];
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const j = 3 * columnOf[k];
        const w = weights[k];
        a -= w * source[j];
        b -= w * source[j + 1];
        c -= w * source[j + 2];
      }
      target[3 * i] = a;
      target[3 * i + 1] = b;
      target[3 * i + 2] = c;
    }
  };
  apply(x, q);
  let rho = 0;
  for (let i = 0; i < 3 * n; i++) {
    if (isFixed[(i / 3) | 0]) continue;
    r[i] = -q[i];
    const z = r[i] / diagonal[(i / 3) | 0];
    p[i] = z;
    rho += r[i] * z;
  }
  const target = rho * 1e-8;
  for (let step = 0; step < 160 && rho > target && rho > 1e-24; step++) {
    apply(p, q);
    let pq = 0;
    for (let i = 0; i < 3 * n; i++) pq += p[i] * q[i];
    const alpha = rho / pq;
    let next = 0;
    for (let i = 0; i < 3 * n; i++) {
      if (isFixed[(i / 3) | 0]) continue;
      x[i] = x[i] + alpha * p[i];
      r[i] = r[i] - alpha * q[i];
      next += (r[i] * r[i]) / diagonal[(i / 3) | 0];
    }
    const beta = next / rho;
    rho = next;
    for (let i = 0; i < 3 * n; i++) {
      if (!isFixed[(i / 3) | 0]) p[i] = r[i] / diagonal[(i / 3) | 0] + beta * p[i];
    }
  }
  return Float32Array.from(x);
}
