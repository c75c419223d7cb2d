import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { modelState } from '../../../../main/engine/models/model_record.ts';
import { openMachines, type TestWorker } from '../many_machines.ts';
import type { TestRedis } from '../redis_server.ts';

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

/** A generator of Park and Miller: the same seed, the same deaths. @returns 0..1 */
function drawFrom(seed: number): () => number {
  let state = (seed % 2147483646) + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/**
 * Workers make so many models of two owners while so many of them are killed, each at a drawn moment; a new one comes
 * for each. @returns What did not hold, in words, and how long it took.
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
  const draw = drawFrom(seed);
  const machines = await openMachines(folder, redis.url);
  const env = { TEST_MILLISECONDS: '150' };
  const workers: TestWorker[] = Array.from({ length: workerCount }, () => machines.startWorker({ env }));
  const orders = new Map<string, { photo: string; owner: string }>();
  let killed = 0;
  /** Orders come as fast as workers die, so that there is always one to be hit. */
  const submitUpTo = async (count: number): Promise<void> => {
    while (orders.size < Math.min(wanted, count)) {
      const owner = orders.size % 3 === 0 ? 'bob' : 'ann';
      const photo = `photo ${orders.size}`;
      orders.set(await machines.submit(photo, { owner, idempotencyKey: photo }), { photo, owner });
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
  while ((await machines.jobs.completions(null, 2 * wanted)).length < wanted) {
    if (performance.now() > deadline) {
      faults.push('some were not finished within two minutes of the last kill');
      break;
    }
    await setTimeout(200);
  }
  let remade = 0;
  for (const [id, { photo, owner }] of orders) {
    const model = await machines.jobs.find(id, owner);
    if (model?.state !== modelState.success) {
      faults.push(`${photo} is lost: ${model ? `state ${model.state}, ${model.failure?.en}` : 'no record'}`);
      continue;
    }
    if (model.attempts > 1) remade += 1;
    const result = await machines.jobs.result(model.file);
    const bytes =
      result && Buffer.concat(await (await result.open({ first: 0, last: result.bytes - 1 })).toArray());
    if (bytes?.toString() !== `glTF ${photo}`) faults.push(`${photo} has another's head, or none`);
  }
  const bills = await machines.jobs.completions(null, 2 * wanted);
  const billed = new Set(bills.map(({ id }) => id));
  if (bills.length !== billed.size) faults.push(`${bills.length - billed.size} are billed twice`);
  if (billed.size !== wanted) faults.push(`${billed.size} of ${wanted} are billed`);
  await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
  faults.push(...(await leftFiles(machines.storeFolder, wanted, redis, () => machines.jobs.sweep())));
  const load = await machines.jobs.load();
  if (load.queued !== 0 || load.running !== 0)
    faults.push(`the queue says ${JSON.stringify(load)} at its end`);
  await machines.close();
  return { kills: killed, faults, seconds: (performance.now() - begin) / 1000, remade };
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
