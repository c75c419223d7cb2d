import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageSession } from '@likeness/proto/page_session.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { BinaryPort, Dispatcher } from '../../../../main/ipc/dispatcher.ts';
import {
  type BrowserServer,
  type BrowserServerOptions,
  serveBrowser,
} from '../../../../main/shell/browser/server.ts';
import { Sessions } from '../../../../main/shell/browser/sessions.ts';
import { createPages } from '../../../../main/shell/pages.ts';

let server: BrowserServer | undefined;
let uploads: string;
beforeEach(() => {
  uploads = mkdtempSync(join(tmpdir(), 'likeness-uploads-'));
});
afterEach(async () => {
  await server?.close();
  rmSync(uploads, { recursive: true });
});

async function start(dispatcher: Partial<Dispatcher> = {}, options: Partial<BrowserServerOptions> = {}) {
  const links: string[] = [];
  const linkEnds: string[] = [];
  const registered: { path: string; name: string; temporary: boolean }[] = [];
  const sessions = new Sessions({ randomBytes, clock: Date.now });
  server = await serveBrowser({
    port: 0,
    uploads: {
      folder: uploads,
      register: (file) => `id-${registered.push(file)}`,
      randomName: () => randomBytes(8).toString('hex'),
    },
    randomBytes,
    sessions,
    onLink: (link) => links.push(link),
    onLinkEnd: (how) => linkEnds.push(how),
    pages: async (request) => new Response(`page ${new URL(request.url).pathname}`),
    dispatcher: {
      call: async (name, input, sender) => ({ ok: true, value: { name, input, sender } }),
      refusal: () => null,
      onEvent: () => () => {},
      openStream: () => {},
      emit: () => {},
      ...dispatcher,
    },
    ...options,
  });
  const { origin } = server;
  const enter = (token: string, headers: Record<string, string> = { origin }) =>
    ask(origin, '/enter', { method: 'POST', headers, body: token });
  const tokenOf = (link = '') => link.split('#token=')[1] ?? '';
  /** A page that came in by the last link: its cookie, and what its script was given. */
  const come = async (): Promise<PageSession & { cookie: string }> => {
    const { text, headers } = await enter(tokenOf(links.at(-1)));
    return { ...JSON.parse(text), cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
  };
  const socketOf = (path: string, { cookie, secret }: { cookie: string; secret: string }) =>
    socket(`${origin.replace('http', 'ws')}${path}`, { cookie, origin }, ['likeness', secret]);
  return { origin, links, linkEnds, registered, sessions, enter, tokenOf, come, socketOf };
}

/** Refused for certain: the status of the answer. */
function socket(
  url: string,
  headers: Record<string, string>,
  protocols: string[] = [],
): Promise<WebSocket | number> {
  return new Promise((resolve) => {
    const opened = new WebSocket(url, protocols, { headers });
    opened.on('open', () => resolve(opened));
    opened.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
    opened.on('error', () => {});
  });
}

function opened(answer: WebSocket | number): WebSocket {
  if (typeof answer === 'number') throw new Error(`refused with ${answer}`);
  return answer;
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
  for (const path of ['/assets/app.js', '/bridge.js', '/asset/model/one', '/session', '/s/x/asset/model/one'])
    expect((await ask(origin, path)).status).toBe(401);
});

it('exchanges the link’s token once, for an HttpOnly, SameSite=Strict cookie and a secret of the page', async () => {
  const { origin, links, linkEnds, enter, tokenOf } = await start();
  const token = tokenOf(links[0]);
  const first = await enter(token);
  expect(first.status).toBe(200);
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict$/);
  const { secret, assets } = JSON.parse(first.text) as PageSession;
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(assets).not.toContain(secret);
  expect(cookie).not.toContain(secret);
  expect((await enter(token)).status).toBe(403);
  expect((await ask(origin, '/x', { headers: { cookie: cookie.split(';')[0] } })).text).toBe('page /x');
  expect(links).toHaveLength(2);
  expect(linkEnds).toEqual(['used']);
  expect((await enter(tokenOf(links[1]))).status).toBe(200);
});

it('takes no link that nobody used in time, and says so', async () => {
  let now = Date.now();
  const { links, linkEnds, enter, tokenOf } = await start({}, { clock: () => now });
  now += 11 * 60_000;
  expect((await enter(tokenOf(links[0]))).status).toBe(410);
  expect(linkEnds).toEqual(['expired']);
  expect((await enter(tokenOf(server?.newLink()))).status).toBe(200);
});

it('tells when a link is over its time although nobody comes', async () => {
  const { linkEnds } = await start({}, { limits: { linkFor: 30 } });
  await expect.poll(() => linkEnds).toEqual(['expired']);
});

it('refuses wrong tokens, over-long bodies and entrances from elsewhere', async () => {
  const { enter, tokenOf, links } = await start();
  expect((await enter('wrong')).status).toBe(403);
  expect((await enter('x'.repeat(100_000))).status).toBe(403);
  expect((await enter(tokenOf(links[0]), { origin: 'https://example.com' })).status).toBe(403);
  expect((await enter(tokenOf(links[0]), {})).status).toBe(403);
});

it('answers its own Host and Origin only, cookie or not', async () => {
  const { origin, come } = await start();
  const headers = { cookie: (await come()).cookie };
  expect((await ask(origin, '/', { headers: { ...headers, host: 'likeness.example.com' } })).status).toBe(
    403,
  );
  expect((await ask(origin, '/', { headers: { ...headers, host: 'localhost' } })).status).toBe(403);
  expect((await ask(origin, '/', { headers: { ...headers, origin: 'https://example.com' } })).status).toBe(
    403,
  );
  expect((await ask(origin, '/', { headers })).status).toBe(200);
});

it('opens sockets only to its own page with cookie and secret', async () => {
  const { origin, come, socketOf } = await start();
  const address = origin.replace('http', 'ws');
  const { cookie, secret } = await come();
  const protocols = ['likeness', secret];
  expect(await socket(`${address}/socket`, { origin })).toBe(403);
  expect(await socket(`${address}/socket`, { cookie }, protocols)).toBe(403);
  expect(await socket(`${address}/socket`, { cookie, origin: 'https://example.com' }, protocols)).toBe(403);
  expect(await socketOf('/elsewhere', { cookie, secret })).toBe(404);
  expect(opened(await socketOf('/socket', { cookie, secret })).protocol).toBe('likeness');
});

it('opens nothing of worth to the cookie alone, which goes to every port of the machine', async () => {
  const glb = join(uploads, 'head.glb');
  writeFileSync(glb, 'the head');
  const pages = createPages({ rendererFolder: uploads, asset: async () => glb });
  const { origin, come, socketOf, registered } = await start({}, { pages });
  const { cookie, assets } = await come();
  const other = await come();
  expect((await ask(origin, `${assets}/asset/model/one`, { headers: { cookie } })).text).toBe('the head');
  for (const path of ['/socket', '/stream']) {
    expect(await socket(`${origin.replace('http', 'ws')}${path}`, { cookie, origin })).toBe(403);
    // Neither what else can be seen of the session nor another page's secret will do.
    for (const secret of ['other', assets.split('/')[2] ?? '', other.secret])
      expect(await socketOf(path, { cookie, secret })).toBe(403);
  }
  const headers = { cookie, origin };
  expect((await ask(origin, '/upload?name=a', { method: 'POST', headers, body: 'x' })).status).toBe(401);
  expect((await ask(origin, '/session', { headers })).status).toBe(401);
  for (const path of [
    '/asset/model/one',
    '/asset/model/one?x',
    '/s/x/asset/model/one',
    `${other.assets}/asset/model/one`,
    '/%61sset/model/one',
    '//asset/model/one',
    '/x/../asset/model/one',
  ])
    expect((await ask(origin, path, { headers })).text, path).not.toContain('the head');
  expect(registered).toEqual([]);
});

it('opens nothing to secret and capability without the cookie', async () => {
  const { origin, come, socketOf, registered } = await start();
  const { secret, assets } = await come();
  expect(await socketOf('/socket', { cookie: '', secret })).toBe(403);
  const headers = { origin, 'likeness-session': secret };
  expect((await ask(origin, '/upload?name=a', { method: 'POST', headers, body: 'x' })).status).toBe(401);
  expect((await ask(origin, `${assets}/asset/model/one`, { headers })).status).toBe(401);
  expect((await ask(origin, '/bridge.js', { headers })).status).toBe(401);
  expect(registered).toEqual([]);
});

it('gives assets to a page’s capability and cookie, and nothing else below it', async () => {
  const { origin, come } = await start();
  const { cookie, assets } = await come();
  const get = (path: string) => ask(origin, path, { headers: { cookie } });
  expect((await get(`${assets}/asset/model/one?v=2`)).text).toBe('page /asset/model/one');
  expect((await get(`${assets}/bridge.js`)).status).toBe(401);
  // To main it is a path like any other, and leads to no asset.
  expect((await get(`${assets}/asset/../bridge.js`)).text).not.toContain('asset');
});

it('leaves the first page its session when a second comes in with the same browser', async () => {
  const { origin, come, enter, tokenOf, links, socketOf, sessions } = await start();
  const first = await come();
  const answer = await enter(tokenOf(links.at(-1)), { origin, cookie: first.cookie });
  const [cookie = '', ...more] = answer.headers['set-cookie'] ?? [];
  expect(more).toEqual([]);
  const second = { ...(JSON.parse(answer.text) as PageSession), cookie: cookie.split(';')[0] ?? '' };
  const both = `${first.cookie}; ${second.cookie}`;
  for (const { secret } of [first, second])
    expect(await socketOf('/socket', { cookie: both, secret })).toBeInstanceOf(WebSocket);
  expect(sessions.list().map(({ connected }) => connected)).toEqual([true, true]);
  // The browser forgets the cookies of sessions that are over.
  sessions.end([first.id]);
  const third = await enter(tokenOf(links.at(-1)), { origin, cookie: both });
  expect(third.headers['set-cookie']?.[1]).toMatch(/=; .*Max-Age=0$/);
});

it('ends a session at once: sockets, streams, downloads, and everything that would open again', async () => {
  const { origin, come, socketOf, sessions } = await start(
    { openStream: (_, __, port) => port.post('{"open":true}') },
    {
      pages: async () =>
        new Response(
          new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1000)) }, { highWaterMark: 0 }),
        ),
    },
  );
  const page = await come();
  const other = await come();
  const sockets = [opened(await socketOf('/socket', page)), opened(await socketOf('/stream', page))];
  const untouched = opened(await socketOf('/socket', other));
  const cut = new Promise<string>((resolve) => {
    const download = httpRequest(`${origin}${page.assets}/asset/model/one`, {
      headers: { cookie: page.cookie },
    });
    download.on('response', (response) => response.on('error', () => resolve('cut')).resume());
    download.on('error', () => resolve('cut')).end();
  });
  await expect.poll(() => sessions.list()[0]?.connected).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  sessions.end([page.id]);
  expect(sessions.list().map(({ id }) => id)).toEqual([other.id]);
  for (const socket of sockets) await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED);
  expect(await cut).toBe('cut');
  expect(untouched.readyState).toBe(WebSocket.OPEN);
  expect(await socketOf('/socket', page)).toBe(403);
  const headers = { cookie: page.cookie, origin, 'likeness-session': page.secret };
  expect((await ask(origin, `${page.assets}/asset/model/one`, { headers })).status).toBe(401);
  expect((await ask(origin, '/session', { headers })).status).toBe(401);
  expect((await ask(origin, '/upload?name=a', { method: 'POST', headers, body: 'x' })).status).toBe(401);
  expect((await ask(origin, '/bridge.js', { headers })).status).toBe(401);
});

it('tells a page whether its session is still one', async () => {
  const { origin, come } = await start();
  const { cookie, secret } = await come();
  expect((await ask(origin, '/session', { headers: { cookie, 'likeness-session': secret } })).status).toBe(
    200,
  );
});

it('carries calls with the page’s origin, and events', async () => {
  let emit: (name: string, payload: unknown) => void = () => {};
  const { origin, come, socketOf } = await start({
    onEvent: (listener) => {
      emit = listener;
      return () => {};
    },
  });
  const page = opened(await socketOf('/socket', await come()));
  const messages: unknown[] = [];
  page.on('message', (data) => messages.push(JSON.parse(String(data))));
  page.send(JSON.stringify({ id: 7, name: 'app.info', input: { a: 1 } }));
  await expect
    .poll(() => messages)
    .toEqual([
      { id: 7, result: { ok: true, value: { name: 'app.info', input: { a: 1 }, sender: { origin } } } },
    ]);
  emit('app.notice', { level: 'info' });
  await expect.poll(() => messages[1]).toEqual({ event: 'app.notice', payload: { level: 'info' } });
  page.send('not json');
  await expect.poll(() => page.readyState).toBe(WebSocket.CLOSED);
});

it('answers `internal` where an answer or an event can’t be sent, tells it, and goes on', async () => {
  let emit: (name: string, payload: unknown) => void = () => {};
  const defects: string[] = [];
  const circle: Record<string, unknown> = {};
  circle.again = circle;
  // As JSON.stringify does where a text is longer than one may be: connections with large certificates were.
  const tooLong = {
    toJSON(): never {
      throw new RangeError('Invalid string length');
    },
  };
  const { come, socketOf } = await start(
    {
      onEvent: (listener) => {
        emit = listener;
        return () => {};
      },
      async call(name) {
        if (name === 'app.circle') return { ok: true, value: circle };
        if (name === 'app.endless') return { ok: true, value: tooLong };
        if (name === 'app.rejects') throw new Error('a dispatcher never does');
        return { ok: true, value: 'fine' };
      },
    },
    { onDefect: (where) => defects.push(where) },
  );
  const page = opened(await socketOf('/socket', await come()));
  const messages: { id: number; result: { ok: boolean; error?: { code: string } } }[] = [];
  page.on('message', (data) => messages.push(JSON.parse(String(data))));
  const names = ['app.circle', 'app.endless', 'app.rejects'];
  for (const [id, name] of names.entries()) page.send(JSON.stringify({ id, name }));
  await expect.poll(() => messages.length).toBe(3);
  for (const { result } of messages) expect(result.error?.code).toBe('internal');
  emit('app.notice', circle);
  page.send(JSON.stringify({ id: 9, name: 'app.fine' }));
  await expect.poll(() => messages[3]).toEqual({ id: 9, result: { ok: true, value: 'fine' } });
  expect(defects.toSorted()).toEqual([...names, 'app.notice'].toSorted());
});

it('carries a stream’s bytes both ways on a socket of its own', async () => {
  let port: BinaryPort | undefined;
  let openedWith: unknown;
  const { origin, come, socketOf } = await start({
    openStream: (name, options, stream, sender) => {
      openedWith = { name, options, sender };
      port = stream;
      stream.post('{"open":true}');
      stream.onMessage((message) => stream.post(message));
    },
  });
  const page = opened(await socketOf('/stream', await come()));
  const messages: (string | number[])[] = [];
  page.on('message', (data, isBinary) => messages.push(isBinary ? [...(data as Buffer)] : String(data)));
  page.send(JSON.stringify({ name: 'live.open', options: { a: 1 } }));
  page.send(Uint8Array.of(1, 2, 3));
  await expect.poll(() => messages).toEqual(['{"open":true}', [1, 2, 3]]);
  expect(openedWith).toEqual({ name: 'live.open', options: { a: 1 }, sender: { origin } });
  port?.close();
  await expect.poll(() => page.readyState).toBe(WebSocket.CLOSED);
});

it('takes a dropped file, names it itself and answers with an id', async () => {
  const { origin, come, registered } = await start();
  const { cookie, secret } = await come();
  const name = '../../etc/head.glb';
  const answer = await ask(origin, `/upload?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { cookie, origin, 'likeness-session': secret },
    body: 'bytes',
  });
  expect(JSON.parse(answer.text)).toEqual({ id: 'id-1' });
  const [file] = registered;
  expect(file).toMatchObject({ name, temporary: true });
  expect(file?.path.startsWith(`${uploads}/`)).toBe(true);
  expect(readFileSync(file?.path ?? '', 'utf8')).toBe('bytes');
});

it('takes files from its own page only, and keeps nothing of what did not arrive whole', async () => {
  const { origin, come, registered } = await start();
  const { cookie, secret } = await come();
  const good = { cookie, origin, 'likeness-session': secret };
  const path = '/upload?name=a.jpg';
  expect((await ask(origin, path, { method: 'POST', headers: { origin }, body: 'x' })).status).toBe(401);
  expect((await ask(origin, path, { method: 'POST', headers: { cookie }, body: 'x' })).status).toBe(403);
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

it('is there for its page while strangers hold more connections than it bears', async () => {
  const { origin, come, socketOf } = await start();
  const page = await come();
  const open = opened(await socketOf('/socket', page));
  const port = Number(new URL(origin).port);
  const strangers = Array.from({ length: 700 }, (_, at) => {
    const stranger = connect(port, '127.0.0.1');
    stranger.on('error', () => {});
    // Some are silent, some never end their token.
    if (at % 2 === 0)
      stranger.write(
        `POST /enter HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${origin}\r\ncontent-length: 40\r\n\r\n`,
      );
    return stranger;
  });
  await Promise.all(
    strangers.map((one) => new Promise((resolve) => one.on('connect', resolve).on('close', resolve))),
  );
  for (let round = 0; round < 20; round += 1) {
    const { status } = await ask(origin, '/session', {
      headers: { cookie: page.cookie, 'likeness-session': page.secret },
    });
    expect(status).toBe(200);
  }
  expect(await socketOf('/socket', page)).toBeInstanceOf(WebSocket);
  expect(open.readyState).toBe(WebSocket.OPEN);
  await expect.poll(() => strangers.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(128);
  for (const one of strangers) one.destroy();
});

it('waits neither for silence nor for a token that does not come', async () => {
  const { origin } = await start({}, { limits: { silentFor: 100, enterWithin: 100 } });
  const { port } = new URL(origin);
  const silent = connect(Number(port), '127.0.0.1');
  const slow = connect(Number(port), '127.0.0.1');
  slow.write(
    `POST /enter HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: ${origin}\r\ncontent-length: 40\r\n\r\nx`,
  );
  for (const one of [silent, slow]) {
    one.resume().on('error', () => {});
    await expect.poll(() => one.closed).toBe(true);
  }
});
