import { at, dot, normalise, subtract, vertexNormals } from '@likeness/geometry/vector.ts';
import { describe, expect, it } from 'vitest';
import { fitSkull, type HeadOutline } from '../src/hair/head_outline.ts';
import type { PicturePlane } from '../src/hair/picture_plane.ts';
import { buildCranium, type Cranium, craniumColumns } from '../src/skull/skull.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { meanFace } from '../src/topology/mean_face.ts';

/** The mean face stretched aside and upwards. */
const stretched = (aside: number, up: number): Float32Array =>
  meanFace.map((value, i) => value * [aside, up, 1][i % 3]!);

const grow = (face: Float32Array): Cranium => buildCranium(face, fineFace.refine(face, 3), 'female');

const min = ({ points }: Cranium, axis: number): number =>
  Math.min(...points.filter((_, i) => i % 3 === axis));
const crown = ({ points }: Cranium): number => Math.max(...points.filter((_, i) => i % 3 === 1));

describe('a skull', () => {
  it('is as long as its face is high, whatever its width', () => {
    const unstretched = min(grow(stretched(1, 1)), 2);
    expect(unstretched - min(grow(stretched(1, 1.05)), 2)).toBeGreaterThan(0.006);
    expect(Math.abs(unstretched - min(grow(stretched(1.04, 1)), 2))).toBeLessThan(0.001);
  });

  it('goes on from the face’s oval without a crease', () => {
    const fine = fineFace.refine(meanFace, 3);
    const normals = vertexNormals(fine, fineFace.triangles);
    const { points } = grow(meanFace);
    const creases = fineFace.oval.map((rim, k) => {
      const away = normalise(subtract(at(points, craniumColumns + k), at(fine, rim)));
      return (180 / Math.PI) * Math.asin(Math.abs(dot(away, at(normals, rim))));
    });
    expect(Math.max(...creases)).toBeLessThan(16);
  });

  it('is drawn part of the way to an outline of hair that lies within it, and no hair draws it out', () => {
    const plane: PicturePlane = {
      right: [1, 0, 0],
      up: [0, 1, 0],
      of: (p) => [dot(p, [1, 0, 0]), dot(p, [0, 1, 0])],
      toPhoto: (u, v) => [u, v],
    };
    const outlined = (beyond: number): number => {
      const cranium = grow(meanFace);
      const before = crown(cranium);
      const skull = new Float32Array(240).fill(0.1);
      const outline: HeadOutline = {
        skull,
        seen: skull.map((r) => r + beyond),
        hairy: new Float32Array(240).fill(1),
      };
      fitSkull(cranium, outline, plane);
      return crown(cranium) - before;
    };
    expect(outlined(0.02)).toBe(0);
    const drawn = outlined(-0.007);
    expect(drawn).toBeLessThan(-0.003);
    expect(drawn).toBeGreaterThan(-0.008);
  });
});
