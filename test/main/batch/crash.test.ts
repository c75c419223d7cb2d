import { describe, expect, it } from 'vitest';
import { sized } from '../../support/sizes.ts';
import { crashBatch } from './crash_points.ts';

const points = sized(2, 10);

/**
 * The first seeds kill at all kinds of points: after a time, at each moment of a submit, in a download, at a question.
 * `npm run soak -- batch` has two hundred points and more.
 */
describe.each([
  { keys: false, firstSeed: 168 },
  { keys: true, firstSeed: 2692 },
])('a batch of 40 photos that is killed at any moment, keys announced: $keys', ({ keys, firstSeed }) => {
  it(`comes to its end ${points} times, nothing ordered twice, nothing left over`, async () => {
    let killed = 0;
    for (let seed = firstSeed; killed < points; seed += 1) {
      const { kills, faults } = await crashBatch(seed, sized(3, 5), keys);
      expect(faults, `seed ${seed}`).toEqual([]);
      killed += kills;
    }
  }, 180_000);
});
