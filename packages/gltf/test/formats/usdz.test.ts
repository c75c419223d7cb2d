import { AnimationMixer, type Group, type SkinnedMesh, Vector3 } from 'three';
import { USDLoader } from 'three/addons/loaders/USDLoader.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tinyUsd } from '../../../../test/support/heads/tiny_usd.ts';
import { readZip } from '../../../../test/support/read_zip.ts';
import { writeUsdz } from '../../src/formats/usdz/write_usdz.ts';
import {
  farthest,
  frames,
  pointsOf,
  rate,
  sampleHead,
  targetNames,
  weightsAt,
  writtenNames,
} from './sample_head.ts';

let usdz: Uint8Array;
beforeAll(async () => {
  usdz = await writeUsdz(await sampleHead());
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it('is a zip of plain files at multiples of 64 bytes, the scene first, with its pictures', () => {
  const zip = Buffer.from(usdz);
  const files = [...readZip(zip)];
  expect(files.map(([name]) => name)).toEqual(['head.usda', 'textures/Skin.png']);
  for (const [, data] of files) expect((data.byteOffset - zip.byteOffset) % 64).toBe(0);
});

/** What tinyusdz says of one prim of a layer that it has read: its attributes by name, as JSON. */
function prim(layer: string, name: string): (attribute: string) => never {
  const from = layer.indexOf(`"${name}"`, layer.search(new RegExp(`def \\w+ "${name}"`)));
  const own = layer.slice(from);
  return (attribute) => {
    const [, value] = own.match(
      new RegExp(`\\s${attribute.replace(/[.[\]]/g, '\\$&')} = (.*?)(?: \\()?\\n`),
    )!;
    return JSON.parse(value!.replaceAll('(', '[').replaceAll(')', ']')) as never;
  };
}

it('tinyusdz reads the skeleton, the shapes and the take, and they put each point where glTF has it', async () => {
  const reader = await tinyUsd();
  expect(reader.loadAsLayerFromBinary(usdz, 'head.usdz'), reader.error()).toBe(true);
  const layer = reader.layerToString();
  const skeleton = prim(layer, 'Skeleton');
  const face = prim(layer, 'Face');
  const take = prim(layer, 'Take_1');
  const names: string[] = take('token[] blendShapes');
  expect(names).toEqual(writtenNames);
  expect(face('token[] skel:blendShapes')).toEqual(writtenNames);
  expect(skeleton('token[] joints')).toEqual([
    'Neck',
    'Neck/Head',
    'Neck/Head/LeftEye',
    'Neck/Head/LeftEye/Eyeball',
  ]);

  const head = await sampleHead();
  const frame = 77;
  const sample = (attribute: string): number[][] => {
    const from = layer.indexOf(`${attribute}.timeSamples`);
    const [, row] = layer.slice(from).match(new RegExp(`\\s${frame}: (.*?),?\\n`))!;
    return JSON.parse(row!.replaceAll('(', '[').replaceAll(')', ']')) as number[][];
  };
  const weights = sample('blendShapeWeights') as unknown as number[];
  const wantedWeights = weightsAt(head, frame);
  for (const [k, weight] of weights.entries())
    expect(Math.abs(weight - wantedWeights[k]!)).toBeLessThan(1e-3);

  // Shapes first, then bones (UsdSkel, "Skinning a Point"), with the reader's numbers and three's matrices.
  const points: number[][] = face('point3f[] points');
  const shapes = ['jawOpen', 'mouthSmileLeft', '_n_code_x_y', 'target_3', 'jawOpen_2', 'still'];
  for (const [k, name] of shapes.entries()) {
    const shape = prim(layer, name);
    const offsets: number[][] = shape('vector3f[] offsets');
    for (const [i, point] of (shape('int[] pointIndices') as number[]).entries())
      points[point] = points[point]!.map((value, axis) => value + weights[k]! * offsets[i]![axis]!);
  }
  const [neck, headJoint] = sample('translations').map((at, k) => ({ at, turn: sample('rotations')[k]! }));
  const turned = ([w, x, y, z]: number[], point: number[]): number[] =>
    new Vector3(...point).applyQuaternion({ x: x!, y: y!, z: z!, w: w! } as never).toArray();
  const plus = (a: number[], b: number[]): number[] => a.map((value, k) => value + b[k]!);
  const inNeck = (point: number[]): number[] => plus(turned(neck!.turn, point), neck!.at);
  const binds: number[][][] = skeleton('matrix4d[] bindTransforms');
  const back = (joint: number, point: number[]): number[] =>
    point.map((value, k) => value - binds[joint]![3]![k]!);
  const joints: number[] = face('int[] primvars:skel:jointIndices');
  const held: number[] = face('float[] primvars:skel:jointWeights');
  const bent = points.map((point, i) => {
    const by = [inNeck(back(0, point)), inNeck(plus(turned(headJoint!.turn, back(1, point)), headJoint!.at))];
    return [0, 1, 2].map((axis) =>
      [0, 1, 2, 3].reduce((sum, k) => sum + held[i * 4 + k]! * by[joints[i * 4 + k]!]![axis]!, 0),
    );
  });
  const node = head
    .getRoot()
    .listNodes()
    .find((one) => one.getName() === 'Face')!;
  const wanted = pointsOf(head, wantedWeights, node);
  expect(farthest(wanted, bent)).toBeLessThan(1e-5);
  expect(farthest(bent, wanted)).toBeLessThan(1e-5);
  expect(targetNames).toHaveLength(writtenNames.length);
});

it('tinyusdz makes a scene of it that can be drawn', async () => {
  const reader = await tinyUsd();
  expect(reader.loadFromBinary(usdz, 'head.usdz'), reader.error()).toBe(true);
  const meshes = Array.from({ length: reader.numMeshes() }, (_, i) => reader.getMesh(i));
  expect(meshes.map(({ primName, points }) => [primName, points.length])).toEqual([
    ['Eyeball', 4 * 3],
    ['Face', 25 * 3],
  ]);
});

it('three.js reads meshes, pictures, bones and the take: its own USD loader knows no blend shapes', async () => {
  // Pictures are for a page.
  const picture = { style: {}, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('document', { createElementNS: () => picture });
  const group = new USDLoader().parse(new Uint8Array(usdz).buffer) as Group;
  const [clip] = group.animations;
  expect(clip!.duration).toBeCloseTo((frames - 1) / rate, 5);
  const mixer = new AnimationMixer(group);
  mixer.clipAction(clip!).play();
  const frame = 77;
  mixer.setTime(frame / rate);
  group.updateMatrixWorld(true);
  const found: number[][] = [];
  const maps: boolean[] = [];
  group.traverse((object) => {
    const mesh = object as SkinnedMesh;
    if (!mesh.isSkinnedMesh) return;
    mesh.skeleton.update();
    if (Array.isArray(mesh.material))
      maps.push(...mesh.material.map((one) => 'map' in one && one.map !== null));
    for (let i = 0; i < mesh.geometry.attributes.position!.count; i++)
      found.push(mesh.getVertexPosition(i, new Vector3()).applyMatrix4(mesh.matrixWorld).toArray());
  });
  expect(maps).toEqual([true, false]);
  const head = await sampleHead();
  weightsAt(head, frame);
  const wanted = pointsOf(head, []);
  expect(farthest(wanted, found)).toBeLessThan(1e-4);
  expect(farthest(found, wanted)).toBeLessThan(1e-4);
});
