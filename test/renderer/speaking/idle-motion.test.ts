import { expect, test } from 'vitest';
import { createIdleMotion } from '../../../renderer/speaking/idle-motion.ts';

const frames = Array.from({ length: 60 * 60 }, (_, at) => 1_700_000_000 + at / 60);
/** Radians about X (down), Y and Z of what is nearly no turn at all. */
const turns = (seed: number): number[][] => {
  const idle = createIdleMotion(seed);
  return frames.map((seconds) =>
    idle
      .at(seconds)
      .rotation.slice(0, 3)
      .map((part) => 2 * part),
  );
};
const range = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
const degree = Math.PI / 180;

test('a head that nobody drives sways and nods a little, without a jump', () => {
  const all = turns(1);
  for (const [axis, min] of [
    [0, 1],
    [1, 2],
    [2, 1],
  ] as const) {
    const angles = all.map((turn) => turn[axis]!);
    expect(range(angles)).toBeGreaterThan(min * degree);
    expect(range(angles)).toBeLessThan(8 * degree);
    const steps = angles.slice(1).map((angle, at) => Math.abs(angle - angles[at]!));
    expect(Math.max(...steps)).toBeLessThan(0.15 * degree);
  }
});

test('it breathes 14 times a minute and blinks about as often', () => {
  const idle = createIdleMotion(1);
  const lids = frames.map((seconds) => {
    const { channelNames, weights } = idle.at(seconds);
    return weights[channelNames.indexOf('eyeBlinkLeft')]!;
  });
  const blinks = lids.filter((lid, at) => lid > 0.9 && (lids[at - 1] ?? 0) <= 0.9).length;
  expect(blinks).toBeGreaterThanOrEqual(12);
  expect(blinks).toBeLessThanOrEqual(22);
  const heights = frames.map((seconds) => idle.at(seconds).translation[1]);
  expect(range(heights)).toBeGreaterThan(0.002);
  expect(range(heights)).toBeLessThan(0.006);
});

test('the same seed idles alike, another one differently', () => {
  expect(turns(1).slice(0, 200)).toEqual(turns(1).slice(0, 200));
  expect(turns(1).slice(0, 200)).not.toEqual(turns(2).slice(0, 200));
});
