import type { Document, Material } from '@gltf-transform/core';
import { EXTTextureWebP, KHRTextureTransform } from '@gltf-transform/extensions';
import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { objFiles } from '../../../src/formats/obj.ts';
import { type ForeignHead, foreignHead } from './foreign_head.ts';

async function objOf(options: ForeignHead) {
  const files = await objFiles(await foreignHead(options), 'head');
  const lines = Buffer.from(files[0]!.data).toString().split('\n');
  const rows = (kind: string): number[][] =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(' ').slice(1).map(Number));
  const faces = lines
    .filter((line) => line.startsWith('f '))
    .map((line) =>
      line
        .split(' ')
        .slice(1)
        .map((corner) => corner.split('/').map((at) => Number(at) - 1)),
    );
  return {
    files,
    mtl: Buffer.from(files[1]!.data).toString(),
    v: rows('v'),
    vt: rows('vt'),
    vn: rows('vn'),
    faces,
  };
}

const range = (rows: readonly number[][], axis: number): [number, number] => [
  Math.min(...rows.map((row) => row[axis]!)),
  Math.max(...rows.map((row) => row[axis]!)),
];

const withPicture =
  (
    mimeType: 'image/png' | 'image/webp',
    dress: (document: Document, material: Material) => void = () => undefined,
  ) =>
  async (document: Document): Promise<Material> => {
    const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: '#c08060' } });
    const image = await (mimeType === 'image/png' ? picture.png() : picture.webp()).toBuffer();
    const texture = document.createTexture('Skin').setMimeType(mimeType).setImage(new Uint8Array(image));
    const material = document.createMaterial('Skin').setBaseColorTexture(texture);
    dress(document, material);
    return material;
  };

describe('a head of another maker as OBJ', () => {
  test('has the part of its picture that its material shows', async () => {
    const moved = withPicture('image/png', (document, material) => {
      const transform = document
        .createExtension(KHRTextureTransform)
        .createTransform()
        .setOffset([0.25, 0.5])
        .setScale([0.5, 0.5]);
      material.getBaseColorTextureInfo()!.setExtension(KHRTextureTransform.EXTENSION_NAME, transform);
    });
    const { vt } = await objOf({ material: moved });
    expect(range(vt, 0)).toEqual([0.25, 0.75]);
    // OBJ's v runs up.
    expect(range(vt, 1)).toEqual([0, 0.5]);
  });

  test('has the coordinates that its picture lies on', async () => {
    const document = await foreignHead({
      material: withPicture('image/png', (_, material) => {
        material.getBaseColorTextureInfo()!.setTexCoord(1);
      }),
    });
    const [primitive] = document.getRoot().listMeshes()[0]!.listPrimitives();
    const first = primitive!.getAttribute('TEXCOORD_0')!;
    const second = first.clone().setArray(first.getArray()!.map((value) => value / 4));
    primitive!.setAttribute('TEXCOORD_1', second);
    const [obj] = await objFiles(document, 'head');
    const across = [
      ...Buffer.from(obj!.data)
        .toString()
        .matchAll(/^vt (\S+)/gm),
    ].map(([, u]) => Number(u));
    expect([Math.min(...across), Math.max(...across), across.length]).toEqual([0, 0.25, 25]);
  });

  it.each([
    ['in metres', {}],
    ['in centimetres below an armature of 0.01', { armature: 0.01, inCentimetres: true }],
    ['in units of a hundred metres', { armature: 100 }],
  ] satisfies [string, ForeignHead][])('stands where its skin is bound: %s', async (_, options) => {
    const { v } = await objOf(options);
    expect(range(v, 1)).toEqual([1.5, 1.7]);
  });

  it.each([
    ['as it is', [1, 1, 1]],
    ['mirrored', [-1, 1, 1]],
    ['unevenly scaled', [1, 3, 0.5]],
    ['both', [2, -1, 1]],
  ] satisfies [string, [number, number, number]][])(
    'winds as its normals say, which are of length 1: %s',
    async (_, scale) => {
      const { v, vn, faces } = await objOf({ names: null, scale });
      expect(faces).toHaveLength(32);
      const agreements = faces.map((corners) => {
        const [a, b, c] = corners.map(([point]) => v[point!]!) as [number[], number[], number[]];
        const [p, q] = [b, c].map((end) => end.map((value, axis) => value - a[axis]!)) as [
          number[],
          number[],
        ];
        const cross = [
          p[1]! * q[2]! - p[2]! * q[1]!,
          p[2]! * q[0]! - p[0]! * q[2]!,
          p[0]! * q[1]! - p[1]! * q[0]!,
        ];
        const size = Math.hypot(...cross);
        return Math.min(
          ...corners.map(
            ([, , normal]) => vn[normal!]!.reduce((sum, value, axis) => sum + value * cross[axis]!, 0) / size,
          ),
        );
      });
      // Of a surface that is bent by .6 at most.
      expect(Math.min(...agreements)).toBeGreaterThan(0.85);
      for (const normal of vn) expect(Math.hypot(...normal)).toBeCloseTo(1, 5);
    },
  );

  test('has the triangles of a strip', async () => {
    const { faces } = await objOf({ names: null, mode: 'strip' });
    expect(faces).toHaveLength(32);
    const plain = await objOf({ names: null });
    const sorted = (all: typeof faces) =>
      all
        .map((corners) =>
          corners
            .map(([, at]) => at!)
            .sort()
            .join(),
        )
        .sort();
    // The same squares, cut along the other diagonal.
    expect(new Set(sorted(faces).join().split(','))).toEqual(new Set(sorted(plain.faces).join().split(',')));
  });

  test.each(['image/png', 'image/webp'] as const)('has its %s as a PNG', async (mimeType) => {
    const material = withPicture(mimeType, (document) => {
      if (mimeType === 'image/webp') document.createExtension(EXTTextureWebP).setRequired(true);
    });
    const { files, mtl } = await objOf({ material });
    expect(mtl).toContain('map_Kd Skin.png\n');
    const picture = files.find(({ name }) => name === 'Skin.png')!;
    const { format, width } = await sharp(picture.data).metadata();
    expect([format, width]).toEqual(['png', 4]);
  });
});
