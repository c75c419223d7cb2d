import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { transformWithOxc } from 'vite';
import { WebSocketServer } from 'ws';
import type { Result, SendState } from '#contract';
import { expect, test } from './studio.ts';

type SendCalls = Record<string, (input?: unknown) => Promise<Result<SendState>>>;

/** Calls the room `send` as the page does. */
async function call(page: Page, name: string, input?: unknown): Promise<SendState> {
  const result = await page.evaluate(
    ([name, input]) =>
      (window as unknown as { studio: { send: SendCalls } }).studio.send[name as string]!(input),
    [name, input] as const,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Red, green, blue and alpha of the picture's corner and of the head's middle. */
async function coloursOf(page: Page): Promise<{ corner: number[]; middle: number[] }> {
  const picture = await sharp(await page.screenshot({ omitBackground: true }))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = picture.info;
  const at = (left: number, top: number): number[] => [
    ...picture.data.subarray((top * width + left) * 4, (top * width + left) * 4 + 4),
  ];
  return { corner: at(3, 3), middle: at(Math.round(width / 2), Math.round(height / 2)) };
}

const drawn = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.querySelector('canvas')?.dataset.drawn ?? 0));

test('the head as a browser source: transparent, then in a colour', async ({ app, chromiumBrowser }) => {
  test.slow();
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const { viewers } = await call(app, 'changeViewers', { on: true, port, appearance: { framing: 'head' } });
  const context = await chromiumBrowser.newContext({ viewport: { width: 320, height: 320 } });
  const source = await context.newPage();
  const faults: string[] = [];
  source.on('pageerror', (error) => faults.push(error.message));
  source.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await source.goto(viewers.pageUrl);
  await expect.poll(() => drawn(source), { timeout: 60_000 }).toBeGreaterThan(2);
  const clear = await coloursOf(source);
  expect(clear.corner).toEqual([0, 0, 0, 0]);
  expect(clear.middle[3]).toBe(255);
  await source.screenshot({
    omitBackground: true,
    path: join(import.meta.dirname, '../../test-results/browser-source.png'),
  });
  await call(app, 'changeViewers', { appearance: { background: '#00b140' } });
  await expect.poll(async () => (await coloursOf(source)).corner).toEqual([0, 0xb1, 0x40, 255]);
  expect((await call(app, 'state')).viewers.watching).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});

/** What came to Chromium after 103, and what a library is likely to use of it. */
function withoutNewer(): void {
  const newer: [object | undefined, string[]][] = [
    [Array, ['fromAsync']],
    [Array.prototype, ['toSorted', 'toReversed', 'toSpliced', 'with']],
    [Object.getPrototypeOf(Int8Array).prototype, ['toSorted', 'toReversed', 'with']],
    [ArrayBuffer.prototype, ['transfer', 'transferToFixedLength', 'resize']],
    [Object, ['groupBy']],
    [Map, ['groupBy']],
    [Map.prototype, ['getOrInsert', 'getOrInsertComputed']],
    [Promise, ['withResolvers', 'try']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf']],
    [String.prototype, ['isWellFormed', 'toWellFormed']],
    [AbortSignal, ['any']],
    [URL, ['canParse', 'parse']],
    [Math, ['sumPrecise', 'f16round']],
    [RegExp, ['escape']],
    [Uint8Array, ['fromBase64', 'fromHex']],
    [Document.prototype, ['startViewTransition']],
    [HTMLElement.prototype, ['showPopover', 'hidePopover']],
    [globalThis, ['Iterator', 'Float16Array', 'scheduler', 'Temporal', 'WebTransport', 'CSSScopeRule']],
    [Navigator.prototype, ['gpu']],
  ];
  for (const [owner, names] of newer) for (const name of names) Reflect.deleteProperty(owner as object, name);
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  for (const name of [
    'map',
    'filter',
    'take',
    'drop',
    'flatMap',
    'toArray',
    'forEach',
    'some',
    'every',
    'find',
  ])
    Reflect.deleteProperty(iterator, name);
}

/** Whether there is nothing to make older for it. */
async function isSyntaxOf103(code: string): Promise<boolean> {
  const [old, current] = await Promise.all(
    ['chrome103', 'esnext'].map((target) => transformWithOxc(code, 'page.js', { target })),
  );
  return old!.code === current!.code;
}

test('the page for OBS is written in what Chromium 103 reads, and works without what came later', async ({
  app,
  chromiumBrowser,
}) => {
  test.slow();
  expect(await isSyntaxOf103('using file = open();')).toBe(false);
  const folder = join(import.meta.dirname, '../../out/viewer/assets');
  const textsOf = async (ending: string): Promise<string[]> => {
    const files = (await readdir(folder)).filter((file) => file.endsWith(ending));
    return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  };
  const [scripts, styles] = await Promise.all([textsOf('.js'), textsOf('.css')]);
  expect(Math.min(scripts.length, styles.length)).toBeGreaterThan(0);
  for (const text of scripts) expect(await isSyntaxOf103(text)).toBe(true);
  for (const text of styles)
    expect(text).not.toMatch(/@container|@scope|@starting-style|:has\(|color-mix\(|oklch\(|\d[dsl]v[hw]\b|&/);
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const { viewers } = await call(app, 'changeViewers', { on: true, port });
  const context = await chromiumBrowser.newContext({ viewport: { width: 240, height: 240 } });
  await context.addInitScript(withoutNewer);
  const source = await context.newPage();
  const faults: string[] = [];
  source.on('pageerror', (error) => faults.push(error.message));
  await source.goto(viewers.pageUrl);
  await expect.poll(() => drawn(source), { timeout: 60_000 }).toBeGreaterThan(2);
  expect(await source.evaluate(() => 'toSorted' in [] || 'any' in AbortSignal)).toBe(false);
  expect((await coloursOf(source)).middle[3]).toBe(255);
  expect(faults).toEqual([]);
  await context.close();
});

test('a browser source goes on by itself when the studio comes back', async ({ app, chromiumBrowser }) => {
  test.slow();
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const { viewers } = await call(app, 'changeViewers', { on: true, port });
  const context = await chromiumBrowser.newContext({ viewport: { width: 240, height: 240 } });
  const source = await context.newPage();
  const asked: string[] = [];
  source.on('websocket', (socket) => asked.push(new URL(socket.url()).search));
  await source.goto(viewers.pageUrl);
  await expect.poll(() => drawn(source), { timeout: 60_000 }).toBeGreaterThan(0);
  await call(app, 'changeViewers', { on: false });
  // Somebody else has the port for a while and knows nothing of us.
  const knocked = Promise.withResolvers<void>();
  const refuse = (): boolean => {
    knocked.resolve();
    return false;
  };
  const other = new WebSocketServer({ host: '127.0.0.1', port, verifyClient: refuse });
  await knocked.promise;
  await new Promise((resolve) => other.close(resolve));
  await call(app, 'changeViewers', { on: true, appearance: { background: '#102030' } });
  await expect
    .poll(async () => (await coloursOf(source)).corner, { timeout: 20_000 })
    .toEqual([0x10, 0x20, 0x30, 255]);
  expect(asked[0]).toBe('');
  // It said where it was; another server has other revisions and began anew with a snapshot.
  expect(asked.at(-1)).toMatch(/^\?run=[\w-]+&since=\d+$/);
  await context.close();
});
