import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { arkitBlendshapeNames, oculusVisemeNames } from '#proto/blendshapes.ts';
import { plainGlb, readHead, writeHead } from '../../main/gltf/head_file.ts';
import { addTake } from '../../main/gltf/take_animation.ts';
import { oldHead } from '../fixtures/heads/old_head.ts';
import { assimpInfo, describeWith, inBlender } from '../support/readers.ts';
import { waveTake } from '../support/wave_take.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const names = [...arkitBlendshapeNames, ...oculusVisemeNames];
const [rate, count] = [30, 91];
/** Three seconds. */
const take = waveTake(rate, count);

let folder: string;
const file = (name: string): string => join(folder, `${name}.glb`);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-readers-'));
  const head = readFileSync(join(import.meta.dirname, '../../out/main/default-head.glb'));
  writeFileSync(file('head'), head);
  writeFileSync(file('old'), await plainGlb((await oldHead({ packed: true })).glb));
  const document = await readHead(head);
  addTake(document, take, 'Hello');
  writeFileSync(file('take'), await writeHead(document));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const objects = `
bpy.context.scene.render.fps = ${rate}
bpy.ops.import_scene.gltf(filepath=args['file'])
head = bpy.data.objects['Head']
def reach(name):
    keys = head.data.shape_keys.key_blocks
    return max((keys[name].data[i].co - keys['Basis'].data[i].co).length for i in range(len(keys['Basis'].data)))
`;

describeWith('blender', 'a head in Blender', () => {
  it.each(['head', 'old'])(
    'is four objects on one skeleton, in metres, with 67 shapes (%s)',
    async (name) => {
      const result = await inBlender<{
        meshes: Record<string, { keys: string[]; slots: string[]; parent: string; modifiers: string[] }>;
        bones: Record<string, string | null>;
        size: number[];
        eye: number[];
        jaw: number;
        values: number;
      }>(
        `${objects}
meshes = [o for o in bpy.data.objects if o.type == 'MESH']
low = [min((o.matrix_world @ v.co)[i] for o in meshes for v in o.data.vertices) for i in range(3)]
high = [max((o.matrix_world @ v.co)[i] for o in meshes for v in o.data.vertices) for i in range(3)]
result = dict(
    meshes={o.name: dict(
        keys=[k.name for k in o.data.shape_keys.key_blocks] if o.data.shape_keys else [],
        slots=[s.material.name for s in o.material_slots],
        parent=o.parent.name if o.parent else '',
        modifiers=[m.type for m in o.modifiers]) for o in meshes},
    bones={b.name: b.parent.name if b.parent else None for a in bpy.data.armatures for b in a.bones},
    size=[b - a for a, b in zip(low, high)],
    eye=list(bpy.data.objects['EyeLeft'].matrix_world.translation),
    jaw=reach('jawOpen'),
    values=sum(k.value for o in meshes if o.data.shape_keys for k in o.data.shape_keys.key_blocks))
`,
        { file: file(name) },
      );
      expect(Object.keys(result.meshes).toSorted()).toEqual(['EyeLeft', 'EyeRight', 'Hair', 'Head']);
      expect(result.bones).toEqual({ Neck: null, Head: 'Neck', LeftEye: 'Head', RightEye: 'Head' });
      expect(result.meshes.Head!.keys).toEqual(['Basis', ...names]);
      expect(result.meshes.Hair!.keys).toEqual([]);
      expect(result.meshes.EyeLeft!.keys).toHaveLength(5);
      expect(result.meshes.Head!.slots.toSorted()).toEqual(
        ['EyelidMargins', 'Eyelashes', 'Gums', 'MouthInside', 'Skin', 'Teeth', 'Tongue'].toSorted(),
      );
      expect(result.meshes.Head!.modifiers).toEqual(['ARMATURE']);
      // Blender's up is Z, and the face looks along −Y.
      expect(result.size[2]).toBeGreaterThan(0.24);
      expect(result.size[2]).toBeLessThan(0.34);
      expect(result.eye[0]).toBeGreaterThan(0.02);
      expect(result.eye[1]).toBeLessThan(-0.05);
      expect(result.jaw).toBeGreaterThan(0.015);
      expect(result.jaw).toBeLessThan(0.04);
      expect(result.values).toBe(0);
    },
  );

  it('plays a take as one action of the face and one of the skeleton, as fast and as long as it was', async () => {
    const result = await inBlender<{
      actions: { range: number[]; paths: string[] }[];
      jaw: number[];
      eye: number;
      head: number;
    }>(
      `${objects}
import math
key = head.data.shape_keys
def posed(frame):
    bpy.context.scene.frame_set(frame)
    return key.key_blocks['jawOpen'].value
rig = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
jaw = [posed(f) for f in (0, 45, 90)]
posed(45)
result = dict(
    actions=[dict(range=list(a.frame_range), paths=sorted({c.data_path for c in a.fcurves})) for a in bpy.data.actions],
    jaw=jaw,
    eye=rig.pose.bones['LeftEye'].matrix_basis.to_quaternion().angle,
    head=rig.pose.bones['Head'].matrix_basis.to_quaternion().angle)
`,
      { file: file('take') },
    );
    expect(result.actions).toHaveLength(2);
    for (const { range } of result.actions) {
      expect(range[0]).toBeCloseTo(0, 3);
      expect(range[1]).toBeCloseTo(90, 3);
    }
    const paths = result.actions.flatMap((action) => action.paths);
    expect(paths).toContain('key_blocks["jawOpen"].value');
    expect(paths).toContain('pose.bones["LeftEye"].rotation_quaternion');
    expect(result.jaw).toEqual([expect.closeTo(0, 3), expect.closeTo(1, 3), expect.closeTo(0, 3)]);
    // 26° at a weight of one.
    expect(result.eye).toBeCloseTo((13 * Math.PI) / 180, 1);
    expect(result.head).toBeCloseTo(0.5, 2);
  });
});

describeWith('assimp', 'a head in assimp', () => {
  it.each(['head', 'old', 'take'])('is read whole (%s)', async (name) => {
    const said = await assimpInfo(file(name));
    for (const object of [name === 'take' ? 'Head_Shapes' : 'Head', 'EyeLeft', 'EyeRight', 'Hair'])
      expect(said).toContain(`╴${object} (mesh`);
    expect(said).toMatch(name === 'take' ? /Animations:\s+1/ : /Animations:\s+0/);
    expect(said).not.toContain(' line');
  });
});

describe('a head in three.js', () => {
  it.each(['head', 'old', 'take'])('has its shapes, joints and animation (%s)', async (name) => {
    // The loader asks for a window's globals; pictures, which only a window can decode, are left out.
    vi.stubGlobal('self', globalThis);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
    const { Bone, Mesh } = await import('three');
    const bytes = readFileSync(file(name));
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { scene, animations } = await new GLTFLoader().parseAsync(data as ArrayBuffer, '');
    const shapes = new Set<string>();
    const bones: string[] = [];
    scene.traverse((node) => {
      if (node instanceof Mesh)
        for (const shape of Object.keys(node.morphTargetDictionary ?? {})) shapes.add(shape);
      if (node instanceof Bone) bones.push(String(node.userData.name ?? node.name));
    });
    expect([...shapes].toSorted()).toEqual(names.toSorted());
    expect(bones.toSorted()).toEqual(['Head', 'LeftEye', 'Neck', 'RightEye']);
    expect(animations.map(({ duration }) => duration)).toEqual(name === 'take' ? [expect.closeTo(3, 5)] : []);
  });
});
