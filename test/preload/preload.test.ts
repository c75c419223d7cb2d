/**
 * The built preload in a real Chromium: exactly the contract's API reaches the page, and nothing of Electron.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Bridge, BridgeCall, BridgeStream, BridgeSubscription } from '../../preload/bridge.ts';
import { contractNames } from '../../preload/contract.ts';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { type PreloadWorld, preloadWorld } from '../fixtures/electron/preload_world.ts';

declare global {
  interface Window {
    preloadWorld: PreloadWorld;
  }
}
type Room = Record<string, BridgeCall & BridgeSubscription & BridgeStream>;
/** What a probe in the page sees. */
type Exposed = Window & { studio: Record<string, Room> };

const source = readFileSync(join(import.meta.dirname, '../../out/preload/index.cjs'), 'utf8');
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium: name one in LIKENESS_CHROMIUM');
  browser = await chromium.launch({ executablePath, args: chromiumFlags });
});
afterAll(() => browser?.close());
beforeEach(async () => {
  page = await browser.newPage();
  faults.length = 0;
  page.on('pageerror', (error) => faults.push(error.message));
  // A secure origin of its own, as `likeness://app` is.
  await page.route('https://app.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>page</title>' }),
  );
  await page.addInitScript(preloadWorld, source);
  await page.goto('https://app.test/');
  return () => page.close();
});

describe('the bundle', () => {
  test('is one small CommonJS file that requires electron and nothing else', async () => {
    expect(source).not.toMatch(/^\s*(import|export)\s/m);
    expect(source).not.toMatch(/\bimport\(/);
    expect([...source.matchAll(/require\(\s*["'`]([^"'`]*)/g)].map(([, name]) => name)).toEqual(['electron']);
    expect(await page.evaluate(() => window.preloadWorld.required)).toEqual(['electron']);
    expect(faults).toEqual([]);
  });

  test('carries names and no schemas', () => {
    expect(Buffer.byteLength(source)).toBeLessThan(16 * 1024);
    expect(source).not.toMatch(/zod|_zod|ZodType|safeParse/i);
    expect(source).not.toContain('__CONTRACT_NAMES__');
  });
});

describe('the page', () => {
  test('has exactly the contract', async () => {
    const shape = await page.evaluate(() =>
      Object.fromEntries(
        Object.entries((window as unknown as Exposed).studio).map(([room, members]) => [
          room,
          Object.entries(members)
            .map(([name, member]) => `${name}: ${typeof member}`)
            .sort(),
        ]),
      ),
    );
    const expected = Object.fromEntries(
      Object.entries(contractNames).map(([room, { calls, events, streams }]) => [
        room,
        [
          ...calls,
          ...streams,
          ...events.map((event) => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`),
        ]
          .map((name) => `${name}: function`)
          .sort(),
      ]),
    );
    expect(shape).toEqual(expected);
    // A room's names don't hide each other.
    for (const [room, members] of Object.entries(expected))
      expect(new Set(members).size, room).toBe(members.length);
  });

  test('can’t change it', async () => {
    const changed = await page.evaluate(() => {
      const tried: Record<string, () => void> = {
        'replace the studio': () => Object.assign(window, { studio: {} }),
        'replace a room': () => Object.assign((window as unknown as Exposed).studio, { app: {} }),
        'replace a call': () => Object.assign((window as unknown as Exposed).studio.app!, { info: () => {} }),
        'add a call': () => Object.assign((window as unknown as Exposed).studio.app!, { extra: () => {} }),
      };
      return Object.entries(tried).flatMap(([what, attempt]) => {
        try {
          attempt();
          return [what];
        } catch {
          return [];
        }
      });
    });
    expect(changed).toEqual([]);
  });

  test('has nothing of Electron or Node', async () => {
    const found = await page.evaluate(() =>
      [
        'require',
        'process',
        'module',
        'exports',
        'Buffer',
        'global',
        'electron',
        'ipcRenderer',
        '__dirname',
      ].filter((name) => name in window),
    );
    expect(found).toEqual([]);
  });
});

describe('a call', () => {
  test('goes by its name, with its input, and answers with main’s result', async () => {
    const seen = await page.evaluate(async () => {
      const { studio, preloadWorld: world } = window as unknown as Exposed;
      world.answer(() => ({ ok: true, value: ['a'] }));
      world.answer(() => ({ ok: false, error: { code: 'not_found' } }));
      const answers = [
        await studio.connections!.list!(),
        await studio.connections!.remove!({ id: 'x' } as never),
      ];
      return { answers, sent: world.sent.map(({ channel, args }) => [channel, ...args]) };
    });
    expect(seen.sent).toEqual([
      ['studio:call', 'connections.list', undefined],
      ['studio:call', 'connections.remove', { id: 'x' }],
    ]);
    expect(seen.answers).toEqual([
      { ok: true, value: ['a'] },
      { ok: false, error: { code: 'not_found' } },
    ]);
  });

  test('that can’t be sent is an error as a value', async () => {
    const result = await page.evaluate(() => (window as unknown as Exposed).studio.app!.info!());
    expect(result).toMatchObject({ ok: false, error: { code: 'internal', retryable: false } });
    expect(JSON.stringify(result)).toContain('app.info');
  });
});

describe('an event', () => {
  test('reaches its listeners with the payload alone, until they end', async () => {
    const heard = await page.evaluate(() => {
      const { studio, preloadWorld: world } = window as unknown as Exposed;
      const calls: unknown[][] = [];
      const listener = (...args: unknown[]) => void calls.push(args);
      const end = studio.app!.onNavigate!(listener as never) as unknown as () => void;
      const endTwin = studio.app!.onNavigate!(listener as never) as unknown as () => void;
      world.emit('studio:event', 'app.navigate', { to: 'live' });
      end();
      end();
      world.emit('studio:event', 'app.navigate', { to: 'takes' });
      endTwin();
      world.emit('studio:event', 'app.navigate', { to: 'library' });
      world.emit('studio:event', 'app.unheard', {});
      return calls;
    });
    expect(heard).toEqual([[{ to: 'live' }], [{ to: 'live' }], [{ to: 'takes' }]]);
  });
});

describe('a stream', () => {
  test('brings its port to the page by a message from the page’s own window', async () => {
    const seen = await page.evaluate(async () => {
      const { studio, preloadWorld: world } = window as unknown as Exposed;
      const arrival = new Promise<MessageEvent>((resolve) =>
        window.addEventListener('message', resolve, { once: true }),
      );
      const id = (await studio.live!.open!({ profileId: 'built-in' } as never)) as unknown as string;
      const event = await arrival;
      const port = event.ports[0]!;
      const main = world.sent[0]!.ports[0]!;
      const heard = { page: [] as unknown[], main: [] as unknown[] };
      port.onmessage = ({ data }) => heard.page.push(data);
      main.onmessage = ({ data }) => heard.main.push(data);
      port.postMessage(new Uint8Array([1, 2]));
      main.postMessage('{"open":true}');
      main.postMessage(new Uint8Array([3]));
      await new Promise((resolve) => setTimeout(resolve, 100));
      return {
        fromOwnWindow: event.source === window && event.origin === location.origin,
        arrival: event.data,
        id,
        ports: event.ports.length,
        sent: world.sent.map(({ channel, args, ports }) => [channel, args, ports.length]),
        page: heard.page.map((data) => (typeof data === 'string' ? data : [...(data as Uint8Array)])),
        main: heard.main.map((data) => [...(data as Uint8Array)]),
      };
    });
    expect(seen).toMatchObject({
      fromOwnWindow: true,
      arrival: { type: 'likeness:stream', id: seen.id },
      ports: 1,
      sent: [['studio:stream', [{ id: seen.id, name: 'live.open', options: { profileId: 'built-in' } }], 1]],
      page: ['{"open":true}', [3]],
      main: [[1, 2]],
    });
    expect(seen.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('that can’t be sent says so through its port', async () => {
    const said = await page.evaluate(async () => {
      const { studio, preloadWorld: world } = window as unknown as Exposed;
      world.sent.push = () => {
        throw new Error('An object could not be cloned.');
      };
      const message = new Promise((resolve) =>
        window.addEventListener('message', ({ ports }) => {
          ports[0]!.onmessage = ({ data }) => resolve(JSON.parse(data as string));
        }),
      );
      await studio.live!.open!({} as never);
      return message;
    });
    expect(said).toMatchObject({ error: { code: 'internal' } });
  });
});

test('both shells’ bridges are frozen alike', async () => {
  const { createBridge } = await import('../../preload/bridge.ts');
  const bridge: Bridge = createBridge(
    { app: { calls: ['info'], events: ['navigate'], streams: [] } },
    {
      call: async (name, input) => ({ ok: true, value: [name, input] }),
      onEvent: () => () => {},
      openStream: () => ({ id: '1', port: new MessageChannel().port1 as never }),
    },
  );
  expect(Object.isFrozen(bridge)).toBe(true);
  expect(Object.isFrozen(bridge.app)).toBe(true);
  expect(await (bridge.app!.info as BridgeCall)(3)).toEqual({ ok: true, value: ['app.info', 3] });
});
