/** Who has the studio open in a browser: each page by a session of its own, which can be ended. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inEnglish, type Message } from '@likeness/messages';
import type { Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { accessibilityFaults } from './accessibility.ts';
import { expect, nextLink, type RunningStudio, test } from './studio.ts';

test.skip(({ shell }) => shell === 'electron', 'the desktop app has a window of its own');

interface Shown {
  studio: {
    app: { info(): Promise<{ ok: boolean }> };
    batch: {
      importManifest(input: { text: string }): Promise<{ ok: boolean; error?: { message: Message } }>;
    };
  };
  studioPage: { id: string; assets: string };
}
const answers = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await (window as unknown as Shown).studio.app.info()).ok);

async function another(app: Page, studio: RunningStudio): Promise<Page> {
  const page = await app.context().newPage();
  const link = studio.link();
  await page.goto(link);
  // By a timer: a page behind another one draws no frames.
  await page.waitForFunction(() => 'studio' in window, undefined, { polling: 100 });
  await nextLink(studio, link);
  return page;
}

test('a page keeps its session over a reload and gives it to its own windows, and to no other tab', async ({
  app,
}) => {
  await app.reload();
  await app.waitForFunction(() => 'studio' in window);
  expect(await answers(app)).toBe(true);
  const [popUp] = await Promise.all([
    app.waitForEvent('popup'),
    app.evaluate(() => void window.open('/#/pop-out', 'likeness-pop-out', 'popup,width=300,height=300')),
  ]);
  await popUp.waitForFunction(() => 'studio' in window);
  expect(await answers(popUp)).toBe(true);
  const status = await popUp.evaluate(
    async () =>
      (await fetch(`${(window as unknown as Shown).studioPage.assets}/asset/default-head/default`)).status,
  );
  expect(status).toBe(200);
  await popUp.close();

  const tab = await app.context().newPage();
  await tab.goto(new URL('/#/library', app.url()).href);
  await expect(tab.getByText('This page was opened without a link from the studio.')).toBeVisible();
  expect(await accessibilityFaults(tab)).toEqual([]);
  expect(await tab.evaluate(() => 'studio' in window)).toBe(false);
  // A link that is put into the address of that very tab lets it in.
  await tab.goto(app.studio?.link() ?? '');
  await tab.waitForFunction(() => 'studio' in window);
  expect(await answers(tab)).toBe(true);
  expect(await answers(app)).toBe(true);
});

test('pages are listed in Settings and ended there, at once', async ({ app }) => {
  test.slow();
  await app.getByText('Look around first').click();
  const other = await another(app, app.studio!);
  await app.goto(new URL('/#/settings/pages', app.url()).href);
  const rows = app.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(3, { timeout: 30_000 });
  await expect(app.getByText('Open now')).toHaveCount(2);
  await expect(app.getByText('this page')).toHaveCount(1);
  const endOthers = app.getByRole('button', { name: 'End all others' });
  await endOthers.click();
  await expect(other.getByText('session has ended', { exact: false })).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(endOthers).toBeDisabled();
  await other.reload();
  await expect(other.getByText('Open a link from the studio’s terminal', { exact: false })).toBeVisible();
  expect(await answers(app)).toBe(true);

  const link = app.studio!.link();
  await app.getByRole('button', { name: 'Show a link in the terminal' }).click();
  await nextLink(app.studio!, link);
  const third = await another(app, app.studio!);
  // Who ends this page is asked first.
  await app.getByRole('row', { name: 'this page' }).getByRole('button').click();
  await app.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await expect(app.getByText('session has ended', { exact: false })).toBeVisible();
  expect(await answers(third)).toBe(true);
});

test('what a browser sends to another port of this machine opens nothing', async ({ app }) => {
  const taken: string[] = [];
  const thief = createServer((request, response) => {
    taken.push(request.headers.cookie ?? '');
    response.end('<script>fetch("/collect")</script>');
  });
  await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
  const { origin, host } = new URL(app.url());
  const { assets } = await app.evaluate(() => (window as unknown as Shown).studioPage);
  const lured = await app.context().newPage();
  await lured.goto(`http://127.0.0.1:${(thief.address() as AddressInfo).port}/`);
  await expect.poll(() => taken.find((cookie) => cookie.includes('likeness-'))).toBeTruthy();
  const cookie = taken.find((one) => one.includes('likeness-')) ?? '';
  thief.close();

  const socket = (protocols: string[]) =>
    new Promise<number>((resolve) => {
      const opened = new WebSocket(`ws://${host}/socket`, protocols, { headers: { cookie, origin, host } });
      opened.on('open', () => resolve(101));
      opened.on('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0));
      opened.on('error', () => {});
    });
  expect(await socket([])).toBe(403);
  expect(await socket(['likeness', cookie.split('=')[1] ?? ''])).toBe(403);
  const status = async (path: string, init?: RequestInit) =>
    (await fetch(`${origin}${path}`, { ...init, headers: { cookie, origin } })).status;
  expect(await status('/asset/default-head/default')).toBe(401);
  expect(await status('/session')).toBe(401);
  expect(await status('/upload?name=a.jpg', { method: 'POST', body: 'x' })).toBe(401);
  // Nor does the other half, without the cookie.
  expect((await fetch(`${origin}${assets}/asset/default-head/default`)).status).toBe(401);
});

test('more than a page may send is refused in words, and the page goes on', async ({ app }) => {
  const said = await app.evaluate(async () => {
    const { studio } = window as unknown as Shown;
    const tooMuch = await studio.batch.importManifest({ text: '头'.repeat(23_000_000) });
    return { tooMuch, still: (await studio.app.info()).ok };
  });
  expect(inEnglish(said.tooMuch.error?.message ?? '')).toMatch(/66 MB; the page can send at most 64 MB/);
  expect(said.still).toBe(true);
});
