import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import { otherSide } from '@likeness/portrait/topology/face_regions.ts';
import { fineFace } from '@likeness/portrait/topology/fine_face.ts';
import { percentile } from '@likeness/proto/percentile.ts';

const { count, triangles } = fineFace;
/** Rounds of averaging, each over about 2 mm: they remove marks and wrinkles, but not patches. */
const rounds = 6;

/**
 * Measures how much a head's two cheeks, temples and jaws differ in the base colour of its skin. Returns the
 * ninth decile of the brightness difference over the face (ln, smoothed over about 5 mm). Light that remains
 * in the texture increases it.
 */
export function sideDifference(model: HeadModel): number {
  const skin = model.surfaces.find(({ name }) => name === 'Skin')!;
  const { data, width, height, channels } = model.rasters.find(({ name }) => name === 'Skin')!;
  const bright = Float32Array.from({ length: count }, (_, i) => {
    const x = Math.min(width - 1, Math.floor(skin.uv![2 * i]! * width));
    const y = Math.min(height - 1, Math.floor(skin.uv![2 * i + 1]! * height));
    const at = channels * (y * width + x);
    return Math.log(1 + data[at]! + data[at + 1]! + data[at + 2]!);
  });
  const even = averageAbout(bright);
  const apart = Array.from(even, (value, i) => Math.abs(value - even[otherSide[i]!]!));
  return percentile(apart, 0.9);
}

/** Values averaged with those about each vertex of the face, `rounds` times. */
function averageAbout(values: Float32Array): Float32Array {
  const corners = new Float32Array(count);
  for (const i of triangles) corners[i]!++;
  let out = values;
  for (let round = 0; round < rounds; round++) {
    const sum = new Float32Array(count);
    for (let t = 0; t < triangles.length; t += 3) {
      const three = triangles.subarray(t, t + 3);
      const total = three.reduce((all, i) => all + out[i]!, 0);
      for (const i of three) sum[i]! += total;
    }
    out = sum.map((value, i) => value / (3 * corners[i]!));
  }
  return out;
}
