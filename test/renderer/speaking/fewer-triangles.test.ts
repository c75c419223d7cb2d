import { restingFace } from '@likeness/proto/live/face_state.ts';
import {
  BufferAttribute,
  Group,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import { expect, test } from 'vitest';
import { FaceDriver } from '../../../renderer/speaking/face-driver.ts';
import { plainFaceStyle } from '../../../renderer/speaking/face-style.ts';
import { mergeSiblings, reduceTriangles } from '../../../renderer/speaking/software/fewer-triangles.ts';

/**
 * A ball of 10 cm whose lower half `jawOpen` lowers by 2 cm, and whose front `cheekPuff` pushes out by 1 cm.
 */
function ball(): Mesh {
  const geometry = new SphereGeometry(0.1, 64, 48);
  const { position } = geometry.attributes;
  const lower = new Float32Array(position!.count * 3);
  const front = new Float32Array(position!.count * 3);
  for (let vertex = 0; vertex < position!.count; vertex++) {
    if (position!.getY(vertex) < -0.02) lower[vertex * 3 + 1] = -0.02;
    if (position!.getZ(vertex) > 0.05) front[vertex * 3 + 2] = 0.01;
  }
  geometry.morphAttributes.position = [new BufferAttribute(lower, 3), new BufferAttribute(front, 3)];
  geometry.morphTargetsRelative = true;
  const mesh = new Mesh(geometry, new MeshStandardMaterial());
  mesh.morphTargetDictionary = { jawOpen: 0, cheekPuff: 1 };
  mesh.morphTargetInfluences = [0, 0];
  return mesh;
}

test('a mesh gets far fewer triangles, stays where it was and still moves', async () => {
  const mesh = ball();
  const head = new Group().add(mesh);
  const before = mesh.geometry.index!.count;
  await reduceTriangles(head);
  const { position, normal, uv } = mesh.geometry.attributes;
  expect(mesh.geometry.index!.count).toBeLessThan(before / 2);
  for (const attribute of [normal, uv, ...mesh.geometry.morphAttributes.position!])
    expect(attribute!.count).toBe(position!.count);
  for (let vertex = 0; vertex < position!.count; vertex++) {
    const [x, y, z] = [position!.getX(vertex), position!.getY(vertex), position!.getZ(vertex)];
    expect(Math.hypot(x, y, z)).toBeCloseTo(0.1, 5);
    // Normals went with their vertices.
    expect(normal!.getY(vertex)).toBeCloseTo(y / 0.1, 4);
  }
  const rest = Float32Array.from(position!.array);
  const driver = new FaceDriver(head);
  const face = { ...restingFace(), channelNames: ['jawOpen'], weights: Float32Array.of(1) };
  driver.apply(face, plainFaceStyle, 1 / 60);
  const moved = mesh.geometry.attributes.position!;
  let lowered = 0;
  for (let vertex = 0; vertex < moved.count; vertex++) {
    const by = moved.getY(vertex) - rest[vertex * 3 + 1]!;
    expect(by).toBeCloseTo(rest[vertex * 3 + 1]! < -0.02 ? -0.02 : 0, 6);
    if (by < 0) lowered++;
  }
  expect(lowered).toBeGreaterThan(20);
});

test('normals turn with their targets, and rest again', async () => {
  const mesh = ball();
  const turns = new Float32Array(mesh.geometry.attributes.position!.count * 3);
  for (let vertex = 0; vertex * 3 < turns.length; vertex++)
    if (mesh.geometry.attributes.position!.getY(vertex) < -0.02) turns[vertex * 3] = 0.5;
  mesh.geometry.morphAttributes.normal = [
    new BufferAttribute(turns, 3),
    new BufferAttribute(new Float32Array(turns.length), 3),
  ];
  const head = new Group().add(mesh);
  await reduceTriangles(head);
  const { position } = mesh.geometry.attributes;
  const rest = Float32Array.from(mesh.geometry.attributes.normal!.array);
  for (const target of mesh.geometry.morphAttributes.normal) expect(target.count).toBe(position!.count);
  const lower = Array.from({ length: position!.count }, (_, vertex) => position!.getY(vertex) < -0.02);
  const driver = new FaceDriver(head);
  const openBy = (weight: number): void => {
    const face = { ...restingFace(), channelNames: ['jawOpen'], weights: Float32Array.of(weight) };
    driver.apply(face, plainFaceStyle, 1 / 60);
  };
  openBy(1);
  const { normal } = mesh.geometry.attributes;
  for (const [vertex, isLower] of lower.entries())
    expect(normal!.getX(vertex) - rest[vertex * 3]!).toBeCloseTo(isLower ? 0.5 : 0, 6);
  openBy(0);
  expect(normal!.array).toEqual(rest);
});

test('hair stays where it lies over the skin', async () => {
  /** Metres by which the middles of triangles lie within the ball at most. */
  const sunk = async (material: string): Promise<number> => {
    const mesh = ball();
    mesh.geometry.deleteAttribute('uv');
    (mesh.material as MeshStandardMaterial).name = material;
    await reduceTriangles(new Group().add(mesh));
    const { index, attributes } = mesh.geometry;
    let max = 0;
    for (let at = 0; at < index!.count; at += 3) {
      const middle = new Vector3();
      for (let corner = 0; corner < 3; corner++)
        middle.add(new Vector3().fromBufferAttribute(attributes.position!, index!.getX(at + corner)));
      max = Math.max(max, 0.1 - middle.length() / 3);
    }
    return max;
  };
  expect(await sunk('Hair')).toBeLessThan(0.0006);
  expect(await sunk('Skin')).toBeGreaterThan(0.0008);
});

test('a mesh without shapes, as hair is, has none afterwards', async () => {
  const mesh = new Mesh(new SphereGeometry(0.1, 64, 48), new MeshStandardMaterial());
  await reduceTriangles(new Group().add(mesh));
  expect(mesh.geometry.morphAttributes).toEqual({});
});

test('a mesh of few triangles is left alone', async () => {
  const mesh = new Mesh(new PlaneGeometry(1, 1, 4, 4), new MeshStandardMaterial());
  const before = mesh.geometry.index!.count;
  await reduceTriangles(new Group().add(mesh));
  expect(mesh.geometry.index!.count).toBe(before);
});

test('meshes of one material on one bone become one; others stay', () => {
  const [first, second, elsewhere, shining] = [ball(), ball(), ball(), ball()];
  second!.material = first!.material;
  elsewhere!.material = first!.material;
  elsewhere!.position.x = 1;
  shining!.material = new MeshStandardMaterial({ roughness: 0.2 });
  const head = new Group().add(first!, second!, elsewhere!, shining!);
  const vertices = first!.geometry.attributes.position!.count;
  mergeSiblings(head);
  expect(head.children).toEqual([first, elsewhere, shining]);
  expect(first!.geometry.attributes.position!.count).toBe(2 * vertices);
  expect(first!.geometry.morphAttributes.position!.map(({ count }) => count)).toEqual([
    2 * vertices,
    2 * vertices,
  ]);
  expect(elsewhere!.geometry.attributes.position!.count).toBe(vertices);
});
