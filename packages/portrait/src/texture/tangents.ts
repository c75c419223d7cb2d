import type { Surface } from '../contract/head_model.ts';

/**
 * Tangents of a surface, × 4: along u, and whether the bitangent across it, up in the picture, is normal × tangent (1)
 * or its opposite (−1). They are written although programs can make their own, since those differ where a layout is
 * drawn out or askew. Undefined without a layout.
 */
export function tangentsOf({ points, normals, uv, triangles }: Surface): Float32Array | undefined {
  if (!uv) return undefined;
  const count = points.length / 3;
  // Ways along u and v, by area in the layout.
  const alongU = new Float32Array(3 * count);
  const alongV = new Float32Array(3 * count);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    const eu = uv[2 * b] - uv[2 * a];
    const ev = uv[2 * b + 1] - uv[2 * a + 1];
    const fu = uv[2 * c] - uv[2 * a];
    const fv = uv[2 * c + 1] - uv[2 * a + 1];
    const side = Math.sign(eu * fv - ev * fu);
    for (let k = 0; k < 3; k++) {
      const e = points[3 * b + k] - points[3 * a + k];
      const f = points[3 * c + k] - points[3 * a + k];
      const u = side * (e * fv - f * ev);
      const v = side * (f * eu - e * fu);
      alongU[3 * a + k] += u;
      alongU[3 * b + k] += u;
      alongU[3 * c + k] += u;
      alongV[3 * a + k] += v;
      alongV[3 * b + k] += v;
      alongV[3 * c + k] += v;
    }
  }
  const tangents = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) writeTangent(tangents, i, normals, alongU, alongV);
  return tangents;
}

function writeTangent(
  tangents: Float32Array,
  i: number,
  normals: Float32Array,
  alongU: Float32Array,
  alongV: Float32Array,
): void {
  const nx = normals[3 * i];
  const ny = normals[3 * i + 1];
  const nz = normals[3 * i + 2];
  let x = alongU[3 * i];
  let y = alongU[3 * i + 1];
  let z = alongU[3 * i + 2];
  let off = x * nx + y * ny + z * nz;
  let size = Math.hypot(x - off * nx, y - off * ny, z - off * nz);
  if (!(size > 1e-12)) {
    // No layout here: any direction on the surface.
    x = Math.abs(nx) < 0.7 ? 1 : 0;
    y = 1 - x;
    z = 0;
    off = x * nx + y * ny + z * nz;
    size = Math.hypot(x - off * nx, y - off * ny, z - off * nz);
  }
  const tx = (x - off * nx) / size;
  const ty = (y - off * ny) / size;
  const tz = (z - off * nz) / size;
  // v runs down in the picture.
  const up =
    -(ny * tz - nz * ty) * alongV[3 * i] -
    (nz * tx - nx * tz) * alongV[3 * i + 1] -
    (nx * ty - ny * tx) * alongV[3 * i + 2];
  tangents[4 * i] = tx;
  tangents[4 * i + 1] = ty;
  tangents[4 * i + 2] = tz;
  tangents[4 * i + 3] = up < 0 ? -1 : 1;
}
