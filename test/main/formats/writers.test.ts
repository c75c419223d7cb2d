import { Document } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { writeFbx } from '../../../main/formats/fbx/write_fbx.ts';
import { writeUsdz } from '../../../main/formats/usdz/write_usdz.ts';
import { sampleHead } from './sample_head.ts';

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
      message: expect.stringMatching(/picture/),
    });
  });
});
