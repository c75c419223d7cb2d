import { Group, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { photoPlaneOf } from '../../../renderer/viewer/photo-plane.ts';

/**
 * A head whose eyes are 6 cm before its origin; its photo was taken from its left, the camera rolled by 90°.
 */
function headOf(photo: unknown): Group {
  const head = new Group();
  head.userData = { photo };
  for (const [name, x] of [
    ['LeftEye', 0.03],
    ['RightEye', -0.03],
  ] as const) {
    const eye = new Group();
    eye.name = name;
    eye.position.set(x, 0.1, 0.06);
    head.add(eye);
  }
  head.updateMatrixWorld(true);
  return head;
}
const taken = { right: [0, 1, 0], up: [0, 0, 1], middle: [0.1, 0.06], width: 0.4, height: 0.5 };

it('places a photo at the depth of the eyes, turned as it was taken', () => {
  const plane = photoPlaneOf(headOf(taken), new Vector3())!;
  expect(plane.towards.toArray()).toEqual([1, 0, 0]);
  expect(plane.position.toArray().map((value) => Math.round(value * 1e6) / 1e6)).toEqual([0, 0.1, 0.06]);
  const edge = (x: number, y: number) => new Vector3(x, y, 0).applyQuaternion(plane.turn).toArray();
  const near = (values: number[]) => values.map((value) => expect.closeTo(value, 6));
  expect(edge(1, 0)).toEqual(near([0, 1, 0]));
  expect(edge(0, 1)).toEqual(near([0, 0, 1]));
});

it('has none for a head whose file says nothing of it, or nonsense', () => {
  for (const photo of [undefined, null, {}, { ...taken, right: ['a', 0, 0] }, { ...taken, width: -1 }])
    expect(photoPlaneOf(headOf(photo), new Vector3())).toBeNull();
});
