import { Document, type Node } from '@gltf-transform/core';
import { EXTTextureWebP, KHRMaterialsPBRSpecularGlossiness } from '@gltf-transform/extensions';
import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { convertHead } from '../../../src/formats/convert.ts';
import { convertTake } from '../../../src/formats/convert_take.ts';
import type { HeadFormat } from '../../../src/formats/formats.ts';
import { headDrives } from '../../../src/formats/names/head_drives.ts';
import { glbJson } from '../../../src/glb_json.ts';
import { gltfIo } from '../../../src/gltf_io.ts';
import { bonesOf } from '../../../src/head_bones.ts';
import { placed } from '../sample_head.ts';
import { type ForeignHead, foreignGlb, shapes, speaking } from './foreign_head.ts';

const read = async (glb: Uint8Array): Promise<Document> => (await gltfIo()).readBinary(glb);

const take = async (options: ForeignHead): Promise<Document> =>
  read(await convertTake(await foreignGlb(options), { format: 'glb', face: speaking, name: 'Take' }));

/** The last row of each track, by node and path. */
function lastRows(document: Document): Map<string, number[]> {
  const [animation] = document.getRoot().listAnimations();
  return new Map(
    animation!.listChannels().map((channel) => {
      const values = [...channel.getSampler()!.getOutput()!.getArray()!];
      const name = channel
        .getTargetNode()!
        .getName()
        .replace(/_Shapes$/, '');
      return [`${name} ${channel.getTargetPath()}`, values.slice(values.length / 2)];
    }),
  );
}

/** A document with its tracks' last rows set, as it stands at the take's end; null: at rest. */
function placedAt(document: Document, isAtEnd: boolean): number[][] {
  let weights: readonly number[] = [];
  for (const channel of document.getRoot().listAnimations()[0]!.listChannels()) {
    const values = [...channel.getSampler()!.getOutput()!.getArray()!];
    const row = isAtEnd ? values.slice(values.length / 2) : values.slice(0, values.length / 2);
    const node = channel.getTargetNode()!;
    const path = channel.getTargetPath();
    if (path === 'weights') weights = row;
    if (path === 'rotation') node.setRotation(row as [number, number, number, number]);
    if (path === 'translation') node.setTranslation(row as [number, number, number]);
  }
  const face = document
    .getRoot()
    .listNodes()
    .find((node) => node.getMesh())!;
  return placed(
    face,
    face.getMesh()!.listPrimitives()[0]!,
    weights.map(() => 0),
  );
}

const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 5) as number);

describe('a take on a head of another maker', () => {
  test.each(['mesh', 'primitive'] as const)('moves shapes whose names stand on the %s', async (namesOn) => {
    const tracks = lastRows(await take({ namesOn, names: null }));
    expect(tracks.get('Face weights')).toEqual(close([0.5, 0.4, 0.3, 0.2]));
  });

  test.each([
    ['as glTF has it', {}],
    ['100 times as large above its joints', { armature: 100 }],
    ['in centimetres below an armature of 0.01', { armature: 0.01, inCentimetres: true }],
  ] satisfies [string, ForeignHead][])(
    'moves the head by its metres where the rig is %s',
    async (_, options) => {
      const document = await take(options);
      const rest = placedAt(document, false);
      const end = placedAt(document, true);
      // A point on the joint's axis: it nods about the joint at 1.5 m, and goes 16 mm up.
      const at = rest.findIndex(([x, y]) => Math.abs(x!) < 1e-6 && Math.abs(y! - 1.5) < 1e-5);
      const [, , z] = rest[at]!;
      const nodded = [0, 1.5 + 0.016 - z! * Math.sin(0.2), z! * Math.cos(0.2)];
      expect(end[at]).toEqual(close(nodded));
    },
  );

  test('whose rig mirrors all that hangs on it nods the same way', async () => {
    const glb = await foreignGlb();
    const document = await read(glb);
    document
      .getRoot()
      .listNodes()
      .find((node) => node.getName() === 'Armature')!
      .setScale([-1, 1, 1]);
    const mirrored = await (await gltfIo()).writeBinary(document);
    const made = await read(await convertTake(mirrored, { format: 'glb', face: speaking, name: 'Take' }));
    // A nod turns about X, which a mirror of X leaves; the gaze to the own left turns the other way in it.
    const tracks = lastRows(made);
    expect(tracks.get('Head rotation')).toEqual(close([Math.sin(0.1), 0, 0, Math.cos(0.1)]));
    expect(tracks.get('LeftEye rotation')).toEqual(close([0, -Math.sin(0.15), 0, Math.cos(0.15)]));
  });

  test.each([
    ['Mixamo', 'mixamorig:Neck', 'mixamorig:Head', 'mixamorig:LeftEye', 'mixamorig:RightEye'],
    [
      'Mixamo, numbered',
      'mixamorig1:Neck_05',
      'mixamorig1:Head_06',
      'mixamorig1:LeftEye_07',
      'mixamorig1:RightEye_08',
    ],
    ['Character Creator 4', 'CC_Base_NeckTwist01', 'CC_Base_Head', 'CC_Base_L_Eye', 'CC_Base_R_Eye'],
    ['VRoid', 'J_Bip_C_Neck', 'J_Bip_C_Head', 'J_Adj_L_FaceEye', 'J_Adj_R_FaceEye'],
    ['Rigify', 'DEF-neck', 'DEF-head', 'DEF-eye.L', 'DEF-eye.R'],
    ['Rigify’s own rig', 'DEF-spine.004', 'DEF-spine.006', 'DEF-eye.L', 'DEF-eye.R'],
    ['an exporter that begins all alike', 'Avatar_Neck', 'Avatar_Head', 'Avatar_EyeL', 'Avatar_EyeR'],
    ['Chinese riggers', '脖子', '头', '左眼', '右眼'],
    ['Unreal', 'neck_01', 'head', 'FACIAL_L_Eye', 'FACIAL_R_Eye'],
    ['MikuMikuDance', '首', '頭', '左目', '右目'],
    ['3ds Max', 'Bip001 Neck', 'Bip001 Head', 'Bip001 L Eye', 'Bip001 R Eye'],
    ['MotionBuilder', 'Character1_Neck', 'Character1_Head', 'Character1_LeftEye', 'Character1_RightEye'],
    ['Auto-Rig Pro', 'neck.x', 'head.x', 'eye.l', 'eye.r'],
    ['DAZ', 'neckLower', 'head', 'lEye', 'rEye'],
    ['a rigger of their own', 'rig:neck_jnt', 'rig:head_jnt', 'rig:eyeball_L_jnt', 'rig:eyeball_R_jnt'],
  ] as const)('turns head and eyes under the names of %s', async (_, neck, head, leftEye, rightEye) => {
    const tracks = lastRows(await take({ names: { neck, head, leftEye, rightEye } }));
    expect([...tracks.keys()].sort()).toEqual(
      [
        'Face weights',
        `${head} rotation`,
        `${head} translation`,
        `${leftEye} rotation`,
        `${rightEye} rotation`,
      ].sort(),
    );
    expect(tracks.get(`${leftEye} rotation`)).toEqual(close([0, Math.sin(0.15), 0, Math.cos(0.15)]));
  });

  test('turns the head that a VRM’s humanoid names, and moves lips and lids by its own expressions', async () => {
    const options: ForeignHead = {
      names: { neck: 'kubi', head: 'atama' },
      targetNames: ['mth_open01', 'mth_kiss', 'lid_L', 'lid_R'],
      vrm1: (at, face, [head]) => ({
        specVersion: '1.0',
        humanoid: { humanBones: { head: { node: at.node(head!) } } },
        expressions: {
          preset: Object.fromEntries(
            [
              ['aa', 1],
              ['ou', 0.5],
              ['blinkLeft', 1],
              ['blinkRight', 1],
            ].map(([name, weight], index) => [
              name,
              { morphTargetBinds: [{ node: at.node(face), index, weight }] },
            ]),
          ),
          custom: { smirk: { morphTargetBinds: [{ node: at.node(face), index: 0, weight: 1 }] } },
        },
      }),
    };
    const tracks = lastRows(await take(options));
    // Visemes aa .6 and U .7, of which the author's expression takes half.
    expect(tracks.get('Face weights')).toEqual(close([0.6, 0.35, 0.3, 0.2]));
    expect(tracks.has('atama rotation')).toBe(true);
    const film = headDrives(await foreignGlb(options), [], speaking.channelNames);
    expect(film.map(({ shape, parts }) => [shape, parts])).toEqual([
      ['mth_open01', [{ channel: 'viseme_aa', weight: 1 }]],
      ['mth_kiss', [{ channel: 'viseme_U', weight: 0.5 }]],
      ['lid_L', [{ channel: 'eyeBlinkLeft', weight: 1 }]],
      ['lid_R', [{ channel: 'eyeBlinkRight', weight: 1 }]],
    ]);
  });

  test('moves a VRM 0.x by clips of its own, whose weights are percent', async () => {
    const tracks = lastRows(
      await take({
        targetNames: ['k_a', 'k_u', 'k_b'],
        looks: '-Z',
        vrm0: (at, face) => ({
          blendShapeMaster: {
            blendShapeGroups: [
              {
                name: 'A',
                presetName: 'a',
                binds: [{ mesh: at.mesh(face.getMesh()!), index: 0, weight: 100 }],
              },
              {
                name: 'U',
                presetName: 'u',
                binds: [{ mesh: at.mesh(face.getMesh()!), index: 1, weight: 50 }],
              },
              {
                name: 'EyeBlinkLeft',
                presetName: 'unknown',
                binds: [{ mesh: at.mesh(face.getMesh()!), index: 2, weight: 100 }],
              },
            ],
          },
        }),
      }),
    );
    expect(tracks.get('Face weights')).toEqual(close([0.6, 0.35, 0.3]));
  });
});

const vrm0 = {
  looks: '-Z',
  vrm0: (at, _, [head, neck]) => ({
    specVersion: '0.0',
    humanoid: {
      humanBones: [
        { bone: 'head', node: at.node(head!) },
        { bone: 'neck', node: at.node(neck!) },
      ],
    },
  }),
} satisfies ForeignHead;

describe('a head that looks along −Z', () => {
  test.each([
    ['a VRM 0.x', vrm0],
    ['a GLB without a word of it', { looks: '-Z' }],
  ] satisfies [string, ForeignHead][])(
    'nods forwards and looks to its own left in a take: %s',
    async (_, options) => {
      const document = await take(options);
      const rest = placedAt(document, false);
      const end = placedAt(document, true);
      const front = Math.max(...rest.map(([, , z]) => z!));
      const at = rest.findIndex(([, y, z]) => z === front && Math.abs(y! - 1.5) < 1e-5);
      // Turned to the front, and its nose goes down.
      expect(front).toBeCloseTo(0.1, 5);
      expect(end[at]![1]! - rest[at]![1]!).toBeCloseTo(0.016 - 0.1 * Math.sin(0.2), 5);
      const eye = document
        .getRoot()
        .listNodes()
        .find((node) => node.getName() === 'LeftEye')!;
      expect(eye.getWorldTranslation()[0]).toBeCloseTo(0.03, 5);
      expect(gazeOf(eye)[0]).toBeGreaterThan(0.25);
    },
  );

  const eyesOf = async (file: Uint8Array): Promise<readonly number[]> => {
    const document = await read(file);
    const at = (name: string): readonly number[] =>
      document
        .getRoot()
        .listNodes()
        .find((node) => node.getName() === name)!
        .getWorldTranslation();
    const [eye, head] = [at('LeftEye'), at('Head')];
    return [eye[0]!, eye[2]! - head[2]!];
  };
  const converted = async (glb: Uint8Array, format: Exclude<HeadFormat, 'zip'>): Promise<Uint8Array> =>
    (await convertHead(glb, { format, table: null, stem: 'head', about: { name: 'Head' } })).files[0]!.data;

  test.each([
    ['glb', 1],
    ['vrm', 1],
    ['vrm0', -1],
  ] as const)('has its face where %s has it', async (format, front) => {
    expect(await eyesOf(await converted(await foreignGlb(vrm0), format))).toEqual(
      close([0.03 * front, 0.08 * front]),
    );
  });

  it('comes back from the studio’s own VRM 0.x', async () => {
    const there = await converted(await foreignGlb(), 'vrm0');
    expect(await eyesOf(there)).toEqual(close([-0.03, -0.08]));
    expect(await eyesOf(await converted(there, 'vrm'))).toEqual(close([0.03, 0.08]));
    const obj = Buffer.from(await converted(there, 'obj')).toString();
    const depths = [...obj.matchAll(/^v \S+ \S+ (\S+)$/gm)].map(([, z]) => Number(z));
    expect(Math.max(...depths)).toBeGreaterThan(0.05);
  });

  /** The direction in which an eye looks, in the scene. */
  function gazeOf(eye: Node): number[] {
    const m = eye.getWorldMatrix();
    // Its own front was −Z, as the head's was.
    return [-m[8], -m[9], -m[10]];
  }
});

test('shapes of a head whose names stand on primitives are counted and written', async () => {
  const { moving, files } = await convertHead(await foreignGlb({ namesOn: 'primitive' }), {
    ...{ format: 'gltf', table: null, stem: 'head', about: { name: 'Head' } },
  });
  expect(moving).toBe(shapes.length);
  expect(JSON.parse(Buffer.from(files[0]!.data).toString()).meshes[0].extras.targetNames).toEqual(shapes);
});

test('materials of specular and glossiness keep their picture and their shine', async () => {
  const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#c08060' } })
    .png()
    .toBuffer();
  const glb = await foreignGlb({
    material: (document) => {
      const older = document.createExtension(KHRMaterialsPBRSpecularGlossiness).createPBRSpecularGlossiness();
      const picture = document.createTexture('Skin').setMimeType('image/png').setImage(new Uint8Array(image));
      older.setDiffuseTexture(picture).setGlossinessFactor(0.3).setDiffuseFactor([0.5, 0.5, 0.5, 1]);
      return document
        .createMaterial('Skin')
        .setExtension(KHRMaterialsPBRSpecularGlossiness.EXTENSION_NAME, older);
    },
  });
  for (const format of ['fbx', 'glb'] as const) {
    const { files } = await convertHead(glb, { format, table: null, stem: 'head', about: { name: 'Head' } });
    expect(Buffer.from(files[0]!.data).includes(image), format).toBe(true);
  }
  const { files } = await convertHead(glb, {
    format: 'gltf',
    table: null,
    stem: 'head',
    about: { name: 'Head' },
  });
  const json = JSON.parse(Buffer.from(files[0]!.data).toString());
  expect(json.materials[0].pbrMetallicRoughness).toEqual({
    baseColorFactor: [0.5, 0.5, 0.5, 1],
    baseColorTexture: { index: 0 },
    metallicFactor: 0,
    roughnessFactor: expect.closeTo(0.7, 5),
  });
  expect(json.extensionsUsed).not.toContain(KHRMaterialsPBRSpecularGlossiness.EXTENSION_NAME);
});

test.each(['obj', 'glb', 'gltf', 'glb-meshopt', 'fbx', 'usdz', 'vrm'] as const)(
  'a file without a surface is refused as %s with a sentence',
  async (format) => {
    const document = new Document();
    document.createScene().addChild(document.createNode('Empty'));
    const glb = await (await gltfIo()).writeBinary(document);
    await expect(
      convertHead(glb, { format, table: null, stem: 'head', about: { name: 'Head' } }),
    ).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/no triangles/),
    });
  },
);

test('a VRM’s body is as large for a head in centimetres below a scaled armature as for the same in metres', async () => {
  const names = { neck: 'Neck', head: 'Head' };
  const heightOf = async (options: ForeignHead): Promise<number> => {
    const { files } = await convertHead(await foreignGlb({ ...options, names }), {
      ...{ format: 'vrm', table: null, stem: 'head', about: { name: 'Head' } },
    });
    const nodes = (await read(files[0]!.data)).getRoot().listNodes();
    return nodes.find((node) => node.getName() === 'Head')!.getWorldTranslation()[1];
  };
  const inMetres = await heightOf({});
  expect(inMetres).toBeGreaterThan(1);
  expect(await heightOf({ armature: 0.01, inCentimetres: true })).toBeCloseTo(inMetres, 4);
});

test.each([
  ['along +Z', {}],
  ['along −Z', { looks: '-Z' }],
  ['along +Z, in centimetres below a scaled armature', { armature: 0.01, inCentimetres: true }],
] satisfies [string, ForeignHead][])(
  'the left half of a shape is the person’s own left: a head %s',
  async (_, options) => {
    const { looks = '+Z' } = options as ForeignHead;
    const table = {
      id: 'own',
      rows: [{ name: 'HalfLeft', alternatives: [[{ shape: 'whole', weight: 1, side: 'left' as const }]] }],
    };
    const glb = await foreignGlb({ ...options, targetNames: ['whole'] });
    const moved = await read(glb);
    // All points of the shape go the same way, so that each tells its share.
    const target = moved.getRoot().listMeshes()[0]!.listPrimitives()[0]!.listTargets()[0]!;
    const offsets = target.getAttribute('POSITION')!;
    offsets.setArray(
      Float32Array.from({ length: offsets.getCount() * 3 }, (_, at) => (at % 3 === 1 ? 1 : 0)),
    );
    const { files } = await convertHead(await (await gltfIo()).writeBinary(moved), {
      ...{ format: 'glb', table, stem: 'head', about: { name: 'Head' } },
    });
    const [primitive] = (await read(files[0]!.data)).getRoot().listMeshes()[0]!.listPrimitives();
    const half = primitive!.listTargets()[1]!.getAttribute('POSITION')!;
    const x = primitive!.getAttribute('POSITION')!;
    const shares = Array.from({ length: x.getCount() }, (_, at) => [
      Math.sign(Math.round(1000 * x.getElement<number[]>(at, [])[0]!)) * (looks === '+Z' ? 1 : -1),
      half.getElement<number[]>(at, [])[1],
    ]);
    const shareAt = (own: number): unknown[] => [
      ...new Set(shares.flatMap(([side, share]) => (side === own ? [share] : []))),
    ];
    expect([shareAt(1), shareAt(-1)]).toEqual([[1], [0]]);
  },
);

test('no node that ends, aims or holds a face is taken for its bones', async () => {
  const document = await read(
    await foreignGlb({
      names: { neck: 'Spine', head: 'HeadTop_End', leftEye: 'LeftEye_Target', rightEye: 'head_ik' },
    }),
  );
  expect(bonesOf(document)).toEqual({ spine: expect.anything() });
});

test.each(['glb', 'gltf'] as const)('a picture that few programs read is a PNG as %s', async (format) => {
  const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#c08060' } })
    .webp()
    .toBuffer();
  const glb = await foreignGlb({
    material: (document) => {
      document.createExtension(EXTTextureWebP).setRequired(true);
      const picture = document
        .createTexture('Skin')
        .setMimeType('image/webp')
        .setImage(new Uint8Array(image));
      return document.createMaterial('Skin').setBaseColorTexture(picture);
    },
  });
  const { files } = await convertHead(glb, { format, table: null, stem: 'head', about: { name: 'Head' } });
  const bytes = Buffer.from(files[0]!.data);
  const json =
    format === 'glb' ? glbJson<{ images: { mimeType: string }[] }>(bytes) : JSON.parse(bytes.toString());
  expect(json).not.toHaveProperty('extensionsUsed');
  expect(json.images[0].mimeType ?? json.images[0].uri).toMatch(/png$/);
});
