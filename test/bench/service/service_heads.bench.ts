/**
 * Heads of the service against those of the engine alone, at the same cores: one process for everything, and 1, 2 and 4
 * workers on Redis; one worker also with a bucket (s3rver) in place of a folder. All are there all the
 * time and make so many heads in turn, round after round, so that whatever else the machine does falls on each of them; the
 * ratio is the median of those within a round. Then what a head costs Redis, the network and the store. HEADS and ROUNDS
 * for a shorter run, SYSTEMS for parts of the names of some.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { percentile } from '@likeness/proto/percentile.ts';
import { engineEnvironment, engineFlags } from '../../../main/engine_host/engine_process.ts';
import { hasRedis, startRedis, type TestRedis } from '../../support/service/redis_server.ts';
import { report } from '../limits.ts';
import { each, made, order, photo, setting } from './service_calls.ts';
import {
  benchFolder,
  load,
  processorSecondsOf,
  type ServiceNode,
  type ServiceProcess,
  shared,
  startNode,
  startWorker,
} from './service_processes.ts';

const cores = Math.min(2, availableParallelism());
const heads = setting('HEADS', 12);
const rounds = setting('ROUNDS', 7);
const folder = benchFolder();

/** One way to make heads. */
interface System {
  name: string;
  make(from: number, count: number): Promise<void>;
  /** Seconds of processor time that it has taken. */
  processorSeconds(): number;
  stop(): Promise<void>;
  node: ServiceNode | null;
  redis: TestRedis | null;
  bucket: Bucket | null;
}

function bareEngine(): System {
  const child = fork(new URL('bare_engine_process.ts', import.meta.url), [String(cores)], {
    execArgv: engineFlags,
    env: { ...process.env, ...engineEnvironment },
  });
  return {
    name: 'the engine alone',
    async make(from, count) {
      child.send({ from, count });
      await once(child, 'message');
    },
    processorSeconds: () => processorSecondsOf(child.pid!),
    stop: async () => void child.disconnect(),
    node: null,
    redis: null,
    bucket: null,
  };
}

/** All are sent at once, and waited for as a client waits. */
const makeAt =
  (node: ServiceNode) =>
  async (from: number, count: number): Promise<void> =>
    each(count, count, async (n) => made(node, await order(node, photo(from + n))));

async function oneProcess(): Promise<System> {
  const node = await startNode(join(folder, 'one'), { args: ['--cores', String(cores)] });
  return {
    name: 'one process',
    make: makeAt(node),
    processorSeconds: () => node.processorSeconds(),
    stop: () => node.stop(),
    node,
    redis: null,
    bucket: null,
  };
}

interface Bucket {
  process: ChildProcess;
  address: string;
}

async function openBucket(place: string): Promise<Bucket> {
  // Workers and node show the same to it.
  process.env.AWS_ACCESS_KEY_ID ??= 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'S3RVER';
  const child = fork(new URL('s3_process.ts', import.meta.url), [place]);
  const [address] = (await once(child, 'message')) as [string];
  return { process: child, address };
}

/** What went to and from a bucket so far. */
async function trafficOf({ process: child }: Bucket): Promise<{ calls: number; bytes: number }> {
  child.send('traffic');
  const [traffic] = (await once(child, 'message')) as [{ calls: number; bytes: number }];
  return traffic;
}

async function onRedis(workers: number, hasBucket = false): Promise<System> {
  const place = join(folder, `workers-${workers}${hasBucket ? '-s3' : ''}`);
  const store = join(place, 'store');
  mkdirSync(store, { recursive: true });
  const redis = await startRedis({ folder: join(place, 'redis') });
  const bucket = hasBucket ? await openBucket(store) : null;
  const args = shared(redis.url, bucket?.address ?? store);
  const node = await startNode(join(place, 'node'), { args });
  const all: ServiceProcess[] = [node];
  for (let n = 0; n < workers; n++) all.push(await startWorker(args, Math.max(1, cores / workers)));
  return {
    name: `Redis, ${workers} worker${workers === 1 ? '' : 's'}${hasBucket ? ', S3' : ''}`,
    make: makeAt(node),
    processorSeconds: () => all.reduce((sum, one) => sum + one.processorSeconds(), 0),
    async stop() {
      for (const one of all.toReversed()) await one.stop();
      await redis.close();
      bucket?.process.disconnect();
    },
    node,
    redis,
    bucket,
  };
}

/** What Redis has done so far. */
async function redisWork({ redis }: TestRedis): Promise<{ seconds: number; calls: number; bytes: number }> {
  const text = await redis.info('all');
  const of = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    seconds: of('used_cpu_user') + of('used_cpu_sys'),
    calls: of('total_commands_processed'),
    bytes: of('total_net_input_bytes') + of('total_net_output_bytes'),
  };
}

interface Measured {
  /** Heads a second, by round. */
  rates: number[];
  /** Seconds of processor time that a head took, by round. */
  costs: number[];
  /** Seconds from a head's order to its end, alone, by round. */
  alone: number[];
  redis: { seconds: number; calls: number; bytes: number };
  /** Of the bucket, a head. */
  store: { calls: number; bytes: number };
}

async function measure(system: System, measured: Measured, from: number): Promise<void> {
  const lone = performance.now();
  await system.make(from + heads, 1);
  measured.alone.push((performance.now() - lone) / 1000);
  const before = system.redis && (await redisWork(system.redis));
  const stored = system.bucket && (await trafficOf(system.bucket));
  const used = system.processorSeconds();
  const begin = performance.now();
  await system.make(from, heads);
  measured.rates.push((heads * 1000) / (performance.now() - begin));
  measured.costs.push((system.processorSeconds() - used) / heads);
  if (system.bucket && stored) {
    const { calls, bytes } = await trafficOf(system.bucket);
    measured.store.calls += (calls - stored.calls) / heads / rounds;
    measured.store.bytes += (bytes - stored.bytes) / heads / rounds;
  }
  if (!system.redis || !before) return;
  const after = await redisWork(system.redis);
  for (const name of ['seconds', 'calls', 'bytes'] as const)
    measured.redis[name] += (after[name] - before[name]) / heads / rounds;
}

const wanted = (process.env.SYSTEMS ?? '').split(';');
const all: (readonly [string, () => Promise<System>])[] = [
  ['the engine alone', async () => bareEngine()],
  ['one process', oneProcess],
  ...(hasRedis()
    ? ([
        ['Redis, 1 worker', () => onRedis(1)],
        ['Redis, 2 workers', () => onRedis(2)],
        ['Redis, 4 workers', () => onRedis(4)],
        ['Redis, 1 worker, S3', () => onRedis(1, true)],
      ] as const)
    : []),
];
const systems: System[] = [];
for (const [name, open] of all) if (wanted.some((part) => name.includes(part))) systems.push(await open());
const results = systems.map(
  (): Measured => ({
    rates: [],
    costs: [],
    alone: [],
    redis: { seconds: 0, calls: 0, bytes: 0 },
    store: { calls: 0, bytes: 0 },
  }),
);
let number = 0;
const numbers = (): number => (number += 1000);
// The first heads load the networks, in each worker.
for (const system of systems) await system.make(numbers(), 6);
for (let round = 0; round < rounds; round++) {
  // Another begins each round.
  for (let n = 0; n < systems.length; n++) {
    const at = (n + round) % systems.length;
    await measure(systems[at]!, results[at]!, numbers());
  }
}

console.log(`${rounds} rounds of ${heads} heads, ${cores} cores; ${load()}`);
for (const [at, { name }] of systems.entries()) {
  const { rates, costs, alone, redis, store } = results[at]!;
  console.log(
    `  ${name}: ${percentile(rates, 0.5).toFixed(2)} heads a second, ${percentile(costs, 0.5).toFixed(2)} s of processor time each; ` +
      `one alone ${percentile(alone, 0.5).toFixed(2)} s` +
      (systems[at]!.redis
        ? `; Redis: ${(redis.seconds * 1000).toFixed(1)} ms, ${redis.calls.toFixed(0)} commands, ${(redis.bytes / 1024).toFixed(0)} KB a head`
        : '') +
      (systems[at]!.bucket
        ? `; bucket: ${store.calls.toFixed(1)} requests, ${(store.bytes / 1024).toFixed(0)} KB a head`
        : ''),
  );
}
/** The median over rounds of one system's figure against another's. */
const against = (at: number, other: number, figure: 'rates' | 'costs'): number =>
  percentile(
    results[at]![figure].map((value, round) => value / results[other]![figure][round]!),
    0.5,
  );
/** Each against the one that is asked of: the service against the engine, many machines against one, a bucket against a folder. */
const baseOf = (name: string): string =>
  name === 'one process' ? 'the engine alone' : name.endsWith('S3') ? 'Redis, 1 worker' : 'one process';
for (const [at, { name }] of systems.entries()) {
  const other = systems.findIndex((one) => one.name === baseOf(name));
  if (other === -1 || other === at) continue;
  console.log(
    `  ${name} against ${systems[other]!.name}: processor time a head × ${against(at, other, 'costs').toFixed(3)}`,
  );
  report({
    name: `heads a second, ${name} against ${systems[other]!.name}`,
    value: against(at, other, 'rates'),
    unit: '×',
    limit: 0.95,
    kind: 'least',
  });
}
for (const system of systems) await system.stop();
