import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { modelState } from '@likeness/engine/models/model_record.ts';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import type { TestRedis } from '../../../../test/support/service/redis_server.ts';
import type { ShownKey } from '../../src/keys/key_administration.ts';
import { openMachines, type TestWorker } from '../many_machines.ts';
import {
  call,
  groupA,
  groupB,
  type ModelEnvelope,
  picture,
  startTestService,
  type TestService,
} from '../service_harness.ts';
import { registerWebhook, startReceiver } from '../webhook_receiver.ts';
import { fakeHead } from './fake_head.ts';

export interface CrashOptions {
  /** For the store. */
  folder: string;
  redis: TestRedis;
  jobs: number;
  kills: number;
  workers: number;
  /** What the moments and the victims are drawn from. */
  seed: number;
}

/** An order as it was sent. */
interface Sent {
  key: ShownKey;
  photos: readonly Buffer[];
}

/** Every fourth order has further photos. */
const photosOf = (number: number): Promise<Buffer[]> =>
  Promise.all(Array.from({ length: number % 4 === 0 ? 3 : 1 }, (_, at) => picture(4 * number + at)));

/**
 * Workers make so many models of two tenants while so many of them are killed, each at a drawn moment; a new one comes
 * for each. Orders go to a node as any client sends them, one or several photos a person, and a webhook whose receiver
 * fails now and then is told of each. @returns What did not hold, in words, and how long it took.
 */
export async function crashWorkers({
  folder,
  redis,
  jobs: wanted,
  kills,
  workers: workerCount,
  seed,
}: CrashOptions): Promise<{ kills: number; faults: string[]; seconds: number; remade: number }> {
  const begin = performance.now();
  const draw = seededRandom(seed);
  const machines = await openMachines(folder, redis.url);
  const receiver = await startReceiver((count) => (count % 5 === 0 ? 503 : 200));
  const node = await startTestService({
    more: {
      shared: { queue: redis.url, store: machines.storeFolder },
      webhooks: { allowed: ['127.0.0.1'], keyFile: null, backoff: { first: 50, longest: 500 } },
    },
  });
  const keys = [await node.key('ann'), await node.key('bob')] as const;
  for (const key of keys) await registerWebhook(node, key, receiver.url);
  const env = { TEST_MILLISECONDS: '150' };
  const workers: TestWorker[] = Array.from({ length: workerCount }, () => machines.startWorker({ env }));
  const orders = new Map<string, Sent>();
  let killed = 0;
  /** Orders come as fast as workers die, so that there is always one to be hit. */
  const submitUpTo = async (count: number): Promise<void> => {
    while (orders.size < Math.min(wanted, count)) {
      const key = keys[orders.size % 3 === 0 ? 1 : 0];
      const photos = await photosOf(orders.size);
      orders.set(await send(node, key, photos, String(orders.size)), { key, photos });
    }
  };
  await submitUpTo(4 * workerCount);
  while (killed < kills) {
    const place = Math.floor(draw() * workers.length);
    const victim = workers[place]!;
    while (!victim.output().includes('takes heads')) await setTimeout(5);
    await setTimeout(draw() * 400);
    await victim.kill('SIGKILL');
    killed += 1;
    workers[place] = machines.startWorker({ env });
    await submitUpTo(4 * workerCount + Math.ceil((killed / kills) * wanted));
  }
  await submitUpTo(wanted);
  const faults: string[] = [];
  const deadline = performance.now() + 120_000;
  const isOver = async (): Promise<boolean> =>
    (await machines.jobs.completions(null, 2 * wanted)).length >= wanted &&
    receiver.told().size >= wanted &&
    (await modelsUsed(node, keys)) >= wanted;
  while (!(await isOver())) {
    if (performance.now() > deadline) {
      faults.push('some were not finished, told of and counted within two minutes of the last kill');
      break;
    }
    await setTimeout(200);
  }
  let remade = 0;
  for (const [id, { key, photos }] of orders) {
    const model = await machines.jobs.find(id, key.key.tenant);
    if (model?.state !== modelState.success) {
      faults.push(`${id} is lost: ${model ? `state ${model.state}, ${model.failure?.en}` : 'no record'}`);
      continue;
    }
    if (model.attempts > 1) remade += 1;
    const result = await machines.jobs.result(model.file);
    const bytes =
      result && Buffer.concat(await (await result.open({ first: 0, last: result.bytes - 1 })).toArray());
    if (!bytes?.equals(fakeHead(photos))) faults.push(`${id} has another's head, or none`);
    const messages = receiver.told().get(id);
    if (messages?.size !== 1) faults.push(`${id} was told of by ${messages?.size ?? 0} messages`);
  }
  const bills = await machines.jobs.completions(null, 2 * wanted);
  const billed = new Set(bills.map(({ id }) => id));
  if (bills.length !== billed.size) faults.push(`${bills.length - billed.size} are billed twice`);
  if (billed.size !== wanted) faults.push(`${billed.size} of ${wanted} are billed`);
  const used = await modelsUsed(node, keys);
  if (used !== wanted) faults.push(`usage has ${used} of ${wanted} models`);
  if (receiver.told().size !== wanted) faults.push(`${receiver.told().size} of ${wanted} were told of`);
  await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
  faults.push(...(await leftFiles(machines.storeFolder, wanted, redis, () => machines.jobs.sweep())));
  const load = await machines.jobs.load();
  if (load.queued !== 0 || load.running !== 0)
    faults.push(`the queue says ${JSON.stringify(load)} at its end`);
  await node[Symbol.asyncDispose]();
  await receiver.close();
  await machines.close();
  return { kills: killed, faults, seconds: (performance.now() - begin) / 1000, remade };
}

/** B1. @returns the model's id */
async function send(
  node: TestService,
  key: ShownKey,
  [photo, ...others]: readonly Buffer[],
  idempotencyKey: string,
): Promise<string> {
  const body = new FormData();
  body.append('sex', '1');
  const file = (bytes: Buffer): Blob => new Blob([new Uint8Array(bytes)]);
  body.append('file', file(photo!), 'photo.png');
  for (const other of others) body.append('files', file(other), 'other.png');
  const headers = { ...groupB(key), 'idempotency-key': idempotencyKey };
  const response = await fetch(`${node.url}/open-api/svc/sdk/model/generate`, {
    method: 'POST',
    headers,
    body,
  });
  const { code, data, message } = (await response.json()) as ModelEnvelope & { message: string };
  if (code !== 200) throw new Error(`an order was refused: ${message}`);
  return data.modelId;
}

/** Models of these keys by the sums of all nodes. */
async function modelsUsed(node: TestService, keys: readonly ShownKey[]): Promise<number> {
  const each = keys.map((key) =>
    call<{ keys: { models: number }[] }>(node, '/v1/usage', { headers: groupA(key) }),
  );
  return (await Promise.all(each)).reduce((sum, { body }) => sum + (body.keys[0]?.models ?? 0), 0);
}

/** One file a head, and nothing else once a sweep has taken what the dead left. */
async function leftFiles(
  folder: string,
  wanted: number,
  { redis }: TestRedis,
  sweep: () => Promise<void>,
): Promise<string[]> {
  const list = (part: string): string[] =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  const old = Date.now() / 1000 - 7200;
  for (const path of [...list('photos'), ...list('results')]) utimesSync(path, old, old);
  await redis.del('{likeness}:orphans');
  await sweep();
  const [results, photos] = [list('results').length, list('photos').length];
  return [
    ...(results === wanted ? [] : [`${results} files of ${wanted} heads`]),
    ...(photos === 0 ? [] : [`${photos} photos are left`]),
  ];
}
