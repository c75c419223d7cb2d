import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownKey } from '../src/keys/key_administration.ts';
import { defaultScopes } from '../src/keys/service_key.ts';
import {
  type Answered,
  call,
  groupA,
  groupB,
  type ModelEnvelope,
  made,
  order,
  startTestService,
  type TestService,
} from './service_harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const within = { timeout: 20_000, interval: 10 };
const getPath = (id: string): string => `/open-api/svc/sdk/model/get/${id}`;

/** A call that waits for the model, sent when it is the only one under way. */
async function startLongPoll(
  { url, running }: TestService,
  key: ShownKey,
  id: string,
  prefer: string,
): Promise<{ answer: Promise<Answered<ModelEnvelope>> }> {
  await expect.poll(() => running.inFlight, within).toBe(0);
  const answer = call<ModelEnvelope>({ url }, getPath(id), { headers: { ...groupB(key), prefer } });
  await expect.poll(() => running.inFlight, within).toBe(1);
  return { answer };
}

describe('long poll', () => {
  it('answers when the model is made, with one call', async () => {
    const key = await service.key('long');
    const release = service.heads.hold();
    const { body, headers } = await order(service, key);
    expect(headers['likeness-extensions']).toContain('long-poll');
    const waiting = await startLongPoll(service, key, body.data.modelId, 'respond-async, wait=30');
    release();
    const answer = await waiting.answer;
    expect(answer.body.data.status).toBe(1);
    expect(answer.headers['preference-applied']).toBe('wait=30');
  });

  it('answers as it is when the time is over, and at once where the model is not being made', async () => {
    const key = await service.key('short-wait');
    const release = service.heads.hold();
    const { body } = await order(service, key);
    const path = getPath(body.data.modelId);
    const early = await call<ModelEnvelope>(service, path, { headers: { ...groupB(key), prefer: 'wait=1' } });
    expect(early.body.data.status).toBe(3);
    const waiting = await startLongPoll(service, key, body.data.modelId, 'wait=30');
    await call(service, path, { method: 'DELETE', headers: groupB(key) });
    expect((await waiting.answer).status).toBe(404);
    release();
    const unknown = await call(service, getPath('x'), { headers: { ...groupB(key), prefer: 'wait=30' } });
    expect(unknown.status).toBe(404);
  });
});

describe('events', () => {
  it('tell a tenant of its models and of no other’s', async () => {
    const ada = await service.key('ada');
    const bob = await service.key('bob');
    const { body, statusCode } = await request(`${service.url}/v1/models/events`, { headers: groupA(ada) });
    expect(statusCode).toBe(200);
    let text = '';
    body.on('data', (chunk) => {
      text += chunk;
    });
    body.on('error', () => {});
    const his = await order(service, bob);
    await made(service, bob, his.body.data.modelId);
    const hers = await order(service, ada);
    const id = hers.body.data.modelId;
    await expect.poll(() => text).toContain(`data: {"modelId":"${id}","status":1}`);
    expect(text).not.toContain(his.body.data.modelId);
    body.destroy();
  });
});

describe('priority', () => {
  it('of a key: what it orders goes before, or after, all else that waits', async () => {
    const low = await service.key('low', { tenant: 'studio', priority: -1 });
    const usual = await service.key('usual-one', { tenant: 'studio' });
    const high = await service.key('high', { tenant: 'studio', priority: 1 });
    const { body } = await request(`${service.url}/v1/models/events`, { headers: groupA(usual) });
    const ended: string[] = [];
    body.on('data', (chunk) => {
      for (const [, id = ''] of String(chunk).matchAll(/data: {"modelId":"([^"]+)","status":1}/g))
        ended.push(id);
    });
    body.on('error', () => {});
    const release = service.heads.hold();
    const orders: string[] = [];
    // Two are made at a time: the first two begin at once.
    for (const key of [low, low, low, usual, high])
      orders.push((await order(service, key)).body.data.modelId);
    // All are ordered before one of them is made.
    release();
    await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(5);
    const place = orders.map((id) => ended.indexOf(id));
    expect(Math.max(place[0]!, place[1]!)).toBeLessThan(place[2]!);
    expect(place[2]).toBe(4);
    expect(place[4]).toBeLessThan(4);
    body.destroy();
  });
});

describe('erasure', () => {
  it('takes all of a tenant away, with a receipt from the audit log', async () => {
    const key = await service.key('erased');
    const other = await service.key('stays');
    const first = await order(service, key);
    const second = await order(service, other);
    const link = String((await made(service, key, first.body.data.modelId)).downloadLink);
    await made(service, other, second.body.data.modelId);
    const { status, body } = await call<{ models: number; receipt: { entry: number; hash: string } }>(
      service,
      '/v1/models',
      { method: 'DELETE', headers: groupB(key) },
    );
    expect(status).toBe(200);
    expect(body.models).toBe(1);
    expect(body.receipt.hash).toMatch(/^[0-9a-f]{64}$/);
    expect((await call(service, new URL(link).pathname)).status).toBe(404);
    expect((await made(service, other, second.body.data.modelId)).status).toBe(1);
  });
});

it('describes its endpoints in valid OpenAPI, each body from its schema', async () => {
  const { body } = await call<{
    paths: Record<string, Record<string, { responses: Record<string, { content: object }> }>>;
  }>(service, '/openapi.json');
  expect(await new Validator().validate(structuredClone({ ...body }))).toEqual({ valid: true });
  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining(['/v1/models', '/v1/usage', '/v1/webhooks', '/v1/svc-3d/sq/{taskId}', '/readyz']),
  );
  expect(body.paths['/readyz']!.get!.responses[503]!.content).toMatchObject({
    'application/json': {
      schema: {
        properties: {
          reason: { enum: ['draining', 'audit_unwritable', 'queue_unreachable', 'store_unreachable'] },
        },
      },
    },
  });
  expect(body.paths['/v1/webhooks']!.post).toMatchObject({
    requestBody: { content: { 'application/json': { schema: { required: ['url'] } } } },
  });
});

describe('operators', () => {
  it('see health without a key, and metrics with a key for it only', async () => {
    expect((await call(service, '/healthz')).body).toEqual({ status: 'ok' });
    expect((await call(service, '/readyz')).body).toEqual({ status: 'ready' });
    const usual = await service.key('usual');
    const operator = await service.key('operator', { scopes: ['operator'], groups: ['A'] });
    expect((await call(service, '/metrics')).status).toBe(401);
    expect((await call(service, '/metrics', { headers: groupA(usual) })).status).toBe(403);
    const { body } = await call<string>(service, '/metrics', { headers: groupA(operator) });
    expect(body).toContain('likeness_calls_total{endpoint="generateModel",status="200"}');
    for (const kind of ['head', 'image'])
      expect(body).toContain(`likeness_models{kind="${kind}",state="queued"} 0`);
    for (const secret of [usual.secret, usual.key.id, 'usual']) expect(body).not.toContain(secret);
    expect((await order(service, operator)).status).toBe(401);
  });

  it('see how long models took to make, by kind', async () => {
    const making = await startTestService();
    const key = await making.key('orders');
    const operator = await making.key('operator', { scopes: ['operator'], groups: ['A'] });
    const read = async () => (await call<string>(making, '/metrics', { headers: groupA(operator) })).body;
    expect(await read()).not.toContain('likeness_making_seconds_count{');
    making.heads.takes = 50;
    const { body } = await order(making, key);
    await made(making, key, body.data.modelId);
    await expect.poll(read).toMatch(/likeness_making_seconds_count\{kind="\w+"\} 1\n/);
    expect(await read()).toMatch(/likeness_order_to_head_seconds_count\{kind="head"\} 1\n/);
    await making.close();
  });

  it('see how long the oldest order waits, how many could be made at once, and how busy each core is', async () => {
    const waiting = await startTestService();
    const key = await waiting.key('orders');
    const operator = await waiting.key('operator', { scopes: ['operator'], groups: ['A'] });
    const value = async (name: string): Promise<number> => {
      const { body } = await call<string>(waiting, '/metrics', { headers: groupA(operator) });
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
    };
    expect(await value('likeness_oldest_waiting_seconds\\{kind="head"\\}')).toBe(0);
    const release = waiting.heads.hold();
    for (let i = 0; i < 3; i += 1) await order(waiting, key);
    await expect.poll(() => value('likeness_oldest_waiting_seconds\\{kind="head"\\}')).toBeGreaterThan(0);
    expect(await value('likeness_maker_places')).toBeGreaterThan(0);
    for (const core of cpus().keys()) {
      const share = await value(`likeness_core_busy_ratio\\{core="${core}"\\}`);
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }
    release();
    await waiting.close();
  });

  it('find a trace by its id in the answer and in the log', async () => {
    const key = await service.key('traced');
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${trace}-b7ad6b7169203331-01`;
    const { headers } = await call(service, '/health', { headers: { ...groupB(key), traceparent } });
    expect(headers['x-trace-id']).toBe(trace);
    await expect.poll(() => service.logged()).toContain(`"traceId":"${trace}"`);
    const other = await call(service, '/health', { headers: { ...groupB(key), traceparent: '00-zz-11' } });
    expect(other.headers['x-trace-id']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('stop it in order: calls under way end, their lines are written', async () => {
    const stopping = await startTestService();
    const key = await stopping.key('x', { scopes: [...defaultScopes] });
    const release = stopping.heads.hold();
    const { body } = await order(stopping, key);
    const waiting = await startLongPoll(stopping, key, body.data.modelId, 'wait=30');
    // The caller keeps its connection alive; a stop that waited for that would outlast this test.
    const closed = stopping.running.close(600_000);
    release();
    expect((await waiting.answer).status).toBe(200);
    await closed;
    rmSync(stopping.folder, { recursive: true });
  });

  it('keep the keys that it knows where the file of keys is damaged', async () => {
    const key = await service.key('known');
    const file = join(service.folder, 'keys.json');
    const kept = readFileSync(file);
    writeFileSync(file, '{"version":1,"keys":[{}]}');
    await service.running.reloadKeys();
    expect((await call(service, '/health', { headers: groupB(key) })).status).toBe(200);
    writeFileSync(file, kept);
    await service.running.reloadKeys();
  });
});
