/** What only a real Electron can tell: whether what the stub asserts from outside holds inside. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findElectron, type RunningElectron, startElectron } from './electron.ts';

const electron = findElectron();
if (electron.why && process.env.TEST_WORKER_INDEX === undefined) {
  console.log(`Electron: tests against the real one are skipped: ${electron.why}`);
}
test.skip(electron.program === null, `no Electron: ${electron.why}`);
test.describe.configure({ mode: 'serial' });

const home = mkdtempSync(join(tmpdir(), 'likeness-electron-'));
let running: RunningElectron;
test.beforeAll(async () => {
  if (electron.program) running = await startElectron(electron.program, home);
});
test.afterAll(async () => {
  await running?.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

type Calls = Record<string, Record<string, (input?: unknown) => Promise<unknown>>>;

test('the page talks with the studio through the bridge', async () => {
  const info = await running.page.evaluate(() =>
    (window as unknown as { studio: Calls }).studio.app?.info?.(),
  );
  expect(info).toMatchObject({ ok: true, value: { shell: 'electron' } });
});

test('the page has no Node, and its window can’t be talked into it', async () => {
  const found = await running.page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'electron'].filter((name) => name in window),
  );
  expect(found).toEqual([]);
  const preferences = await running.application.evaluate(({ webContents }) =>
    // Not among the documented calls; Electron's own tests ask it, too.
    webContents
      .getAllWebContents()
      .map((contents) =>
        (contents as unknown as { getLastWebPreferences(): unknown }).getLastWebPreferences(),
      ),
  );
  for (const preference of preferences) {
    expect(preference).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
  }
});

test('the page goes nowhere and opens nothing', async () => {
  const opened = await running.page.evaluate(() => window.open('https://example.com/') === null);
  expect(opened).toBe(true);
  await running.page.evaluate(() => {
    window.location.href = 'https://example.com/';
  });
  await running.page.waitForTimeout(300);
  expect(running.page.url()).toMatch(/^likeness:\/\/app\//);
  expect(running.application.windows()).toHaveLength(1);
});

test('the page reaches no server', async () => {
  const reached = await running.page.evaluate(() =>
    fetch('https://example.com/').then(
      () => true,
      () => false,
    ),
  );
  expect(reached).toBe(false);
});

test('the microphone is granted, the camera and all else is not', async () => {
  const got = await running.page.evaluate(async () => {
    const ask = async (constraints: MediaStreamConstraints) => {
      try {
        const stream = await navigator.mediaDevices.getUserMedia(constraints);
        for (const track of stream.getTracks()) track.stop();
        return 'granted';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const geolocation = await navigator.permissions.query({ name: 'geolocation' });
    return {
      audio: await ask({ audio: true }),
      video: await ask({ video: true }),
      both: await ask({ audio: true, video: true }),
      geolocation: geolocation.state,
    };
  });
  expect(got).toEqual({
    audio: 'granted',
    video: 'NotAllowedError',
    both: 'NotAllowedError',
    geolocation: 'denied',
  });
});

test('files outside the page’s folder are not served', async () => {
  const statuses = await running.page.evaluate(() =>
    Promise.all(
      [
        '/..%2f..%2fpackage.json',
        '/%2e%2e/%2e%2e/package.json',
        '/main/desktop.js',
        '/asset/model/nothing',
      ].map(async (path) => (await fetch(path)).status),
    ),
  );
  for (const status of statuses) expect([400, 404]).toContain(status);
});

test('a stream’s port reaches main and brings an answer', async () => {
  const first = await running.page.evaluate(async () => {
    const answer = new Promise((resolve) =>
      window.addEventListener('message', ({ data, ports, source }) => {
        if (source !== window || data?.type !== 'likeness:stream') return;
        ports[0]!.onmessage = (message) => resolve(JSON.parse(message.data as string));
      }),
    );
    await (window as unknown as { studio: Calls }).studio.live?.open?.({ profileId: '' });
    return answer;
  });
  expect(first).toMatchObject({ error: { code: 'invalid_input' } });
});
