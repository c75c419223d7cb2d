import { restingFace } from '@likeness/proto/live/face_state.ts';
import { Bone, BufferAttribute, BufferGeometry, Group, Mesh } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { expect, test } from 'vitest';
import { FaceDriver } from '../../../renderer/speaking/face-driver.ts';
import { plainFaceStyle } from '../../../renderer/speaking/face-style.ts';

/** Two vertices; `jawOpen` lowers the second, `cheekPuff` moves both outwards. */
function head(): { scene: Group; mesh: Mesh } {
  const geometry = new BufferGeometry();
  const attribute = (...values: number[]) => new BufferAttribute(new Float32Array(values), 3);
  geometry.setAttribute('position', attribute(1, 1, 1, 2, 2, 2));
  geometry.morphAttributes.position = [attribute(0, 0, 0, 0, -1, 0), attribute(1, 0, 0, 1, 0, 0)];
  geometry.morphTargetsRelative = true;
  const mesh = new Mesh(geometry);
  mesh.morphTargetDictionary = { jawOpen: 0, cheekPuff: 1 };
  return { scene: new Group().add(mesh), mesh };
}

const drawn = (mesh: Mesh): number[] => [...mesh.geometry.attributes.position!.array];

test('a face moves the vertices that its shapes move, and rest puts them back', () => {
  const { scene, mesh } = head();
  const driver = new FaceDriver(scene);
  const face = {
    ...restingFace(),
    channelNames: ['cheekPuff', 'jawOpen'],
    weights: Float32Array.of(0.25, 0.5),
  };
  driver.apply(face, plainFaceStyle, 1 / 60);
  expect(drawn(mesh)).toEqual([1.25, 1, 1, 2.25, 1.5, 2]);
  driver.apply(face, { ...plainFaceStyle, gains: { ...plainFaceStyle.gains, jaw: 2, cheeks: 0 } }, 1 / 60);
  expect(drawn(mesh)).toEqual([1, 1, 1, 2, 1, 2]);
  driver.rest();
  expect(drawn(mesh)).toEqual([1, 1, 1, 2, 2, 2]);
});

test('what has not changed is not sent to the graphics card again', () => {
  const { scene, mesh } = head();
  const driver = new FaceDriver(scene);
  const face = { ...restingFace(), channelNames: ['jawOpen'], weights: Float32Array.of(0.5) };
  driver.apply(face, plainFaceStyle, 1 / 60);
  const position = mesh.geometry.attributes.position as BufferAttribute;
  const sent = position.version;
  driver.apply(face, plainFaceStyle, 1 / 60);
  expect(position.version).toBe(sent);
  driver.apply({ ...face, weights: Float32Array.of(0.6) }, plainFaceStyle, 1 / 60);
  expect(position.version).toBe(sent + 1);
});

test('a head is turned whose file calls its scene as its bone, as the studio’s own do', async () => {
  const file = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ name: 'Head', nodes: [0] }],
    nodes: [
      { name: 'Neck', children: [1] },
      { name: 'Head', translation: [0, 0.1, 0], children: [2] },
      { name: 'LeftEye' },
    ],
  };
  const { scene } = await new GLTFLoader().parseAsync(JSON.stringify(file), '');
  const driver = new FaceDriver(scene);
  const nod: [number, number, number, number] = [Math.sin(0.1), 0, 0, Math.cos(0.1)];
  driver.apply({ ...restingFace(), rotation: nod, translation: [0, 0.01, 0] }, plainFaceStyle, 1 / 60);
  expect(driver.head?.quaternion.x).toBeCloseTo(Math.sin(0.1));
  expect(driver.head?.position.y).toBeCloseTo(0.11);
  expect(driver.head?.children).toHaveLength(1);
  driver.apply({ ...restingFace(), rotation: nod }, { ...plainFaceStyle, headMotion: false }, 1 / 60);
  expect(driver.head?.quaternion.x).toBeCloseTo(0);
});

test('the joint is turned, and not the object of the same name with several materials', async () => {
  const part = { attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 } };
  const data = new Uint8Array(36 + 12 + 12);
  for (const vertex of [0, 1, 2]) data[48 + 4 * vertex] = 255;
  const file = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ name: 'Likeness', nodes: [0, 1] }],
    nodes: [{ name: 'Head', mesh: 0, skin: 0 }, { name: 'Neck', children: [2] }, { name: 'Head' }],
    meshes: [{ primitives: [part, part] }],
    skins: [{ joints: [2, 1] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
      { bufferView: 1, componentType: 5121, count: 3, type: 'VEC4' },
      { bufferView: 2, componentType: 5121, normalized: true, count: 3, type: 'VEC4' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 12 },
      { buffer: 0, byteOffset: 48, byteLength: 12 },
    ],
    buffers: [
      { byteLength: 60, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...data))}` },
    ],
  };
  const { scene } = await new GLTFLoader().parseAsync(JSON.stringify(file), '');
  const driver = new FaceDriver(scene);
  expect(driver.head).toBeInstanceOf(Bone);
  expect(driver.head?.parent?.name).toBe('Neck');
});

test('a shape of another name, or one that a person set, follows its drive; the others their own channel', () => {
  const { scene, mesh } = head();
  const driver = new FaceDriver(scene);
  driver.setDrives([
    {
      shape: 'cheekPuff',
      parts: [
        { channel: 'viseme_aa', weight: 1 },
        { channel: 'jawOpen', weight: -0.5 },
      ],
      gain: 2,
      curve: 1,
    },
  ]);
  const channelNames = ['jawOpen', 'cheekPuff', 'viseme_aa'];
  const face = { ...restingFace(), channelNames, weights: Float32Array.of(0.5, 1, 0.375) };
  driver.apply(face, plainFaceStyle, 1 / 60);
  // The puff by 2 × (.375 − .25), and not by the channel of its name.
  expect(drawn(mesh)).toEqual([1.25, 1, 1, 2.25, 1.5, 2]);
  driver.setDrives([]);
  driver.apply({ ...face, weights: Float32Array.of(0, 0.25, 1) }, plainFaceStyle, 1 / 60);
  expect(drawn(mesh)).toEqual([1.25, 1, 1, 2.25, 2, 2]);
});
