/**
 * Takes of sound files: every kind that the place promises, kept, played by the keyboard, removed and brought
 * back.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeWav } from '@likeness/proto/wav.ts';
import type { Page } from '@playwright/test';
import { seriousFaults } from './accessibility.ts';
import { expect, test } from './studio.ts';

/** One second of a buzz that goes up and down four times; made with ffmpeg's `sine` and `tremolo`. */
const sounds = join(import.meta.dirname, '../fixtures/sounds');
const kinds = ['mp3', 'flac', 'ogg', 'm4a'] as const;

/**
 * Chromium as distributions build it may lack MP3's and AAC's decoders: there the sound of another file stands for
 * what they would give.
 */
const completeDecoders = (page: Page, standIn: Buffer): Promise<void> =>
  page.evaluate(async (base64) => {
    const decode = OfflineAudioContext.prototype.decodeAudioData;
    const other = Uint8Array.fromBase64(base64);
    const isKnown = (type: string): boolean => new Audio().canPlayType(type) !== '';
    OfflineAudioContext.prototype.decodeAudioData = function (bytes) {
      const start = String.fromCharCode(...new Uint8Array(bytes, 0, 12));
      const isMissing =
        (/^(ID3|\xff[\xe0-\xff])/.test(start) && !isKnown('audio/mpeg')) ||
        (start.slice(4, 8) === 'ftyp' && !isKnown('audio/mp4; codecs="mp4a.40.2"'));
      return decode.call(this, isMissing ? other.slice().buffer : bytes);
    };
  }, standIn.toString('base64'));

test('sound files become takes; what is none is told', async ({ app }) => {
  test.setTimeout(240_000);
  await app.getByText('Look around first').click();
  await app.goto(new URL('#/takes', app.url()).href);
  await expect(app.getByText('No takes yet')).toBeVisible();
  await completeDecoders(app, await readFile(join(sounds, 'tone.flac')));
  const input = app.locator('#main input[type=file]');
  await input.setInputFiles(kinds.map((kind) => join(sounds, `tone.${kind}`)));
  const takes = app.locator('[data-take]');
  await expect(takes).toHaveCount(kinds.length, { timeout: 120_000 });
  // Analyses wait for each other, and show their stage in place of the length.
  for (const take of await takes.all())
    await expect(take).toContainText(/tone\s*1(\.0\d)?\ss/, { timeout: 60_000 });

  await input.setInputFiles({ name: 'notes.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('no sound') });
  await expect(app.getByText('“notes.mp3” can’t be decoded')).toBeVisible({ timeout: 20_000 });
  await expect(app.getByRole('progressbar')).toBeHidden();
});

test('a take is played, annotated, removed and brought back from the keyboard', async ({ app }) => {
  test.setTimeout(180_000);
  await app.getByText('Look around first').click();
  await app.goto(new URL('#/takes', app.url()).href);
  const samples = Float32Array.from({ length: 32_000 }, (_, at) => Math.sin(at / 9) / 4);
  await app.locator('#main input[type=file]').setInputFiles(
    ['first', 'second'].map((name) => ({
      name: `${name}.wav`,
      mimeType: 'audio/wav',
      buffer: Buffer.from(encodeWav({ sampleRate: 16_000, samples })),
    })),
  );
  const first = app.getByRole('row', { name: /^first/ });
  const second = app.getByRole('row', { name: /^second/ });
  await expect(second).toHaveAttribute('aria-current', 'true', { timeout: 60_000 });
  await app.keyboard.press('ArrowDown');
  await expect(first).toHaveAttribute('aria-current', 'true');
  // The list has the focus still: Space plays what is shown.
  await app.keyboard.press(' ');
  await expect(app.getByRole('button', { name: 'Pause' })).toBeVisible();
  await app.keyboard.press(' ');
  await expect(app.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await app.keyboard.press('Home');

  const position = app.getByRole('slider', { name: 'Position in the take' });
  await app.keyboard.press('Shift+ArrowRight');
  await expect(position).toHaveAttribute('aria-valuenow', '1.00');
  await app.keyboard.press('ArrowLeft');
  await expect(position).toHaveAttribute('aria-valuenow', '0.98');
  await app.keyboard.press('Shift+L');
  await expect(app.getByRole('button', { name: 'Loop' })).toHaveAttribute('aria-pressed', 'true');
  await app.keyboard.press('End');
  await expect(position).toHaveAttribute('aria-valuenow', '2.00');

  await app.getByLabel('Notes').fill('Again, and slower');
  await app.keyboard.press('Tab');
  await app.getByLabel('Name', { exact: true }).fill('Opening line');
  await app.keyboard.press('Enter');
  await expect(app.getByRole('row', { name: /^Opening line/ })).toBeVisible();
  await app.reload();
  await app.getByRole('row', { name: /^Opening line/ }).click();
  await expect(app.getByLabel('Notes')).toHaveValue('Again, and slower');

  await app.keyboard.press('Delete');
  await expect(app.getByRole('row', { name: /^Opening line/ })).toBeHidden();
  await app.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(app.getByRole('row', { name: /^Opening line/ })).toBeVisible();
  expect(await seriousFaults(app)).toEqual([]);
});

test('a take in the making goes on elsewhere, and leaves nothing when it is cancelled', async ({ app }) => {
  test.setTimeout(120_000);
  await app.getByText('Look around first').click();
  await app.goto(new URL('#/takes', app.url()).href);
  const samples = Float32Array.from({ length: 16_000 * 240 }, (_, at) => Math.sin(at / 9) / 4);
  await app.locator('#main input[type=file]').setInputFiles({
    name: 'long.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(encodeWav({ sampleRate: 16_000, samples })),
  });
  const bar = app.getByRole('progressbar');
  await expect(bar).not.toHaveAttribute('aria-valuenow', '0', { timeout: 60_000 });
  await app.goto(new URL('#/settings', app.url()).href);
  await app.goto(new URL('#/takes', app.url()).href);
  await expect(bar).toBeVisible();
  await app.getByRole('button', { name: 'Cancel' }).click();
  await expect(bar).toBeHidden();
  await expect(app.getByText('All takes are in the trash')).toBeVisible({ timeout: 20_000 });
});
