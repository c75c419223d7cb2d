import { expect, it } from 'vitest';
import { tangentsOf } from '../src/texture/tangents.ts';

/** A square of 10 cm that looks along +Z; its picture is upright, or seen in a mirror. */
const square = (mirrored: boolean) => ({
  name: 'Skin',
  material: 0,
  node: 'skin' as const,
  points: Float32Array.of(0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0, 0.1, 0),
  normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
  // v runs down: the lower corners have 1.
  uv: Float32Array.from([0, 1, 1, 1, 1, 0, 0, 0], (v, i) => (mirrored && i % 2 === 0 ? 1 - v : v)),
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
});

it('lie along u; the bitangent is up in the picture, also where that is mirrored', () => {
  expect([...tangentsOf(square(false))!.subarray(0, 4)]).toEqual([1, 0, 0, 1]);
  expect([...tangentsOf(square(true))!.subarray(0, 4)]).toEqual([-1, 0, 0, -1]);
});

it('have length 1 at right angles to the normal, also where nothing is laid out', () => {
  const { uv, ...bare } = square(false);
  const tangents = tangentsOf({ ...bare, uv: uv.fill(0.5) })!;
  for (let i = 0; i < 4; i++) {
    expect(Math.hypot(...tangents.subarray(4 * i, 4 * i + 3))).toBeCloseTo(1, 6);
    expect(tangents[4 * i + 2]).toBeCloseTo(0, 6);
  }
  expect(tangentsOf(bare)).toBeUndefined();
});
