import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ColorUtils, Document, type vec3 } from '@gltf-transform/core';
import { type FBXNode, parseBinary } from 'fbx-parser';
import sharp from 'sharp';
import { type KeyframeTrack, type Mesh, type MeshPhongMaterial, type SkinnedMesh, Texture } from 'three';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFbx } from '../../../../test/support/heads/read_fbx.ts';
import { assimpInfo, describeWith, inBlender } from '../../../../test/support/readers.ts';
import { sharedGlb } from '../../../../test/support/shared_heads.ts';
import { writeFbx } from '../../src/formats/fbx/write_fbx.ts';
import { gltfIo } from '../../src/gltf_io.ts';
import {
  farthest,
  frames,
  placed,
  pointsOf,
  rate,
  sampleHead,
  targetNames,
  weightsAt,
  writtenNames,
} from './sample_head.ts';

let folder: string;
let fbx: Uint8Array;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-fbx-'));
  fbx = await writeFbx(await sampleHead());
  await writeFile(join(folder, 'head.fbx'), fbx);
});
afterAll(() => rm(folder, { recursive: true }));

const child = (nodes: FBXNode[], name: string): FBXNode => nodes.find((node) => node.name === name)!;
/** The parser takes names for Latin-1, and puts the class before them. */
const nameOf = (node: FBXNode): string =>
  Buffer.from(String(node.props[1]), 'latin1').toString().split('::').at(-1)!;
const array = (node: FBXNode, name: string): number[] =>
  child(node.nodes, name).props[0] as unknown as number[];

it('every id is its own, and every connection is between things that are there', () => {
  const file = parseBinary(fbx);
  const objects = child(file, 'Objects').nodes;
  const ids = new Set(objects.map(({ props }) => props[0]));
  expect(ids.size).toBe(objects.length);
  const connections = child(file, 'Connections').nodes;
  expect(connections.length).toBeGreaterThan(40);
  for (const { props } of connections) {
    expect(ids).toContain(props[1]);
  }
  // 0 is the scene itself.
  const parents = connections.map(({ props }) => props[2]).filter((id) => id !== 0);
  expect(parents.length).toBeGreaterThan(20);
  for (const id of parents) expect(ids).toContain(id);
  const counts = child(file, 'Definitions').nodes.filter(({ name }) => name === 'ObjectType');
  for (const { props, nodes } of counts.slice(1))
    expect(nodes[0]!.props[0]).toBe(objects.filter(({ name }) => name === props[0]).length);
});

it('the primitives of a mesh are one geometry, joined along their seam, with a material for each polygon', () => {
  const objects = child(parseBinary(fbx), 'Objects').nodes;
  const meshes = objects.filter(({ name, props }) => name === 'Geometry' && props[2] === 'Mesh');
  expect(meshes.map(nameOf).toSorted()).toEqual(['Eyeball', 'Face']);
  const face = meshes.find((mesh) => nameOf(mesh) === 'Face')!;
  // Two sides of fifteen points have five in common.
  expect(array(face, 'Vertices')).toHaveLength(25 * 3);
  expect(array(face, 'PolygonVertexIndex')).toHaveLength(32 * 3);
  const slots = array(child(face.nodes, 'LayerElementMaterial'), 'Materials');
  expect([...slots]).toEqual([...Array(16).fill(0), ...Array(16).fill(1)]);
});

it('a shape names only the points that it moves', () => {
  const shapes = child(parseBinary(fbx), 'Objects').nodes.filter(({ props }) => props[2] === 'Shape');
  expect(shapes.map(nameOf)).toEqual(writtenNames);
  // One stands in where nothing moves: importers trip over a shape without any.
  expect(shapes.map((shape) => array(shape, 'Indexes').length)).toEqual([22, 19, 19, 22, 19, 1]);
  for (const shape of shapes)
    expect(array(shape, 'Vertices')).toHaveLength(array(shape, 'Indexes').length * 3);
});

it('a turn goes on past half a circle: no curve leaps from frame to frame', () => {
  const curves = child(parseBinary(fbx), 'Objects').nodes.filter(({ name }) => name === 'AnimationCurve');
  const values = curves.map((curve) => array(curve, 'KeyValueFloat'));
  const turning = values.find((some) => Math.max(...some) > 399)!;
  expect(Math.max(...turning) - Math.min(...turning)).toBeCloseTo(400, 0);
  for (const some of values)
    for (let key = 1; key < some.length; key++)
      expect(Math.abs(some[key]! - some[key - 1]!)).toBeLessThan(20);
});

it('what an opaque material’s picture has of transparency is left out', async () => {
  const [video] = child(parseBinary(fbx), 'Objects').nodes.filter(({ name }) => name === 'Video');
  const content = Uint8Array.from(array(video!, 'Content'));
  expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 4, hasAlpha: false });
});

it('base colour and vertex colours make the colour that glTF has, and the base colour alone is near it', () => {
  const objects = child(parseBinary(fbx), 'Objects').nodes;
  const gums = objects.find((node) => node.name === 'Material' && nameOf(node) === 'Gums')!;
  const diffuse = child(gums.nodes, 'Properties70').nodes.find(({ props }) => props[0] === 'DiffuseColor')!;
  const base = diffuse.props.slice(4) as number[];
  expect(base[0]).toBeCloseTo(0.6);
  expect(base[1]).toBeCloseTo(0.4);
  const face = objects.find((node) => node.name === 'Geometry' && nameOf(node) === 'Face')!;
  const colors = array(child(face.nodes, 'LayerElementColor'), 'Colors');
  // The last fifteen rows are the gums'; the first three of them have a green of 0.2.
  const linear = ColorUtils.convertSRGBToLinear([...colors.slice(15 * 4, 15 * 4 + 3)] as vec3, [0, 0, 0]);
  for (const [k, wanted] of [0.6, 0.2, 0.2].entries()) expect(linear[k]! * base[k]!).toBeCloseTo(wanted, 4);
});

it('a head of another maker is taken as it is: no skin, no names, a thousand targets', async () => {
  const document = new Document();
  const buffer = document.createBuffer();
  const floats = (values: number[]) =>
    document.createAccessor().setType('VEC3').setArray(new Float32Array(values)).setBuffer(buffer);
  const primitive = document.createPrimitive().setAttribute('POSITION', floats([0, 0, 0, 1, 0, 0, 0, 1, 0]));
  for (let number = 0; number < 1000; number++)
    primitive.addTarget(
      document.createPrimitiveTarget().setAttribute('POSITION', floats([0, 0, number, 0, 0, 0, 0, 0, 0])),
    );
  document
    .createScene()
    .addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
  const mesh = readFbx(await writeFbx(document)).getObjectByProperty('isMesh', true) as Mesh;
  expect(Object.keys(mesh.morphTargetDictionary!)).toEqual(
    Array.from({ length: 1000 }, (_, number) => `target_${number}`),
  );
  expect(mesh.geometry.morphAttributes.position![999]!.getZ(0)).toBeCloseTo(99_900);
});

it('three.js finds the shapes by name, the materials and the bones', () => {
  const root = readFbx(fbx);
  const face = root.getObjectByName('Face') as SkinnedMesh;
  expect(Object.keys(face.morphTargetDictionary!)).toEqual(writtenNames);
  expect(face.isSkinnedMesh).toBe(true);
  expect(face.skeleton.bones.map(({ name }) => name)).toEqual(['Neck', 'Head']);
  const materials = face.material as unknown as MeshPhongMaterial[];
  expect(materials.map(({ name }) => name)).toEqual(['Skin', 'Gums']);
  expect(materials[0]!.map).toBeInstanceOf(Texture);
  expect((root.getObjectByName('Eyeball') as Mesh<never, MeshPhongMaterial>).material.opacity).toBeCloseTo(
    0.25,
  );
});

it('three.js plays the take: every weight within 1e-3, at its own rate', async () => {
  const head = await sampleHead();
  const [clip] = readFbx(fbx).animations;
  expect(clip!.name).toBe('Take 1');
  expect(clip!.duration).toBeCloseTo((frames - 1) / rate, 6);
  // It names a track after the target without the signs that its own paths use.
  const track = (number: number): KeyframeTrack | undefined =>
    clip!.tracks.filter(({ name }) => name.includes('morphTargetInfluences'))[number];
  for (const number of [0, 1, 2, 4]) {
    const { times, values } = track(number)!;
    expect(times).toHaveLength(frames);
    for (let frame = 0; frame < frames; frame++) {
      expect(times[frame]).toBeCloseTo(frame / rate, 6);
      expect(Math.abs(values[frame]! - weightsAt(head, frame)[number]!)).toBeLessThan(1e-3);
    }
  }
  expect(targetNames).toHaveLength(6);
});

it('a mesh that is called as a bone leaves it its name, and each has its own curves', async () => {
  const head = await sampleHead();
  for (const node of head.getRoot().listNodes()) if (node.getMesh() && node.getSkin()) node.setName('Head');
  const root = readFbx(await writeFbx(head));
  expect(root.getObjectByName('Head')!.type).toBe('Bone');
  expect((root.getObjectByName('Head_mesh') as SkinnedMesh).isSkinnedMesh).toBe(true);
  const tracks = root.animations[0]!.tracks.map(({ name }) => name.replace(/\[.*/, ''));
  expect(new Set(tracks)).toEqual(
    new Set(['Head.quaternion', 'Head_mesh.morphTargetInfluences', 'Neck.position']),
  );
});

interface Read {
  fps: number;
  size: number[][];
  shapes: Record<string, string[]>;
  points: Record<string, number[][]>;
  materials: string[];
  images: [string, number[], boolean][];
  bones: string[];
  curves: Record<string, number[]>;
}

/** What Blender holds after its import: world coordinates, its own axes (Z up, the face along −Y). */
const look = `
bpy.ops.import_scene.fbx(filepath=args['file'])
scene = bpy.context.scene
scene.frame_set(args['frame'])
deps = bpy.context.evaluated_depsgraph_get()
meshes = [o for o in bpy.data.objects if o.type == 'MESH']
points = {}
for o in meshes:
    e = o.evaluated_get(deps)
    m = e.to_mesh()
    points[o.name] = [list(e.matrix_world @ v.co) for v in m.vertices]
corners = [o.matrix_world @ v.co for o in meshes for v in o.data.vertices]
curves = {}
for o in meshes:
    a = o.data.shape_keys and o.data.shape_keys.animation_data
    for f in (a.action.fcurves if a else []):
        curves[f.data_path] = [f.evaluate(k + 1) for k in range(args['frames'])]
result = dict(
    fps=scene.render.fps, points=points, curves=curves,
    size=[[min(c[k] for c in corners), max(c[k] for c in corners)] for k in range(3)],
    shapes={o.name: [k.name for k in o.data.shape_keys.key_blocks] for o in meshes if o.data.shape_keys},
    materials=sorted(m.name for m in bpy.data.materials),
    images=[[i.name, list(i.size), i.packed_file is not None] for i in bpy.data.images],
    bones=[b.name for a in bpy.data.armatures for b in a.bones])
`;

/** From glTF's axes to Blender's. */
const turned = ([x, y, z]: readonly number[]): number[] => [x!, -z!, y!];

describeWith('blender', 'in Blender', () => {
  it('a frame of the take stands where glTF has it, with names, materials, pictures and rate', {
    timeout: 120_000,
  }, async () => {
    const head = await sampleHead();
    const frame = 77;
    const read = await inBlender<Read>(look, { file: join(folder, 'head.fbx'), frame: frame + 1, frames });
    expect(read.fps).toBe(rate);
    expect(read.shapes.Face).toEqual(['Basis', ...writtenNames]);
    expect(read.materials).toEqual(['Eye', 'Gums', 'Skin']);
    expect(read.images).toEqual([['Skin', [4, 4], true]]);
    expect(read.bones).toEqual(['Neck', 'Head', 'LeftEye']);
    expect(Object.keys(read.curves)).toHaveLength(targetNames.length);
    for (const [number, name] of writtenNames.entries()) {
      const path = Object.keys(read.curves).find((one) => one.includes(`"${name}"`))!;
      for (let k = 0; k < frames; k++)
        expect(Math.abs(read.curves[path]![k]! - weightsAt(head, k)[number]!)).toBeLessThan(1e-3);
    }
    const wanted = pointsOf(head, weightsAt(head, frame)).map(turned);
    const found = Object.values(read.points).flat();
    expect(farthest(wanted, found)).toBeLessThan(2e-6);
    expect(farthest(found, wanted)).toBeLessThan(2e-6);
  });
});

/** Every shape of every mesh, in the scene's space, as rows of floats: the rest first, then the shapes. */
const dump = `
import array
bpy.ops.import_scene.fbx(filepath=args['file'])
result = {}
with open(args['to'], 'wb') as out:
    for o in bpy.data.objects:
        if o.type != 'MESH' or not o.data.shape_keys: continue
        keys = o.data.shape_keys.key_blocks
        result[o.data.name] = dict(names=[k.name for k in keys], count=len(o.data.vertices), at=out.tell(), matrix=[list(r) for r in o.matrix_world])
        for k in keys:
            co = array.array('f', [0.0]) * (len(o.data.vertices) * 3)
            k.data.foreach_get('co', co)
            co.tofile(out)
`;

interface Dumped {
  names: string[];
  count: number;
  at: number;
  matrix: number[][];
}

/** Points by where they are, for looking up those within a hundredth of a millimetre. */
class Places {
  readonly #cells = new Map<string, number[]>();
  readonly #step = 1e-5;

  add(point: readonly number[], index: number): void {
    const key = point.map((value) => Math.round(value / this.#step)).join();
    this.#cells.set(key, [...(this.#cells.get(key) ?? []), index]);
  }

  near(point: readonly number[]): number[] {
    const [x, y, z] = point.map((value) => Math.round(value / this.#step));
    const found: number[] = [];
    for (let i = 0; i < 27; i++) {
      const key = `${x! + (i % 3) - 1},${y! + (Math.floor(i / 3) % 3) - 1},${z! + Math.floor(i / 9) - 1}`;
      found.push(...(this.#cells.get(key) ?? []));
    }
    return found;
  }
}

describeWith('blender', 'the studio’s own head in Blender', () => {
  it('has every shape of every mesh where the GLB has it, in metres', {
    timeout: 240_000,
  }, async () => {
    const document = await (await gltfIo()).readBinary(await sharedGlb('default'));
    const [file, to] = [join(folder, 'default.fbx'), join(folder, 'default.bin')];
    await writeFile(file, await writeFbx(document));
    const read = await inBlender<Record<string, Dumped>>(dump, { file, to });
    const bytes = await readFile(to);
    let farthestOff = 0;
    let compared = 0;
    for (const node of document.getRoot().listNodes()) {
      const mesh = node.getMesh();
      // Hair and the like, which no shape moves.
      if (!mesh?.listPrimitives()[0]?.listTargets().length) continue;
      const names = mesh.getExtras().targetNames as string[];
      const dumped = read[mesh.getName()]!;
      expect(dumped.names).toEqual(['Basis', ...names]);
      const found = (shape: number, index: number): number[] => {
        const first = dumped.at + (shape * dumped.count + index) * 12;
        const co = [0, 4, 8].map((offset) => bytes.readFloatLE(first + offset));
        return dumped.matrix
          .slice(0, 3)
          .map((row) => row[3]! + co.reduce((sum, v, k) => sum + v * row[k]!, 0));
      };
      const places = new Places();
      for (let index = 0; index < dumped.count; index++) places.add(found(0, index), index);
      for (const primitive of mesh.listPrimitives()) {
        const candidates = placed(node, primitive, []).map((point) => places.near(turned(point)));
        // A corner of nothing but a line of zero length is left out, and with it its point.
        expect(candidates.filter((some) => some.length === 0).length).toBeLessThan(candidates.length / 40);
        for (const [number, target] of primitive.listTargets().entries()) {
          const offsets = target.getAttribute('POSITION')!;
          const moving = candidates.flatMap((some, i) =>
            some.length > 0 && Math.hypot(...offsets.getElement(i, [])) > 0 ? [i] : [],
          );
          const weights = names.map((_, k) => (k === number ? 1 : 0));
          for (const [i, point] of placed(node, primitive, weights, moving).entries()) {
            const wanted = turned(point);
            const off = candidates[moving[i]!]!.map((index) =>
              Math.hypot(...found(number + 1, index).map((value, k) => value - wanted[k]!)),
            );
            farthestOff = Math.max(farthestOff, Math.min(...off));
            compared += 1;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(20_000);
    // 1e-5 of the head's own size.
    expect(farthestOff).toBeLessThan(3e-6);
  });
});

describeWith('assimp', 'in assimp', () => {
  it('opens with its meshes, materials, bones and take', async () => {
    const said = await assimpInfo(join(folder, 'head.fbx'));
    expect(said).toMatch(/Materials: +3/);
    expect(said).toMatch(/Animations: +1/);
    expect(said).toMatch(/Bones: +4/);
  });
});
