import { BoxGeometry, Group, Mesh, PerspectiveCamera } from 'three';
import { expect, test } from 'vitest';
import { SceneWatch } from '../../../renderer/speaking/software/scene-watch.ts';

const stage = { width: 600, height: 400 };

function watched() {
  const mesh = new Mesh(new BoxGeometry());
  const scene = new Group().add(mesh);
  const camera = new PerspectiveCamera();
  const watch = new SceneWatch();
  const look = (now: number, size = stage): string => {
    scene.updateWorldMatrix(true, true);
    camera.updateMatrixWorld();
    return watch.observe(scene, camera, size, now);
  };
  return { mesh, scene, camera, look };
}

test('what stands is still after a moment, and moves again with whatever moves', () => {
  const { mesh, scene, camera, look } = watched();
  let now = 0;
  const settle = (): void => {
    now += 16;
    expect(look(now)).toBe('rests');
    now += 300;
    expect(look(now)).toBe('is still');
    now += 16;
  };
  const changes: (() => void)[] = [
    () => undefined, // the first look
    () => mesh.rotateY(0.001),
    () => scene.scale.setX(-1),
    () => {
      mesh.geometry.attributes.position!.needsUpdate = true;
    },
    () => camera.translateZ(0.1),
    () => {
      mesh.visible = false;
    },
    () => void scene.add(new Group()),
  ];
  for (const change of changes) {
    change();
    expect(look(now)).toBe('moves');
    settle();
  }
  expect(look(now, { width: 601, height: 400 })).toBe('moves');
});

test('a head that goes on moving is never still', () => {
  const { mesh, look } = watched();
  for (let now = 0; now < 2000; now += 16) {
    mesh.rotateY(1e-6);
    expect(look(now)).toBe('moves');
  }
});
