import { describe, expect, it } from 'vitest';
import { crashBatch } from './crash_points.ts';

const points = 10;

/** Twenty seeded points in all; `node scripts/crash/batch.ts` has two hundred and more. */
describe.each([
  { keys: false, firstSeed: 11 },
  { keys: true, firstSeed: 21 },
])('a batch of 40 photos that is killed at any moment, keys announced: $keys', ({ keys, firstSeed }) => {
  it(`comes to its end ${points} times, nothing ordered twice, nothing left over`, async () => {
    let killed = 0;
    for (let seed = firstSeed; killed < points; seed += 1) {
      const { kills, faults } = await crashBatch(seed, 5, keys);
      expect(faults, `seed ${seed}`).toEqual([]);
      killed += kills;
    }
  }, 180_000);
});
