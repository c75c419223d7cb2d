/**
 * What the queue itself costs: 10,000 models whose head is there already, so that nothing is left of each but its order,
 * its turn, its records and its bill. Against a bare server that takes as many uploads and does nothing with them.
 * JOBS for a shorter run.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { hasRedis, startRedis } from '../../support/service/redis_server.ts';
import { report } from '../limits.ts';
import { fillDatabase } from './filled_records.ts';
import { each, made, order, photo, setting } from './service_calls.ts';
import { benchFolder, load, type ServiceNode, shared, startNode, startWorker } from './service_processes.ts';

const jobs = setting('JOBS', 10_000);
const atOnce = 16;
const folder = benchFolder();
const agent = new Agent({ connections: atOnce });
const same = photo(1);

/** Milliseconds of an order. */
async function submit(node: Pick<ServiceNode, 'url' | 'key'>, count: number): Promise<number> {
  const begin = performance.now();
  await each(count, atOnce, async () => void (await order(node, same, agent)));
  return (performance.now() - begin) / count;
}

/** Models that wait. */
async function waiting({ url, key }: ServiceNode): Promise<number> {
  const { body } = await request(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  return Number(
    /^likeness_models\{kind="head",state="queued"\} (\d+)/m.exec(await body.text())?.[1] ?? Number.NaN,
  );
}

/** Milliseconds of a model from the first that is made to the last. */
async function drained(node: ServiceNode): Promise<number> {
  const all = await waiting(node);
  if (!(all > 0)) throw new Error('nothing waits');
  let left = all;
  while (left === all) [left] = [await waiting(node), await pause(20)];
  const [begin, count] = [performance.now(), left];
  while (left > 0) [left] = [await waiting(node), await pause(20)];
  return (performance.now() - begin) / Math.max(1, count);
}

const server = fork(new URL('../queue_server.ts', import.meta.url));
const [port] = (await once(server, 'message')) as [number];
const bareServer = { url: `http://127.0.0.1:${port}`, key: 'none' };
await submit(bareServer, Math.ceil(jobs / 20));
const bare = await submit(bareServer, jobs);
server.disconnect();

function tell(name: string, taken: number, drain: number, processor: number): void {
  console.log(
    `${name}: an order ${taken.toFixed(2)} ms (a bare server ${bare.toFixed(2)} ms), ${atOnce} at once; its turn, records and bill ${drain.toFixed(2)} ms; ` +
      `of an order the service’s processor time ${processor.toFixed(2)} ms; ${load()}`,
  );
  report({
    name: `${name}: what ${jobs} queued models add, each`,
    value: taken - bare + drain,
    unit: 'ms',
    limit: 3,
    kind: 'most',
  });
}

const place = join(folder, 'one');
let node = await startNode(place);
await made(node, await order(node, same));
await submit(node, Math.ceil(jobs / 10));
let used = node.processorSeconds();
const taken = await submit(node, jobs);
let processor = ((node.processorSeconds() - used) * 1000) / jobs;
await pause(1000);
await node.stop();
fillDatabase(place, jobs, 3);
const begin = performance.now();
node = await startNode(place);
// They wait for the makers, which are loaded for the first.
while ((await waiting(node)) > 0) await pause(20);
const drain = (performance.now() - begin) / jobs;
tell('one process', taken, drain, processor);
await node.stop();

if (hasRedis()) {
  const redis = await startRedis({ folder: join(folder, 'redis') });
  const store = join(folder, 'store');
  mkdirSync(store);
  const queue = shared(redis.url, store);
  node = await startNode(join(folder, 'node'), { args: queue });
  let worker = await startWorker(queue, 2);
  await made(node, await order(node, same));
  await worker.stop();
  used = node.processorSeconds();
  const sent = await submit(node, jobs);
  processor = ((node.processorSeconds() - used) * 1000) / jobs;
  worker = await startWorker(queue, 2);
  tell('Redis, one worker', sent, await drained(node), processor);
  await worker.stop();
  await node.stop();
  await redis.close();
}
await agent.close();
