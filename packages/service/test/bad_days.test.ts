import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngClaiming } from '../../../test/support/service/engine_harness.ts';
import { sized } from '../../../test/support/sizes.ts';
import { call, groupB, order, startTestService, type TestService } from './service_harness.ts';

let service: TestService;
let skew = 0;
beforeAll(async () => {
  service = await startTestService({
    clock: () => Date.now() + skew,
    limits: {
      headersTimeout: 500,
      requestTimeout: 1500,
      unauthenticated: 64,
      silentFor: 2000,
      imageBytes: 4 * 2 ** 20,
    },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const open = (): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
  });
const rest = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });

describe('a client', () => {
  it('that sends a body byte by byte is not waited for', async () => {
    const { secret } = await service.key('drip');
    const socket = await open();
    socket.write(
      `POST /open-api/svc/sdk/model/generate HTTP/1.1\r\nhost: 127.0.0.1:${service.port}\r\nauth_ak: ${secret}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n`,
    );
    const drip = setInterval(() => socket.write('-'), 100);
    expect(await rest(socket)).toContain('408');
    clearInterval(drip);
  });

  it('that announces 10 GB, or sends without end, is refused before it is taken in', async () => {
    const key = await service.key('huge');
    const head = `POST /open-api/svc/sdk/model/generate HTTP/1.1\r\nhost: 127.0.0.1:${service.port}\r\nauth_ak: ${key.secret}\r\ncontent-type: multipart/form-data; boundary=x\r\n`;
    const announced = await open();
    announced.write(`${head}content-length: ${10 * 2 ** 30}\r\n\r\n`);
    const first = new Promise<string>((resolve) => announced.once('data', (chunk) => resolve(String(chunk))));
    expect(await first).toContain('413');
    announced.destroy();
    const endless = await open();
    const answer = rest(endless);
    endless.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(2 ** 20, 45), Buffer.from('\r\n')]);
    // One photo's room, and not that of the further ones that nobody has begun to send.
    for (let sent = 0; sent < 110 && !endless.closed; sent += 1)
      if (!endless.write(chunk)) await Promise.race([new Promise((go) => endless.once('drain', go)), answer]);
    expect(await answer).toMatch(/413|^$/);
    expect((await call(service, '/health', { headers: groupB(key) })).status).toBe(200);
  });

  it('that sends a picture of 900 million pixels in few bytes is refused by its header', async () => {
    const key = await service.key('bomb');
    const refused = await order(service, key, { photo: pngClaiming(30_000, 30_000) });
    expect(refused.status).toBe(413);
    expect(refused.body.data).toMatchObject({ reason: 'image_too_many_pixels' });
    const packed = await call(service, '/open-api/svc/sdk/model/generate', {
      method: 'POST',
      headers: {
        ...groupB(key),
        'content-encoding': 'gzip',
        'content-type': 'multipart/form-data; boundary=x',
      },
      body: 'x',
    });
    expect(packed.status).toBe(415);
  });
});

const strangerCount = sized(600, 2000);

it('strangers with very many connections keep nobody out who has a key', async () => {
  const key = await service.key('regular');
  const strangers: Socket[] = [];
  // Some at a time: beyond the system's backlog a client believes in connections that no server has.
  while (strangers.length < strangerCount) {
    strangers.push(...(await Promise.all(Array.from({ length: 100 }, async () => (await open()).resume()))));
  }
  expect((await call(service, '/health', { headers: groupB(key) })).status).toBe(200);
  await expect
    .poll(() => strangers.filter(({ closed }) => !closed).length, { timeout: 20_000 })
    .toBeLessThanOrEqual(64);
  for (const socket of strangers) socket.destroy();
}, 30_000);

it('a clock that steps back or ahead by a day neither stops a key nor lets it call faster', async () => {
  const key = await service.key('stepped', { rate: { perSecond: 0.01, burst: 4 } });
  for (const step of [86_400_000, -86_400_000]) {
    skew = step;
    expect((await call(service, '/health', { headers: groupB(key) })).status).toBe(200);
  }
  const { body } = await order(service, key);
  expect(body.code).toBe(200);
  await order(service, key);
  skew = 86_400_000;
  expect((await call(service, '/health', { headers: groupB(key) })).status).toBe(429);
  skew = 0;
});

it('the folder is nobody else’s to read', async () => {
  await service.key('private');
  for (const name of ['keys.json', 'webhook.key', 'service.db', 'journal/journal.db'])
    expect(statSync(`${service.folder}/${name}`).mode & 0o077, name).toBe(0);
});
