import { Group, Mesh, MeshStandardMaterial, PlaneGeometry, Texture } from 'three';
import { expect, test } from 'vitest';
import { lightAtVertices } from '../../../renderer/speaking/software/vertex-lighting.ts';

test("the pores of the studio's own skin are left out, another maker's normals are not", () => {
  const [ours, theirs] = ['Skin_Normal', 'face normals'].map((name) => {
    const normalMap = new Texture();
    normalMap.name = name;
    return new MeshStandardMaterial({ normalMap, roughnessMap: new Texture() });
  }) as [MeshStandardMaterial, MeshStandardMaterial];
  let disposed = 0;
  ours.normalMap!.addEventListener('dispose', () => disposed++);
  lightAtVertices(new Group().add(...[ours, theirs].map((one) => new Mesh(new PlaneGeometry(), one))));
  expect(ours.normalMap).toBeNull();
  expect(disposed).toBe(1);
  expect(ours.roughnessMap).not.toBeNull();
  expect(theirs.normalMap).not.toBeNull();
});

test('a surface without normals is lit at its pixels: at its vertices it would be black', () => {
  const [smooth, flat] = [false, true].map((flatShading) => new MeshStandardMaterial({ flatShading })) as [
    MeshStandardMaterial,
    MeshStandardMaterial,
  ];
  const untouched = flat.onBeforeCompile;
  lightAtVertices(new Group().add(...[smooth, flat].map((one) => new Mesh(new PlaneGeometry(), one))));
  expect(flat.onBeforeCompile).toBe(untouched);
  expect(smooth.onBeforeCompile).not.toBe(untouched);
});
