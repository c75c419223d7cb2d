import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { ModelChange } from '@likeness/engine/models/model_jobs.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cliEntry } from '../../../../test/support/command_line.ts';
import { temporaryFolder } from '../../../../test/support/service/engine_harness.ts';
import { hasRedis, startRedis, type TestRedis } from '../../../../test/support/service/redis_server.ts';
import { modelKey, QueueRecords } from '../../src/queue/queue_records.ts';
import { type ManyMachines, openMachines } from '../many_machines.ts';

/** A package of the command line sends each signal to its own process again. */
const repeatsSignals = '--import conf';
const within = { timeout: 20_000, interval: 20 };

describe.skipIf(!hasRedis())('the queue on Redis', () => {
  let place: ReturnType<typeof temporaryFolder>;
  let redis: TestRedis;
  let machines: ManyMachines;
  const redisPlace = temporaryFolder();
  beforeAll(async () => {
    redis = await startRedis({ folder: redisPlace.path });
  });
  afterAll(async () => {
    await redis.close();
    redisPlace.remove();
  });
  beforeEach(async () => {
    place = temporaryFolder();
    await redis.redis.flushall();
    machines = await openMachines(place.path, redis.url, { waitingModels: 24 });
  });
  afterEach(async () => {
    await machines.close();
    place.remove();
  });
  const over = (id: string, state = 1, owner: string | null = 'ann') =>
    vi.waitFor(async () => {
      const model = await machines.jobs.find(id, owner);
      expect(model?.state).toBe(state);
      return model!;
    }, within);
  const files = (): string[] =>
    readdirSync(machines.storeFolder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && one.name !== '.likeness-store')
      .map(({ name }) => name);

  it('takes an order to a file, tells of it, bills it once and lets its photo go', async () => {
    const { jobs, submit } = machines;
    const changes: ModelChange[] = [];
    jobs.watch((change) => changes.push(change));
    const id = await submit('x', { idempotencyKey: 'k' });
    expect(await submit('x', { idempotencyKey: 'k' })).toBe(id);
    expect(await submit('x', { idempotencyKey: 'k', owner: 'bob' })).not.toBe(id);
    await expect(submit('y', { idempotencyKey: 'k' })).rejects.toMatchObject({ status: 409 });
    expect(await jobs.load()).toEqual({ queued: 2, running: 0 });
    const waiting = await jobs.measures();
    const none = { queued: 0, running: 0, oldestSeconds: 0 };
    expect(waiting).toMatchObject({ kinds: { head: { queued: 2, running: 0 }, image: none }, slots: 0 });
    expect(waiting.kinds.head.oldestSeconds).toBeGreaterThan(0);
    expect(waiting.kinds.head.oldestSeconds).toBeLessThan(60);
    machines.startWorker();
    const model = await over(id);
    expect((await jobs.measures()).slots).toBeGreaterThan(0);
    expect(model).toMatchObject({ owner: 'ann', sex: 1, eyelidType: null, corrections: null, anyway: false });
    expect(await jobs.waitTime(model)).toBe(0);
    const result = (await jobs.result(model.file))!;
    expect(result).toMatchObject({ owner: 'ann', bytes: 6 });
    expect(Buffer.concat(await (await result.open({ first: 5, last: 5 })).toArray()).toString()).toBe('x');
    await vi.waitFor(async () => expect(await jobs.load()).toEqual({ queued: 0, running: 0 }), within);
    expect((await jobs.measures()).kinds.head).toEqual(none);
    const bills = await jobs.completions(null, 10);
    for (const { at, orderedAt } of bills) expect(at).toBeGreaterThanOrEqual(orderedAt ?? Number.NaN);
    expect(bills.map(({ owner, kind }) => [owner, kind]).sort()).toEqual([
      ['ann', 'head'],
      ['bob', 'head'],
    ]);
    expect(await jobs.completions(bills[0]!.cursor, 10)).toEqual([bills[1]]);
    await vi.waitFor(
      () => expect(changes).toContainEqual({ id, owner: 'ann', kind: 'head', state: 1 }),
      within,
    );
    await vi.waitFor(() => expect(files().filter((name) => !name.endsWith('.glb'))).toEqual([]), within);
    // The same head again is there at once, and is a model of its own.
    const again = await over(await submit('x'));
    expect(again.result).toBe(model.result);
    await vi.waitFor(() => expect(files()).toHaveLength(2), within);
  });

  it('takes further photos of a person along, tells what became of them and lets all go', async () => {
    const { jobs, submit } = machines;
    const id = await submit('x', { idempotencyKey: 'k' }, ['left', 'right', 'left']);
    expect(await submit('x', { idempotencyKey: 'k' }, ['left', 'right', 'left'])).toBe(id);
    for (const others of [[], ['left', 'right'], ['right', 'left', 'left']])
      await expect(submit('x', { idempotencyKey: 'k' }, others)).rejects.toMatchObject({ status: 409 });
    expect(files()).toHaveLength(4);
    const gone = await submit('y', {}, ['back']);
    expect(await jobs.remove(gone, 'ann')).toBe(true);
    expect(files()).toHaveLength(4);
    machines.startWorker();
    const model = await over(id);
    expect(model.photos).toEqual([1, 2, 3].map((index) => ({ index, used: true, view: 'left', yaw: 30 })));
    const result = (await jobs.result(model.file))!;
    const head = await (await result.open({ first: 0, last: result.bytes - 1 })).toArray();
    expect(Buffer.concat(head).toString()).toBe('glTF x left right left');
    await vi.waitFor(() => expect(files()).toHaveLength(1), within);
    // The same head again, with its news; without further photos it is another one.
    expect(await over(await submit('x', {}, ['left', 'right', 'left']))).toMatchObject({
      result: model.result,
      photos: model.photos,
    });
    const alone = await over(await submit('x'));
    expect(alone).toMatchObject({ others: [], photos: null });
    expect(alone.result).not.toBe(model.result);
  });

  it('another owner’s model is as if it were not there', async () => {
    const { jobs, submit } = machines;
    const id = await submit('x');
    for (const owner of ['bob', null]) {
      expect(await jobs.find(id, owner)).toBeNull();
      expect(await jobs.remove(id, owner)).toBe(false);
    }
    expect(await jobs.find(id, 'ann', 'image')).toBeNull();
    expect(await jobs.removeAll('bob')).toBe(0);
    expect(await jobs.find(id, 'ann')).not.toBeNull();
  });

  it('owners take turns, and a higher priority goes first', async () => {
    const { jobs, submit } = machines;
    const ended: string[] = [];
    jobs.watch(({ id }) => ended.push(id));
    const names = new Map<string, string>();
    for (const [photo, owner, priority] of [
      ['a1', 'a', 0],
      ['a2', 'a', 0],
      ['a3', 'a', 0],
      ['b1', 'b', 0],
      ['c1', 'c', -1],
      ['d1', 'd', 1],
    ] as const) {
      names.set(await submit(photo, { owner, priority }), photo);
    }
    const last = [...names].find(([, photo]) => photo === 'a3')![0];
    expect(await jobs.waitTime((await jobs.find(last, 'a'))!)).toBe(10);
    machines.startWorker({ cores: 1 });
    await vi.waitFor(() => expect(ended).toHaveLength(6), within);
    expect(ended.map((id) => names.get(id))).toEqual(['d1', 'a1', 'b1', 'a2', 'a3', 'c1']);
  });

  it('a model waits for as many as are then made before it', async () => {
    const { submit } = machines;
    const orders = [
      ['ann', 0],
      ['ann', 0],
      ['ann', 0],
      ['bob', 0],
      ['cy', -1],
      ['bob', 1],
      ['cy', 0],
      ['bob', 0],
    ] as const;
    const ahead = new Map<string, number>();
    const records = new QueueRecords(redis.redis);
    for (const [n, [owner, priority]] of orders.entries()) {
      const id = await submit(String(n), { owner, priority });
      ahead.set(modelKey(id, owner, 'head'), Number.NaN);
    }
    for (const key of ahead.keys()) {
      const [count] = await records.run<[number]>('outlook', key);
      ahead.set(key, count);
    }
    for (let n = 0; n < orders.length; n++) {
      const [key = ''] = await records.run<[string]>('take', `ticket-${n}`, 'head', 60_000);
      expect(ahead.get(key)).toBe(n);
    }
  });

  it('image tasks have a queue of their own', async () => {
    const id = await machines.submit('x', { kind: 'image' });
    machines.startWorker();
    await vi.waitFor(
      async () => expect((await machines.jobs.find(id, 'ann', 'image'))?.state).toBe(1),
      within,
    );
    expect(await machines.jobs.find(id, 'ann')).toBeNull();
  });

  it('a photo at fault fails once with its reason; a defect of ours is a dead letter', async () => {
    const [bad, defect] = [await machines.submit('bad'), await machines.submit('defect')];
    machines.startWorker();
    expect((await over(bad, 4)).failure?.en).toBe('No face was found.');
    expect((await over(defect, 4)).failure?.en).toContain('in its log');
    expect(await machines.jobs.deadLetters(10)).toEqual([
      { id: defect, owner: 'ann', kind: 'head', reason: expect.stringContaining('a defect') },
    ]);
    expect(await machines.jobs.completions(null, 10)).toEqual([]);
  });

  it('what is taken back is made no further and leaves nothing', async () => {
    const { jobs, submit } = machines;
    const [waits, runs] = [await submit('w', { priority: -1 }), await submit('r')];
    expect(await jobs.remove(waits, 'ann')).toBe(true);
    expect(await jobs.load()).toEqual({ queued: 1, running: 0 });
    machines.startWorker({ env: { TEST_MILLISECONDS: '60000' } });
    await vi.waitFor(async () => expect(await jobs.load()).toEqual({ queued: 0, running: 1 }), within);
    expect(await jobs.remove(runs, 'ann')).toBe(true);
    await vi.waitFor(async () => expect(await jobs.load()).toEqual({ queued: 0, running: 0 }), within);
    expect(await jobs.remove(runs, 'ann')).toBe(false);
    await vi.waitFor(() => expect(files()).toEqual([]), within);
  });

  it('all of an owner goes, files too, and nobody else’s', async () => {
    const { jobs, submit } = machines;
    machines.startWorker();
    const ann = await over(await submit('x'));
    await over(await submit('x'));
    const bob = await over(await submit('x', { owner: 'bob' }), 1, 'bob');
    expect(await jobs.removeAll('ann')).toBe(2);
    expect(await jobs.result(ann.file)).toBeNull();
    expect(await jobs.result(bob.file)).not.toBeNull();
    await vi.waitFor(() => expect(files()).toHaveLength(1), within);
  });

  it('a full queue refuses, and forgets what is too old', async () => {
    for (let i = 0; i < 24; i++) await machines.submit(`${i}`, { owner: `tenant ${i}` });
    await expect(machines.submit('one more', { owner: 'bob' })).rejects.toMatchObject({
      status: 503,
      reason: 'queue_full',
    });
    machines.startWorker();
    await vi.waitFor(async () => expect(await machines.jobs.completions(null, 30)).toHaveLength(24), within);
    await vi.waitFor(() => expect(files()).toHaveLength(24), within);
    await machines.close();
    machines = await openMachines(place.path, redis.url, { keep: 1 });
    await machines.jobs.sweep();
    expect(files()).toEqual([]);
    expect(await redis.redis.keys('{likeness}:model:*')).toEqual([]);
  });

  it('a worker that is asked to leave ends what it makes, and takes no more', async () => {
    const ids = [];
    for (let i = 0; i < 6; i++) ids.push(await machines.submit(`${i}`));
    const leaving = machines.startWorker({
      cores: 2,
      env: { TEST_MILLISECONDS: '700', NODE_OPTIONS: repeatsSignals },
    });
    await vi.waitFor(async () => expect((await machines.jobs.load()).running).toBe(2), within);
    await leaving.kill('SIGTERM');
    expect(leaving.child.exitCode).toBe(0);
    expect(await machines.jobs.load()).toEqual({ queued: 4, running: 0 });
    machines.startWorker();
    for (const id of ids) expect((await over(id)).attempts).toBe(1);
  });

  it('a worker that is asked a second time leaves at once, and another makes what it was making', async () => {
    const id = await machines.submit('x');
    const leaving = machines.startWorker({
      env: { TEST_MILLISECONDS: '60000', NODE_OPTIONS: repeatsSignals },
    });
    await vi.waitFor(async () => expect((await machines.jobs.load()).running).toBe(1), within);
    await vi.waitFor(() => {
      leaving.child.kill('SIGTERM');
      expect(leaving.child.exitCode).toBe(1);
    }, within);
    machines.startWorker();
    expect((await over(id)).attempts).toBe(2);
  });

  it('the worker of the command line ends in order at one signal', async () => {
    const address = ['--queue', redis.url, '--store', machines.storeFolder];
    const worker = spawn(process.execPath, [cliEntry, 'service', 'worker', ...address]);
    let output = '';
    worker.stdout.on('data', (chunk) => (output += chunk));
    worker.stderr.on('data', (chunk) => (output += chunk));
    const ended = once(worker, 'exit');
    await vi.waitFor(() => expect(output).toContain('takes heads'), within);
    worker.kill('SIGTERM');
    expect(await ended, output).toEqual([0, null]);
  });

  it('old and new workers work side by side', async () => {
    machines.startWorker({ cores: 1, env: { TEST_VERSION: 'old' } });
    machines.startWorker({ cores: 1, env: { TEST_VERSION: 'new' } });
    const ids = [];
    for (let i = 0; i < 12; i++) ids.push(await machines.submit(`${i}`));
    for (const id of ids) await over(id);
    expect(await machines.jobs.completions(null, 30)).toHaveLength(12);
  });
});
