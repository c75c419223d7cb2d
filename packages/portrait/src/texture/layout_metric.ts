/**
 * How a layout lies over its surface, by vertex: what a step of a pixel to the right and down goes over the
 * surface. Tangent as glTF has it: along u; bitangent across it, up in the picture.
 */
export interface LayoutMetric {
  /** Millimetres along the tangent for a pixel to the right. */
  readonly right: Float32Array;
  /** Millimetres along the tangent, and down across it, for a pixel down. */
  readonly aside: Float32Array;
  readonly down: Float32Array;
}

/**
 * Means of the triangles about each vertex; 0 where there are none.
 *
 * @param points - Metres, × 3.
 * @param uv - × 2, 0..1.
 * @param side - Of the picture, pixels.
 */
export function layoutMetric(
  points: Float32Array,
  uv: Float32Array,
  triangles: ArrayLike<number>,
  side: number,
): LayoutMetric {
  const count = points.length / 3;
  const [right, aside, down] = [0, 1, 2].map(() => new Float32Array(count));
  const areas = new Float32Array(count);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    const eu = uv[2 * b] - uv[2 * a];
    const ev = uv[2 * b + 1] - uv[2 * a + 1];
    const fu = uv[2 * c] - uv[2 * a];
    const fv = uv[2 * c + 1] - uv[2 * a + 1];
    const area = eu * fv - ev * fu;
    if (Math.abs(area) < 1e-10) continue;
    // Squares and product of the ways along u and along v.
    let uu = 0;
    let vv = 0;
    let across = 0;
    for (let k = 0; k < 3; k++) {
      const e = points[3 * b + k] - points[3 * a + k];
      const f = points[3 * c + k] - points[3 * a + k];
      const alongU = (e * fv - f * ev) / area;
      const alongV = (f * eu - e * fu) / area;
      uu += alongU * alongU;
      vv += alongV * alongV;
      across += alongU * alongV;
    }
    const alongU = Math.sqrt(uu) || 1e-9;
    const shifted = across / alongU;
    const below = Math.sqrt(Math.max(0, vv - shifted * shifted));
    const share = Math.abs(area);
    for (let n = 0; n < 3; n++) {
      const i = triangles[t + n];
      areas[i] += share;
      right[i] += share * alongU;
      aside[i] += share * shifted;
      down[i] += share * below;
    }
  }
  const unit = 1000 / side;
  for (let i = 0; i < count; i++) {
    const gain = areas[i] ? unit / areas[i] : 0;
    right[i] *= gain;
    aside[i] *= gain;
    down[i] *= gain;
  }
  return { right, aside, down };
}
