import { PerspectiveCamera, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { areaToDraw, coveredArea } from '../../../renderer/speaking/drawn-area.ts';

const stage = { width: 1280, height: 720 };

/** Stands a metre before the origin and sees a metre's height there. */
function camera(): PerspectiveCamera {
  const eye = new PerspectiveCamera((2 * Math.atan(0.5) * 180) / Math.PI, 1280 / 720, 0.01, 10);
  eye.position.set(0, 0, 1);
  eye.updateMatrixWorld();
  return eye;
}

const square = (half: number, x = 0): Vector3[] => [
  new Vector3(x - half, -half, 0),
  new Vector3(x + half, half, 0),
];

test('covers what stands in the middle, with room around it', () => {
  const { left, top, width, height } = coveredArea(square(0.25), camera(), stage);
  // Half a metre is 360 of the 720 pixels; 4 % of it are room.
  expect(left).toBeLessThanOrEqual(640 - 180 - 14);
  expect(left).toBeGreaterThan(640 - 180 - 14 - 17);
  expect(left + width).toBeGreaterThanOrEqual(640 + 180 + 14);
  expect(top).toBeLessThanOrEqual(360 - 180 - 14);
  expect(top + height).toBeGreaterThanOrEqual(360 + 180 + 14);
});

test('what reaches over the edge is cut there, and what is beside the stage leaves a little', () => {
  const wide = coveredArea(square(2), camera(), stage);
  expect(wide).toEqual({ left: 0, top: 0, width: 1280, height: 720 });
  const beside = coveredArea(square(0.1, 5), camera(), stage);
  expect(beside.width).toBeGreaterThan(0);
  expect(beside.left + beside.width).toBeLessThanOrEqual(1280);
});

test('with a point behind the camera the whole stage is drawn', () => {
  const points = [...square(0.1), new Vector3(0, 0, 2)];
  expect(coveredArea(points, camera(), stage)).toEqual({ left: 0, top: 0, width: 1280, height: 720 });
});

test('an area is kept while it holds the head, and not when it is far too large', () => {
  const before = { left: 100, top: 100, width: 200, height: 200 };
  const within = { left: 116, top: 116, width: 176, height: 176 };
  expect(areaToDraw(before, within)).toBe(before);
  expect(areaToDraw(before, { ...within, left: 84 })).toEqual({ ...within, left: 84 });
  const small = { left: 150, top: 150, width: 80, height: 80 };
  expect(areaToDraw(before, small)).toBe(small);
  expect(areaToDraw(null, small)).toBe(small);
});
