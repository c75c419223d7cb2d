import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/service/engine_harness.ts';
import { hasRedis, startRedis, type TestRedis } from '../../../test/support/service/redis_server.ts';
import { readService } from '../src/service_reading.ts';
import { call, groupA, groupB, order, startTestService, type TestService } from './service_harness.ts';

const within = { timeout: 10_000, interval: 50 };

describe.skipIf(!hasRedis())('a node that shares queue and store', { timeout: 30_000 }, () => {
  let place: ReturnType<typeof temporaryFolder>;
  let redis: TestRedis;
  let node: TestService;
  let store: string;
  beforeEach(async () => {
    place = temporaryFolder();
    store = join(place.path, 'store');
    mkdirSync(store);
    redis = await startRedis({ folder: join(place.path, 'redis') });
    node = await startTestService({ more: { shared: { queue: redis.url, store } } });
  });
  afterEach(async () => {
    await node[Symbol.asyncDispose]();
    await redis.close();
    place.remove();
  });
  const readiness = async (): Promise<unknown> => {
    const { status, body } = await call(node, '/readyz');
    return status === 200 ? 'ready' : body.reason;
  };

  it('is not ready while its store is away, and refuses orders at once', async () => {
    const ann = await node.key('ann');
    expect(await readiness()).toBe('ready');
    renameSync(store, `${store}.away`);
    await expect.poll(readiness, within).toBe('store_unreachable');
    const { status, headers } = await order(node, ann);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect((await call(node, '/v1/usage', { headers: groupA(ann) })).status).toBe(200);
    renameSync(`${store}.away`, store);
    await expect.poll(readiness, within).toBe('ready');
    expect((await order(node, ann)).status).toBe(200);
  });

  it('is not ready while Redis is full, hangs or is gone', async () => {
    const ann = await node.key('ann');
    await redis.redis.config('SET', 'maxmemory', '1');
    await expect.poll(readiness, within).toBe('queue_unreachable');
    expect((await call(node, '/health', { headers: groupB(ann) })).status).toBe(503);
    await redis.redis.config('SET', 'maxmemory', '0');
    await expect.poll(readiness, within).toBe('ready');
    expect((await call(node, '/health', { headers: groupB(ann) })).status).toBe(200);
    redis.hang(true);
    await expect.poll(readiness, within).toBe('queue_unreachable');
    redis.hang(false);
    await expect.poll(readiness, within).toBe('ready');
  });
});

it('refused calls of a minute share a line with their number; each answered call has its own', async () => {
  const folder = temporaryFolder();
  const service = await startTestService({ folder: folder.path });
  const ann = await service.key('ann', { rate: { perSecond: 0.001, burst: 2 } });
  const statuses: number[] = [];
  for (let i = 0; i < 200; i += 1) {
    statuses.push((await call(service, '/health', { headers: groupB(ann) })).status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(198);
  await service.close();
  const reading = await readService(folder.path, Date.now);
  const pieces = [];
  for await (const piece of reading.exportAudit('jsonl')) pieces.push(piece);
  const lines = pieces
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ profileId }) => profileId === ann.key.id)).toMatchObject([
    { httpStatus: 200 },
    { httpStatus: 200 },
    { httpStatus: 429, message: 'rate_exceeded, 198 calls' },
  ]);
  expect(await reading.verify()).toMatchObject({ ok: true });
  reading.close();
  folder.remove();
});
