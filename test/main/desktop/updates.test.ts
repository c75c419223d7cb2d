/**
 * New versions, by the real electron-updater against a server over real HTTPS. Stubbed is Electron alone:
 * `net` and `session` (Node's requests, held to `webRequest` as Electron's are) and `app`. What installs is
 * the real AppImage way: the file takes the old one's place and is started.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Settings, StudioError, Updates } from '#contract';
import type { BootedDesktop } from '../../fixtures/electron/boot.ts';
import {
  feed,
  freshKeys,
  openUpdateServer,
  serveBytes,
  type UpdateServer,
} from '../../fixtures/electron/update_server.ts';

let server: UpdateServer;
let dataFolder: string;
beforeAll(async () => {
  server = await openUpdateServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'likeness-desktop-'));
  server.routes.clear();
  server.asked.length = 0;
  rmSync(server.cache, { recursive: true, force: true });
  writeFileSync(server.appImage, 'the old version');
  rmSync(join(dirname(server.appImage), 'started'), { force: true });
});
afterEach(() => rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 }));

const settings = (set: Partial<Settings>): void =>
  writeFileSync(join(dataFolder, 'settings.json'), JSON.stringify({ schemaVersion: 1, ...set }));
async function booted(env: Record<string, string> = {}): Promise<BootedDesktop> {
  const desktop = await server.boot({ dataFolder, env });
  await desktop.until(({ page }) => page?.mainFrame.origin === 'likeness://app');
  return desktop;
}
type Answer<T> = { ok: true; value: T } | { ok: false; error: StudioError };
const call = <T = Updates>(desktop: BootedDesktop, name: string, input?: unknown): Promise<Answer<T>> =>
  desktop.evaluate(({ page }, args) => page!.invoke('studio:call', args), [name, input]) as Promise<
    Answer<T>
  >;
async function value<T = Updates>(desktop: BootedDesktop, name: string, input?: unknown): Promise<T> {
  const answer = await call<T>(desktop, name, input);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
  return answer.value;
}
async function reaches(desktop: BootedDesktop, stage: Updates['stage'], seconds = 15): Promise<Updates> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const state = await value(desktop, 'app.updates');
    if (state.stage === stage) return state;
    if (Date.now() > deadline) throw new Error(`it is ${JSON.stringify(state)}, not ${stage}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const pending = (): string[] => {
  const folder = join(server.cache, 'likeness-studio-updater', 'pending');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.AppImage')) : [];
};

describe('agreement', () => {
  test.each(['unasked', 'no'] as const)('%s: nobody is asked for anything', async (lookForUpdates) => {
    server.announce('1.2.0');
    settings({ lookForUpdates });
    await using desktop = await booted();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(server.asked).toEqual([]);
    expect(await value(desktop, 'app.updates')).toMatchObject({
      unavailable: null,
      address: `127.0.0.1:${server.port}`,
      stage: 'idle',
    });
  });

  test('yes: it looks by itself, once a day, and fetches nothing', async () => {
    server.announce('1.2.0');
    settings({});
    await using desktop = await booted();
    await value(desktop, 'app.changeSettings', { lookForUpdates: 'yes' });
    expect(await reaches(desktop, 'found')).toMatchObject({ version: '1.2.0', problem: null });
    expect(server.asked.map(({ path }) => path).sort()).toEqual([feed, `${feed}.sig`]);
    await value(desktop, 'app.changeSettings', { lookForUpdates: 'yes' });
    await desktop[Symbol.asyncDispose]();
    await using again = await booted();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await value(again, 'app.updates')).toMatchObject({ stage: 'idle' });
    expect(server.asked).toHaveLength(2);
  });

  test('what is sent says nothing of the person: no id, no key, no version', async () => {
    server.announce('1.2.0');
    await using desktop = await booted();
    await value(desktop, 'app.checkForUpdates');
    await value(desktop, 'app.downloadUpdate');
    await reaches(desktop, 'ready');
    expect(server.asked).toHaveLength(3);
    for (const { path, headers } of server.asked) {
      expect(path).not.toContain('?');
      expect(headers['user-agent']).toBe('LikenessStudio');
      const known = ['accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'host'];
      const fetches = ['pragma', 'sec-fetch-mode', 'user-agent'];
      expect(Object.keys(headers).filter((name) => ![...known, ...fetches].includes(name))).toEqual([]);
    }
    expect(existsSync(join(dataFolder, '.updaterId'))).toBe(false);
  });
});

describe('what is announced', () => {
  test.each([
    ['the same version', '0.1.0'],
    ['an older one', '0.0.9'],
  ])('%s is none', async (_which, version) => {
    server.announce(version);
    await using desktop = await booted();
    expect(await value(desktop, 'app.checkForUpdates')).toMatchObject({ stage: 'current', version: '' });
    expect((await call(desktop, 'app.downloadUpdate')).ok).toBe(false);
  });

  test('a version for 10 of 100 is there for those 10', async () => {
    server.announce('1.2.0', { stagingPercentage: 10 });
    for (const [draw, stage] of [
      [9.9, 'found'],
      [10, 'current'],
    ] as const) {
      writeFileSync(join(dataFolder, 'updates.json'), JSON.stringify({ checkedAt: null, draw }));
      await using desktop = await booted();
      expect(await value(desktop, 'app.checkForUpdates')).toMatchObject({ stage });
    }
  });

  const text = (more = '') =>
    `version: 1.2.0\nfiles:\n  - url: x.AppImage\n    sha512: ${'A'.repeat(86)}==\n    size: 9\n${more}`;
  test.each<[string, () => void, StudioError['code']]>([
    ['nothing there', () => {}, 'upstream_refused'],
    ['no signature', () => server.routes.delete(`${feed}.sig`), 'upstream_refused'],
    ['another’s signature', () => server.announceText(text(), freshKeys().privateKey), 'upstream_broken'],
    [
      'changed after it was signed',
      () => server.routes.set(feed, serveBytes(server.announce('1.2.0').replace('1.2.0', '1.3.0'))),
      'upstream_broken',
    ],
    [
      'signed for another system',
      () => {
        server.announce('1.2.0');
        const signature = server.routes.get(`${feed}.sig`)!;
        server.announceText(text());
        server.routes.set(`${feed}.sig`, signature);
      },
      'upstream_broken',
    ],
    [
      'no hash',
      () => server.announceText('version: 1.2.0\nfiles:\n  - url: x.AppImage\n'),
      'upstream_broken',
    ],
    [
      'a file elsewhere',
      () => void server.announce('1.2.0', { url: 'https://other.example/x.AppImage' }),
      'upstream_broken',
    ],
    ['a file above', () => void server.announce('1.2.0', { url: '../x.AppImage' }), 'upstream_broken'],
    ['not YAML', () => server.announceText('{{{{'), 'upstream_broken'],
    ['huge', () => server.announceText(text(`#${'x'.repeat(1e6)}`)), 'upstream_broken'],
    [
      'endless',
      () =>
        server.routes.set(feed, (_request, response) => {
          const more = setInterval(() => response.write('#'.repeat(10_000)), 1);
          response.on('close', () => clearInterval(more));
        }),
      'upstream_broken',
    ],
    [
      'a redirect',
      () =>
        server.routes.set(feed, (_request, response) =>
          response.writeHead(302, { location: `https://127.0.0.1:${server.port}/other.yml` }).end(),
        ),
      'unreachable',
    ],
    [
      'a broken connection',
      () => server.routes.set(feed, (request) => request.socket.destroy()),
      'unreachable',
    ],
    [
      'an error',
      () => server.routes.set(feed, (_r, response) => response.writeHead(500).end()),
      'upstream_refused',
    ],
  ])('%s: told in the answer, and nothing is offered', async (_what, arrange, code) => {
    if (_what !== 'nothing there') server.announce('1.2.0');
    arrange();
    await using desktop = await booted();
    const state = await value(desktop, 'app.checkForUpdates');
    expect(state).toMatchObject({ stage: 'idle', version: '', problem: { code } });
    expect(state.problem?.hint).not.toBe('');
    expect((await call(desktop, 'app.downloadUpdate')).ok).toBe(false);
    expect(server.asked.map(({ path }) => path)).not.toContain('/other.yml');
  });
});

describe('the download', () => {
  const fetched = async (desktop: BootedDesktop): Promise<Updates> => {
    await value(desktop, 'app.checkForUpdates');
    await value(desktop, 'app.downloadUpdate');
    const deadline = Date.now() + 15_000;
    for (;;) {
      const state = await value(desktop, 'app.updates');
      if (state.stage !== 'downloading' || Date.now() > deadline) return state;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const file = () => `/studio/${server.installer}`;
  const other = (): Buffer => Buffer.from(server.content.toString().replaceAll('#', '%'));

  test.each<[string, () => void]>([
    ['of the right length and another content', () => server.routes.set(file(), serveBytes(other()))],
    [
      'that ends too early',
      () =>
        server.routes.set(file(), (_request, response) => {
          response.setHeader('Content-Length', server.content.length);
          response.write(server.content.subarray(0, 1000), () => response.destroy());
        }),
    ],
    [
      'longer than announced',
      () => server.routes.set(file(), serveBytes(Buffer.concat([server.content, server.content]))),
    ],
    [
      'of no length, without end',
      () =>
        server.routes.set(file(), (_request, response) => {
          const more = setInterval(() => response.write('#'.repeat(10_000)), 1);
          response.on('close', () => clearInterval(more));
        }),
    ],
    [
      'from elsewhere, by a redirect',
      () => {
        server.routes.set('/elsewhere', serveBytes(server.content));
        server.routes.set(file(), (_request, response) =>
          response.writeHead(302, { location: `https://127.0.0.1:${server.port}/elsewhere` }).end(),
        );
      },
    ],
    [
      'without TLS, by a redirect',
      () =>
        server.routes.set(file(), (_request, response) =>
          response.writeHead(302, { location: `http://127.0.0.1:${server.port}/studio/x` }).end(),
        ),
    ],
    ['that is not there', () => server.routes.delete(file())],
  ])('%s is not kept, and said plainly', async (_what, arrange) => {
    server.announce('1.2.0');
    arrange();
    await using desktop = await booted();
    const state = await fetched(desktop);
    expect(state).toMatchObject({ stage: 'found', version: '1.2.0' });
    expect(state.problem?.message).not.toBe('');
    expect(pending()).toEqual([]);
    expect(server.asked.map(({ path }) => path)).not.toContain('/elsewhere');
    expect((await call(desktop, 'app.installUpdate')).ok).toBe(false);
    // The next try is a whole one.
    server.routes.set(file(), serveBytes(server.content));
    expect(await fetched(desktop)).toMatchObject({ stage: 'ready', problem: null });
  });

  test('can be stopped', async () => {
    server.announce('1.2.0');
    server.routes.set(file(), () => {});
    await using desktop = await booted();
    await value(desktop, 'app.checkForUpdates');
    await value(desktop, 'app.downloadUpdate');
    await expect.poll(() => server.asked.length).toBe(3);
    await value(desktop, 'app.stopUpdateDownload');
    expect(await reaches(desktop, 'found')).toMatchObject({ problem: null });
  });

  test('a server that is silent is given up', { timeout: 120_000 }, async () => {
    server.announce('1.2.0');
    server.routes.set(file(), (_request, response) => {
      response.setHeader('Content-Length', server.content.length);
      response.flushHeaders();
    });
    await using desktop = await booted();
    await value(desktop, 'app.checkForUpdates');
    await value(desktop, 'app.downloadUpdate');
    expect((await reaches(desktop, 'found', 45)).problem?.code).toBe('timeout');
    server.routes.set(feed, () => {});
    expect((await value(desktop, 'app.checkForUpdates')).problem?.code).toBe('timeout');
  });

  test('waits while heads are made, and is not begun', async () => {
    server.announce('1.2.0');
    await using desktop = await booted({
      STUB_UTILITY: fileURLToPath(new URL('./busy_engine.ts', import.meta.url)),
    });
    await value(desktop, 'engine.restart');
    await desktop.until(async ({ page }) => {
      const answer = (await page!.invoke('studio:call', ['engine.status'])) as { value: { running: number } };
      return answer.value.running === 1;
    });
    await value(desktop, 'app.checkForUpdates');
    await value(desktop, 'app.downloadUpdate');
    await expect.poll(async () => (await value(desktop, 'app.updates')).waitsFor).toBe('heads');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(server.asked.map(({ path }) => path)).not.toContain(file());
  });
});

describe('installing', () => {
  const ready = async (env: Record<string, string> = {}): Promise<BootedDesktop> => {
    server.announce('1.2.0');
    const desktop = await booted(env);
    await value(desktop, 'app.checkForUpdates');
    await value(desktop, 'app.downloadUpdate');
    await reaches(desktop, 'ready');
    return desktop;
  };
  const marker = () => join(dirname(server.appImage), 'started');

  test('on the person’s click: everything is closed, the new file is in the old one’s place, and started', async () => {
    await using desktop = await ready();
    await value(desktop, 'app.installUpdate');
    expect(await desktop.ended).toBe(0);
    expect(readFileSync(server.appImage).equals(server.content)).toBe(true);
    await expect.poll(() => existsSync(marker())).toBe(true);
    // Not for an installation alone: as a program.
    expect(readFileSync(marker(), 'utf8')).toMatch(/^ \d+$/);
  });

  test('on quitting only where that was agreed', async () => {
    {
      await using desktop = await ready();
      await desktop.evaluate(({ electron }) => electron.app.quit());
      expect(await desktop.ended).toBe(0);
      expect(readFileSync(server.appImage, 'utf8')).toBe('the old version');
    }
    await using desktop = await ready();
    await value(desktop, 'app.changeSettings', { installOnQuit: true });
    await desktop.evaluate(({ electron }) => electron.app.quit());
    expect(await desktop.ended).toBe(0);
    expect(readFileSync(server.appImage).equals(server.content)).toBe(true);
  });
});

describe('a build that can’t be replaced says why, and asks nobody', () => {
  test.each([
    ['a clone', { STUB_PACKAGED: '' }, 'not_installed'],
    ['a folder that was unpacked', { APPIMAGE: '', STUB_RESOURCES: '/nonexistent' }, 'other_means'],
  ] as const)('%s', async (_what, env, unavailable) => {
    settings({ lookForUpdates: 'yes' });
    server.announce('1.2.0');
    await using desktop = await booted(env);
    expect(await value(desktop, 'app.updates')).toMatchObject({ unavailable, address: '' });
    expect((await call(desktop, 'app.checkForUpdates')).ok).toBe(false);
    expect(server.asked).toEqual([]);
  });
});

test('the updater’s session reaches its folder by https, and the pages’ session still nothing', async () => {
  server.announce('1.2.0');
  await using desktop = await booted();
  const base = `https://127.0.0.1:${server.port}/studio/`;
  const allowed = await desktop.evaluate(
    async ({ electron }, addresses) => {
      const updates = electron.session.fromPartition('electron-updater');
      return {
        updates: await Promise.all(addresses.map((url) => updates.requestAllowed(url))),
        posted: await updates.requestAllowed(addresses[0]!, 'POST'),
        page: await electron.session.defaultSession.requestAllowed(addresses[0]!),
        permission: await updates.askPermission(null, 'media', {}),
      };
    },
    [
      `${base}linux-x64.yml`,
      base.replace('https:', 'http:'),
      `https://127.0.0.1:${server.port}/other/x`,
      'https://example.com/studio/x',
      `${base}../x`.replace('/studio/../', '/'),
      'likeness://app/',
      'file:///etc/passwd',
    ],
  );
  expect(allowed).toEqual({
    updates: [true, false, false, false, false, false, false],
    posted: false,
    page: false,
    permission: false,
  });
});
