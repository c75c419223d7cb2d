import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { encodeWav } from '@likeness/proto/wav.ts';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { blob, form, temporaryFolder } from '../../../test/support/service/engine_harness.ts';
import { hasRedis, startRedis, type TestRedis } from '../../../test/support/service/redis_server.ts';
import type { ShownKey } from '../src/keys/key_administration.ts';
import { type ManyMachines, openMachines } from './many_machines.ts';
import {
  type Answered,
  call,
  faceMaker,
  groupA,
  groupB,
  order,
  picture,
  recordingMaker,
  speak,
  startTestService,
  type TestService,
} from './service_harness.ts';
import { registerWebhook, startReceiverOf } from './webhook_receiver.ts';

const webhooks = { allowed: ['127.0.0.1'], keyFile: null };
const within = { timeout: 10_000, interval: 50 };

/** Starts an upload and sends nothing more. */
async function hang(
  service: TestService,
  path: string,
  key: ShownKey,
  announcedBytes = 100_000,
): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${service.port}`,
    `authorization: Bearer ${key.secret}`,
    'content-type: multipart/form-data; boundary=x',
    `content-length: ${announcedBytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n--x\r\n`);
  return socket;
}

const check = async (service: TestService, key: ShownKey): Promise<Answered> => {
  const response = await fetch(`${service.url}/v1/photos/check`, {
    method: 'POST',
    headers: groupA(key),
    body: form({ file: blob(await picture(1)) }),
  });
  return { status: response.status, headers: {}, body: await response.json() };
};

/** A receiver that takes connections and never answers. */
async function startSilentReceiver(): Promise<{
  url: string;
  open: () => number;
  close: () => Promise<void>;
}> {
  let open = 0;
  const server = createServer(() => {
    open += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    open: () => open,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A voice that has continued, so that it isn't forgotten when others come. */
async function continued(service: Pick<TestService, 'url'>, key: ShownKey): Promise<number> {
  const traceId = randomUUID();
  const begun = await speak(service, key, { seconds: 0.1, traceId });
  if (begun.status !== 200) return begun.status;
  return (await speak(service, key, { seconds: 0.1, traceId, status: 'continue' })).status;
}

async function statuses(count: number, one: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i += 1) all.push(await one());
  return all;
}

describe('while one tenant takes all it can get', { timeout: 30_000 }, () => {
  let service: TestService;
  let greedy: ShownKey;
  let other: ShownKey;
  beforeEach(async () => {
    service = await startTestService({
      limits: { openTraces: 8, photoRequests: 4, waitingModels: 8, slowUploadWindow: 400 },
      more: { webhooks },
    });
    greedy = await service.key('greedy');
    other = await service.key('other');
  });
  afterEach(async () => {
    await service[Symbol.asyncDispose]();
  });

  it('another opens a voice', async () => {
    expect(await statuses(6, () => continued(service, greedy))).toEqual([200, 200, 200, 200, 503, 503]);
    expect(await continued(service, other)).toBe(200);
    // A whole utterance is one call, and takes no voice's place for longer.
    expect(await statuses(9, async () => (await speak(service, other)).status)).toEqual(Array(9).fill(200));
    expect(await continued(service, await service.key('newcomer'))).toBe(200);
  });

  it('another has a photo checked, and an upload without progress is ended', async () => {
    const hanging = await Promise.all([1, 2].map(() => hang(service, '/v1/photos/check', greedy)));
    const answers = hanging.map(async (socket) => String((await once(socket, 'data'))[0]));
    await expect.poll(() => service.running.inFlight).toBe(2);
    expect(await check(service, greedy)).toMatchObject({
      status: 503,
      body: { code: 'busy', message: expect.stringContaining('Your tenant already uses its share') },
    });
    expect((await check(service, other)).status).toBe(200);
    for (const answer of await Promise.all(answers))
      expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*upload_too_slow/);
    expect((await check(service, greedy)).status).toBe(200);
  });

  it('another is answered between the frames of a mesh', async () => {
    let frames = 0;
    let mostInATurn = 0;
    const pose = (): Float32Array => {
      frames += 1;
      mostInATurn = Math.max(mostInATurn, frames);
      return new Float32Array(9);
    };
    await using small = await startTestService({
      limits: { meshSeconds: 2 },
      makers: {
        loadFaceMaker: async () => ({
          ...faceMaker,
          loadMesh: async () => ({ ...(await faceMaker.loadMesh()), pose }),
        }),
      },
    });
    const key = await small.key('greedy');
    let turn: NodeJS.Immediate;
    const begin = (): void => {
      frames = 0;
      turn = setImmediate(begin);
    };
    begin();
    expect((await speak(small, key, { seconds: 2, vertices: true })).status).toBe(200);
    clearImmediate(turn!);
    expect(mostInATurn).toBeLessThanOrEqual(4);
    // The length of an answer with vertices is limited; without them, it isn't.
    expect((await speak(small, key, { seconds: 3, vertices: true })).status).toBe(413);
    expect((await speak(small, key, { seconds: 3 })).status).toBe(200);
    const traceId = randomUUID();
    expect((await speak(small, key, { traceId, vertices: true })).status).toBe(200);
    expect((await speak(small, key, { traceId, seconds: 3, status: 'continue' })).status).toBe(413);
  });

  it('another has a recording analysed, although uploads of gigabytes are announced', async () => {
    await using small = await startTestService({
      limits: { recordingRequests: 4 },
      makers: { loadRecordingMaker: async () => recordingMaker },
    });
    const keys = [await small.key('greedy'), await small.key('other')] as const;
    const path = '/v1/speech/recordings';
    const analyse = async (key: ShownKey): Promise<{ status: number; text: string }> => {
      const file = blob(encodeWav({ sampleRate: 16_000, samples: new Float32Array(16_000) }));
      const answer = await fetch(small.url + path, {
        method: 'POST',
        headers: groupA(key),
        body: form({ file }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    for (let i = 0; i < 2; i += 1) await hang(small, path, keys[0], 2 ** 31);
    await expect.poll(() => small.running.inFlight).toBe(2);
    expect(await analyse(keys[0])).toMatchObject({ status: 503, text: expect.stringContaining('its share') });
    const answer = await analyse(keys[1]);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text.trim().split('\n').at(-1)!)).toMatchObject({ seconds: 1 });
  });

  it('another orders a head', async () => {
    const release = service.heads.hold();
    const orders = await statuses(8, async () => (await order(service, greedy)).status);
    expect(orders).toEqual([200, 200, 200, 200, 200, 503, 503, 503]);
    expect((await order(service, other)).status).toBe(200);
    release();
  });

  it('another is told of its models', async () => {
    const silent = await startSilentReceiver();
    const receiver = await startReceiverOf(200);
    onTestFinished(async () => {
      await Promise.all([silent.close(), receiver.close()]);
    });
    for (let i = 0; i < 10; i += 1) await registerWebhook(service, greedy, `${silent.url}${i}`);
    await registerWebhook(service, other, receiver.url);
    for (let i = 0; i < 4; i += 1) await order(service, greedy);
    await expect.poll(silent.open, within).toBe(16);
    const since = performance.now();
    await order(service, other);
    await expect.poll(() => receiver.received.length, within).toBe(1);
    expect(performance.now() - since).toBeLessThan(2000);
    expect(silent.open()).toBe(16);
  });

  it('it alone loses its connections', async () => {
    await using small = await startTestService({ limits: { connections: 6, unauthenticated: 50 } });
    const keys = [await small.key('greedy'), await small.key('other')];
    const ask = async (key: ShownKey): Promise<string> => {
      const socket = connect(small.port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.write(
        `GET /v1/usage HTTP/1.1\r\nhost: 127.0.0.1:${small.port}\r\nauthorization: Bearer ${key.secret}\r\n\r\n`,
      );
      return String((await once(socket, 'data'))[0]).slice(9, 12);
    };
    const answers: string[] = [];
    for (let i = 0; i < 5; i += 1) answers.push(await ask(keys[0]!));
    expect(answers).toEqual(['200', '200', '200', '503', '503']);
    expect(await ask(keys[1]!)).toBe('200');
  });
});

describe.skipIf(!hasRedis())('while one tenant takes all it can get, with Redis', { timeout: 60_000 }, () => {
  let place: ReturnType<typeof temporaryFolder>;
  let redis: TestRedis;
  let machines: ManyMachines;
  let node: TestService;
  beforeEach(async () => {
    place = temporaryFolder();
    redis = await startRedis({ folder: join(place.path, 'redis') });
    machines = await openMachines(place.path, redis.url);
    node = await startTestService({
      limits: { openTraces: 4, waitingModels: 8 },
      more: { webhooks, shared: { queue: redis.url, store: machines.storeFolder } },
    });
  });
  afterEach(async () => {
    await node[Symbol.asyncDispose]();
    await machines.close();
    await redis.close();
    place.remove();
  });

  it('another speaks, orders, and is told of its models', async () => {
    const [greedy, other] = [await node.key('greedy'), await node.key('other')];
    expect(await statuses(6, () => continued(node, greedy))).toEqual([200, 200, 200, 200, 503, 503]);
    expect(await continued(node, other)).toBe(200);
    expect(await statuses(5, async () => (await order(node, greedy)).status)).toEqual([
      200, 200, 200, 200, 503,
    ]);
    expect((await order(node, other)).status).toBe(200);

    const silent = await startSilentReceiver();
    const receiver = await startReceiverOf(200);
    onTestFinished(async () => {
      await Promise.all([silent.close(), receiver.close()]);
    });
    for (let i = 0; i < 10; i += 1) await registerWebhook(node, greedy, `${silent.url}${i}`);
    await registerWebhook(node, other, receiver.url);
    machines.startWorker();
    await expect.poll(silent.open, { timeout: 30_000 }).toBe(16);
    await expect.poll(() => receiver.received.length, within).toBe(1);
    await order(node, other);
    await expect.poll(() => receiver.received.length, { ...within, timeout: 5000 }).toBe(2);
    expect((await call(node, '/healthz', { headers: groupB(other) })).status).toBe(200);
  });
});
