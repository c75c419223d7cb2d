import { expect, it } from 'vitest';
import { BlockReasons } from '../../../main/batch/schedule/block_reasons.ts';

it('keeps its reason while the next try is under way, and drops it when the try goes through', () => {
  let now = 0;
  const blockReasons = new BlockReasons({ clock: { elapsed: () => now } }, () => {});
  const trying = () => true;
  const resting = () => false;
  blockReasons.block('p1', { reason: 'HTTP 500', code: 'upstream_broken', needsPerson: false, pause: 4000 });
  expect(blockReasons.first(resting)?.reason).toBe('HTTP 500');
  now = 5000;
  expect(blockReasons.first(trying)?.reason).toBe('HTTP 500');
  // Its photos were cancelled: nothing is tried any more.
  expect(blockReasons.first(resting)).toBeNull();
  blockReasons.wentThrough('p1', 'order');
  expect(blockReasons.first(trying)).toBeNull();
});
