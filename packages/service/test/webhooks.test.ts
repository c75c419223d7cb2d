import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/service/engine_harness.ts';
import { hasRedis, startRedis, type TestRedis } from '../../../test/support/service/redis_server.ts';
import { revokeKey } from '../src/keys/key_administration.ts';
import { pinAddress, type ResolveName, WebhookAllowList } from '../src/webhooks/webhook_address.ts';
import { openWebhookSeal } from '../src/webhooks/webhook_secret.ts';
import { type ManyMachines, openMachines } from './many_machines.ts';
import { call, groupA, order, startTestService, type TestService } from './service_harness.ts';
import { registerWebhook, startReceiverOf } from './webhook_receiver.ts';

interface Listed {
  webhooks: { id: string; secret?: string }[];
  dead: { webhook: string; attempts: number; reason: string }[];
}

/** As its page shows it. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/service.md'), 'utf8');
const sample = /```js webhook-verifier\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const { receive } = (await import(`data:text/javascript,${encodeURIComponent(sample)}`)) as {
  receive(
    headers: IncomingHttpHeaders,
    body: string,
    secret: string,
    seen: Set<string>,
    now?: number,
  ): { type: string; data: { id: string } } | null;
};

const within = { timeout: 20_000, interval: 50 };
const webhooks = { allowed: ['127.0.0.1'], keyFile: null, backoff: { first: 20, longest: 40 } };
const list = async (service: TestService, key: Parameters<typeof groupA>[0]): Promise<Listed> =>
  (await call<Listed>(service, '/v1/webhooks', { headers: groupA(key) })).body;

describe('a webhook', { timeout: 60_000 }, () => {
  let service: TestService;
  let receiver: Awaited<ReturnType<typeof startReceiverOf>>;
  beforeEach(async () => {
    service = await startTestService({ more: { webhooks } });
  });
  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await receiver.close();
  });

  it('is told of each model once, signed so that the sample of the docs takes it once', async () => {
    receiver = await startReceiverOf(200);
    const ann = await service.key('ann');
    const eve = await service.key('eve');
    const { status, body } = await registerWebhook(service, ann, receiver.url);
    expect(status).toBe(201);
    const made = await order(service, ann);
    const failed = await order(service, ann, { fields: { sex: '0', eyelidType: '1' } });
    await order(service, eve);
    await expect.poll(() => receiver.received.length, within).toBe(2);
    const seen = new Set<string>();
    const events = receiver.received.map((one) => receive(one.headers, one.body, body.secret, seen));
    expect(events.map((event) => [event?.type, event?.data.id]).toSorted()).toEqual([
      ['model.failed', failed.body.data.modelId],
      ['model.succeeded', made.body.data.modelId],
    ]);
    const [one] = receiver.received;
    // Replayed, altered, by another secret, and after the tolerance.
    expect(receive(one!.headers, one!.body, body.secret, seen)).toBeNull();
    expect(receive(one!.headers, `${one!.body} `, body.secret, new Set())).toBeNull();
    expect(receive(one!.headers, one!.body, `whsec_${'A'.repeat(44)}`, new Set())).toBeNull();
    expect(receive(one!.headers, one!.body, body.secret, new Set(), Date.now() + 301_000)).toBeNull();
    // Nobody else's, shown once, and nowhere in the clear.
    expect((await list(service, eve)).webhooks).toEqual([]);
    expect((await list(service, ann)).webhooks).toEqual([
      { id: body.id, url: receiver.url, createdAt: expect.any(String) },
    ]);
    const bytes = readFileSync(join(service.folder, 'service.db'), 'latin1');
    expect(bytes + service.logged()).not.toContain(body.secret);
    expect(
      (await call(service, `/v1/webhooks/${body.id}`, { method: 'DELETE', headers: groupA(eve) })).status,
    ).toBe(404);
  });

  it('that fails is told again under the same id, a redirect is not followed', async () => {
    receiver = await startReceiverOf(500, 302, 200);
    const ann = await service.key('ann');
    await registerWebhook(service, ann, receiver.url);
    await order(service, ann);
    await expect.poll(() => receiver.received.length, within).toBe(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await expect.poll(async () => (await list(service, ann)).dead, within).toEqual([]);
  });

  it('that never answers well is dead after twelve times, with why; one that is gone at once', async () => {
    receiver = await startReceiverOf(503);
    const gone = await startReceiverOf(410);
    const ann = await service.key('ann');
    await registerWebhook(service, ann, receiver.url);
    await registerWebhook(service, ann, gone.url);
    await order(service, ann);
    await expect
      .poll(
        async () =>
          (await list(service, ann)).dead.map(({ attempts, reason }) => [attempts, reason]).toSorted(),
        {
          ...within,
          timeout: 40_000,
        },
      )
      .toEqual([
        [1, 'answered 410: it wants no more'],
        [12, 'answered 503'],
      ]);
    expect(receiver.received).toHaveLength(12);
    await gone.close();
  }, 60_000);

  it('is told after a restart what it was not told before, and nothing by a revoked key', async () => {
    receiver = await startReceiverOf(503, 503, 200);
    const ann = await service.key('ann');
    const bob = await service.key('bob');
    await registerWebhook(service, ann, receiver.url);
    await registerWebhook(service, bob, receiver.url);
    service.heads.takes = 300;
    const { body } = await order(service, ann);
    const orphan = await order(service, bob);
    await revokeKey(service.folder, 'bob', Date.now());
    const { folder } = service;
    await service.close();
    service = await startTestService({ folder, more: { webhooks } });
    const told = (): string[] => receiver.received.map((one) => JSON.parse(one.body).data.id);
    await expect.poll(() => told().length, within).toBe(3);
    expect(new Set(told())).toEqual(new Set([body.data.modelId]));
    expect(told()).not.toContain(orphan.body.data.modelId);
  });
});

describe('where a webhook may go', () => {
  const resolves =
    (...addresses: string[]): ResolveName =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const none = new WebhookAllowList([]);
  const pin = (url: string, resolve: ResolveName, allowed = none) =>
    pinAddress(new URL(url), allowed, resolve);

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:10.0.0.1',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001::1',
    '198.18.0.1',
    '::ffff:93.184.216.34',
    '64:ff9b::5db8:d822',
    '2002:5db8:d822::',
    '3fff::1',
    '168.63.129.16',
  ])('not to %s, by whatever name, nor beside a public one', async (address) => {
    await expect(pin('https://heads.example.org/', resolves(address))).rejects.toThrow(
      'not a public address',
    );
    await expect(pin('https://heads.example.org/', resolves('93.184.216.34', address))).rejects.toThrow();
  });

  it('to public addresses by HTTPS, at the address that was looked up', async () => {
    expect(await pin('https://heads.example.org/', resolves('93.184.216.34'))).toEqual({
      address: '93.184.216.34',
      family: 4,
    });
    await expect(pin('http://heads.example.org/', resolves('93.184.216.34'))).rejects.toThrow('https://');
    await expect(pin('https://a:b@heads.example.org/', resolves('93.184.216.34'))).rejects.toThrow(
      'password',
    );
    await expect(pin('https://heads.example.org/', async () => [])).rejects.toThrow('not known');
  });

  it('to what the operator allows, and to nothing beside it', async () => {
    const allowed = new WebhookAllowList(['10.1.0.0/16', 'inside.example.org']);
    expect(await pin('http://10.1.2.3:8080/', resolves('10.1.2.3'), allowed)).toMatchObject({
      address: '10.1.2.3',
    });
    expect(await pin('https://inside.example.org/', resolves('192.168.0.9'), allowed)).toBeTruthy();
    await expect(pin('https://10.2.2.3/', resolves('10.2.2.3'), allowed)).rejects.toThrow();
    await expect(pin('https://x.example.org/', resolves('10.1.2.3', '10.2.2.3'), allowed)).rejects.toThrow();
    expect(() => new WebhookAllowList(['not a name'])).toThrow();
  });

  it('is refused when it is registered, and asked again at each attempt', async () => {
    let address = '93.184.216.34';
    const resolve: ResolveName = async () => [{ address, family: 4 }];
    const options = { ...webhooks, allowed: [], resolve };
    await using service = await startTestService({ more: { webhooks: options } });
    const ann = await service.key('ann');
    const registered = await registerWebhook(service, ann, 'https://heads.example.org/');
    expect(registered.status).toBe(201);
    // The name leads inside from now on.
    address = '127.0.0.1';
    const refused = await registerWebhook(service, ann, 'https://heads.example.org/');
    expect(refused).toMatchObject({ status: 422, body: { code: 'webhook_address_refused', field: 'url' } });
    await order(service, ann);
    await expect
      .poll(async () => (await list(service, ann)).dead, { ...within, timeout: 40_000 })
      .toMatchObject([{ webhook: registered.body.id, reason: 'heads.example.org is not a public address' }]);
  }, 60_000);
});

it('a seal opens only what it sealed, for what it was sealed', async () => {
  const place = temporaryFolder();
  const seal = await openWebhookSeal(place.path, null);
  const sealed = seal.seal('whsec_x', 'a');
  expect((await openWebhookSeal(place.path, null)).open(sealed, 'a')).toBe('whsec_x');
  expect(() => seal.open(sealed, 'b')).toThrow();
  const other = temporaryFolder();
  const another = await openWebhookSeal(other.path, null);
  expect(() => another.open(sealed, 'a')).toThrow();
  expect(another.name).not.toBe(seal.name);
  place.remove();
  other.remove();
});

describe.skipIf(!hasRedis())('over two nodes', { timeout: 60_000 }, () => {
  let place: ReturnType<typeof temporaryFolder>;
  let redis: TestRedis;
  let machines: ManyMachines;
  beforeEach(async () => {
    place = temporaryFolder();
    redis = await startRedis({ folder: join(place.path, 'redis') });
    machines = await openMachines(place.path, redis.url);
  });
  afterEach(async () => {
    await machines.close();
    await redis.close();
    place.remove();
  });

  it('a message is sent once, by a node that is there, with one key that seals', async () => {
    const receiver = await startReceiverOf(200);
    const shared = { queue: redis.url, store: machines.storeFolder };
    await openWebhookSeal(place.path, null);
    const more = { shared, webhooks: { ...webhooks, keyFile: join(place.path, 'webhook.key') } };
    const nodes = [await startTestService({ more }), await startTestService({ more })] as const;
    const ann = await nodes[0].key('ann');
    await nodes[1].running.reloadKeys();
    await registerWebhook(nodes[0], ann, receiver.url);
    machines.startWorker();
    const ids = [];
    for (let at = 0; at < 6; at += 1) ids.push((await order(nodes[at % 2]!, ann)).body.data.modelId);
    await expect.poll(() => receiver.received.length, within).toBe(6);
    await nodes[0][Symbol.asyncDispose]();
    ids.push((await order(nodes[1], ann)).body.data.modelId);
    await expect.poll(() => receiver.received.length, within).toBe(7);
    const told = receiver.received.map((one) => JSON.parse(one.body).data.id as string);
    expect(told.toSorted()).toEqual(ids.toSorted());
    expect(await list(nodes[1], ann)).toMatchObject({ webhooks: [{ url: receiver.url }], dead: [] });
    await nodes[1][Symbol.asyncDispose]();
    await receiver.close();
  });
});
