/** One level of Loop subdivision as a linear map: each new vertex is a weighted sum of old ones. */
export interface SubdivisionLevel {
  readonly count: number;
  /** `count + 1` offsets into `sources` and `weights`. */
  readonly start: Int32Array;
  readonly sources: Int32Array;
  readonly weights: Float32Array;
  readonly triangles: Uint32Array;
  /** For an edge of the coarse mesh, the number of the vertex put on it. */
  readonly edgeVertex: (a: number, b: number) => number;
}

/**
 * Builds one level (Loop 1987: edge 3/8 3/8 1/8 1/8, vertex by Warren's β; boundaries as cubic B-splines:
 * edge 1/2 1/2, vertex 1/8 6/8 1/8). The same stencils serve positions, photo coordinates and morph deltas,
 * so that their registration stays exact.
 */
export function subdivideOnce(vertexCount: number, triangles: ArrayLike<number>): SubdivisionLevel {
  const edges = new Map<number, { a: number; b: number; opposite: number[]; vertex: number }>();
  const key = (a: number, b: number): number => (a < b ? a * vertexCount + b : b * vertexCount + a);
  const ring: Set<number>[] = Array.from({ length: vertexCount }, () => new Set());
  for (let i = 0; i < triangles.length; i += 3) {
    for (let e = 0; e < 3; e++) {
      const a = triangles[i + e];
      const b = triangles[i + ((e + 1) % 3)];
      const c = triangles[i + ((e + 2) % 3)];
      ring[a].add(b);
      ring[b].add(a);
      const k = key(a, b);
      const edge = edges.get(k);
      if (edge) edge.opposite.push(c);
      else edges.set(k, { a, b, opposite: [c], vertex: vertexCount + edges.size });
    }
  }
  const boundary: number[][] = Array.from({ length: vertexCount }, () => []);
  for (const edge of edges.values()) {
    if (edge.opposite.length === 1) {
      boundary[edge.a].push(edge.b);
      boundary[edge.b].push(edge.a);
    }
  }
  const count = vertexCount + edges.size;
  const start = new Int32Array(count + 1);
  const sources: number[] = [];
  const weights: number[] = [];
  const put = (source: number, weight: number): void => {
    sources.push(source);
    weights.push(weight);
  };
  for (let v = 0; v < vertexCount; v++) {
    const rim = boundary[v];
    if (rim.length >= 2) {
      put(v, 0.75);
      put(rim[0], 0.125);
      put(rim[1], 0.125);
    } else {
      const n = ring[v].size;
      const beta = n === 0 ? 0 : n === 3 ? 3 / 16 : 3 / (8 * n);
      put(v, 1 - n * beta);
      for (const other of ring[v]) put(other, beta);
    }
    start[v + 1] = sources.length;
  }
  for (const edge of edges.values()) {
    if (edge.opposite.length === 2) {
      put(edge.a, 0.375);
      put(edge.b, 0.375);
      put(edge.opposite[0], 0.125);
      put(edge.opposite[1], 0.125);
    } else {
      put(edge.a, 0.5);
      put(edge.b, 0.5);
    }
    start[edge.vertex + 1] = sources.length;
  }
  const edgeVertex = (a: number, b: number): number => edges.get(key(a, b))!.vertex;
  const fine = new Uint32Array(triangles.length * 4);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i], triangles[i + 1], triangles[i + 2]];
    const [ab, bc, ca] = [edgeVertex(a, b), edgeVertex(b, c), edgeVertex(c, a)];
    fine.set([a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca], 4 * i);
  }
  return {
    count,
    start,
    sources: Int32Array.from(sources),
    weights: Float32Array.from(weights),
    triangles: fine,
    edgeVertex,
  };
}

/** Applies a level to values of `width` numbers a vertex. */
export function refine(level: SubdivisionLevel, values: Float32Array, width: number): Float32Array {
  const out = new Float32Array(level.count * width);
  for (let v = 0; v < level.count; v++) {
    for (let k = level.start[v]; k < level.start[v + 1]; k++) {
      const source = level.sources[k] * width;
      const weight = level.weights[k];
      for (let c = 0; c < width; c++) out[v * width + c] += weight * values[source + c];
    }
  }
  return out;
}

/** A closed ring of coarse vertices as the ring of fine ones. */
export const refineRing = ({ edgeVertex }: SubdivisionLevel, ring: readonly number[]): number[] =>
  ring.flatMap((vertex, i) => [vertex, edgeVertex(vertex, ring[(i + 1) % ring.length])]);
