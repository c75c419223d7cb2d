/** What the head that is there can show of a look before it is made. */
import { BoxGeometry, type BufferGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial } from 'three';
import { expect, test } from 'vitest';
import { canPreview } from '../../../renderer/viewer/look/can-preview.ts';
import { LookPreview } from '../../../renderer/viewer/look/look-preview.ts';

const part = (name: string, geometry: BufferGeometry = new BoxGeometry(0.1, 0.1, 0.1)): Mesh =>
  new Mesh(geometry, new MeshStandardMaterial({ name }));

function headOf(...names: string[]) {
  const scene = new Group();
  const skin = part('Skin', new CylinderGeometry(0.06, 0.06, 0.3, 32, 12));
  const parts = new Map(names.map((name) => [name, part(name)]));
  scene.add(skin, ...parts.values());
  const shirt = () =>
    scene.children.find((child) => child instanceof Mesh && child.material.name === 'Shirt');
  return {
    scene,
    preview: new LookPreview(scene),
    visible: (name: string) => parts.get(name)?.visible,
    shirt,
  };
}

test('hair goes and comes back; before is as it was made', () => {
  const { preview, visible } = headOf('Hair', 'HairStrands');
  preview.set({ made: {}, wanted: { hair: 'bald' } });
  expect([visible('Hair'), visible('HairStrands')]).toEqual([false, false]);
  preview.show(false);
  expect([visible('Hair'), visible('HairStrands')]).toEqual([true, true]);
});

test('shoulders stand below the neck while they are wanted, in the shirt’s colour', () => {
  const { preview, shirt, scene } = headOf();
  preview.set({ made: {}, wanted: { bust: '#ff0000', head: 1.1 } });
  const mesh = shirt() as Mesh<BoxGeometry, MeshStandardMaterial>;
  mesh.geometry.computeBoundingBox();
  const { min, max } = mesh.geometry.boundingBox!;
  expect(mesh.visible).toBe(true);
  expect(mesh.material.color.getHexString()).toBe('ff0000');
  expect(max.y).toBeLessThan(-0.12);
  expect(max.x - min.x).toBeGreaterThan(0.3);
  expect(scene.scale.x).toBeCloseTo(1.1);
  preview.show(false);
  expect([mesh.visible, scene.scale.x]).toEqual([false, 1]);
});

test('the cloth of a head with shoulders changes its colour, and goes with them', () => {
  const { preview, visible, shirt } = headOf('Cloth');
  expect(visible('Cloth')).toBe(true);
  preview.set({ made: { bust: '#00ff00' }, wanted: { bust: '#0000ff' } });
  expect([visible('Cloth'), shirt()]).toEqual([true, undefined]);
  preview.set({ made: { bust: '#00ff00' }, wanted: {} });
  expect(visible('Cloth')).toBe(false);
  // Of a head whose look is not asked for nothing is hidden.
  preview.set({ made: {}, wanted: {} });
  expect(visible('Cloth')).toBe(true);
});

test('what the mesh does not hold is seen only when it is made', () => {
  const at = (name: Parameters<typeof canPreview>[0], made: object, wanted: object): boolean =>
    canPreview(name, { made, wanted });
  expect(at('hairColour', {}, { hairColour: '#112233' })).toBe(true);
  expect(at('hairColour', { hairColour: '#112233' }, {})).toBe(false);
  expect(at('hair', {}, { hair: 'shaved' })).toBe(false);
  expect(at('hair', { hair: 'bald' }, {})).toBe(false);
  expect(at('smile', {}, { smile: 1 })).toBe(false);
  expect(at('neck', {}, { neck: 1.2 })).toBe(true);
});
