/**
 * How long a head takes with every worker busy, the first one after a cold start, and how much memory it all
 * needs. On portraits of nobody; LIKENESS_PORTRAITS may name a folder of photos to use instead.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createPortraitEngine, PortraitError } from '@likeness/portrait';
import { percentile } from '@likeness/proto/percentile.ts';
import { engineEnvironment, engineFlags } from '../../main/engine_host/engine_process.ts';
import { portraits } from './drawn_portraits.ts';
import { report } from './limits.ts';

// As the studio starts the engine: what it says to the allocator and to V8 must be there before the process
// is.
if (Object.entries(engineEnvironment).some(([name, value]) => process.env[name] !== value)) {
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, ...engineFlags, import.meta.filename],
    { stdio: 'inherit', env: { ...process.env, ...engineEnvironment } },
  );
  process.exit(status ?? 1);
}

const photos = portraits(24);
const workerUrl = new URL('../../out/main/portrait-worker.js', import.meta.url);

/** Runs all photos through an engine. */
async function measure(workers: number): Promise<{
  cold: number;
  times: number[];
  sizes: number[];
  wall: number;
  peak: number;
}> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 25);
  const engine = createPortraitEngine({ workers, workerUrl });
  const times: number[] = [];
  const sizes: number[] = [];
  const make = async (photo: Uint8Array): Promise<number> => {
    const begin = performance.now();
    try {
      sizes.push((await engine.head({ photo, sex: 'female' })).glb.byteLength);
      times.push(performance.now() - begin);
    } catch (error) {
      if (!(error instanceof PortraitError)) throw error;
    }
    return performance.now() - begin;
  };
  const cold = await make(photos[0]!);
  times.length = 0;
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < photos.length) await make(photos[next++]!);
    }),
  );
  const wall = performance.now() - start;
  clearInterval(watch);
  await engine.close();
  return { cold, times, sizes, wall, peak };
}

const workers = Math.max(1, availableParallelism() - 1);
const { cold, times, sizes, wall } = await measure(workers);
report({ name: 'first head after a cold start', value: cold / 1000, unit: 's', limit: 4, kind: 'most' });
report({ name: 'a head, median', value: percentile(times, 0.5) / 1000, unit: 's', limit: 2, kind: 'most' });
report({
  name: 'a head, 95th percentile',
  value: percentile(times, 0.95) / 1000,
  unit: 's',
  limit: 4,
  kind: 'most',
});
report({
  name: `heads a minute, workers: ${workers}`,
  value: (60_000 * times.length) / wall,
  unit: '',
  limit: 20,
  kind: 'least',
});
report({
  name: 'a head’s file, largest',
  value: Math.max(...sizes) / 1e6,
  unit: 'MB',
  limit: 3,
  kind: 'most',
});
const { peak } = await measure(2);
report({
  name: 'memory of the whole process with two workers, peak',
  value: peak / 1e6,
  unit: 'MB',
  limit: 500,
  kind: 'most',
});
