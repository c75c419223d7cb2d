import { smoothstep, vertexNormals } from '@likeness/geometry/vector.ts';
import { type Canvas, interpolate, trianglesWith, walkTriangles } from '../texture/texture_fill.ts';
import { type EyeGroup, landmarkCount, leftEye, rightEye } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';

/** Single: no crease, the lid straight to the rim. Double: a crease above the rim, a fold over it. */
export type EyelidType = 'single' | 'double';

/** A vertex's height above the upper rim, rows of landmarks (0, 1, 2), and how much it is lid. */
const { height, share } = (() => {
  const rows = new Float32Array(landmarkCount).fill(3);
  const parts = new Float32Array(landmarkCount);
  const note = (eye: EyeGroup): void => {
    for (const [row, points] of eye.upper.entries()) {
      for (const [k, i] of points.entries()) {
        rows[i] = row;
        parts[i] = [0.45, 0.85, 1, 1, 1, 0.85, 0.4][k];
      }
    }
    for (const i of [eye.outer, eye.inner]) rows[i] = 0;
    for (const i of eye.lower.flat()) rows[i] = 3;
  };
  note(rightEye);
  note(leftEye);
  return { height: fineFace.refine(rows, 1), share: fineFace.refine(parts, 1) };
})();

const lidTriangles = trianglesWith(fineFace.triangles, share);

const bell = (x: number, middle: number, width: number): number => Math.exp(-(((x - middle) / width) ** 2));

/** Shapes the upper lids of a fine face, in place: creases 0.9 mm deep, or the furrow filled by as much. */
export function shapeEyelids(points: Float32Array, type: EyelidType): void {
  const normals = vertexNormals(points, fineFace.triangles);
  for (let i = 0; i < fineFace.count; i++) {
    const w = share[i];
    if (w < 0.01) continue;
    const t = height[i];
    const move =
      type === 'double'
        ? -0.0009 * bell(t, 0.72, 0.2) + 0.0007 * bell(t, 1.15, 0.28)
        : 0.0009 * bell(t, 0.9, 0.45);
    for (let c = 0; c < 3; c++) points[3 * i + c] += normals[3 * i + c] * move * w;
  }
}

/** Paints the same: the crease's shadow, or the lid's own colour over a line that was there. */
export function paintEyelids(canvas: Canvas, uv: Float32Array, type: EyelidType): void {
  const sum = [0, 0, 0];
  let n = 1e-6;
  const { colour, size } = canvas;
  const visit = (act: (i: number, t: number, w: number) => void): void =>
    walkTriangles(size, uv, lidTriangles, (i, a, b, c, shares) => {
      const w = interpolate(share, a, b, c, shares);
      if (w > 0.05) act(i, interpolate(height, a, b, c, shares), w);
    });
  if (type === 'single') {
    visit((i, t, w) => {
      const weight = w * bell(t, 1.3, 0.5);
      n += weight;
      for (let c = 0; c < 3; c++) sum[c] += weight * colour[3 * i + c];
    });
  }
  const done = new Uint8Array(size * size);
  visit((i, t, w) => {
    if (done[i]) return;
    done[i] = 1;
    if (type === 'double') {
      const shade = 1 - w * (0.42 * bell(t, 0.72, 0.13) - 0.05 * bell(t, 1.1, 0.2));
      colour[3 * i] *= 1 - 0.85 * (1 - shade);
      colour[3 * i + 1] *= shade;
      colour[3 * i + 2] *= shade;
    } else {
      const cover = 0.8 * w * smoothstep(0.28, 0.55, t) * smoothstep(1.9, 1.2, t);
      for (let c = 0; c < 3; c++) colour[3 * i + c] = colour[3 * i + c] * (1 - cover) + (sum[c] / n) * cover;
    }
  });
}
