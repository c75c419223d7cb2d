import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { BinaryPort, Dispatcher } from '../../../../main/ipc/dispatcher.ts';
import { type BrowserServer, serveBrowser } from '../../../../main/shell/browser/server.ts';

let server: BrowserServer | undefined;
let uploads: string;
beforeEach(() => {
  uploads = mkdtempSync(join(tmpdir(), 'likeness-uploads-'));
});
afterEach(async () => {
  await server?.close();
  rmSync(uploads, { recursive: true });
});

async function start(dispatcher: Partial<Dispatcher> = {}) {
  const links: string[] = [];
  const registered: { path: string; name: string; temporary: boolean }[] = [];
  server = await serveBrowser({
    port: 0,
    uploads: {
      folder: uploads,
      register: (file) => `id-${registered.push(file)}`,
      randomName: () => randomBytes(8).toString('hex'),
    },
    randomBytes,
    onLink: (link) => links.push(link),
    pages: async (request) => new Response(`page ${new URL(request.url).pathname}`),
    dispatcher: {
      call: async (name, input, sender) => ({ ok: true, value: { name, input, sender } }),
      refusal: () => null,
      onEvent: () => () => {},
      openStream: () => {},
      emit: () => {},
      ...dispatcher,
    },
  });
  const { origin } = server;
  const enter = (token: string, headers: Record<string, string> = { origin }) =>
    ask(origin, '/enter', { method: 'POST', headers, body: token });
  const tokenOf = (link = '') => link.split('#token=')[1] ?? '';
  const cookie = async () =>
    (await enter(tokenOf(links.at(-1)))).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { origin, links, registered, enter, tokenOf, cookie };
}

interface Asked {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
}
/** fetch forbids setting Host and Origin; a hostile client does not care. */
function ask(origin: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  return new Promise<{
    status: number;
    text: string;
    headers: Record<string, string | string[] | undefined>;
  }>((resolve, reject) => {
    const request = httpRequest(`${origin}${path}`, { method, headers }, async (response) => {
      let text = '';
      for await (const part of response) text += part;
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
    request.on('error', reject);
    request.end(body);
  });
}

it('shows nothing of the studio without the cookie', async () => {
  const { origin } = await start();
  expect((await ask(origin, '/')).text).toContain('Opening the studio');
  for (const path of ['/assets/app.js', '/bridge.js', '/asset/model/one'])
    expect((await ask(origin, path)).status).toBe(401);
});

it('exchanges the link’s token for an HttpOnly, SameSite=Strict cookie, once', async () => {
  const { origin, links, enter, tokenOf } = await start();
  const token = tokenOf(links[0]);
  const first = await enter(token);
  expect(first.status).toBe(204);
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict$/);
  expect((await enter(token)).status).toBe(403);
  expect((await ask(origin, '/x', { headers: { cookie: cookie.split(';')[0] } })).text).toBe('page /x');
  expect(links).toHaveLength(2);
  expect((await enter(tokenOf(links[1]))).status).toBe(204);
});

it('refuses wrong tokens, over-long bodies and entrances from elsewhere', async () => {
  const { enter, tokenOf, links } = await start();
  expect((await enter('wrong')).status).toBe(403);
  expect((await enter('x'.repeat(100_000))).status).toBe(403);
  expect((await enter(tokenOf(links[0]), { origin: 'https://example.com' })).status).toBe(403);
  expect((await enter(tokenOf(links[0]), {})).status).toBe(403);
});

it('answers its own Host and Origin only, cookie or not', async () => {
  const { origin, cookie } = await start();
  const headers = { cookie: await cookie() };
  expect((await ask(origin, '/', { headers: { ...headers, host: 'likeness.example.com' } })).status).toBe(
    403,
  );
  expect((await ask(origin, '/', { headers: { ...headers, host: 'localhost' } })).status).toBe(403);
  expect((await ask(origin, '/', { headers: { ...headers, origin: 'https://example.com' } })).status).toBe(
    403,
  );
  expect((await ask(origin, '/', { headers })).status).toBe(200);
});

function socket(url: string, headers: Record<string, string>): Promise<WebSocket | number> {
  return new Promise((resolve) => {
    const opened = new WebSocket(url, { headers });
    opened.on('open', () => resolve(opened));
    opened.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
    opened.on('error', () => {});
  });
}

it('opens sockets only to its own page with the cookie', async () => {
  const { origin, cookie } = await start();
  const address = origin.replace('http', 'ws');
  const good = { cookie: await cookie(), origin };
  expect(await socket(`${address}/socket`, { origin })).toBe(403);
  expect(await socket(`${address}/socket`, { cookie: good.cookie })).toBe(403);
  expect(await socket(`${address}/socket`, { ...good, origin: 'https://example.com' })).toBe(403);
  expect(await socket(`${address}/elsewhere`, good)).toBe(404);
  expect(await socket(`${address}/socket`, good)).toBeInstanceOf(WebSocket);
});

it('carries calls with the page’s origin, and events', async () => {
  let emit: (name: string, payload: unknown) => void = () => {};
  const { origin, cookie } = await start({
    onEvent: (listener) => {
      emit = listener;
      return () => {};
    },
  });
  const opened = await socket(`${origin.replace('http', 'ws')}/socket`, { cookie: await cookie(), origin });
  if (typeof opened === 'number') throw new Error(`refused with ${opened}`);
  const messages: unknown[] = [];
  opened.on('message', (data) => messages.push(JSON.parse(String(data))));
  opened.send(JSON.stringify({ id: 7, name: 'app.info', input: { a: 1 } }));
  await expect
    .poll(() => messages)
    .toEqual([
      { id: 7, result: { ok: true, value: { name: 'app.info', input: { a: 1 }, sender: { origin } } } },
    ]);
  emit('app.notice', { level: 'info' });
  await expect.poll(() => messages[1]).toEqual({ event: 'app.notice', payload: { level: 'info' } });
  opened.send('not json');
  await expect.poll(() => opened.readyState).toBe(WebSocket.CLOSED);
});

it('carries a stream’s bytes both ways on a socket of its own', async () => {
  let port: BinaryPort | undefined;
  let openedWith: unknown;
  const { origin, cookie } = await start({
    openStream: (name, options, opened, sender) => {
      openedWith = { name, options, sender };
      port = opened;
      opened.post('{"open":true}');
      opened.onMessage((message) => opened.post(message));
    },
  });
  const opened = await socket(`${origin.replace('http', 'ws')}/stream`, { cookie: await cookie(), origin });
  if (typeof opened === 'number') throw new Error(`refused with ${opened}`);
  const messages: (string | number[])[] = [];
  opened.on('message', (data, isBinary) => messages.push(isBinary ? [...(data as Buffer)] : String(data)));
  opened.send(JSON.stringify({ name: 'live.open', options: { a: 1 } }));
  opened.send(Uint8Array.of(1, 2, 3));
  await expect.poll(() => messages).toEqual(['{"open":true}', [1, 2, 3]]);
  expect(openedWith).toEqual({ name: 'live.open', options: { a: 1 }, sender: { origin } });
  port?.close();
  await expect.poll(() => opened.readyState).toBe(WebSocket.CLOSED);
});

it('takes a dropped file, names it itself and answers with an id', async () => {
  const { origin, cookie, registered } = await start();
  const headers = { cookie: await cookie(), origin };
  const name = '../../etc/head.glb';
  const answer = await ask(origin, `/upload?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers,
    body: 'bytes',
  });
  expect(JSON.parse(answer.text)).toEqual({ id: 'id-1' });
  const [file] = registered;
  expect(file).toMatchObject({ name, temporary: true });
  expect(file?.path.startsWith(`${uploads}/`)).toBe(true);
  expect(readFileSync(file?.path ?? '', 'utf8')).toBe('bytes');
});

it('takes files from its own page only, and keeps nothing of what did not arrive whole', async () => {
  const { origin, cookie, registered } = await start();
  const good = { cookie: await cookie(), origin };
  const path = '/upload?name=a.jpg';
  expect((await ask(origin, path, { method: 'POST', headers: { origin }, body: 'x' })).status).toBe(401);
  expect(
    (await ask(origin, path, { method: 'POST', headers: { cookie: good.cookie }, body: 'x' })).status,
  ).toBe(403);
  expect((await ask(origin, '/upload', { method: 'POST', headers: good, body: 'x' })).status).toBe(400);
  await new Promise<void>((resolve) => {
    const cut = httpRequest(`${origin}${path}`, {
      method: 'POST',
      headers: { ...good, 'content-length': '1000' },
    });
    cut.on('error', () => resolve());
    cut.write('half', () => setTimeout(() => cut.destroy(), 50));
    cut.on('close', () => resolve());
  });
  await expect.poll(() => readdirSync(uploads)).toEqual([]);
  expect(registered).toEqual([]);
});
