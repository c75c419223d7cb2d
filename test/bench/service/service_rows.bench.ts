/**
 * A queue with a history: what an order (B1) and a question (B2) take with a million models in the records, one after
 * another, against the same with none. The photo is one whose head is there, so that no maker is at work beside them.
 * ROWS, CALLS for a shorter run.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { percentile } from '@likeness/proto/percentile.ts';
import { hasRedis, startRedis } from '../../support/service/redis_server.ts';
import { report } from '../limits.ts';
import { fillDatabase, fillRedis, fillResults } from './filled_records.ts';
import { get, made, order, photo, setting } from './service_calls.ts';
import { benchFolder, load, type ServiceNode, shared, startNode, startWorker } from './service_processes.ts';

const rows = setting('ROWS', 1_000_000);
/** As many heads as the 64 GB hold that one machine keeps, each of 3 MB. */
const results = Math.min(20_000, Math.round(rows / 10));
const calls = setting('CALLS', 1000);
const folder = benchFolder();
const same = photo(1);

interface Times {
  submit: number;
  get: number;
  /** The middle ones. */
  middle: [submit: number, get: number];
}

/** P95 of each call, milliseconds. */
async function measure(node: ServiceNode, ids: readonly string[]): Promise<Times> {
  const timed = async (work: (n: number) => Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    for (let n = -50; n < calls; n++) {
      const begin = performance.now();
      await work(Math.abs(n));
      if (n >= 0) times.push(performance.now() - begin);
    }
    return times;
  };
  const submits = await timed(() => order(node, same));
  const gets = await timed((n) => get(node, ids[(n * 7919) % ids.length]!));
  return {
    submit: percentile(submits, 0.95),
    get: percentile(gets, 0.95),
    middle: [percentile(submits, 0.5), percentile(gets, 0.5)],
  };
}

function tell(name: string, few: Times, many: Times, start: number): void {
  console.log(
    `${name}: with ${rows} models started in ${start.toFixed(1)} s; submit P95 ${few.submit.toFixed(1)} → ${many.submit.toFixed(1)} ms, ` +
      `get P95 ${few.get.toFixed(1)} → ${many.get.toFixed(1)} ms; ` +
      `P50 ${few.middle.map((one) => one.toFixed(1)).join(', ')} → ${many.middle.map((one) => one.toFixed(1)).join(', ')} ms; ${load()}`,
  );
  for (const call of ['submit', 'get'] as const)
    report({
      name: `${name}: ${call} with ${rows} models in the records, P95`,
      value: many[call],
      unit: 'ms',
      limit: 10,
      kind: 'most',
    });
}

const place = join(folder, 'one');
let node = await startNode(place);
const first = await order(node, same);
await made(node, first);
let few = await measure(node, [first]);
await node.stop();
const ids = fillDatabase(place, rows, 1);
fillResults(place, results);
let begin = performance.now();
node = await startNode(place);
await get(node, first);
let start = (performance.now() - begin) / 1000;
tell('one process', few, await measure(node, ids), start);
// A new head in a long table of results.
begin = performance.now();
await made(node, await order(node, photo(2)));
console.log(
  `  a head with ${results} others in the store: ${((performance.now() - begin) / 1000).toFixed(2)} s`,
);
await node.stop();

if (hasRedis()) {
  const redis = await startRedis({ folder: join(folder, 'redis') });
  const store = join(folder, 'store');
  mkdirSync(store);
  const queue = shared(redis.url, store);
  node = await startNode(join(folder, 'node'), { args: queue });
  const worker = await startWorker(queue, 1);
  const one = await order(node, same);
  await made(node, one);
  few = await measure(node, [one]);
  const memory = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await redis.redis.info('memory'))?.[1] ?? 0);
  const before = await memory();
  const many = await fillRedis(redis.redis, rows);
  console.log(`  a model in Redis: ${((await memory()) - before) / rows} bytes`);
  await node.stop();
  begin = performance.now();
  node = await startNode(join(folder, 'node'), { args: queue });
  start = (performance.now() - begin) / 1000;
  tell('Redis', few, await measure(node, many), start);
  await worker.stop();
  await node.stop();
  await redis.close();
}
