import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/service/engine_harness.ts';
import { hasRedis, startRedis, type TestRedis } from '../../../test/support/service/redis_server.ts';
import { revokeKey } from '../src/keys/key_administration.ts';
import { hashOf, type ServiceKey } from '../src/keys/service_key.ts';
import type { ServiceOptions } from '../src/service.ts';
import { readService, readSharedUsage } from '../src/service_reading.ts';
import { usageOf } from '../src/usage_report.ts';
import { openWebhookSeal } from '../src/webhooks/webhook_secret.ts';
import { type ManyMachines, openMachines } from './many_machines.ts';
import {
  call,
  groupA,
  groupB,
  made,
  order,
  picture,
  speak,
  startTestService,
  type TestService,
} from './service_harness.ts';

const within = { timeout: 20_000, interval: 50 };
const noCaps = { seconds: null, frames: null, models: null };

describe.skipIf(!hasRedis())('two nodes of a queue', { timeout: 60_000 }, () => {
  let place: ReturnType<typeof temporaryFolder>;
  let redis: TestRedis;
  let machines: ManyMachines;
  let nodes: [TestService, TestService];
  let more: Partial<ServiceOptions>;
  beforeEach(async () => {
    place = temporaryFolder();
    redis = await startRedis({ folder: join(place.path, 'redis') });
    machines = await openMachines(place.path, redis.url);
    await openWebhookSeal(place.path, null);
    more = {
      shared: { queue: redis.url, store: machines.storeFolder },
      webhooks: { allowed: [], keyFile: join(place.path, 'webhook.key') },
    };
    nodes = [await startTestService({ more }), await startTestService({ more })];
  });
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
    await machines.close();
    await redis.close();
    place.remove();
  });
  /** A key that both know. */
  async function key(
    ...args: Parameters<TestService['key']>
  ): Promise<Awaited<ReturnType<TestService['key']>>> {
    const shown = await nodes[0].key(...args);
    await nodes[1].running.reloadKeys();
    return shown;
  }
  const usageAt = async (node: TestService, by: Parameters<typeof groupA>[0]): Promise<unknown[]> =>
    (await call<{ keys: unknown[] }>(node, '/v1/usage', { headers: groupA(by) })).body.keys;

  it('have the same keys and the same usage, and bill a model once through whichever it is ordered', async () => {
    const ann = await key('ann');
    machines.startWorker();
    await speak(nodes[0], ann, { seconds: 2 });
    await speak(nodes[1], ann, { seconds: 1 });
    const photo = await picture(81_000);
    const headers = { 'idempotency-key': 'both' };
    const orders = await Promise.all(nodes.map((node) => order(node, ann, { photo, headers })));
    const ids = orders.map(({ body }) => body.data.modelId);
    expect(new Set(ids).size).toBe(1);
    for (const node of nodes) await made(node, ann, ids[0]!);
    const other = await order(nodes[1], ann);
    await made(nodes[1], ann, other.body.data.modelId);
    for (const node of nodes)
      await expect
        .poll(() => usageAt(node, ann), within)
        .toMatchObject([{ name: 'ann', seconds: 3, frames: 180, models: 2 }]);
    const all = await readSharedUsage(redis.url, Date.now);
    expect(await usageOf(all.usage, all.usage.thisMonth())).toMatchObject([
      { name: 'ann', seconds: 3, models: 2 },
    ]);
    all.close();
    // The lines are where the calls were, each journal whole in itself.
    const lines = await Promise.all(
      nodes.map(async ({ folder }) => {
        const reading = await readService(folder, Date.now);
        const pieces = [];
        for await (const piece of reading.exportAudit('jsonl')) pieces.push(piece);
        expect(await reading.verify()).toMatchObject({ ok: true });
        reading.close();
        return pieces.join('').match(/"operation":"modelMade"/g)?.length ?? 0;
      }),
    );
    expect(lines[0]! + lines[1]!).toBe(2);
  });

  it('hold one cap together, for what is ordered, under way and used', async () => {
    const models = await key('models', { caps: { ...noCaps, models: 3 } });
    const orders = await Promise.all([0, 1, 0, 1, 0, 1].map((at) => order(nodes[at]!, models)));
    expect(orders.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 402, 402, 402]);
    machines.startWorker();
    const taken = orders.filter(({ status }) => status === 200).map(({ body }) => body.data.modelId);
    for (const id of taken) await made(nodes[0], models, id);
    await expect.poll(() => usageAt(nodes[1], models), within).toMatchObject([{ models: 3 }]);
    expect((await order(nodes[1], models)).status).toBe(402);
    const seconds = await key('seconds', { caps: { ...noCaps, seconds: 3 } });
    expect((await speak(nodes[0], seconds, { seconds: 2 })).status).toBe(200);
    expect((await speak(nodes[1], seconds, { seconds: 2 })).status).toBe(402);
    // What was refused is not held on.
    expect((await speak(nodes[1], seconds, { seconds: 1 })).status).toBe(200);
    expect((await speak(nodes[0], seconds, { seconds: 1 })).status).toBe(402);
  });

  it('a model that was taken back makes room again', async () => {
    const models = await key('one', { caps: { ...noCaps, models: 1 } });
    const first = await order(nodes[0], models);
    expect((await order(nodes[1], models)).status).toBe(402);
    const path = `/open-api/svc/sdk/model/get/${first.body.data.modelId}`;
    expect((await call(nodes[1], path, { method: 'DELETE', headers: groupB(models) })).status).toBe(200);
    const second = await order(nodes[1], models);
    expect(second.status).toBe(200);
    expect(await redis.redis.scard(`{likeness}:open:${models.key.id}`)).toBe(1);
    expect((await order(nodes[0], models)).status).toBe(402);
  });

  it('hold one rate and one number of calls at once together', async () => {
    const rate = await key('rate', { rate: { perSecond: 0.01, burst: 4 } });
    const headers = groupB(rate);
    const statuses = [];
    for (let i = 0; i < 8; i += 1) statuses.push((await call(nodes[i % 2]!, '/health', { headers })).status);
    expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200]);
    expect(statuses).toContain(429);
    const single = await key('single', { atOnce: 1 });
    const events = await fetch(`${nodes[0].url}/v1/models/events`, { headers: groupA(single) });
    const refused = await call(nodes[1], '/health', { headers: groupB(single) });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_at_once' } });
    expect(refused.headers['retry-after']).toBe('1');
    await events.body?.cancel();
    await expect
      .poll(async () => (await call(nodes[1], '/health', { headers: groupB(single) })).status, within)
      .toBe(200);
  });

  it('a key that is revoked at one ends its stream and its long poll at the other', async () => {
    const ann = await key('ann');
    const { body } = await order(nodes[0], ann);
    const events = await fetch(`${nodes[0].url}/v1/models/events`, { headers: groupA(ann) });
    const ended = (async () => {
      for await (const _ of events.body!) {
      }
    })();
    const polled = fetch(`${nodes[0].url}/open-api/svc/sdk/model/get/${body.data.modelId}`, {
      headers: { ...groupB(ann), prefer: 'wait=50' },
    });
    const [ends, polls] = [expect(ended).rejects.toThrow(), expect(polled).rejects.toThrow()];
    await expect.poll(() => nodes[0].running.inFlight).toBe(2);
    await revokeKey(nodes[1].folder, 'ann', Date.now());
    await ends;
    await polls;
    expect((await call(nodes[0], '/health', { headers: groupB(ann) })).status).toBe(401);
  });

  it('a key that was put into Redis by hand opens nothing, and the log mentions it once', async () => {
    const ann = await key('ann');
    const field = (await redis.redis.hkeys('{likeness}:signed-keys'))[0]!;
    const record = JSON.parse((await redis.redis.hget('{likeness}:signed-keys', field))!) as { key: string };
    const secret = 'lksk_mine';
    const mine = {
      ...(JSON.parse(record.key) as ServiceKey),
      id: 'evilevil00',
      scopes: ['usage', 'operator'],
      secrets: [{ hash: hashOf(secret), endsAt: null }],
    };
    const forged = JSON.stringify({ ...record, key: JSON.stringify(mine) });
    await redis.redis.hset('{likeness}:signed-keys', field.replace(ann.key.id, mine.id), forged);
    await redis.redis.incr('{likeness}:signed-keys:number');
    for (const node of nodes) {
      await expect.poll(node.logged, within).toContain('a key in Redis has a wrong signature');
      await node.running.reloadKeys();
      const headers = { authorization: `Bearer ${secret}` };
      expect((await call(node, '/v1/usage', { headers })).status).toBe(401);
      expect(node.logged().split('a key in Redis has a wrong signature')).toHaveLength(2);
      expect(readFileSync(join(node.folder, 'keys.json'), 'utf8')).not.toContain(mine.id);
    }
    expect(nodes[1].logged()).toContain('a key of another node is valid here');
    expect((await call(nodes[1], '/health', { headers: groupB(ann) })).status).toBe(200);
  });

  it('a Redis that forgot learns keys and usage again, and counts nothing twice', async () => {
    const ann = await key('ann');
    await speak(nodes[0], ann, { seconds: 2 });
    await speak(nodes[1], ann, { seconds: 1 });
    const whole = [{ name: 'ann', seconds: 3, frames: 180 }];
    await expect.poll(() => usageAt(nodes[0], ann), within).toMatchObject(whole);
    await redis.redis.flushall();
    for (const node of nodes)
      await expect.poll(() => usageAt(node, ann), { ...within, timeout: 30_000 }).toMatchObject(whole);
    const third = await startTestService({ more });
    expect((await call(third, '/health', { headers: groupB(ann) })).status).toBe(200);
    await third[Symbol.asyncDispose]();
  });
});
