import type { Document, Primitive } from '@gltf-transform/core';
import { vertexNormals } from '@likeness/geometry/vector.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { oldHead } from '../../../test/fixtures/heads/old_head.ts';
import { plainGlb } from '../../../test/support/heads/plain_glb.ts';
import { sharedGlb } from '../../../test/support/shared_heads.ts';
import { builtInTable } from '../src/formats/names/built_in_tables.ts';
import { renameTargets } from '../src/formats/names/rename_targets.ts';
import { writeVrm } from '../src/formats/vrm/write_vrm.ts';
import { readHead, writeHead, writeWebHead } from '../src/head_file.ts';
import { morphNormals } from '../src/morph_normals.ts';
import { targetNames } from '../src/morph_targets.ts';

/** Numbers of an accessor, however they are packed. */
const valuesOf = (primitive: Pick<Primitive, 'getAttribute'>, semantic: string): Float32Array => {
  const accessor = primitive.getAttribute(semantic)!;
  const values = new Float32Array(3 * accessor.getCount());
  for (let i = 0; i < accessor.getCount(); i++) values.set(accessor.getElement(i, []), 3 * i);
  return values;
};

const skinOf = (document: Document): { primitive: Primitive; names: string[] } => {
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives())
      if (primitive.getMaterial()?.getName() === 'Skin') return { primitive, names: targetNames(mesh) };
  throw new Error('no skin');
};

/** By how much the normals of a pose differ from those of its surface, at the 99th of 100 vertices. */
function errorOf(document: Document, pose: Record<string, number>, withTurns = true): number {
  const { primitive, names } = skinOf(document);
  const points = valuesOf(primitive, 'POSITION');
  const normals = valuesOf(primitive, 'NORMAL');
  const triangles = primitive.getIndices()!.getArray()!;
  const rest = vertexNormals(points, triangles);
  for (const [name, weight] of Object.entries(pose)) {
    const target = primitive.listTargets()[names.indexOf(name)]!;
    for (const [i, move] of valuesOf(target, 'POSITION').entries()) points[i]! += weight * move;
    if (withTurns) for (const [i, turn] of valuesOf(target, 'NORMAL').entries()) normals[i]! += weight * turn;
  }
  const exact = vertexNormals(points, triangles);
  const errors = Array.from({ length: points.length / 3 }, (_, vertex) => {
    const at = [0, 1, 2].map((axis) => 3 * vertex + axis);
    // What the coarser surface of a file differs from the engine's own at rest counts for nothing.
    const is = at.map((i) => normals[i]!);
    const wanted = at.map((i, axis) => exact[i]! + valuesAtRest[3 * vertex + axis]! - rest[i]!);
    return Math.hypot(...is.map((value, axis) => value - wanted[axis]!));
  }).toSorted((a, b) => a - b);
  return errors[Math.floor(errors.length * 0.99)]!;
}
let valuesAtRest: Float32Array;

describe('normals of morph targets', () => {
  let document: Document;
  let written: Uint8Array;
  beforeAll(async () => {
    document = await readHead(await sharedGlb('female'));
    written = await writeHead(document);
    valuesAtRest = valuesOf(skinOf(document).primitive, 'NORMAL');
  }, 120_000);

  it.each([
    { jawOpen: 1 },
    { jawOpen: 0.5 },
    { mouthPucker: 1 },
    { viseme_O: 1 },
    { eyeBlinkLeft: 1 },
    { jawOpen: 1, mouthClose: 1 },
  ] as Record<string, number>[])('shade %o as its surface stands', (pose) => {
    const [before, after] = [errorOf(document, pose, false), errorOf(document, pose)];
    expect(after).toBeLessThan(0.3);
    expect(after).toBeLessThan(before);
  });

  it('are there for every target of the skin and for nothing else', () => {
    for (const mesh of document.getRoot().listMeshes())
      for (const primitive of mesh.listPrimitives())
        for (const target of primitive.listTargets())
          expect(target.listSemantics().includes('NORMAL')).toBe(
            primitive.getMaterial()?.getName() === 'Skin',
          );
  });

  it.each([
    ['rewritten', (head: Document) => writeHead(head), 1e-6, 'jawOpen'],
    ['for the web', (head: Document) => writeWebHead(head), 5e-3, 'jawOpen'],
    ['for the web and back', async (head: Document) => plainGlb(await writeWebHead(head)), 5e-3, 'jawOpen'],
    [
      'by other names',
      (head: Document) => {
        renameTargets(head, builtInTable('cc4')!);
        return writeHead(head);
      },
      1e-6,
      'Jaw_Open',
    ],
    [
      'as VRM',
      (head: Document) => writeVrm(head, { version: '1.0', meta: { name: 'Head' } }),
      1e-6,
      'jawOpen',
    ],
  ] as const)('go along where a head is written %s', async (_, write, max, name) => {
    const sorted = (head: Document, shape: string): Float32Array => {
      const { primitive, names } = skinOf(head);
      const turns = valuesOf(primitive.listTargets()[names.indexOf(shape)]!, 'NORMAL');
      // A writer may put vertices into another order.
      return Float32Array.from({ length: turns.length / 3 }, (__, i) =>
        Math.hypot(turns[3 * i]!, turns[3 * i + 1]!, turns[3 * i + 2]!),
      ).toSorted();
    };
    const before = sorted(document, 'jawOpen');
    const after = sorted(await readHead(await write(await readHead(written))), name);
    expect(after).toHaveLength(before.length);
    expect(before.at(-1)).toBeGreaterThan(0.5);
    for (const [i, length] of before.entries()) expect(Math.abs(after[i]! - length)).toBeLessThan(max);
  });

  it('come to a head of an earlier engine when it is brought into today’s scene', async () => {
    const { primitive, names } = skinOf(await readHead((await oldHead({ packed: false })).glb));
    const turns = valuesOf(primitive.listTargets()[names.indexOf('jawOpen')]!, 'NORMAL');
    expect(turns.filter((value) => value !== 0).length).toBeGreaterThan(1000);
  });

  it('of a fold say how far it turns, and nothing where it hardly does', () => {
    // Two squares with a common edge; the second is folded up by 90°, or by 5°.
    const points = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0];
    const triangles = [0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2];
    const folded = (degrees: number): Float32Array => {
      const move = new Float32Array(18);
      const angle = (degrees * Math.PI) / 180;
      for (const vertex of [4, 5]) {
        move[3 * vertex] = Math.cos(angle) - 1;
        move[3 * vertex + 2] = Math.sin(angle);
      }
      return move;
    };
    const moves = [folded(90), folded(5), undefined];
    const [far, near, rest] = morphNormals({ points, triangles, names: ['far', 'near', 'rest'], moves });
    expect(near).toBeUndefined();
    expect(rest).toBeUndefined();
    const at = (vertex: number) =>
      [...far!.subarray(3 * vertex, 3 * vertex + 3)].map((v) => Math.round(v * 1e3));
    expect(at(0)).toEqual([0, 0, 0]);
    expect(at(4)).toEqual([-1000, 0, -1000]);
    // On the edge one of the one square's triangles meets two of the other's, or the other way round.
    for (const vertex of [1, 2]) expect(far![3 * vertex]).toBeLessThan(-0.4);
  });
});
