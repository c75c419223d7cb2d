import { dot, type Vector } from '@likeness/geometry/vector.ts';
import { expect, it, vi } from 'vitest';
import { photograph } from '../../../test/support/drawn_photo.ts';
import { sharedHead } from '../../../test/support/shared_heads.ts';
import type { PhotoPlane } from '../src/fit/photo_plane.ts';
import { modelHead } from '../src/make_head.ts';

vi.setConfig({ testTimeout: 120_000 });

it('lays the photo over the head: both eyes lie where the camera saw them', async () => {
  const [yaw, pitch, height, middle] = [9, 4, 0.4, 0.15];
  const seen = await sharedHead('female');
  const { png } = await photograph(seen, { yaw, pitch });
  const { model } = await modelHead({ photo: png, sex: 'female' });
  const plane = model.extras.photo as PhotoPlane;

  // The camera of the synthetic photo, from its own figures.
  const [a, b] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  const camera = {
    right: [Math.cos(a), 0, Math.sin(a)] as Vector,
    up: [Math.sin(b) * Math.sin(a), Math.cos(b), -Math.sin(b) * Math.cos(a)] as Vector,
  };
  const between = (one: Vector, other: Vector): number =>
    (Math.acos(Math.min(1, dot(one, other))) * 180) / Math.PI;
  expect(between(plane.right, camera.right)).toBeLessThan(4);
  expect(between(plane.up, camera.up)).toBeLessThan(12); // level heads read as looking up by up to 13°

  for (const eye of ['leftEye', 'rightEye'] as const) {
    const there = [
      dot(seen[eye], camera.right) / height + 0.5,
      0.5 - (dot(seen[eye], camera.up) - middle) / height,
    ];
    const here = [
      (dot(model[eye], plane.right) - plane.middle[0]) / plane.width + 0.5,
      0.5 - (dot(model[eye], plane.up) - plane.middle[1]) / plane.height,
    ];
    for (const axis of [0, 1]) expect(Math.abs(here[axis]! - there[axis]!)).toBeLessThan(0.008);
  }
});
