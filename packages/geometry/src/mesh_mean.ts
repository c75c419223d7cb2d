/**
 * Lowers values towards the mean about each vertex, in place, and never raises one: what they weigh falls off softly, and
 * shows no edge.
 */
export function fallOffSoftly(values: Float32Array, triangles: Uint32Array, rounds: number): void {
  const corners = new Float32Array(values.length);
  for (const i of triangles) corners[i]++;
  for (let round = 0; round < rounds; round++) {
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
    for (let i = 0; i < values.length; i++)
      if (corners[i]) values[i] = Math.min(values[i], 0.35 * values[i] + 0.65 * (sum[i] / (3 * corners[i])));
  }
}
