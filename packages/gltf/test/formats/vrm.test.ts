import { Document } from '@gltf-transform/core';
import { cloneDocument } from '@gltf-transform/functions';
import { Failure } from '@likeness/node-kit/failure.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { type VRM, type VRMHumanBoneName, VRMRequiredHumanBoneName } from '@pixiv/three-vrm';
import { createVRMAnimationClip, VRMLookAtQuaternionProxy } from '@pixiv/three-vrm-animation';
import sharp from 'sharp';
import {
  AnimationMixer,
  Box3,
  type BufferGeometry,
  Euler,
  type Material,
  type Mesh,
  type MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { realHead } from '../../../../test/support/heads/heads.ts';
import { readVrm, readVrma } from '../../../../test/support/heads/read_vrm.ts';
import { sharedGlb } from '../../../../test/support/shared_heads.ts';
import { metaOfRecord } from '../../src/formats/vrm/vrm_meta.ts';
import { vrmPlan, writeVrm } from '../../src/formats/vrm/write_vrm.ts';
import { writeVrma } from '../../src/formats/vrm/write_vrma.ts';
import { gltfIo } from '../../src/gltf_io.ts';
import { validateGlb } from '../../src/gltf_validator.ts';
import { readHead, writeWebHead } from '../../src/head_file.ts';

const presets =
  'neutral aa ih ou ee oh blink blinkLeft blinkRight lookUp lookDown lookLeft lookRight happy angry sad relaxed'.split(
    ' ',
  );
const thumbnail = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c08060' } })
  .webp()
  .toBuffer();

let head: Document;
beforeAll(async () => {
  head = await (await gltfIo()).readBinary(await sharedGlb('default'));
});

/** Positions of all that is seen, by material, as it stands: skinned, morphed and turned. */
function standing(vrm: VRM): Map<string, Vector3[]> {
  vrm.update(0);
  vrm.scene.updateMatrixWorld(true);
  const seen = new Map<string, Vector3[]>();
  vrm.scene.traverse((object) => {
    const mesh = object as Mesh;
    if (!mesh.isMesh) return;
    const points = Array.from({ length: mesh.geometry.attributes.position!.count }, (_, vertex) =>
      mesh.getVertexPosition(vertex, new Vector3()).applyMatrix4(mesh.matrixWorld),
    );
    const { name } = mesh.material as Material;
    seen.set(name, [...(seen.get(name) ?? []), ...points]);
  });
  return seen;
}
/** How far what is seen has moved at most, by material, metres; what stays is left out. */
function moved(before: Map<string, Vector3[]>, now: Map<string, Vector3[]>): Map<string, number> {
  const max = [...before].map(
    ([name, points]) =>
      [name, Math.max(...points.map((point, at) => point.distanceTo(now.get(name)![at]!)))] as const,
  );
  return new Map(max.filter(([, metres]) => metres > 1e-5));
}
/** The material of the eye on the own left, in today's heads and those of before. */
const leftEyeball = (seen: Map<string, unknown>): string => (seen.has('EyeLeft') ? 'EyeLeft' : 'LeftEye');
const lashes = (seen: Map<string, unknown>): string => (seen.has('Eyelashes') ? 'Eyelashes' : 'Lashes');
const at = (vrm: VRM, bone: VRMHumanBoneName): Vector3 =>
  vrm.humanoid.getRawBoneNode(bone)!.getWorldPosition(new Vector3());

describe.each(['1.0', '0.x'] as const)('a VRM %s, as three-vrm reads it,', (version) => {
  let bytes: Uint8Array;
  let vrm: VRM;
  const front = version === '1.0' ? 1 : -1;
  beforeAll(async () => {
    bytes = await writeVrm(head, { version, meta: { name: 'Ada', authors: ['Ada Byron'], thumbnail } });
    vrm = await readVrm(bytes);
    vrm.scene.updateMatrixWorld(true);
  });

  it('has no errors by the Khronos validator', async () => {
    const { issues } = await validateGlb(bytes, 100);
    // The extension of 0.x has a name that extensions may not have.
    const known = version === '0.x' ? ['INVALID_EXTENSION_NAME_FORMAT'] : [];
    expect(issues.numErrors).toBe(0);
    expect(issues.messages.filter(({ severity }) => severity < 2).map(({ code }) => code)).toEqual(known);
  });

  it('wears the skin’s normals, with the tangents that they are meant for', () => {
    const worn: boolean[] = [];
    vrm.scene.traverse((object) => {
      const { material, geometry } = object as Mesh<BufferGeometry, MeshStandardMaterial>;
      if (material?.name === 'Skin')
        worn.push(Boolean(material.normalMap) && geometry.hasAttribute('tangent'));
    });
    expect(worn).toEqual([true]);
  });

  it('stands on the ground in T-pose, as tall as a person, and looks the right way', () => {
    for (const bone of Object.values(VRMRequiredHumanBoneName))
      expect(vrm.humanoid.getNormalizedBoneNode(bone), bone).not.toBeNull();
    const box = new Box3().setFromObject(vrm.scene);
    expect(box.max.y).toBeGreaterThan(1.4);
    expect(box.max.y).toBeLessThan(2);
    expect(at(vrm, 'leftFoot').y).toBeGreaterThan(0);
    expect(at(vrm, 'leftFoot').y).toBeLessThan(0.1);
    expect(at(vrm, 'leftHand').y).toBeCloseTo(at(vrm, 'leftUpperArm').y, 6);
    // Its own left is on the right of who stands before it.
    expect(at(vrm, 'leftHand').x * front).toBeGreaterThan(0.5);
    expect(at(vrm, 'leftEye').x * front).toBeGreaterThan(0.02);
    expect(at(vrm, 'leftEye').z * front).toBeGreaterThan(0.03);
    expect(at(vrm, 'leftEye').y).toBeGreaterThan(at(vrm, 'head').y);
    const order = (['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'] as const).map(
      (bone) => at(vrm, bone).y,
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    // What is skinned stands where what hangs on a bone does.
    const points = standing(vrm);
    const eye = new Box3().setFromPoints(points.get(leftEyeball(points))!).getCenter(new Vector3());
    expect(eye.distanceTo(at(vrm, 'leftEye'))).toBeLessThan(0.005);
    const skin = new Box3().setFromPoints(points.get('Skin')!);
    expect(skin.containsPoint(at(vrm, 'head'))).toBe(true);
  });

  it('has VRM’s expressions and ARKit’s, each of which moves what it should', () => {
    const manager = vrm.expressionManager!;
    const names = manager.expressions.map(({ expressionName }) => expressionName);
    const own = (name: string): string => (version === '1.0' ? name : name[0]!.toUpperCase() + name.slice(1));
    expect(names).toEqual(expect.arrayContaining([...presets, ...arkitBlendshapeNames.map(own)]));
    const still = standing(vrm);
    const effect = (name: string): Map<string, number> => {
      manager.resetValues();
      manager.setValue(name, 1);
      const result = moved(still, standing(vrm));
      manager.resetValues();
      return result;
    };
    /** How far lashes of one side move at most, metres. */
    const onSide = (before: Map<string, Vector3[]>, name: string, side: number): number => {
      manager.resetValues();
      manager.setValue(name, 1);
      const now = standing(vrm).get(lashes(before))!;
      manager.resetValues();
      const points = before.get(lashes(before))!;
      return Math.max(
        ...points.map((point, vertex) => (point.x * side > 0 ? point.distanceTo(now[vertex]!) : 0)),
      );
    };
    expect(effect('aa').get('Skin')).toBeGreaterThan(0.004);
    expect(effect('aa').get('Teeth')).toBeGreaterThan(0.002);
    expect(effect('blink').get('Skin')).toBeGreaterThan(0.004);
    expect(effect('blink').get(lashes(still))).toBeGreaterThan(0.004);
    const lidsOf = (name: string): number => onSide(still, name, -front);
    expect(lidsOf('blinkRight')).toBeGreaterThan(0.004);
    expect(lidsOf('blinkLeft')).toBe(0);
    expect([...effect('neutral').keys()]).toEqual([]);
    for (const mood of ['happy', 'angry', 'sad', 'relaxed', version === '1.0' ? 'surprised' : 'Surprised'])
      expect(effect(mood).get('Skin'), mood).toBeGreaterThan(0.001);
    expect(effect(own('jawOpen')).get('Skin')).toBeGreaterThan(0.01);
    // The eyes are the bones'.
    expect([...effect('lookDown').keys()]).not.toContain(leftEyeball(still));
    expect(effect('lookDown').get('Skin')).toBeGreaterThan(0.001);
  });

  it('turns its eyes as far as what it looks at is, and nothing else', () => {
    const still = standing(vrm);
    const lookAt = vrm.lookAt!;
    lookAt.autoUpdate = false;
    lookAt.yaw = 20;
    lookAt.pitch = 0;
    const turned = moved(still, standing(vrm));
    expect(turned.get(leftEyeball(still))).toBeGreaterThan(0.002);
    const eyes = ['LeftEye', 'RightEye', 'EyeLeft', 'EyeRight', 'Cornea'];
    expect([...turned.keys()].filter((name) => !eyes.includes(name))).toEqual([]);
    const eye = vrm.humanoid.getNormalizedBoneNode('leftEye')!;
    // Of both versions yaw counts to the own left.
    expect(new Euler().setFromQuaternion(eye.quaternion, 'YXZ').y).toBeCloseTo((20 * Math.PI) / 180, 4);
    lookAt.reset();
    const middle = at(vrm, 'leftEye').add(at(vrm, 'rightEye')).divideScalar(2);
    vrm.scene.updateMatrixWorld(true);
    expect(lookAt.getLookAtWorldPosition(new Vector3()).distanceTo(middle)).toBeLessThan(1e-4);
  });

  it('carries skin and hair along when the head turns', () => {
    const still = standing(vrm);
    const bone = vrm.humanoid.getNormalizedBoneNode('head')!;
    bone.rotation.y = 0.3;
    const turned = moved(still, standing(vrm));
    bone.rotation.y = 0;
    for (const part of ['Skin', 'Teeth', leftEyeball(still)])
      expect(turned.get(part), part).toBeGreaterThan(0.01);
  });

  it('forbids what nobody allowed', () => {
    const meta = {
      '1.0': {
        metaVersion: '1',
        name: 'Ada',
        authors: ['Ada Byron'],
        avatarPermission: 'onlyAuthor',
        commercialUsage: 'personalNonProfit',
        allowRedistribution: false,
        allowExcessivelyViolentUsage: false,
        modification: 'prohibited',
        creditNotation: 'required',
      },
      '0.x': {
        metaVersion: '0',
        title: 'Ada',
        author: 'Ada Byron',
        allowedUserName: 'OnlyAuthor',
        commercialUssageName: 'Disallow',
        licenseName: 'Redistribution_Prohibited',
      },
    };
    expect(vrm.meta).toMatchObject(meta[version]);
  });

  it('brings its picture as PNG', async () => {
    const { json } = await (await gltfIo()).binaryToJSON(bytes);
    const { extensions } = json as unknown as {
      extensions: { VRMC_vrm?: { meta: { thumbnailImage: number } }; VRM?: { meta: { texture: number } } };
    };
    const image =
      extensions.VRMC_vrm?.meta.thumbnailImage ?? json.textures![extensions.VRM!.meta.texture]!.source!;
    expect(json.images![image]).toMatchObject({ name: 'Thumbnail', mimeType: 'image/png' });
  });
});

it('takes what the library knows of a head: who consented, on what basis, until when', async () => {
  const record = {
    name: 'Ada',
    source: 'portrait' as const,
    fileName: '',
    createdAt: Date.UTC(2026, 4, 1),
    consent: { who: 'Ada Byron', basis: 'signed release 12', until: Date.UTC(2027, 0, 2) },
  };
  const vrm = await readVrm(await writeVrm(head, { version: '1.0', meta: metaOfRecord(record) }));
  expect(vrm.meta).toMatchObject({
    name: 'Ada',
    version: '2026-05-01',
    authors: ['Ada Byron'],
    copyrightInformation: 'Likeness of Ada Byron, used by consent: signed release 12, until 2027-01-02.',
    avatarPermission: 'onlyAuthor',
  });
});

it('leaves the head that it is made of as it is', async () => {
  const io = await gltfIo();
  const before = Buffer.from(await io.writeBinary(head));
  await writeVrm(head, { version: '0.x', meta: { name: 'Ada' } });
  expect(before.equals(await io.writeBinary(head))).toBe(true);
});

describe('heads of other makers', () => {
  it('get bones too, also where they are packed and have none', async () => {
    const io = await gltfIo();
    const packed = await io.readBinary(await writeWebHead(await readHead(await realHead())));
    const used = packed.getRoot().listExtensionsUsed();
    expect(used.map(({ extensionName }) => extensionName)).toContain('EXT_texture_webp');
    const bytes = await writeVrm(packed, { version: '1.0', meta: { name: 'x' } });
    const { json } = await io.binaryToJSON(bytes);
    expect(json.extensionsUsed).toEqual(['VRMC_vrm']);
    expect(json.images).toMatchObject([{ mimeType: 'image/png' }]);
    expect((await validateGlb(bytes, 10)).issues.numErrors).toBe(0);
    const vrm = await readVrm(bytes);
    const spine = (['chest', 'upperChest', 'neck', 'head'] as const).map((bone) => at(vrm, bone).y);
    expect(spine).toEqual(spine.toSorted((a, b) => a - b));
    const still = standing(vrm);
    vrm.expressionManager!.setValue('lookLeft', 1);
    expect(moved(still, standing(vrm)).size).toBe(1);
  });

  it('lose scales and turns of their nodes, and look the same', async () => {
    const odd = cloneDocument(head);
    const [scene] = odd.getRoot().listScenes();
    // As a tool writes it that thinks in centimetres and has Z upwards, and takes both back in its root.
    const quarter = Math.SQRT1_2;
    const inner = odd.createNode('Armature').setScale([2, 2, 2]).setRotation([quarter, 0, 0, quarter]);
    const outer = odd.createNode('Root').setRotation([-quarter, 0, 0, quarter]).setTranslation([3, 1, -2]);
    for (const root of scene!.listChildren()) inner.addChild(root);
    scene!.addChild(outer.addChild(inner));
    const vrm = await readVrm(await writeVrm(odd, { version: '0.x', meta: { name: 'x' } }));
    vrm.scene.traverse(({ scale, quaternion, type }) => {
      if (type === 'VRMExpression') return;
      expect(scale.toArray()).toEqual([1, 1, 1]);
      expect(quaternion.w).toBe(1);
    });
    const points = standing(vrm);
    const eye = new Box3().setFromPoints(points.get(leftEyeball(points))!).getCenter(new Vector3());
    expect(eye.distanceTo(at(vrm, 'leftEye'))).toBeLessThan(0.01);
    const skin = new Box3().setFromPoints(points.get('Skin')!);
    expect(skin.containsPoint(at(vrm, 'head'))).toBe(true);
    // Twice the size of before.
    expect(skin.getSize(new Vector3()).y).toBeGreaterThan(0.45);
    expect(at(vrm, 'head').x).toBeCloseTo(0, 5);
    vrm.expressionManager!.setValue('aa', 1);
    const opened = moved(points, standing(vrm)).get('Skin')!;
    expect(opened).toBeGreaterThan(0.008);
  });

  it('without face shapes are refused in a sentence', async () => {
    const document = new Document();
    document.createScene().addChild(document.createNode('Head').setMesh(document.createMesh('Head')));
    const refused = writeVrm(document, { version: '1.0', meta: { name: 'x' } });
    await expect(refused).rejects.toThrow('has no face shapes');
    await expect(refused).rejects.toBeInstanceOf(Failure);
  });

  it('with a thousand shapes of unknown names keep them, and say what will not move', async () => {
    const document = await (await gltfIo()).readBinary(await realHead());
    const [mesh] = document.getRoot().listMeshes();
    const [primitive] = mesh!.listPrimitives();
    const [some] = primitive!.listTargets();
    for (const target of primitive!.listTargets().slice(1)) primitive!.removeTarget(target);
    for (let n = 1; n < 1000; n++) primitive!.addTarget(some!.clone());
    mesh!.setExtras({ targetNames: Array.from({ length: 1000 }, (_, n) => `shape ${n}`) }).setWeights([]);
    const plan = vrmPlan(document);
    expect(plan.made.map(({ name }) => name)).toEqual(['neutral']);
    expect(plan.missing.map(({ name }) => name)).toContain('aa');
    expect(plan.unused).toHaveLength(1000);
    const vrm = await readVrm(await writeVrm(document, { version: '1.0', meta: { name: 'x' } }));
    expect(vrm.expressionManager!.getExpression('shape 999')!.binds).toHaveLength(1);
  });

  it('with a body keep it', async () => {
    const whole = await (await gltfIo()).readBinary(
      await writeVrm(head, { version: '1.0', meta: { name: 'x' } }),
    );
    const nodes = whole.getRoot().listNodes().length;
    const again = await readVrm(await writeVrm(whole, { version: '0.x', meta: { name: 'x' } }));
    expect(again.scene.getObjectsByProperty('name', 'Hips')).toHaveLength(1);
    expect(nodes).toBeGreaterThan(20);
    expect(at(again, 'leftHand').x).toBeLessThan(-0.5);
  });
});

describe('a VRMA of a take', () => {
  const frames = Array.from({ length: 90 }, (_, n) => ({
    timeCode: n / 30,
    weights: Float32Array.from(arkitBlendshapeNames, (_, channel) => Math.abs(Math.sin(n / 9 + channel))),
    headPose: {
      translation: [0, 0.01, 0] as [number, number, number],
      rotation: new Quaternion()
        .setFromEuler(
          new Euler(0.1 * Math.sin(n / 11), 0.3 * Math.sin(n / 17), 0.05 * Math.sin(n / 7), 'YXZ'),
        )
        .toArray() as [number, number, number, number],
    },
    eyeGaze: {
      leftYaw: 0.3 * Math.sin(n / 5),
      rightYaw: 0.2 * Math.sin(n / 5),
      leftPitch: 0.2 * Math.cos(n / 6),
      rightPitch: 0.2 * Math.cos(n / 6),
    },
  }));
  const face = { channelNames: arkitBlendshapeNames, frames };

  it.each(['1.0', '0.x'] as const)(
    'plays on a VRM %s as the take has it, to a thousandth',
    async (version) => {
      const vrm = await readVrm(await writeVrm(head, { version, meta: { name: 'Ada' } }));
      const bytes = await writeVrma(face, {
        name: 'hello',
        expressions: version === '1.0' ? 'own' : 'own-0.x',
      });
      expect((await validateGlb(bytes, 10)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
      const animation = await readVrma(bytes);
      const proxy = new VRMLookAtQuaternionProxy(vrm.lookAt!);
      proxy.name = 'gaze';
      vrm.scene.add(proxy);
      const mixer = new AnimationMixer(vrm.scene);
      mixer.clipAction(createVRMAnimationClip(animation, vrm)).play();
      expect(animation.duration).toBeCloseTo(frames.at(-1)!.timeCode, 5);
      const bone = vrm.humanoid.getNormalizedBoneNode('head')!;
      for (const { timeCode, weights, headPose, eyeGaze } of frames.slice(1, -1)) {
        mixer.setTime(timeCode);
        for (const [channel, name] of arkitBlendshapeNames.entries()) {
          const own = version === '1.0' ? name : name[0]!.toUpperCase() + name.slice(1);
          expect(Math.abs(vrm.expressionManager!.getValue(own)! - weights[channel]!)).toBeLessThan(1e-3);
        }
        // Of 0.x the space is turned by half: so are the axes of its turns.
        const [x, y, z, w] = headPose.rotation;
        const wanted = version === '1.0' ? new Quaternion(x, y, z, w) : new Quaternion(-x, y, -z, w);
        expect(bone.quaternion.angleTo(wanted)).toBeLessThan(1e-3);
        const degrees = 180 / Math.PI;
        expect(vrm.lookAt!.yaw).toBeCloseTo(((eyeGaze.leftYaw + eyeGaze.rightYaw) / 2) * degrees, 1);
        expect(vrm.lookAt!.pitch).toBeCloseTo(-eyeGaze.leftPitch * degrees, 1);
      }
    },
  );

  it('follows the rows that a person set of a head, under the names of its shapes', async () => {
    const rows = [
      { shape: 'Fcl_MTH_A', parts: [{ channel: 'jawOpen', weight: 1 }], gain: 0.5, curve: 2 },
      { shape: 'jawOpen', parts: [], gain: 1, curve: 1 },
      { shape: 'aa', parts: [{ channel: 'mouthFunnel', weight: 1 }], gain: 1, curve: 1 },
    ];
    const { expressionTracks } = await readVrma(await writeVrma(face, { name: 'hello', drives: rows }));
    const { custom, preset } = expressionTracks;
    const [jaw, funnel] = ['jawOpen', 'mouthFunnel'].map((name) =>
      (arkitBlendshapeNames as readonly string[]).indexOf(name),
    );
    for (const [at, { weights }] of frames.entries()) {
      expect(custom.get('Fcl_MTH_A')!.values[at]).toBeCloseTo(0.5 * weights[jaw!]! ** 2, 5);
      expect(custom.get('jawOpen')!.values[at]).toBe(0);
      expect(custom.get('mouthFunnel')!.values[at]).toBeCloseTo(weights[funnel!]!, 5);
      expect(preset.get('aa')!.values[at]).toBeCloseTo(weights[funnel!]!, 5);
    }
  });

  it('opens the mouth once, where the take has visemes too', async () => {
    const both = {
      channelNames: [...arkitBlendshapeNames, ...oculusVisemeNames],
      frames: [] as typeof frames,
    };
    both.frames = frames.map((frame) => ({
      ...frame,
      weights: Float32Array.from([...frame.weights, ...oculusVisemeNames.map((_, at) => at / 20)]),
    }));
    const own = await readVrma(await writeVrma(both, { name: 'hello' }));
    expect([...own.expressionTracks.custom.keys()]).toEqual(arkitBlendshapeNames);
    const { expressionTracks } = await readVrma(
      await writeVrma(both, { name: 'hello', expressions: 'presets' }),
    );
    const names = ['aa', 'ih', 'ou', 'ee', 'oh', 'blinkLeft', 'blinkRight'];
    expect([...expressionTracks.preset.keys()].toSorted()).toEqual(names.toSorted());
    const at = oculusVisemeNames.indexOf('viseme_E') / 20;
    expect(expressionTracks.preset.get('ee')!.values[10]).toBeCloseTo(at, 5);
  });

  it('moves mouth and lids of avatars that have VRM’s presets alone', async () => {
    const animation = await readVrma(await writeVrma(face, { name: 'hello', expressions: 'presets' }));
    expect([...animation.expressionTracks.preset.keys()].toSorted()).toEqual([
      'aa',
      'blinkLeft',
      'blinkRight',
    ]);
    expect(animation.expressionTracks.custom.size).toBe(0);
  });

  it('of no face is refused in a sentence', async () => {
    await expect(writeVrma({ channelNames: [], frames: [] }, { name: 'x' })).rejects.toThrow(
      'no face that can drive an avatar',
    );
  });
});
