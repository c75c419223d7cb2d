import { expect, test } from 'vitest';
import { frameOf, framings } from '../../../renderer/speaking/framing.ts';

const head = { height: 0.4, middle: 0.2, top: 0.39, bottom: 0, eyes: 0.26 };

test('each framing comes closer than all of the head, and sees its eyes', () => {
  const all = frameOf('shoulders', head, 22);
  expect(all).toMatchObject({ up: 0, azimuth: 0 });
  for (const framing of framings.filter((one) => one !== 'shoulders')) {
    const { up, distance } = frameOf(framing, head, 22);
    expect(distance).toBeLessThan(all.distance);
    const half = distance * Math.tan((11 * Math.PI) / 180);
    const [from, to] = [head.middle + up - half, head.middle + up + half];
    expect(from).toBeLessThan(head.eyes - 0.08); // the mouth
    expect(to).toBeGreaterThan(head.eyes + 0.05); // the brows
  }
  expect(frameOf('close', head, 22).distance).toBeLessThan(frameOf('head', head, 22).distance);
  expect(frameOf('threeQuarter', head, 22).azimuth).toBeGreaterThan(0.5);
});

test('a head without bones for its eyes is framed as well', () => {
  const { up, distance } = frameOf('head', { ...head, eyes: null }, 22);
  expect(up).toBeCloseTo(frameOf('head', head, 22).up, 1);
  expect(distance).toBeGreaterThan(0);
});
