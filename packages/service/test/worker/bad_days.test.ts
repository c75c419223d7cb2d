import { once } from 'node:events';
import { mkdtempSync, renameSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/support/service/engine_harness.ts';
import { hasRedis, startRedis, type TestRedis } from '../../../../test/support/service/redis_server.ts';
import { startS3 } from '../../../../test/support/service/s3_server.ts';
import { sized } from '../../../../test/support/sizes.ts';
import { smallDisk } from '../../../../test/support/small_disk.ts';
import { modelKey } from '../../src/queue/queue_records.ts';
import { type ManyMachines, openMachines } from '../many_machines.ts';
import { crashWorkers } from './crash_workers.ts';

const within = { timeout: 40_000, interval: 20 };

describe.skipIf(!hasRedis())('bad days of many machines', { timeout: 120_000 }, () => {
  let place: ReturnType<typeof temporaryFolder>;
  let redis: TestRedis;
  let machines: ManyMachines;
  const open = async (appendOnly: boolean, store?: string): Promise<void> => {
    redis = await startRedis({ folder: join(place.path, 'redis'), appendOnly });
    machines = await openMachines(place.path, redis.url, {}, store);
  };
  beforeEach(() => {
    place = temporaryFolder();
  });
  afterEach(async () => {
    await machines?.close();
    await redis.close();
    place.remove();
  });
  const submit = async (count: number, word = 'photo'): Promise<string[]> => {
    const ids = [];
    for (let i = 0; i < count; i++) ids.push(await machines.submit(`${word} ${i}`));
    return ids;
  };
  const allMade = async (ids: readonly string[]): Promise<void> => {
    await vi.waitFor(async () => {
      for (const id of ids) expect((await machines.jobs.find(id, 'ann'))?.state).toBe(1);
    }, within);
    const bills = await machines.jobs.completions(null, 10_000);
    expect(bills.map(({ id }) => id).sort()).toEqual([...ids].sort());
  };

  it('workers that are killed lose nothing, bill nothing twice and leave nothing behind', async () => {
    redis = await startRedis({ folder: join(place.path, 'redis') });
    const folder = join(place.path, 'crash');
    const wanted = sized(4, 12);
    const { faults, kills } = await crashWorkers({
      folder,
      redis,
      jobs: sized(16, 40),
      kills: wanted,
      workers: 3,
      seed: 7,
    });
    expect(faults).toEqual([]);
    expect(kills).toBe(wanted);
  });

  it('a photo that kills makers is a dead letter after three, and the others are made', async () => {
    await open(false);
    machines.startWorker({ cores: 3 });
    const before = await submit(4, 'before');
    const poison = await machines.submit('poison');
    const after = await submit(4, 'after');
    await allMade([...before, ...after]);
    await vi.waitFor(async () => {
      const model = await machines.jobs.find(poison, 'ann');
      expect(model).toMatchObject({ state: 4, attempts: 3 });
      expect(model?.failure?.en).toContain('stopped 3 times');
    }, within);
    expect(await machines.jobs.deadLetters(10)).toEqual([
      { id: poison, owner: 'ann', kind: 'head', reason: expect.stringContaining('SIGKILL') },
    ]);
  });

  it('a Redis with its append-only file is killed: what was answered is kept, work goes on', async () => {
    await open(true);
    const ids = await submit(12);
    machines.startWorker({ env: { TEST_MILLISECONDS: '200' } });
    await vi.waitFor(
      async () => expect((await machines.jobs.completions(null, 99)).length).toBeGreaterThan(2),
      within,
    );
    await redis.kill();
    await expect(machines.submit('in vain')).rejects.toMatchObject({
      status: 503,
      reason: 'storage_unreachable',
    });
    await redis.restart();
    await allMade(ids);
  });

  it('a Redis without it forgets: nothing is billed that it forgot, and what comes then is made', async () => {
    await open(false);
    const forgotten = await submit(4);
    machines.startWorker({ env: { TEST_MILLISECONDS: '500' } });
    await vi.waitFor(async () => expect((await machines.jobs.load()).running).toBe(2), within);
    await redis.kill();
    await redis.restart();
    for (const id of forgotten) expect(await machines.jobs.find(id, 'ann')).toBeNull();
    await allMade(await submit(3, 'later'));
  });

  it('a store that vanishes fails no model: orders are refused, what waits is made when it is back', async () => {
    await open(false);
    const ids = await submit(6);
    renameSync(machines.storeFolder, `${machines.storeFolder}.away`);
    // Its start needs the store too.
    const [code] = await once(machines.startWorker().child, 'exit');
    expect(code).toBe(1);
    await expect(machines.submit('in vain')).rejects.toMatchObject({ status: 503 });
    renameSync(`${machines.storeFolder}.away`, machines.storeFolder);
    const worker = machines.startWorker({ env: { TEST_MILLISECONDS: '300' } });
    await vi.waitFor(async () => expect((await machines.jobs.load()).running).toBe(2), within);
    renameSync(machines.storeFolder, `${machines.storeFolder}.away`);
    await vi.waitFor(() => expect(worker.output()).toContain('is tried again'), within);
    renameSync(`${machines.storeFolder}.away`, machines.storeFolder);
    await allMade(ids);
  });

  it('a model that has been begun often is not given up for a store that is away', async () => {
    await open(false);
    const id = await machines.submit('patient');
    const key = modelKey(id, 'ann', 'head');
    // As after many workers that left: the next time but one would be its last.
    await redis.redis.hset(key, 'attempts', 48);
    const worker = machines.startWorker({ cores: 1, env: { TEST_MILLISECONDS: '300' } });
    await vi.waitFor(async () => expect(await redis.redis.hget(key, 'attempts')).toBe('49'), within);
    renameSync(machines.storeFolder, `${machines.storeFolder}.away`);
    const tries = (): number => worker.output().split('is tried again').length - 1;
    await vi.waitFor(() => expect(tries()).toBeGreaterThan(3), within);
    expect(await machines.jobs.find(id, 'ann')).toMatchObject({ state: 3 });
    renameSync(`${machines.storeFolder}.away`, machines.storeFolder);
    await allMade([id]);
  });

  it('a store whose disk is full: orders are refused with what to do, what waits is made with room', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-full-store-'));
    onTestFinished(() => rmdirSync(folder));
    const disk = smallDisk(folder, 4, context);
    await open(false, folder);
    const ids = await submit(3);
    disk.fill();
    await expect(machines.submit('in vain')).rejects.toMatchObject({ code: 'ENOSPC' });
    const worker = machines.startWorker();
    await vi.waitFor(() => expect(worker.output()).toContain('is tried again'), within);
    for (const id of ids) expect((await machines.jobs.find(id, 'ann'))?.state).toBe(3);
    disk.free();
    await allMade(ids);
  });

  it('a slow S3 slows everything and breaks nothing; one that goes away comes back', async () => {
    const s3 = await startS3(join(place.path, 's3'));
    await open(false, s3.address);
    s3.delay = 150;
    const ids = await submit(5);
    const worker = machines.startWorker({ env: { TEST_MILLISECONDS: '500' } });
    await vi.waitFor(
      async () => expect((await machines.jobs.load()).running, worker.output()).toBe(2),
      within,
    );
    await s3.vanish();
    await vi.waitFor(() => expect(worker.output()).toContain('is tried again'), within);
    await s3.comeBack();
    await allMade(ids);
    await s3.close();
  });

  it('clocks of machines that jump by days change nothing', async () => {
    await open(false);
    const NODE_OPTIONS = `--import ${join(import.meta.dirname, 'step_clock_entry.ts')}`;
    for (let i = 0; i < 2; i++) machines.startWorker({ env: { NODE_OPTIONS, TEST_MILLISECONDS: '120' } });
    const ids = await submit(20);
    await allMade(ids);
    for (const { at, seconds } of await machines.jobs.completions(null, 99)) {
      expect(Math.abs(at - Date.now())).toBeLessThan(120_000);
      expect(seconds).toBeLessThan(60);
    }
    for (const id of ids) expect((await machines.jobs.find(id, 'ann'))?.attempts).toBe(1);
  });
});
