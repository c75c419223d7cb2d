/**
 * New versions, by the real electron-updater against a server over real HTTPS. Stubbed is Electron alone:
 * `net` and `session` (Node's requests, held to `webRequest` as Electron's are) and `app`. What installs is
 * the real AppImage way: the file takes the old one's place and is started.
 *
 * Starts, quits and installations have a desktop of their own. What is announced is asked about in one desktop;
 * downloads, which no desktop forgets, go to updates that are opened anew in one process (`update_watch.ts`).
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { translate } from '@likeness/messages';
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
import type * as UpdateWatchModule from '../../fixtures/electron/update_watch.ts';

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
async function booted(options: Parameters<UpdateServer['boot']>[0] = { dataFolder }): Promise<BootedDesktop> {
  const desktop = await server.boot(options);
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
/** Asks for the state until it is of this stage. */
async function reaches(ask: () => Promise<Updates>, stage: Updates['stage']): Promise<Updates> {
  await expect.poll(async () => (await ask()).stage, { timeout: 15_000 }).toBe(stage);
  return ask();
}
const desktopReaches = (desktop: BootedDesktop, stage: Updates['stage']): Promise<Updates> =>
  reaches(() => value(desktop, 'app.updates'), stage);
const pending = (): string[] => {
  const folder = join(server.cache, 'likeness-studio-updater', 'pending');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.AppImage')) : [];
};

/** The process in which updates are opened without an app, and what a test does there. */
let alone: BootedDesktop;
beforeAll(async () => {
  alone = await server.boot({
    main: fileURLToPath(new URL('../../fixtures/electron/update_watch.ts', import.meta.url)),
  });
});
afterAll(() => alone[Symbol.asyncDispose]());
const openWatch = (
  options: Omit<Parameters<typeof UpdateWatchModule.open>[0], 'packageFile' | 'path'> = {},
): Promise<void> =>
  alone.evaluate(({ main }, given) => (main as typeof UpdateWatchModule).open(given), {
    packageFile: server.packageFile,
    path: join(dataFolder, 'updates.json'),
    ...options,
  });
const answerOf = (method: UpdateWatchModule.Method): Promise<Updates | string> =>
  alone.evaluate(({ main }, name) => (main as typeof UpdateWatchModule).call(name), method);
async function ask(method: UpdateWatchModule.Method): Promise<Updates> {
  const answer = await answerOf(method);
  if (typeof answer === 'string') throw new Error(`${method}: ${answer}`);
  return answer;
}
const watchReaches = (stage: Updates['stage']): Promise<Updates> => reaches(() => ask('state'), stage);
const seen = () => alone.evaluate(({ main }) => (main as typeof UpdateWatchModule).seen());
const work = (waitsFor: Updates['waitsFor']): Promise<void> =>
  alone.evaluate(({ main }, next) => (main as typeof UpdateWatchModule).work(next), waitsFor);

describe('agreement', () => {
  // It looks as it opens, before it says anything of its state.
  test.each([
    ['unasked', 'idle'],
    ['no', 'idle'],
    ['yes', 'looking'],
  ] as const)('%s: after the start it is %s', async (lookForUpdates, stage) => {
    server.announce('1.2.0');
    await openWatch({ lookForUpdates });
    expect(await ask('state')).toMatchObject({
      unavailable: null,
      address: `127.0.0.1:${server.port}`,
      stage,
    });
    const looks = stage === 'looking';
    if (looks) await watchReaches('found');
    expect(server.asked).toHaveLength(looks ? 2 : 0);
  });

  test('yes: it looks by itself, once a day, and fetches nothing', async () => {
    server.announce('1.2.0');
    settings({});
    await using desktop = await booted();
    expect(await value(desktop, 'app.updates')).toMatchObject({
      unavailable: null,
      address: `127.0.0.1:${server.port}`,
      stage: 'idle',
    });
    await value(desktop, 'app.changeSettings', { lookForUpdates: 'no' });
    expect(await value(desktop, 'app.updates')).toMatchObject({ stage: 'idle' });
    expect(server.asked).toEqual([]);
    await value(desktop, 'app.changeSettings', { lookForUpdates: 'yes' });
    expect(await desktopReaches(desktop, 'found')).toMatchObject({ version: '1.2.0', problem: null });
    expect(server.asked.map(({ path }) => path).sort()).toEqual([feed, `${feed}.sig`]);
    await value(desktop, 'app.changeSettings', { lookForUpdates: 'yes' });
    expect(await value(desktop, 'app.updates')).toMatchObject({ stage: 'found' });
    await desktop[Symbol.asyncDispose]();
    await using again = await booted();
    expect(await value(again, 'app.updates')).toMatchObject({ stage: 'idle' });
    expect(server.asked).toHaveLength(2);
  });

  test('what is sent says nothing of the person: no id, no key, no version', async () => {
    server.announce('1.2.0');
    await openWatch();
    await ask('check');
    await ask('download');
    await watchReaches('ready');
    expect(server.asked).toHaveLength(3);
    for (const { path, headers } of server.asked) {
      expect(path).not.toContain('?');
      expect(headers['user-agent']).toBe('LikenessStudio');
      const known = ['accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'host'];
      const fetches = ['pragma', 'sec-fetch-mode', 'user-agent'];
      expect(Object.keys(headers).filter((name) => ![...known, ...fetches].includes(name))).toEqual([]);
    }
    expect(existsSync(join(alone.dataFolder, '.updaterId'))).toBe(false);
  });
});

describe('what is announced', () => {
  let desktop: BootedDesktop;
  beforeAll(async () => {
    desktop = await booted({});
  });
  afterAll(() => desktop[Symbol.asyncDispose]());
  // Nothing is left of the test before.
  beforeEach(async () => {
    server.announce('0.1.0');
    const state = await value(desktop, 'app.checkForUpdates');
    expect(state).toMatchObject({ stage: 'current', version: '', problem: null });
    server.routes.clear();
    server.asked.length = 0;
  });

  test.each([
    ['the same version', '0.1.0'],
    ['an older one', '0.0.9'],
  ])('%s is none', async (_which, version) => {
    server.announce(version);
    expect(await value(desktop, 'app.checkForUpdates')).toMatchObject({ stage: 'current', version: '' });
    expect(server.asked).toHaveLength(2);
    expect((await call(desktop, 'app.downloadUpdate')).ok).toBe(false);
  });

  test('a version for 10 of 100 is there for those 10', async () => {
    server.announce('1.2.0', { stagingPercentage: 10 });
    for (const [draw, stage] of [
      [9.9, 'found'],
      [10, 'current'],
    ] as const) {
      writeFileSync(join(dataFolder, 'updates.json'), JSON.stringify({ checkedAt: null, draw }));
      await openWatch();
      expect(await ask('check')).toMatchObject({ stage });
    }
  });

  const text = (more = '') =>
    `version: 1.2.0\nfiles:\n  - url: x.AppImage\n    sha512: ${'A'.repeat(86)}==\n    size: 9\n${more}`;
  test.each<[string, () => void, StudioError['code']]>([
    ['nothing there', () => server.routes.clear(), 'upstream_refused'],
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
    server.announce('1.2.0');
    arrange();
    const state = await value(desktop, 'app.checkForUpdates');
    expect(state).toMatchObject({ stage: 'idle', version: '', problem: { code } });
    expect(state.problem?.hint).not.toBe('');
    expect((await call(desktop, 'app.downloadUpdate')).ok).toBe(false);
    expect(server.asked.map(({ path }) => path)).not.toContain('/other.yml');
  });

  test('the updater’s session reaches its folder by https, and the pages’ session still nothing', async () => {
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
});

describe('the download', () => {
  /** The state in which a whole try ends. */
  const fetched = async (): Promise<Updates> => {
    await ask('check');
    await ask('download');
    await expect.poll(async () => (await ask('state')).stage, { timeout: 15_000 }).not.toBe('downloading');
    return ask('state');
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
    await openWatch();
    const state = await fetched();
    expect(state).toMatchObject({ stage: 'found', version: '1.2.0' });
    expect(translate(state.problem!.message, 'en')).not.toBe('');
    expect((await seen()).defects).toEqual([]);
    expect(pending()).toEqual([]);
    expect(server.asked.map(({ path }) => path)).not.toContain('/elsewhere');
    expect(await answerOf('install')).toBe('not_found');
    // The next try is a whole one.
    server.routes.set(file(), serveBytes(server.content));
    expect(await fetched()).toMatchObject({ stage: 'ready', problem: null });
  });

  test('can be stopped', async () => {
    server.announce('1.2.0');
    server.routes.set(file(), () => {});
    await openWatch();
    await ask('check');
    await ask('download');
    await expect.poll(() => server.asked.length).toBe(3);
    await ask('stopDownload');
    expect(await watchReaches('found')).toMatchObject({ problem: null });
  });

  test('a server that is silent is given up', async () => {
    server.announce('1.2.0');
    server.routes.set(file(), (_request, response) => {
      response.setHeader('Content-Length', server.content.length);
      response.flushHeaders();
    });
    await openWatch({ downloadSilenceMs: 100 });
    const state = await fetched();
    expect(state).toMatchObject({ stage: 'found', problem: { code: 'timeout' } });
    expect(translate(state.problem!.message, 'en')).toContain('0.1 s');
    server.routes.set(feed, () => {});
    await openWatch({ feedTimeoutMs: 100 });
    expect(await ask('check')).toMatchObject({ stage: 'idle', problem: { code: 'timeout' } });
  });

  test('waits while heads are made, and is not begun', async () => {
    server.announce('1.2.0');
    await using desktop = await booted({
      dataFolder,
      env: { STUB_UTILITY: fileURLToPath(new URL('./busy_engine.ts', import.meta.url)) },
    });
    await value(desktop, 'engine.restart');
    await desktop.until(async ({ page }) => {
      const answer = (await page!.invoke('studio:call', ['engine.status'])) as { value: { running: number } };
      return answer.value.running === 1;
    });
    await value(desktop, 'app.checkForUpdates');
    await value(desktop, 'app.downloadUpdate');
    await expect.poll(async () => (await value(desktop, 'app.updates')).waitsFor).toBe('heads');
    expect(server.asked.map(({ path }) => path)).not.toContain(file());
  });

  test('begins when the work is done, and anew where some comes between', async () => {
    server.announce('1.2.0');
    const waits = async (): Promise<void> => {
      await expect.poll(async () => (await ask('state')).waitsFor).toBe('heads');
      const before = (await seen()).waitCount;
      await expect.poll(async () => (await seen()).waitCount).toBeGreaterThan(before + 5);
    };
    await openWatch();
    await work('heads');
    await ask('check');
    await ask('download');
    await waits();
    expect(server.asked).toHaveLength(2);
    server.routes.set(file(), () => {});
    await work(null);
    await expect.poll(() => server.asked.length).toBe(3);
    await work('heads');
    await waits();
    expect(server.asked).toHaveLength(3);
    server.routes.set(file(), serveBytes(server.content));
    await work(null);
    expect(await watchReaches('ready')).toMatchObject({ waitsFor: null, problem: null });
    expect(server.asked).toHaveLength(4);
  });
});

describe('installing', () => {
  const ready = async (): Promise<BootedDesktop> => {
    server.announce('1.2.0');
    const desktop = await booted();
    await value(desktop, 'app.checkForUpdates');
    await value(desktop, 'app.downloadUpdate');
    await desktopReaches(desktop, 'ready');
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

  test('not of a file that was changed after its download: the old version stays', async () => {
    await using desktop = await ready();
    const [name = ''] = pending();
    writeFileSync(join(server.cache, 'likeness-studio-updater', 'pending', name), '#!/bin/sh\nexit 0\n');
    await value(desktop, 'app.installUpdate');
    expect(await desktop.ended).toBe(0);
    expect(readFileSync(server.appImage, 'utf8')).toBe('the old version');
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
  test('a clone', async () => {
    settings({ lookForUpdates: 'yes' });
    server.announce('1.2.0');
    await using desktop = await booted({ dataFolder, env: { STUB_PACKAGED: '' } });
    const state = await value(desktop, 'app.updates');
    expect(state).toMatchObject({ unavailable: 'not_installed', address: '' });
    expect((await call(desktop, 'app.checkForUpdates')).ok).toBe(false);
    expect(server.asked).toEqual([]);
  });

  test('a folder that was unpacked', async () => {
    server.announce('1.2.0');
    await openWatch({ lookForUpdates: 'yes', environment: {}, resourcesPath: '/nonexistent' });
    expect(await ask('state')).toMatchObject({ unavailable: 'other_means', address: '' });
    expect(await answerOf('check')).toBe('unsupported');
    expect(server.asked).toEqual([]);
  });
});
