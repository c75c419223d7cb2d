import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { chromium, type Page } from '@playwright/test';
import { encodeWav } from '../../main/takes/wav_file.ts';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { expect, startStudio, test } from './studio.ts';

/** Syllables of a sort: a buzz whose loudness goes up and down four times a second. 16 bit, as Chromium's fake microphone wants it. */
function voiceFile(folder: string): string {
  const rate = 48_000;
  const bytes = Buffer.alloc(44 + rate * 12 * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(bytes.length - 44, 40);
  for (let at = 0; at < rate * 12; at++) {
    const time = at / rate;
    const loudness = 9000 * Math.max(0, Math.sin(2 * Math.PI * 4 * time));
    bytes.writeInt16LE(Math.round(loudness * (((time * 130) % 1) - 0.5) * 2), 44 + at * 2);
  }
  const file = join(folder, 'voice.wav');
  writeFileSync(file, bytes);
  return file;
}

interface Shown {
  page: Page;
  close(): Promise<void>;
}

/** The studio in a browser whose microphone speaks. */
async function show(home: string, microphone: string | null): Promise<Shown> {
  const studio = await startStudio(home);
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [
      ...chromiumFlags,
      '--use-fake-device-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
      ...(microphone
        ? ['--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${microphone}`]
        : ['--deny-permission-prompts']),
    ],
  });
  const context = await browser.newContext({ viewport: { width: 720, height: 480 }, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(studio.link());
  await page.waitForFunction(() => 'studio' in window);
  await page.getByText('Look around first').click();
  return {
    page,
    async close() {
      await browser.close();
      await studio.stop();
    },
  };
}

const at = (page: Page, place: string): string => new URL(`#/${place}`, page.url()).href;

test('a voice moves the head, is recorded, played and exported', async ({ home }) => {
  test.setTimeout(240_000);
  const { page, close } = await show(home, voiceFile(home));
  await page.goto(at(page, 'live'));
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await expect(page.getByRole('meter')).toBeVisible();
  await page.keyboard.press('r');
  // After the countdown.
  await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible({ timeout: 30_000 });
  await page.waitForTimeout(2000);
  await page.keyboard.press('r');
  await expect(page.getByText('The take is kept')).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();

  await page.goto(at(page, 'takes'));
  await expect(page.getByRole('button', { name: /^Take of/ })).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Live Link Face/ }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);

  await page.locator('#main input[type=file]').setInputFiles({
    name: 'said.wav',
    mimeType: 'audio/wav',
    buffer: encodeWav({
      sampleRate: 16_000,
      samples: Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i / 9) / 4),
    }),
  });
  await expect(page.getByRole('button', { name: /^said/ })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Move to the trash' }).click();
  await expect(page.getByRole('button', { name: /^said/ })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: /^said/ })).toBeVisible();

  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  await close();
});

test('a refused microphone is told with what to do', async ({ home }) => {
  test.setTimeout(120_000);
  const { page, close } = await show(home, null);
  await page.goto(at(page, 'live'));
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await expect(page.getByRole('alert')).toContainText('not permitted', { timeout: 30_000 });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  await close();
});
