import { smoothstep, vertexNormals } from '@likeness/geometry/vector.ts';
import { expect, it } from 'vitest';
import type { AssembledSkin } from '../src/appearance/appearance.ts';
import type { FaceFit } from '../src/fit/face_fit.ts';
import { paintSkinFromViews } from '../src/multi_view/multi_view_skin.ts';
import type { UsedPhoto } from '../src/multi_view/other_photos.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { edgeWeights } from '../src/topology/harmonic_interpolation.ts';
import { meanFace } from '../src/topology/mean_face.ts';

const size = 256;
const skinColour = [180, 140, 120] as const;

/** A flat skin in the front photo's light, painted by a left profile with a red lamp behind it and a mole of so many pixels. */
function painted(mole: number): Float32Array {
  const points = fineFace.refine(meanFace, 3);
  const normals = vertexNormals(points, fineFace.triangles);
  // Laid out round the head, so that each place has a pixel of its own.
  const uv = new Float32Array(2 * fineFace.count);
  for (let i = 0; i < fineFace.count; i++) {
    uv[2 * i] = 0.5 + Math.atan2(points[3 * i]!, points[3 * i + 2]! + 0.05) / 4;
    uv[2 * i + 1] = 0.5 - points[3 * i + 1]! / 0.25;
  }
  const trust = Float32Array.from({ length: fineFace.count }, (_, i) =>
    smoothstep(0.2, 0.8, normals[3 * i + 2]!),
  );
  const colour = new Float32Array(3 * size * size);
  for (let i = 0; i < colour.length; i++) colour[i] = skinColour[i % 3]!;
  const pose = {
    x: [0, 0, -1],
    y: [0, 1, 0],
    z: [1, 0, 0],
    scale: 2000,
    tx: 200,
    ty: 200,
    yaw: 90,
    pitch: 0,
    roll: 0,
  };
  const data = new Uint8Array(3 * 400 * 400);
  for (let i = 0; i < data.length; i++) {
    const [x, y] = [Math.floor(i / 3) % 400, Math.floor(i / 1200)];
    const lamp = 1 + [0.4, 0.1, -0.2][i % 3]! * (1 - smoothstep(180, 300, x));
    data[i] = skinColour[i % 3]! * lamp * (Math.hypot(x - 215, y - 220) < mole ? 0.75 : 1);
  }
  paintSkinFromViews(
    { size, colour, weight: new Float32Array(size * size).fill(1) },
    { points, normals, uv, trust } as Partial<AssembledSkin> as AssembledSkin,
    { neutral: meanFace, weights: edgeWeights(meanFace) } as Partial<FaceFit> as FaceFit,
    {
      kind: 'profile',
      picture: { data, width: 400, height: 400 },
      pose,
      inside: () => 1,
    } as unknown as UsedPhoto,
  );
  return colour;
}

it('brings no edge from a profile in other light', () => {
  const colour = painted(0);
  expect(colour.filter((value, i) => value !== skinColour[i % 3]).length).toBeGreaterThan(1000);
  let max = 0;
  for (let row = 1; row < size; row++) {
    for (let i = 3 * (row * size + 1); i < 3 * (row + 1) * size; i++) {
      for (const other of [i - 3, i - 3 * size])
        max = Math.max(max, Math.abs(Math.log(colour[i]! / colour[other]!)));
    }
  }
  expect(max).toBeLessThan(0.04);
});

it('brings what only a profile shows', () => {
  const [plain, marked] = [painted(0), painted(6)];
  const darkest = marked.reduce((min, value, i) => Math.min(min, value / plain[i]!), 1);
  expect(darkest).toBeLessThan(0.85);
});
