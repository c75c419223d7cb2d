import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine, temporaryFolder } from '../../support/service/engine_harness.ts';

let engine: TestEngine;
const folder = temporaryFolder();

beforeAll(async () => {
  engine = await startTestEngine({
    folder: folder.path,
    limits: { headersTimeout: 500, requestTimeout: 1500, idleTimeout: 3000, audioRequestBytes: 1024 * 1024 },
  });
});
afterAll(async () => {
  await engine.kill('SIGTERM');
  folder.remove();
});

const open = (): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(engine.port, '127.0.0.1', () => resolve(socket));
  });

/** All that comes until the other side closes. */
const rest = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });

describe('the listener', () => {
  it('answers its own host names only, so that no other name can be pointed at it', async () => {
    const status = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(
          { host: '127.0.0.1', port: engine.port, path: '/openapi.json', headers: { host } },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        )
          .on('error', reject)
          .end();
      });
    expect(await status(`127.0.0.1:${engine.port}`)).toBe(200);
    expect(await status(`localhost:${engine.port}`)).toBe(200);
    for (const host of ['evil.example', `evil.example:${engine.port}`, '127.0.0.1', '127.0.0.1:1']) {
      expect(await status(host), host).toBe(421);
    }
  });

  it('gives pages of other origins nothing', async () => {
    const preflight = await fetch(`${engine.url}/v1/audio-to-face/mesh`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(401);
    const answer = await fetch(`${engine.url}/openapi.json`, { headers: { origin: 'https://evil.example' } });
    for (const response of [preflight, answer]) {
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
      await response.body?.cancel();
    }
  });

  it('says what there is not', async () => {
    const nowhere = await fetch(`${engine.url}/v1/other-3d/sq`, { method: 'POST' });
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toMatchObject({ code: 'path_unknown' });
    const groupB = await fetch(`${engine.url}/open-api/other/sdk/model/get/1`);
    expect(await groupB.json()).toMatchObject({ code: 404, data: { reason: 'path_unknown' } });
    const method = await fetch(`${engine.url}/open-api/svc/sdk/model/generate`, {
      headers: { auth_ak: engine.apiKey },
    });
    expect(method.status).toBe(405);
    expect(method.headers.get('allow')).toBe('POST');
    await method.body?.cancel();
  });

  it('answers what is not HTTP, and headers without end', async () => {
    const garbage = await open();
    garbage.write('\x16\x03\x01 this is not HTTP\r\n\r\n');
    expect(await rest(garbage)).toContain('"code":"not_http"');
    const endless = await open();
    endless.write(`GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(await rest(endless)).toContain('431');
  });

  it('does not wait for those who drip', async () => {
    const headers = await open();
    headers.write('GET / HTTP/1.1\r\nhost: ');
    const body = await open();
    body.write(
      `POST /v1/audio-to-face/mesh HTTP/1.1\r\nhost: 127.0.0.1:${engine.port}\r\nauthorization: Bearer ${engine.accessToken}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
    );
    const drip = setInterval(() => body.write(' '), 200);
    body.on('close', () => clearInterval(drip));
    const [first, second] = await Promise.all([rest(headers), rest(body)]);
    expect(first).toContain('408');
    expect(second).toContain('408');
  });

  it('is there for who has a key while strangers hold more connections than it bears', async () => {
    const strangers = await Promise.all(
      Array.from({ length: 700 }, async (_, at) => {
        const socket = await open();
        socket.on('error', () => {}).resume();
        // Some are silent; some ask without a key and go on sending.
        if (at % 2 === 0)
          socket.write(
            `POST /v1/audio-to-face/mesh HTTP/1.1\r\nhost: 127.0.0.1:${engine.port}\r\ncontent-length: 9\r\n\r\n`,
          );
        return socket;
      }),
    );
    for (let round = 0; round < 20; round += 1) {
      const answer = await fetch(`${engine.url}/health`, {
        headers: { auth_ak: engine.apiKey, connection: 'close' },
      });
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
    await expect.poll(() => strangers.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(128);
    for (const socket of strangers) socket.destroy();
  });

  it('lets a sender of too much read the refusal', async () => {
    const response = await fetch(`${engine.url}/v1/audio-to-face/mesh`, {
      method: 'POST',
      headers: { authorization: `Bearer ${engine.accessToken}`, 'content-type': 'application/json' },
      body: Buffer.alloc(2 * 1024 * 1024, 32),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'audio_too_large', field: 'data' });
  });
});

describe('/openapi.json', () => {
  interface Description {
    openapi: string;
    info: Record<string, string>;
    paths: Record<string, Record<string, { operationId: string; responses: object; security: unknown[] }>>;
    components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
  }
  let description: Description;
  beforeAll(async () => {
    description = (await (await fetch(`${engine.url}/openapi.json`)).json()) as Description;
  });

  it('is OpenAPI 3.1 whose references lead somewhere', async () => {
    expect(description.openapi).toBe('3.1.0');
    expect(await new Validator().validate(structuredClone({ ...description }))).toEqual({ valid: true });
    expect(description.info).toMatchObject({ title: expect.any(String), version: '9.9.9' });
    const references = JSON.stringify(description).match(/#\/components\/schemas\/\w+/g) ?? [];
    for (const reference of references) {
      expect(description.components.schemas).toHaveProperty(reference.split('/').at(-1)!);
    }
    const ids = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const [path, methods] of Object.entries(description.paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(methods) as { parameters?: { in: string; name: string }[] }[]) {
        const named = operation.parameters?.filter((one) => one.in === 'path').map(({ name }) => name) ?? [];
        expect(named).toEqual(wanted);
      }
    }
  });

  it('describes what there is: every path answers, with a status that it names', async () => {
    const reasons = JSON.stringify(description);
    let count = 0;
    for (const [path, methods] of Object.entries(description.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const response = await fetch(engine.url + path.replaceAll(/[{}]/g, ''), {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${engine.accessToken}`, auth_ak: engine.apiKey },
        });
        expect(Object.keys(operation.responses), `${method} ${path}`).toContain(String(response.status));
        if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
          // It goes on for as long as somebody listens.
          await response.body?.cancel();
          count++;
          continue;
        }
        const body = (await response.json()) as { code?: string | number; data?: { reason?: string } };
        const reason = body.data?.reason ?? body.code;
        expect(response.ok || reasons.includes(`\`${reason}\``), `${method} ${path}: ${reason}`).toBe(true);
        expect(reason).not.toBe('path_unknown');
        count++;
      }
    }
    expect(count).toBe(16);
  });
});
