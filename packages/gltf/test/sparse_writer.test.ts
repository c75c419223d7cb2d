import { type Accessor, Document, NodeIO } from '@gltf-transform/core';
import validator from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { gltfIo } from '../src/gltf_io.ts';

/** A triangle mesh of so many vertices, whose targets move those given by one and minus two metres. */
function documentOf(count: number, moving: readonly (readonly number[])[]): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (array: Float32Array<ArrayBuffer>): Accessor =>
    document.createAccessor().setType('VEC3').setArray(array).setBuffer(buffer);
  const points = Float32Array.from({ length: 3 * count }, (_, i) => Math.sin(i));
  const primitive = document.createPrimitive().setAttribute('POSITION', accessor(points));
  for (const vertices of moving) {
    const move = new Float32Array(3 * count);
    for (const vertex of vertices) move.set([0, 1 + vertex / 1e6, -2], 3 * vertex);
    const target = document
      .createPrimitiveTarget()
      .setAttribute('POSITION', accessor(move).setSparse(true).setName('Move'));
    primitive.addTarget(target);
  }
  const mesh = document.createMesh('Mesh').addPrimitive(primitive);
  document.createScene().addChild(document.createNode('Node').setMesh(mesh));
  return document;
}

const targetsOf = (document: Document): { array: number[]; min: number[]; max: number[] }[] =>
  document
    .getRoot()
    .listMeshes()[0]!
    .listPrimitives()[0]!
    .listTargets()
    .map((target) => target.getAttribute('POSITION')!)
    .map((one) => ({ array: [...one.getArray()!], min: one.getMin([]), max: one.getMax([]) }));

describe('sparse accessors', () => {
  it.each([
    ['few vertices', 9, [[0, 3, 8], [], [4]], 5121],
    ['all vertices', 3, [[0, 1, 2]], 5121],
    ['a number that a byte can not hold', 300, [[1, 255], [7]], 5123],
    ['a number that two bytes can not hold', 66_000, [[2, 65_535, 65_998]], 5125],
  ])('of %s say what the library’s own say', async (_, count, moving, componentType) => {
    const document = documentOf(count, moving);
    const io = await gltfIo();
    const glb = await io.writeBinary(document);
    const { json } = await io.binaryToJSON(glb);
    const own = await io.readBinary(glb);
    const theirs = await new NodeIO().readBinary(await new NodeIO().writeBinary(document));
    expect(targetsOf(own)).toEqual(targetsOf(theirs));
    const sparse = json.accessors!.filter((one) => one.name === 'Move');
    expect(sparse.map((one) => one.sparse?.count ?? 0)).toEqual(moving.map((one) => one.length));
    expect(sparse[0]!.sparse!.indices.componentType).toBe(componentType);
    expect(json.extensionsUsed).toBeUndefined();
    expect(document.getRoot().listExtensionsUsed()).toEqual([]);
    const { issues } = await validator.validateBytes(glb);
    expect([issues.numErrors, issues.numWarnings], JSON.stringify(issues.messages)).toEqual([0, 0]);
  });

  it('hold what several shapes have in common once', async () => {
    const moving = Array.from({ length: 200 }, (_, i) => 2 * i);
    const io = await gltfIo();
    const bytesOf = async (shapes: number[][]): Promise<number> => {
      const { json } = await io.binaryToJSON(await io.writeBinary(documentOf(500, shapes)));
      return json.buffers![0]!.byteLength;
    };
    const once = await bytesOf([moving]);
    expect(await bytesOf([moving, moving, moving])).toBe(once);
    const others = moving.map((vertex) => vertex + 1);
    expect(await bytesOf([moving, others])).toBeGreaterThanOrEqual(once + 14 * moving.length);
  });
});
