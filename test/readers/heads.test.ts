import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssetContainer } from '@babylonjs/core/assetContainer.js';
import { readHead, writeHead } from '@likeness/gltf/head_file.ts';
import { addTake } from '@likeness/gltf/take_animation.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { oldHead } from '../fixtures/heads/old_head.ts';
import { plainGlb } from '../support/heads/plain_glb.ts';
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
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllGlobals();
});

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

describe('a head in Babylon.js', () => {
  /**
   * Loads a file into an engine that draws nothing; pictures are taken as they lie, since only a window
   * decodes them.
   */
  async function inBabylon<Result>(
    name: string,
    look: (found: AssetContainer, babylon: typeof import('@babylonjs/core/Meshes/mesh.js')) => Result,
  ): Promise<Result> {
    const { NullEngine } = await import('@babylonjs/core/Engines/nullEngine.js');
    const { Scene } = await import('@babylonjs/core/scene.js');
    const { Logger } = await import('@babylonjs/core/Misc/logger.js');
    const { LoadAssetContainerAsync } = await import('@babylonjs/core/Loading/sceneLoader.js');
    await import('@babylonjs/loaders/glTF/2.0/index.js');
    const babylon = await import('@babylonjs/core/Meshes/mesh.js');
    Logger.LogLevels = Logger.WarningLogLevel | Logger.ErrorLogLevel;
    const said: string[] = [];
    Logger.OnNewCacheEntry = (entry) => said.push(entry);
    const engine = new NullEngine();
    try {
      const found = await LoadAssetContainerAsync(
        new Uint8Array(readFileSync(file(name))),
        new Scene(engine),
        {
          pluginExtension: '.glb',
        },
      );
      expect(said).toEqual([]);
      return look(found, babylon);
    } finally {
      engine.dispose();
    }
  }

  it.each(['head', 'old', 'take'])(
    'is four objects on one skeleton, with 67 shapes and the animation of a take alone (%s)',
    async (name) => {
      await inBabylon(name, ({ transformNodes, meshes, skeletons, animationGroups, materials }, { Mesh }) => {
        // A mesh of several materials is a node with a mesh for each; its own name may be that of a take's
        // object.
        const object = name === 'take' ? 'Head_Shapes' : 'Head';
        const parts = meshes.filter((mesh) => mesh instanceof Mesh && mesh.getTotalVertices() > 0);
        const objects = parts.map((mesh) => mesh.name.replace(/_primitive\d+$/, ''));
        expect([...new Set(objects)].toSorted()).toEqual([object, 'EyeLeft', 'EyeRight', 'Hair'].toSorted());
        const shapesOf = (mesh: (typeof parts)[number]): string[] =>
          Array.from(
            { length: mesh.morphTargetManager?.numTargets ?? 0 },
            (_, n) => mesh.morphTargetManager!.getTarget(n).name,
          );
        const face = parts.filter((mesh) => mesh.name.startsWith(object));
        expect(face).toHaveLength(8);
        for (const mesh of face) expect(shapesOf(mesh)).toEqual(names);
        for (const mesh of parts.filter((one) => one.name.startsWith('Eye')))
          expect(shapesOf(mesh)).toHaveLength(4);
        // One mesh of opaque hair, and one of strands where there are any.
        const hair = parts.filter((mesh) => mesh.name.startsWith('Hair'));
        expect(hair.length).toBeGreaterThan(0);
        for (const mesh of hair) expect(shapesOf(mesh)).toEqual([]);
        expect(materials.map((material) => material.name)).toEqual(
          expect.arrayContaining(['Skin', 'Teeth', 'MouthInside', 'Eyelashes', 'Cornea', 'Hair']),
        );
        expect(
          skeletons.map(({ bones }) =>
            bones.map((bone) => [bone.name, bone.getParent()?.name ?? null]).toSorted(),
          ),
        ).toEqual([
          [
            ['Head', 'Neck'],
            ['LeftEye', 'Head'],
            ['Neck', null],
            ['RightEye', 'Head'],
          ],
        ]);
        for (const mesh of face) expect(mesh.skeleton).toBe(skeletons[0]);
        const eye = transformNodes.find((node) => node.name === 'LeftEye')!;
        expect(eye.parent?.name).toBe('Head');

        expect(animationGroups.map((group) => group.name)).toEqual(name === 'take' ? ['Hello'] : []);
      });
    },
  );

  it('plays a take for as long as it was, with jaw, head and eyes', async () => {
    await inBabylon('take', ({ meshes, animationGroups }) => {
      const [group] = animationGroups;
      // Babylon.js counts keys in seconds times a rate of its own.
      const { framePerSecond } = group!.targetedAnimations[0]!.animation;
      expect((group!.to - group!.from) / framePerSecond).toBeCloseTo(3, 5);
      const turned = group!.targetedAnimations.filter(
        ({ animation }) => animation.targetProperty === 'rotationQuaternion',
      );
      expect(turned.map(({ target }) => target.name)).toEqual(
        expect.arrayContaining(['Head', 'LeftEye', 'RightEye']),
      );
      group!.start(false);
      group!.goToFrame(1.5 * framePerSecond);
      const face = meshes.find((mesh) => mesh.name.startsWith('Head_Shapes') && mesh.morphTargetManager)!;
      const jaw = face.morphTargetManager!.getTarget(names.indexOf('jawOpen'));
      expect(jaw.influence).toBeCloseTo(1, 3);
    });
  });

  it('moves its vertices by a weight as far as the file says', async () => {
    const document = await readHead(readFileSync(file('head')));
    const skin = document
      .getRoot()
      .listMeshes()
      .find((mesh) => mesh.getName() === 'Head')!
      .listPrimitives()[0]!;
    await inBabylon('head', ({ meshes }) => {
      const mesh = meshes.find((one) => one.name === 'Head_primitive0')!;
      for (const [shape, min] of [
        ['jawOpen', 0.015],
        ['mouthSmileLeft', 0.003],
        ['viseme_PP', 0.0005],
      ] as const) {
        const number = names.indexOf(shape);
        const target = mesh.morphTargetManager!.getTarget(number);
        target.influence = 0.5;
        const moved = mesh.getPositionData(false, true)!;
        target.influence = 0;
        const rest = skin.getAttribute('POSITION')!.getArray()!;
        const move = skin.listTargets()[number]!.getAttribute('POSITION')!.getArray()!;
        expect(moved).toHaveLength(rest.length);
        let [off, reach] = [0, 0];
        for (const [i, value] of moved.entries()) {
          off = Math.max(off, Math.abs(value - rest[i]! - move[i]! / 2));
          reach = Math.max(reach, Math.abs(value - rest[i]!));
        }
        expect(off).toBeLessThan(1e-7);
        expect(reach).toBeGreaterThan(min / 2);
      }
    });
  });
});
