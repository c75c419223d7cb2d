import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { restingFace } from '@likeness/proto/live/face_state.ts';
import type { ShownAppearance } from '@likeness/proto/live/viewer_message.ts';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { ViewerFeed, type ViewerSocket } from '../../../main/send/viewers/viewer_feed.ts';
import { newToken, openSending, type ShownHeadsNow } from './sending_stage.ts';

interface Message {
  type: string;
  [field: string]: unknown;
}

const page = async (asked: Request): Promise<Response> =>
  new URL(asked.url).pathname === '/'
    ? new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
    : new Response(`file ${new URL(asked.url).pathname}`, { headers: { 'content-type': 'text/plain' } });

const port = (): number => 20_000 + Math.floor(Math.random() * 20_000);

async function openViewers(heads?: ShownHeadsNow) {
  const { sending, secrets } = await openSending({ pages: page, heads });
  const { viewers } = await sending.changeViewers({ on: true, port: port() });
  return { sending, secrets, ...viewers };
}

function watch(url: string, origin?: string) {
  const socket = new WebSocket(url, origin === undefined ? {} : { origin });
  onTestFinished(() => socket.terminate());
  const messages: Message[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as Message));
  const opened = new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  return { socket, messages, opened };
}

/** As a browser does not let it: with a host of its own choice. */
const statusOf = (url: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.once('error', reject).end();
  });

test('the page and what belongs to it are behind its token, by a strict policy', async () => {
  const { pageUrl, socketUrl } = await openViewers();
  const shown = await fetch(pageUrl);
  expect(shown.status).toBe(200);
  const policy = shown.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).toContain(`ws://${new URL(pageUrl).host}`);
  expect(await (await fetch(`${pageUrl}asset/model/ada`)).text()).toBe('file /asset/model/ada');
  const { origin } = new URL(pageUrl);
  for (const path of ['/', '/obs/', `/obs/${newToken()}/`, `/obs/${socketUrl.split('/').at(-1)}/`])
    expect((await fetch(origin + path)).status).toBe(404);
  expect((await fetch(pageUrl, { method: 'POST' })).status).toBe(405);
});

test('another name for this address opens nothing, nor does another site’s page', async () => {
  const { pageUrl, socketUrl } = await openViewers();
  const { host } = new URL(pageUrl);
  expect(await statusOf(pageUrl, host)).toBe(200);
  expect(await statusOf(pageUrl, host.replace('127.0.0.1', 'evil.example'))).toBe(404);
  expect(await watch(`${pageUrl.replace('http', 'ws')}frames`, 'https://evil.example').opened).toBe(false);
  expect(await watch(`${pageUrl.replace('http', 'ws')}frames`, `http://${host}`).opened).toBe(true);
  expect(await watch(socketUrl.replace(/[^/]+$/, newToken())).opened).toBe(false);
  expect(await watch(socketUrl).opened).toBe(true);
  expect(await watch(socketUrl, 'https://evil.example').opened).toBe(false);
  // An overlay that a person has opened from a file.
  expect(await watch(socketUrl, 'null').opened).toBe(true);
});

test('nothing is open beyond this machine, and nothing at all while it is off', async () => {
  const { sending, port: open } = await openViewers();
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
  const reaches = (address: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ host: address, port: open, timeout: 2000 });
      const end = (reached: boolean): void => {
        socket.destroy();
        resolve(reached);
      };
      socket.once('connect', () => end(true));
      socket.once('error', () => end(false));
      socket.once('timeout', () => end(false));
    });
  expect(await reaches('127.0.0.1')).toBe(true);
  for (const address of addresses) expect(await reaches(address)).toBe(false);
  const { viewers } = await sending.changeViewers({ on: false });
  expect(viewers).toMatchObject({ on: false, pageUrl: '', socketUrl: '' });
  expect(await reaches('127.0.0.1')).toBe(false);
});

test('a script gets a snapshot first, then what changes and each frame', async () => {
  const { sending, socketUrl } = await openViewers();
  const { messages, opened } = watch(socketUrl);
  expect(await opened).toBe(true);
  await expect.poll(() => messages.length).toBe(1);
  expect(messages[0]).toMatchObject({
    type: 'snapshot',
    version: 1,
    channels: [],
    hasFace: false,
    look: { background: 'none', headUrl: 'asset/default-head/default' },
    frame: null,
  });
  await sending.playTake({ id: 'take-1', seconds: 0, loop: false });
  await expect.poll(() => messages.length).toBeGreaterThan(30);
  expect(messages[1]).toMatchObject({ type: 'change', channels: ['jawOpen', 'eyeBlinkLeft'], hasFace: true });
  const frames = messages.filter(({ type }) => type === 'frame');
  expect(frames[0]).toMatchObject({
    seq: 1,
    weights: [expect.any(Number), 0.5],
    head: { rotation: [0, 0, 0, 1] },
  });
  await expect
    .poll(() => messages.at(-1), { timeout: 5000 })
    .toMatchObject({ type: 'change', hasFace: false });
  await sending.changeViewers({ appearance: { background: '#00ff00', framing: 'head' } });
  await expect
    .poll(() => messages.at(-1))
    .toMatchObject({ type: 'change', look: { background: '#00ff00', framing: 'head', mirror: false } });
});

test('new tokens end the old addresses, and the logs know none of them', async () => {
  const { sending, secrets, pageUrl } = await openViewers();
  const { socket, opened } = watch(`${pageUrl.replace('http', 'ws')}frames`);
  expect(await opened).toBe(true);
  const { viewers } = await sending.renewViewerTokens();
  expect(viewers.pageUrl).not.toBe(pageUrl);
  await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED);
  expect((await fetch(pageUrl)).status).toBe(404);
  expect((await fetch(viewers.pageUrl)).status).toBe(200);
  for (const url of [pageUrl, viewers.pageUrl, viewers.socketUrl])
    expect(secrets.some((secret) => url.includes(secret))).toBe(true);
});

test('who comes back to a page that was closed and opened again begins anew', async () => {
  const { sending, socketUrl } = await openViewers();
  const first = watch(socketUrl);
  await expect.poll(() => first.messages.length).toBe(1);
  const { run, revision } = first.messages[0] as unknown as { run: string; revision: number };
  await sending.changeViewers({ on: false });
  const { viewers } = await sending.changeViewers({ on: true, appearance: { background: '#102030' } });
  const back = watch(`${viewers.socketUrl}?run=${run}&since=${revision}`);
  await expect
    .poll(() => back.messages[0])
    .toMatchObject({ type: 'snapshot', look: { background: '#102030' } });
});

test('who watches is told which head the person chose, and what moves its shapes', async () => {
  const heads: ShownHeadsNow = { chosen: 'man', drives: new Map() };
  const { sending, socketUrl } = await openViewers(heads);
  const { messages, opened } = watch(socketUrl);
  expect(await opened).toBe(true);
  await expect
    .poll(() => messages.at(-1))
    .toMatchObject({ look: { headUrl: 'asset/default-head/man', drives: [] } });
  const row = { shape: 'A', parts: [{ channel: 'jawOpen', weight: 1 }], gain: 2, curve: 1 };
  heads.chosen = 'stylised';
  heads.drives.set(null, [row]);
  await sending.headsChanged();
  await expect
    .poll(() => messages.at(-1))
    .toMatchObject({
      type: 'change',
      look: { headUrl: 'asset/default-head/stylised', drives: [row] },
    });
  heads.drives.set('m1', []);
  await sending.changeViewers({ appearance: { modelId: 'm1' } });
  await expect.poll(() => messages.at(-1)).toMatchObject({ look: { headUrl: 'asset/model/m1', drives: [] } });
});

const look: ShownAppearance = {
  background: 'none',
  framing: 'head',
  mirror: false,
  headUrl: 'asset/model/a',
  drives: [],
};

class Reader implements ViewerSocket {
  bufferedAmount = 0;
  readonly messages: Message[] = [];
  isOpen = true;
  send(text: string): void {
    this.messages.push(JSON.parse(text) as Message);
  }
  terminate(): void {
    this.isOpen = false;
  }
}
const face = (weight: number) => ({
  ...restingFace(),
  channelNames: ['jawOpen'],
  weights: Float32Array.of(weight),
});

test('who comes back gets what it missed; after too long, or another run, a snapshot', () => {
  const feed = new ViewerFeed('run-1', look);
  const first = new Reader();
  const leave = feed.add(first, null);
  const { revision } = first.messages[0] as unknown as { revision: number };
  leave?.();
  feed.setAppearance({ ...look, framing: 'close' });
  feed.face(face(0.5), 1000);
  const back = new Reader();
  feed.add(back, { run: 'run-1', revision });
  expect(back.messages.map(({ type }) => type)).toEqual(['change', 'change', 'frame']);
  expect(back.messages[0]).toMatchObject({ look: { framing: 'close' } });
  expect(back.messages[1]).toMatchObject({ channels: ['jawOpen'], hasFace: true });
  for (const since of [
    { run: 'run-0', revision },
    { run: 'run-1', revision: 99 },
  ]) {
    const other = new Reader();
    feed.add(other, since);
    expect(other.messages[0]).toMatchObject({ type: 'snapshot', look: { framing: 'close' }, hasFace: true });
  }
  for (let at = 0; at < 100; at++) feed.setAppearance({ ...look, mirror: at % 2 === 0 });
  const late = new Reader();
  feed.add(late, { run: 'run-1', revision });
  expect(late.messages.map(({ type }) => type)).toEqual(['snapshot']);
});

test('a viewer that reads nothing loses frames, then its place; the others lose nothing', () => {
  const feed = new ViewerFeed('run', look);
  const [slow, quick] = [new Reader(), new Reader()];
  feed.add(slow, null);
  feed.add(quick, null);
  feed.face(face(0), 0);
  slow.bufferedAmount = 10 * 1024 * 1024;
  for (let at = 1; at <= 60 * 9; at++) feed.face(face(at / 1000), (at * 1000) / 60);
  expect(slow.messages.filter(({ type }) => type === 'frame')).toHaveLength(1);
  expect(slow.isOpen).toBe(true);
  expect(feed.watching).toBe(2);
  for (let at = 60 * 9; at <= 60 * 11; at++) feed.face(face(0), (at * 1000) / 60);
  expect(slow.isOpen).toBe(false);
  expect(feed.watching).toBe(1);
  expect(quick.messages.filter(({ type }) => type === 'frame').length).toBeGreaterThan(600);
});

test('there are at most sixteen viewers', () => {
  const feed = new ViewerFeed('run', look);
  const places = Array.from({ length: 16 }, () => feed.add(new Reader(), null));
  expect(feed.add(new Reader(), null)).toBeNull();
  places[0]?.();
  expect(feed.add(new Reader(), null)).not.toBeNull();
});
