/**
 * `npm run soak -- service [-- kills] [jobs] [seed]`: workers of a Redis queue make 500 models while 200 of
 * them are killed at random times. The orders have one or several photos, and a webhook receives the results.
 *
 * Reports models that were lost, billed twice, duplicated, delivered twice or never, or left behind. Needs
 * redis-server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashWorkers } from '../../packages/service/test/worker/crash_workers.ts';
import { hasRedis, startRedis } from '../../test/support/service/redis_server.ts';

const [kills = 200, jobs = 500, seed = 1000] = process.argv.slice(2).map(Number);
if (!hasRedis()) process.exit(2);
const folder = mkdtempSync(join(tmpdir(), 'likeness-crash-'));
const redis = await startRedis({ folder: join(folder, 'redis') });
try {
  const { faults, seconds, remade, ...done } = await crashWorkers({
    folder,
    redis,
    jobs,
    kills,
    workers: 4,
    seed,
  });
  for (const fault of faults) console.log(`✗ ${fault}`);
  console.log(
    `${done.kills} workers killed in a run of ${jobs} models, ${Math.round(seconds)} s; ${remade} models were begun more than once; ${faults.length} faults`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await redis.close();
  rmSync(folder, { recursive: true, force: true });
}
