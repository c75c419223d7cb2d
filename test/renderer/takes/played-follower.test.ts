/** When what is sent is told where the player is: at once where it goes elsewhere, seldom while it plays on. */
import { expect, test } from 'vitest';
import { PlayedFollower } from '../../../renderer/takes/played-follower.ts';

/** Places of a player, sixty a second: true where each was told. */
function told(seconds: readonly number[], speeds: number | readonly number[] = 1): boolean[] {
  const follower = new PlayedFollower();
  return seconds.map((at, index) =>
    follower.isAway(
      { seconds: at, speed: typeof speeds === 'number' ? speeds : speeds[index]! },
      (index * 1000) / 60,
    ),
  );
}

const evenly = (from: number, count: number, speed = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + (index / 60) * speed);

test('while it plays evenly it is told at the beginning, and every two seconds', () => {
  expect(told(evenly(1, 300)).filter(Boolean)).toHaveLength(3);
  expect(told(evenly(1, 300, 0.5), 0.5).filter(Boolean)).toHaveLength(3);
});

test('where it stands it is told once', () => {
  expect(told(Array(600).fill(2), 0).filter(Boolean)).toHaveLength(1);
});

test('a jump, a loop, a pause and another speed are told in the frame that shows them', () => {
  const jump = told([...evenly(1, 30), ...evenly(5, 30)]);
  expect(jump[30]).toBe(true);
  expect(told([...evenly(3, 30), ...evenly(0, 30)])[30]).toBe(true);
  const speeds = [...Array(30).fill(1), ...Array(30).fill(0)];
  const pause = told([...evenly(1, 30), ...Array(30).fill(1.5)], speeds);
  expect([pause[30], pause.filter(Boolean).length]).toEqual([true, 2]);
});

test('one that is scrubbed is told at most twenty times per second', () => {
  const scrubbed = told(
    Array.from({ length: 120 }, (_, index) => Math.abs(Math.sin(index / 5)) * 8),
    0,
  );
  expect(scrubbed.filter(Boolean).length).toBeGreaterThan(25);
  expect(scrubbed.filter(Boolean).length).toBeLessThanOrEqual(41);
});
