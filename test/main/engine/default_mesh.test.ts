import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';
import { expect, it } from 'vitest';
import { meshOf } from '../../../main/engine/default_mesh.ts';
import { defaultHead, defaultShape } from '../../../main/engine/portrait/index.ts';

const channels = ['mouthClose', 'jawOpen', 'viseme_aa', 'eyeLookUpLeft'];
const head = await defaultShape();
const mesh = meshOf(head, channels);

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
  await MeshoptDecoder.ready;
  const document = await new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder })
    .readBinary(await defaultHead());
  const nodes = document.getRoot().listNodes();
  const turn = nodes.find((node) => node.getName() === 'Head')!.getWorldTranslation();
  const rest = mesh.pose(new Float32Array(channels.length));
  let [vertex, corner] = [0, 0];
  for (const { name } of head.surfaces) {
    const node = nodes.find((one) => one.getName() === name)!;
    const [primitive] = node.getMesh()!.listPrimitives();
    // A skinned mesh lies where its vertices say, whatever its node says.
    const place = node.getSkin() ? [0, 0, 0] : node.getWorldTranslation();
    const positions = primitive!.getAttribute('POSITION')!;
    let worst = 0;
    for (let i = 0; i < positions.getCount(); i++) {
      positions.getElement(i, []).forEach((value, axis) => {
        const own = rest[3 * (vertex + i) + axis]!;
        worst = Math.max(worst, Math.abs(value + place[axis]! - turn[axis]! - own));
      });
    }
    expect(worst, name).toBeLessThan(5e-5);
    const indices = primitive!.getIndices()!;
    // The file's codec may begin a triangle at another of its corners.
    const triangle = (of: (k: number) => number): string => {
      const corners = [of(0), of(1), of(2)];
      const least = corners.indexOf(Math.min(...corners));
      return [...corners.slice(least), ...corners.slice(0, least)].join(' ');
    };
    for (let i = 0; i < indices.getCount(); i += 3) {
      const filed = triangle((k) => vertex + indices.getScalar(i + k));
      const own = triangle((k) => mesh.topology.triangleIndices[corner + i + k]!);
      if (own !== filed) throw new Error(`Triangle ${i / 3} of ${name} joins ${own}, not ${filed}`);
    }
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
