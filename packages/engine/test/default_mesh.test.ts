import { NodeIO } from '@gltf-transform/core';
import { defaultShape } from '@likeness/synthetic-heads';
import { expect, it } from 'vitest';
import { sharedGlb } from '../../../test/support/shared_heads.ts';
import { loadDefaultMesh } from '../src/faces/default_mesh.ts';

const channels = ['mouthClose', 'jawOpen', 'viseme_aa', 'eyeLookUpLeft'];
const head = await defaultShape();
const mesh = await loadDefaultMesh(channels);

/** How far each vertex goes for some weights, metres, by surface of the head. */
function moves(...weights: number[]): Map<string, { x: number; y: number; z: number }[]> {
  const [from, to] = [mesh.pose(new Float32Array(channels.length)), mesh.pose(Float32Array.from(weights))];
  const out = new Map<string, { x: number; y: number; z: number }[]>();
  let at = 0;
  for (const { name, points } of head.surfaces) {
    const way = (i: number): number => to[at + i]! - from[at + i]!;
    const count = points.length / 3;
    out.set(
      name,
      Array.from({ length: count }, (_, v) => ({ x: way(3 * v), y: way(3 * v + 1), z: way(3 * v + 2) })),
    );
    at += points.length;
  }
  return out;
}

it('has the vertices of the default head’s file, in its order, about its node Head', {
  timeout: 60_000,
}, async () => {
  const document = await new NodeIO().readBinary(await sharedGlb('default'));
  const root = document.getRoot();
  const turn = root.listSkins()[0]!.listJoints()[0]!;
  expect(turn.getName()).toBe('Head');
  const pivot = turn.getWorldTranslation();
  const filed = ['Head', 'EyeLeft', 'EyeRight', 'Hair'].flatMap((name) => {
    const node = root.listNodes().find((one) => one.getName() === name && one.getMesh())!;
    // A skinned mesh lies where its vertices say, whatever its node says.
    const place = node.getSkin() ? [0, 0, 0] : node.getWorldTranslation();
    return node
      .getMesh()!
      .listPrimitives()
      .map((primitive) => ({ primitive, place }));
  });
  expect(filed).toHaveLength(head.surfaces.length);
  const rest = mesh.pose(new Float32Array(channels.length));
  let [vertex, corner] = [0, 0];
  for (const [at, { name }] of head.surfaces.entries()) {
    const { primitive, place } = filed[at]!;
    const positions = primitive.getAttribute('POSITION')!;
    let worst = 0;
    for (let i = 0; i < positions.getCount(); i++) {
      positions.getElement(i, []).forEach((value, axis) => {
        const own = rest[3 * (vertex + i) + axis]!;
        worst = Math.max(worst, Math.abs(value + place[axis]! - pivot[axis]! - own));
      });
    }
    expect(worst, name).toBeLessThan(1e-7);
    const indices = primitive.getIndices()!;
    for (let k = 0; k < indices.getCount(); k++)
      if (vertex + indices.getScalar(k) !== mesh.topology.triangleIndices[corner + k])
        throw new Error(`Corner ${k} of ${name} is another`);
    vertex += positions.getCount();
    corner += indices.getCount();
  }
  expect([vertex, corner]).toEqual([mesh.topology.vertexCount, mesh.topology.triangleIndices.length]);
});

it('drops the chin for jawOpen, and not a second time for a viseme', () => {
  const lowest = (...weights: number[]): number =>
    Math.min(
      ...moves(...weights)
        .get('Skin')!
        .map(({ y }) => y),
    );
  expect(lowest(0, 1, 0, 0)).toBeLessThan(-0.01);
  expect(lowest(0, 0.5, 0, 0)).toBeCloseTo(lowest(0, 1, 0, 0) / 2, 5);
  expect(lowest(0, 0, 1, 0)).toBe(0);
});

it('turns the eyeball with the gaze and leaves the other one', () => {
  const forward = (name: string): number =>
    Math.max(
      ...moves(0, 0, 0, 1)
        .get(name)!
        .map(({ y }) => y),
    );
  expect(forward('LeftEyeball')).toBeGreaterThan(0.002);
  expect(forward('RightEyeball')).toBe(0);
});
