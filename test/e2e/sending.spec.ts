/**
 * What leaves the studio and what comes in: the dialogs of films, sending and figures as people with other eyes and
 * hands meet them, and the faces of two other programs that drive the head and are recorded.
 */
import { createSocket } from 'node:dgram';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { facesOf, readArrivals, type TakeFace } from '@likeness/proto/take_stream.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import type { Page } from '@playwright/test';
import { Bundle, Client, Message } from 'node-osc';
import sharp from 'sharp';
import { accessibilityFaults } from './accessibility.ts';
import { at } from './microphone.ts';
import { onlyFilm } from './only_film.ts';
import { expect, test } from './studio.ts';

const pictures = join(import.meta.dirname, '../../test-results');

/** A take of a second of tone, chosen. */
async function openTake(page: Page): Promise<void> {
  await page.getByText('Look around first').click();
  await page.goto(at(page, 'takes'));
  const samples = Float32Array.from({ length: 16_000 }, (_, index) => Math.sin(index / 9) / 4);
  await page.locator('#main input[type=file]').setInputFiles({
    name: 'tone.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(encodeWav({ sampleRate: 16_000, samples })),
  });
  await expect(page.getByRole('row', { name: /^tone/ })).toHaveAttribute('aria-current', 'true', {
    timeout: 60_000,
  });
}

const words = {
  en: {
    film: 'Export',
    send: 'Send',
    score: 'Scorecard',
    inspector: 'Settings and edits of the take',
  },
  'zh-CN': { film: '导出', send: '发送', score: '评估', inspector: '此录制的设置与编辑' },
} as const;

/** A button of each dialog that is there once all of it is. */
const whole = { film: {}, send: {}, score: { name: /JSON/ } } as const;

test('the dialogs of films, sending and figures stand up to axe, in both languages and themes', async ({
  app,
}) => {
  test.setTimeout(300_000);
  await openTake(app);
  for (const [language, theme, width] of [
    ['en', 'dark', 1280],
    ['en', 'light', 680],
    ['zh-CN', 'dark', 680],
    ['zh-CN', 'light', 1280],
  ] as const) {
    await app.setViewportSize({ width, height: 800 });
    await app.evaluate(
      (changes) =>
        (
          window as unknown as { studio: { app: { changeSettings(changes: object): Promise<unknown> } } }
        ).studio.app.changeSettings(changes),
      { language, theme },
    );
    for (const kind of ['film', 'send', 'score'] as const) {
      const button = app.getByRole('button', { name: words[language][kind], exact: true });
      // In a narrow window the inspector is a drawer.
      if (!(await button.isVisible()))
        await app.getByRole('button', { name: words[language].inspector }).click();
      await button.focus();
      await app.keyboard.press('Enter');
      const dialog = app.getByRole('dialog');
      await expect(dialog).toBeVisible();
      // The figures come later than their dialog.
      await dialog.getByRole('button', whole[kind]).first().waitFor({ timeout: 60_000 });
      expect(await accessibilityFaults(app, { within: '[role=dialog]' })).toEqual([]);
      const overflow = await dialog.evaluate((node) =>
        [node, ...node.querySelectorAll('section, form, div')].some(
          ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1,
        ),
      );
      await app.screenshot({ path: join(pictures, `dialog-${kind}-${language}-${theme}-${width}.png`) });
      expect([kind, width, overflow]).toEqual([kind, width, false]);
      await app.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(button).toBeFocused();
    }
  }
});

test('the dialog of exports and the page that compares two faces stand up to axe', async ({ app }) => {
  test.setTimeout(240_000);
  await openTake(app);
  await app.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = app.getByRole('dialog');
  await expect(dialog).toBeVisible();
  expect(await accessibilityFaults(app, { within: '[role=dialog]' })).toEqual([]);
  await app.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await app.getByRole('button', { name: 'Compare both faces' }).click({ timeout: 120_000 });
  await expect(app.getByText('Both play in sync.')).toBeVisible({ timeout: 60_000 });
  expect(await accessibilityFaults(app)).toEqual([]);
  await app.screenshot({ path: join(pictures, 'compare-faces.png') });
});

test('two takes are filmed one after the other', async ({ app }) => {
  test.setTimeout(300_000);
  await openTake(app);
  const samples = Float32Array.from({ length: 12_000 }, (_, index) => Math.sin(index / 7) / 4);
  await app.locator('#main input[type=file]').setInputFiles({
    name: 'second.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(encodeWav({ sampleRate: 16_000, samples })),
  });
  await expect(app.getByRole('row', { name: /^second/ })).toHaveAttribute('aria-current', 'true', {
    timeout: 60_000,
  });
  await app.getByRole('row', { name: /^tone/ }).click({ modifiers: ['Control'] });
  await app.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = app.getByRole('dialog');
  await onlyFilm(dialog);
  await dialog.getByLabel('Width').fill('96');
  await dialog.getByLabel('Height').fill('64');
  const names: string[] = [];
  app.on('download', (download) => names.push(download.suggestedFilename()));
  await dialog.getByRole('button', { name: 'Export 1 output' }).click();
  await expect.poll(() => names.length, { timeout: 240_000 }).toBe(2);
  expect(new Set(names).size).toBe(2);
  await expect(app.getByText('2 films are ready')).toBeVisible();
});

test('a film has the picture that was chosen behind the head', async ({ app }) => {
  test.setTimeout(300_000);
  await openTake(app);
  await app.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = app.getByRole('dialog');
  await onlyFilm(dialog);
  const choose = async (name: string, buffer: Buffer): Promise<void> => {
    const chooser = app.waitForEvent('filechooser');
    await dialog.getByRole('radiogroup', { name: 'Background' }).getByText('Picture').click();
    await (await chooser).setFiles({ name, mimeType: 'image/png', buffer });
  };
  await choose('no.png', Buffer.from('words'));
  await expect(app.getByText('“no.png” can’t be the background picture')).toBeVisible();
  const green = { r: 20, g: 160, b: 60 };
  const buffer = await sharp({ create: { width: 30, height: 20, channels: 3, background: green } })
    .png()
    .toBuffer();
  await choose('meadow.png', buffer);
  await expect(dialog.getByText('meadow.png, 30 × 20')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Picture' })).toBeChecked();
  await dialog.getByLabel('Width').fill('96');
  await dialog.getByLabel('Height').fill('64');
  await dialog.getByRole('combobox', { name: 'Format' }).click();
  await app.getByRole('option', { name: /^PNG/ }).click();
  await dialog.getByRole('combobox', { name: 'Frames per second' }).click();
  await app.getByRole('option', { name: '24', exact: true }).click();
  const fetched = app.waitForEvent('download', { timeout: 240_000 });
  await dialog.getByRole('button', { name: 'Export 1 output' }).click();
  const archive = await readFile(await (await fetched).path());
  // The first frame: from its signature to its last chunk.
  const from = archive.indexOf('\x89PNG\r\n', 0, 'latin1');
  const frame = archive.subarray(from, archive.indexOf('IEND', from, 'latin1') + 8);
  const { data, info } = await sharp(frame).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([96, 64]);
  expect([...data.subarray(0, 3)]).toEqual([20, 160, 60]);
  const middle = (40 * 96 + 48) * info.channels;
  expect([...data.subarray(middle, middle + 3)]).not.toEqual([20, 160, 60]);
  // What was chosen stays chosen.
  await app.getByRole('button', { name: 'Export', exact: true }).click();
  await onlyFilm(app.getByRole('dialog'));
  await expect(app.getByRole('dialog').getByRole('radio', { name: 'Picture' })).toBeChecked();
});

/** A phone's datagram, written as Epic's app does: see docs/send.md. */
function livePacket(jaw: number): Buffer {
  const text = (value: string): Buffer => {
    const bytes = Buffer.from(value, 'utf8');
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const time = Buffer.alloc(17);
  time.writeInt32BE(Math.round(performance.now() * 0.06), 0);
  time.writeFloatBE(0, 4);
  time.writeInt32BE(60, 8);
  time.writeInt32BE(1, 12);
  time.writeUInt8(61, 16);
  const values = Buffer.alloc(61 * 4);
  values.writeFloatBE(jaw, arkitBlendshapeNames.indexOf('jawOpen') * 4);
  return Buffer.concat([Buffer.of(6), text('a phone'), text('iPhone'), time, values]);
}

/** Sends jaws at 60 a second to a port of this machine. */
const senders = {
  livelink(port: number) {
    const socket = createSocket('udp4');
    return {
      send: (jaw: number) => socket.send(livePacket(jaw), port, '127.0.0.1'),
      close: () => void socket.close(),
    };
  },
  vmc(port: number) {
    const client = new Client('127.0.0.1', port);
    return {
      send: (jaw: number) =>
        void client.send(
          new Bundle(
            new Message('/VMC/Ext/OK', 1),
            new Message('/VMC/Ext/Blend/Val', 'JawOpen', jaw),
            new Message('/VMC/Ext/Blend/Apply'),
          ),
        ),
      close: () => void client.close(),
    };
  },
};

async function recordedFaces(home: string): Promise<TakeFace[]> {
  const [id] = await readdir(join(home, 'takes'));
  const bytes = await readFile(join(home, 'takes', id!, 'face.pb'));
  return facesOf(readArrivals(bytes).arrivals);
}

for (const [kind, name] of [
  ['livelink', 'Live Link Face'],
  ['vmc', 'VMC'],
] as const)
  test(`a face that comes by ${name} drives the head and is recorded`, async ({ live: page }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(at(page, 'live'));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    await page.getByLabel(`Port of ${name}`).fill(String(port));
    await page.getByRole('switch', { name: `Receive ${name}` }).click();
    await expect(page.getByText('Nothing received yet.')).toBeVisible();
    const sender = senders[kind](port);
    const began = performance.now();
    const jawAt = (): number => 0.5 + 0.5 * Math.sin((performance.now() - began) / 150);
    const timer = setInterval(() => sender.send(jawAt()), 1000 / 60);
    try {
      await expect(page.getByRole('status').filter({ hasText: /^From .*127\.0\.0\.1/ })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Start speaking' }).click();
      await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeEnabled({
        timeout: 30_000,
      });
      await page.keyboard.press('r');
      await expect(page.locator('[data-tone="record"]')).toHaveText(/[3-9] s/, { timeout: 40_000 });
      await page.screenshot({ path: join(pictures, `received-${kind}.png`) });
      await page.keyboard.press('r');
      await expect(page.getByText('Take saved')).toBeVisible({ timeout: 30_000 });
    } finally {
      clearInterval(timer);
      sender.close();
    }
    const tracked = (await recordedFaces(page.studio.home)).find(({ tier }) => tier === 'tracker');
    const place = tracked!.channelNames.indexOf('jawOpen');
    const jaws = tracked!.frames.map(({ weights }) => weights[place]!);
    // A busy machine takes in fewer than are sent.
    expect(jaws.length).toBeGreaterThan(20);
    expect(Math.min(...jaws)).toBeLessThan(0.1);
    expect(Math.max(...jaws)).toBeGreaterThan(0.9);
  });
