import { expect, test } from 'vitest';
import { YieldingResolution } from '../../../renderer/speaking/yielding-resolution.ts';

const frameMs = 1000 / 60;

/** So many seconds of frames, each drawn in so many milliseconds and so large a share of them in time. */
function run(resolution: YieldingResolution, seconds: number, milliseconds: number, share: number): number {
  let drawn = 0;
  for (let frame = 1; frame <= seconds * 60; frame++) {
    const inTime = Math.floor(frame * share) > drawn;
    if (inTime) {
      drawn += 1;
      resolution.took(milliseconds);
    }
    resolution.frame(inTime, frameMs);
  }
  return resolution.now;
}

test('pixels yield while frames are late, down to a limit, and stay where frames are in time', () => {
  const resolution = new YieldingResolution();
  expect(resolution.now).toBe(1);
  expect(run(resolution, 2, 25, 0.6)).toBe(0.8);
  expect(run(resolution, 20, 25, 0.6)).toBe(0.6);
  // In time, but only just: no room for more pixels.
  expect(run(resolution, 5, 14, 1)).toBe(0.6);
});

test('pixels come back where there is room, and what was too many once is not tried again', () => {
  const resolution = new YieldingResolution();
  run(resolution, 3, 25, 0.6);
  expect(resolution.now).toBe(0.7);
  expect(run(resolution, 1, 6, 1)).toBe(0.8);
  expect(run(resolution, 1, 25, 0.6)).toBe(0.7);
  expect(run(resolution, 10, 6, 1)).toBe(0.7);
});

test('where the person wants it low or high it stays so, whatever the frames do', () => {
  for (const [quality, wanted] of [
    ['low', 0.6],
    ['high', 1],
  ] as const) {
    const resolution = new YieldingResolution(quality);
    expect(resolution.now).toBe(wanted);
    expect(run(resolution, 10, 12, 0.5)).toBe(wanted);
    expect(run(resolution, 10, 2, 1)).toBe(wanted);
  }
});
