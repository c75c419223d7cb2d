/**
 * How far `waitTime` is from the truth, once warm: bursts of heads at a service of one process, and at one with a worker
 * on Redis; each wait is asked for when the order is taken, and compared with when the head was there. Waits of at least
 * 3 s are told apart, since the interface has whole seconds. HEADS and BURSTS for a shorter run.
 */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '@likeness/proto/percentile.ts';
import { hasRedis, startRedis } from '../../support/service/redis_server.ts';
import { report } from '../limits.ts';
import { each, get, made, order, photo, setting } from './service_calls.ts';
import { benchFolder, load, type ServiceNode, shared, startNode, startWorker } from './service_processes.ts';

const cores = Math.min(2, availableParallelism());
const heads = setting('HEADS', 12);
const bursts = setting('BURSTS', 4);
const folder = benchFolder();
let number = 0;

/** Orders one and waits for it. @returns seconds that were told, and that it took from then on */
async function waited(node: ServiceNode): Promise<{ told: number; took: number }> {
  const id = await order(node, photo(number++));
  const asked = performance.now();
  const told = Number((await get(node, id)).waitTime);
  await made(node, id);
  return { told, took: (performance.now() - asked) / 1000 };
}

async function measure(name: string, node: ServiceNode): Promise<void> {
  // What the waits are told by is measured first.
  await each(heads, heads, async () => void (await waited(node)));
  const waits: { told: number; took: number }[] = [];
  for (let burst = 0; burst < bursts; burst++) {
    const count = Math.max(1, Math.round((heads * (burst + 1)) / bursts));
    await each(count, count, async () => void waits.push(await waited(node)));
    await pause(200);
  }
  const errorsOf = (some: typeof waits): number[] =>
    some.map(({ told, took }) => Math.abs(told - took) / took);
  const long = waits.filter(({ took }) => took >= 3);
  console.log(
    `  ${name}: ${waits.length} waits, median error ${(percentile(errorsOf(waits), 0.5) * 100).toFixed(0)} %; ` +
      `${long.length} of at least 3 s, ${(percentile(errorsOf(long), 0.5) * 100).toFixed(0)} %`,
  );
  report({
    name: `median error of waitTime, ${name}`,
    value: percentile(errorsOf(waits), 0.5) * 100,
    unit: '%',
    limit: 25,
    kind: 'most',
  });
}

console.log(`${bursts} bursts of up to ${heads} heads, ${cores} cores; ${load()}`);
const one = await startNode(join(folder, 'one'), { args: ['--cores', String(cores)] });
await measure('one process', one);
await one.stop();
if (hasRedis()) {
  const store = join(folder, 'store');
  mkdirSync(store, { recursive: true });
  const redis = await startRedis({ folder: join(folder, 'redis') });
  const args = shared(redis.url, store);
  const node = await startNode(join(folder, 'node'), { args });
  const worker = await startWorker(args, cores);
  await measure('a worker on Redis', node);
  await worker.stop();
  await node.stop();
  await redis.close();
}
