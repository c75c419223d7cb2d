import { expect, it } from 'vitest';
import { Obstacles } from '../../../main/batch/schedule/obstacles.ts';

it('keeps its reason while the next try is under way, and drops it when the try goes through', () => {
  let now = 0;
  const obstacles = new Obstacles({ clock: { elapsed: () => now } }, () => {});
  const trying = () => true;
  const resting = () => false;
  obstacles.hold('p1', { reason: 'HTTP 500', code: 'upstream_broken', needsPerson: false, pause: 4000 });
  expect(obstacles.first(resting)?.reason).toBe('HTTP 500');
  now = 5000;
  expect(obstacles.first(trying)?.reason).toBe('HTTP 500');
  // Its photos were cancelled: nothing is tried any more.
  expect(obstacles.first(resting)).toBeNull();
  obstacles.wentThrough('p1', 'order');
  expect(obstacles.first(trying)).toBeNull();
});
