import { restingFace } from '@likeness/proto/live/face_state.ts';
import { Mesh, type MeshStandardMaterial, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { FaceDriver } from '../../../renderer/speaking/face-driver.ts';
import { plainFaceStyle } from '../../../renderer/speaking/face-style.ts';
import { loadHead } from '../../../renderer/viewer/load-head.ts';

/** Loads a file that is nothing but its JSON. */
async function read(json: object) {
  const text = JSON.stringify({ asset: { version: '2.0' }, scene: 0, ...json });
  const chunk = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4));
  const header = new Uint32Array([0x46546c67, 2, 20 + chunk.length, chunk.length, 0x4e4f534a]);
  const url = URL.createObjectURL(new Blob([header, chunk]));
  try {
    return await loadHead(url, new AbortController().signal);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A joint at 1.5 m below an armature of 100, with eyes before it. */
const rig = (head: string, front: 1 | -1) => ({
  scenes: [{ nodes: [0] }],
  nodes: [
    { name: 'Armature', scale: [100, 100, 100], children: [1] },
    { name: head, translation: [0, 0.015, 0], children: [2, 3] },
    { name: 'LeftEye', translation: [0.0003 * front, 0.0008, 0.0008 * front] },
    { name: 'RightEye', translation: [-0.0003 * front, 0.0008, 0.0008 * front] },
  ],
});

test.each([
  ['a head that looks along +Z', rig('mixamorig:Head', 1)],
  ['a head that looks along −Z', rig('CC_Base_Head', -1)],
  [
    'a VRM 0.x, by its humanoid',
    {
      ...rig('atama', -1),
      extensions: { VRM: { humanoid: { humanBones: [{ bone: 'head', node: 1 }] } } },
    },
  ],
])('%s shows its face, and moves by the metres of a pose', async (_, json) => {
  const { scene, bones } = await read(json);
  scene.updateMatrixWorld(true);
  const at = (bone: 'head' | 'leftEye') => bones[bone]!.getWorldPosition(new Vector3()).toArray();
  const close = (values: number[]) => values.map((value) => expect.closeTo(value, 5));
  expect(at('head')).toEqual(close([0, 1.5, 0]));
  expect(at('leftEye')).toEqual(close([0.03, 1.58, 0.08]));
  const driver = new FaceDriver(scene, bones);
  driver.apply(
    { ...restingFace(), translation: [0, 0.016, 0], rotation: [Math.sin(0.1), 0, 0, Math.cos(0.1)] },
    plainFaceStyle,
    1 / 60,
  );
  scene.updateMatrixWorld(true);
  expect(at('head')).toEqual(close([0, 1.516, 0]));
  // A nod takes the eyes forwards and down.
  const [y, z] = [0.08 * Math.cos(0.2) - 0.08 * Math.sin(0.2), 0.08 * Math.cos(0.2) + 0.08 * Math.sin(0.2)];
  expect(at('leftEye')).toEqual(close([0.03, 1.516 + y, z]));
});

test('shapes have the names that stand on primitives, and materials of the older model their colour', async () => {
  const { scene } = await read({
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0 },
            targets: [{ POSITION: 0 }, { POSITION: 0 }],
            extras: { targetNames: ['jawOpen', 'mouthClose'] },
            material: 0,
          },
        ],
      },
    ],
    materials: [
      {
        extensions: {
          KHR_materials_pbrSpecularGlossiness: { diffuseFactor: [1, 0, 0.5, 1], glossinessFactor: 0.25 },
        },
      },
    ],
    extensionsUsed: ['KHR_materials_pbrSpecularGlossiness'],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${btoa('\0'.repeat(36))}` }],
  });
  const meshes: Mesh[] = [];
  scene.traverse((node) => {
    if (node instanceof Mesh) meshes.push(node);
  });
  expect(meshes[0]!.morphTargetDictionary).toEqual({ jawOpen: 0, mouthClose: 1 });
  const { color, roughness, metalness } = meshes[0]!.material as MeshStandardMaterial;
  expect([color.r, color.g, color.b, roughness, metalness]).toEqual([1, 0, 0.5, 0.75, 0]);
});
