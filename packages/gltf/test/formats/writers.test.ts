import { Document } from '@gltf-transform/core';
import sharp from 'sharp';
import type { Mesh, MeshPhongMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import { readFbx } from '../../../../test/support/heads/read_fbx.ts';
import { readZip } from '../../../../test/support/read_zip.ts';
import { writeFbx } from '../../src/formats/fbx/write_fbx.ts';
import { writeUsdz } from '../../src/formats/usdz/write_usdz.ts';
import { sampleHead } from './sample_head.ts';

/** The sample head whose skin wears a picture of normals. */
async function withNormals(): Promise<Document> {
  const head = await sampleHead();
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#8080ff' } })
    .jpeg({ chromaSubsampling: '4:4:4' })
    .toBuffer();
  const normals = head.createTexture('Skin_Normal').setMimeType('image/jpeg').setImage(new Uint8Array(image));
  head
    .getRoot()
    .listMaterials()
    .find((material) => material.getName() === 'Skin')!
    .setNormalTexture(normals);
  return head;
}

it('a skin’s normals go to FBX as the map of its normals', async () => {
  const maps: (string | undefined)[] = [];
  readFbx(await writeFbx(await withNormals())).traverse((object) => {
    for (const material of [(object as Mesh).material ?? []].flat() as MeshPhongMaterial[])
      if (material.name === 'Skin') maps.push(material.normalMap?.name);
  });
  expect(maps).toContain('Skin_Normal');
});

it('a skin’s normals go to USD as numbers from −1 to 1, not as a colour', async () => {
  const files = new Map(readZip(Buffer.from(await writeUsdz(await withNormals()))));
  expect([...files.keys()]).toContain('textures/Skin_Normal.jpg');
  const scene = Buffer.from(files.get('head.usda')!).toString();
  expect(scene).toMatch(/normal3f inputs:normal\.connect = <[^>]*\/normal\.outputs:rgb>/);
  const shader = scene.slice(scene.indexOf('@textures/Skin_Normal.jpg@')).split('outputs:rgb')[0];
  expect(shader).toContain('sourceColorSpace = "raw"');
  expect(shader).toContain('inputs:scale = (2, 2, 2, 1)');
  expect(shader).toContain('inputs:bias = (-1, -1, -1, 0)');
});

describe.each([
  ['FBX', writeFbx],
  ['USDZ', writeUsdz],
] as const)('%s', (_, write) => {
  it('of the same head is the same bytes, and the head stays as it was', async () => {
    const head = await sampleHead();
    const first = await write(head);
    expect(Buffer.compare(first, await write(head))).toBe(0);
    expect(Buffer.compare(first, await write(await sampleHead()))).toBe(0);
  });

  it('of a document without a surface is refused with a sentence', async () => {
    await expect(write(new Document())).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/no triangles/),
    });
  });

  it('of triangles between points that are not there is refused', async () => {
    const head = await sampleHead();
    head.getRoot().listMeshes()[0]!.listPrimitives()[0]!.getIndices()!.setScalar(0, 999);
    await expect(write(head)).rejects.toMatchObject({ code: 'unsupported' });
  });

  it.each([
    ['a place that is no number', 'POSITION', Number.NaN, /not numbers/],
    ['a joint that is not there', 'JOINTS_0', 9, /joints/],
  ] as const)('of %s is refused with a sentence', async (_, attribute, value, message) => {
    const head = await sampleHead();
    const [primitive] = head.getRoot().listMeshes()[0]!.listPrimitives();
    const accessor = primitive!.getAttribute(attribute)!;
    accessor.setElement(1, new Array(accessor.getElementSize()).fill(value));
    await expect(write(head)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(message),
    });
  });

  it('of a take that lasts for ever is refused with a sentence', async () => {
    const head = await sampleHead();
    const times = head.getRoot().listAnimations()[0]!.listSamplers()[0]!.getInput()!;
    times.setScalar(times.getCount() - 1, 1e12);
    await expect(write(head)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/frames/),
    });
  });

  it('of a picture that is none is refused with a sentence', async () => {
    const head = await sampleHead();
    head
      .getRoot()
      .listTextures()[0]!
      .setImage(new Uint8Array([1, 2, 3]));
    await expect(write(head)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/texture/),
    });
  });
});
