import { expect, test } from 'vitest';
import { YieldingResolution } from '../../../renderer/speaking/software/yielding-resolution.ts';

const frameMs = 1000 / 60;

/**
 * So many drawings, each of which takes so many milliseconds, by turns. @returns pixels to one of the page, a
 * side
 */
function draw(resolution: YieldingResolution, drawings: number, ...milliseconds: number[]): number {
  for (let k = 0; k < drawings; k++) resolution.took(milliseconds[k % milliseconds.length]!, frameMs);
  return resolution.now;
}

test('pixels yield before frames are late, within a third of a second a step, down to a limit', () => {
  const resolution = new YieldingResolution();
  expect(resolution.now).toBe(1);
  // In time, but there is no room for anything else.
  expect(draw(resolution, 20, 13)).toBe(0.9);
  expect(draw(resolution, 20, 13)).toBe(0.8);
  expect(draw(resolution, 200, 25)).toBe(0.5);
  // Neither too long nor quick: it stays.
  expect(draw(resolution, 300, 9)).toBe(0.5);
});

test('one drawing in three that had to wait for a core is no reason for fewer pixels', () => {
  const resolution = new YieldingResolution();
  expect(draw(resolution, 120, 6, 6, 40)).toBe(1);
});

test('pixels come back where there is room, and what was too many once is not tried again', () => {
  const resolution = new YieldingResolution();
  draw(resolution, 60, 25);
  expect(resolution.now).toBe(0.7);
  expect(draw(resolution, 60, 5)).toBe(0.8);
  expect(draw(resolution, 20, 25)).toBe(0.7);
  expect(draw(resolution, 600, 5)).toBe(0.7);
});

test('where the person wants it low or high it stays so, whatever the frames do', () => {
  for (const [quality, wanted] of [
    ['low', 0.5],
    ['high', 1],
  ] as const) {
    const resolution = new YieldingResolution(quality);
    expect(resolution.now).toBe(wanted);
    expect(draw(resolution, 100, 25)).toBe(wanted);
    expect(draw(resolution, 100, 2)).toBe(wanted);
  }
});
