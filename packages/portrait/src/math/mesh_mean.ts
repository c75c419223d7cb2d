/** In how many triangles each of `count` vertices is. */
function cornersOf(triangles: Uint32Array, count: number): Float32Array {
  const corners = new Float32Array(count);
  for (const i of triangles) corners[i]++;
  return corners;
}

/** By vertex the sum of the corners of the triangles about it: three times as many as `cornersOf`. */
function sumAbout(values: Float32Array, triangles: Uint32Array): Float32Array<ArrayBuffer> {
  const sum = new Float32Array(values.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    const total = values[a] + values[b] + values[c];
    sum[a] += total;
    sum[b] += total;
    sum[c] += total;
  }
  return sum;
}

/** Values averaged with those about each vertex, `rounds` times. Every vertex must be of a triangle. */
export function averageAbout(values: Float32Array, triangles: Uint32Array, rounds: number): Float32Array {
  const share = cornersOf(triangles, values.length);
  for (let i = 0; i < share.length; i++) share[i] = 1 / (3 * share[i]);
  let out = values;
  for (let round = 0; round < rounds; round++) {
    out = sumAbout(out, triangles);
    for (let i = 0; i < out.length; i++) out[i] *= share[i];
  }
  return out;
}

/**
 * Lowers values towards the mean about each vertex, in place, and never raises one: what they weigh falls off softly, and
 * shows no edge.
 */
export function fallOffSoftly(values: Float32Array, triangles: Uint32Array, rounds: number): void {
  const corners = cornersOf(triangles, values.length);
  for (let round = 0; round < rounds; round++) {
    const sum = sumAbout(values, triangles);
    for (let i = 0; i < values.length; i++)
      if (corners[i]) values[i] = Math.min(values[i], 0.35 * values[i] + 0.65 * (sum[i] / (3 * corners[i])));
  }
}
