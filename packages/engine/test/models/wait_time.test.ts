import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { percentile } from '@likeness/proto/percentile.ts';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { expect, it, vi } from 'vitest';
import { plainOrder } from '../../../../test/support/model_order.ts';
import { temporaryFolder } from '../../../../test/support/service/engine_harness.ts';
import { takeEngineFolder } from '../../src/engine_folder.ts';
import { defaultLimits } from '../../src/http/limits.ts';
import type { HeadMaker } from '../../src/models/head_maker.ts';
import { ModelQueue } from '../../src/models/model_queue.ts';

/** A queue whose makers take as long as they are told, by a clock that goes on when they do. */
function simulatedQueue(places: number, secondsOf: () => number) {
  const place = temporaryFolder();
  let now = 1_000_000;
  const folder = takeEngineFolder(place.path, () => now);
  const making: { endsAt: number; end: () => void }[] = [];
  const maker: HeadMaker = {
    version: '1',
    parallel: places,
    makeHead: ({ photo }) =>
      new Promise((resolve) => {
        const glb = Buffer.concat([Buffer.from('glTF'), photo]);
        making.push({ endsAt: now + Math.round(secondsOf() * 1000), end: () => resolve({ glb }) });
      }),
    photos: {} as HeadMaker['photos'],
    explain: () => null,
    close: async () => {},
  };
  const queue = new ModelQueue({
    folder,
    loadHeadMaker: async () => maker,
    limits: defaultLimits,
    clock: () => now,
    onLoad: () => {},
    log: () => {},
  });
  const endedAt = new Map<string, number>();
  queue.watch(({ id, state }) => void (state === 1 && endedAt.set(id, now)));
  /** All that could begin has begun. */
  const settled = () =>
    vi.waitFor(
      async () => {
        const { queued, running } = await queue.load();
        expect(making).toHaveLength(running);
        expect(queued === 0 || running === places).toBe(true);
      },
      { interval: 1, timeout: 5000 },
    );
  return {
    endedAt,
    get seconds() {
      return now / 1000;
    },
    async submit(photo: string, owner: string, priority: -1 | 0 | 1 = 0) {
      const path = join(folder.incoming, photo);
      writeFileSync(path, photo);
      const sha256 = createHash('sha256').update(photo).digest('hex');
      const ordered = await queue.submit({ path, sha256 }, { ...plainOrder, owner, priority });
      await settled();
      return ordered;
    },
    /** The clock goes on to a time; what ends until then ends at its own. */
    async goTo(milliseconds: number) {
      for (;;) {
        making.sort((a, b) => a.endsAt - b.endsAt);
        const first = making[0];
        if (!first || first.endsAt > milliseconds) break;
        making.shift();
        now = first.endsAt;
        const before = endedAt.size;
        first.end();
        await vi.waitFor(() => expect(endedAt.size).toBe(before + 1), { interval: 1, timeout: 5000 });
        await settled();
      }
      now = milliseconds;
    },
    get now() {
      return now;
    },
    async close() {
      await queue.close();
      await folder.release();
      place.remove();
    },
  };
}

it.each([1, 4])('a wait told with %i places is off by a quarter at most, on the median', async (places) => {
  const random = seededRandom(7 + places);
  // Some 20 s, a few much longer, as heads of very different photos take.
  const secondsOf = (): number => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return 20 * Math.exp(0.4 * normal);
  };
  const simulated = simulatedQueue(places, secondsOf);
  const told: { id: string; at: number; seconds: number }[] = [];
  const owners = ['ann', 'bob', 'cy'];
  for (let burst = 0; burst < 14; burst++) {
    // One owner's many, or somebody's few; now and then before the empty queue, now and then behind a long one.
    const owner = owners[Math.floor(random() * owners.length)]!;
    const count = 1 + Math.floor(random() * 3 * places);
    for (let i = 0; i < count; i++) {
      const { id, waitTime } = await simulated.submit(`${burst}-${i}`, owner, random() < 0.1 ? 1 : 0);
      // The first are what the rest is measured by.
      if (burst >= 3) told.push({ id, at: simulated.now, seconds: waitTime });
    }
    await simulated.goTo(simulated.now + Math.round(random() * 2 * 20_000 * (count / places)));
  }
  await simulated.goTo(simulated.now + 10_000_000);
  const errors = told.map(({ id, at, seconds }) => {
    const took = (simulated.endedAt.get(id)! - at) / 1000;
    return Math.abs(seconds - took) / took;
  });
  expect(errors.length).toBeGreaterThan(15);
  console.log(
    `median error with ${places} places: ${(percentile(errors, 0.5) * 100).toFixed(0)} % of ${errors.length}`,
  );
  expect(percentile(errors, 0.5)).toBeLessThanOrEqual(0.25);
  await simulated.close();
});
