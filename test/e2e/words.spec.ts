/** A sound and its words become a take whose words stand under the waveform, with the real engine. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findReader } from '../../scripts/readers.ts';
import { seriousFaults } from './accessibility.ts';
import { expect, test } from './studio.ts';

const words = 'People may bring a paper map from the moving boat.';

test('a sound with its words shows when each is said, and a word is moved and moved back', async ({
  app,
}, testInfo) => {
  test.setTimeout(180_000);
  const sound = testInfo.outputPath('boat.wav');
  const flite = findReader('flite');
  test.skip(flite === null, 'flite is not installed: apt-get install flite');
  spawnSync(flite ?? '', ['-voice', 'slt', '-t', words, '-o', sound]);
  await app.getByText('Look around first').click();
  await app.goto(new URL('#/takes', app.url()).href);
  await app.locator('#main input[type=file]').setInputFiles([
    { name: 'boat.wav', mimeType: 'audio/wav', buffer: readFileSync(sound) },
    { name: 'boat.txt', mimeType: 'text/plain', buffer: Buffer.from(words) },
  ]);

  const lane = app.getByRole('listbox', { name: 'Words of the take' });
  const people = lane.getByRole('option', { name: /^People/ });
  await expect(people).toBeVisible({ timeout: 90_000 });
  await expect(app.getByRole('radio', { name: 'Full pass' })).toBeChecked();
  expect(await seriousFaults(app, { within: '#main' })).toEqual([]);

  await people.click();
  await expect(app.getByText(/“People” · P IY P/)).toBeVisible();
  const end = app.getByLabel('End', { exact: true });
  const before = await end.inputValue();
  await end.fill(`${(Number.parseFloat(before) + 0.1).toFixed(2)} s`);
  await end.press('Enter');
  await expect(app.getByText('set by hand')).toBeVisible();
  await lane.focus();
  await app.keyboard.press('Control+z');
  await expect(app.getByText('set by hand')).toBeHidden();
  await expect(end).toHaveValue(before);

  await app.getByRole('tab', { name: 'Take', exact: true }).click();
  await app.getByRole('radiogroup', { name: 'Face' }).getByText('Live').click();
  await expect(app.getByRole('radio', { name: 'Live' })).toBeChecked();

  // The film's preview shows the sentence that is said at the playhead.
  await people.click();
  await app.keyboard.press('e');
  const dialog = app.getByRole('dialog', { name: 'Export 1 take' });
  await dialog.getByRole('checkbox', { name: 'Film' }).click();
  await dialog.getByRole('checkbox', { name: 'Subtitles in the picture' }).click();
  const inked = (): Promise<number> =>
    dialog.locator('canvas[data-subtitle]').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
      return data.filter((value, at) => at % 4 === 3 && value > 128).length;
    });
  await expect.poll(inked).toBeGreaterThan(50);
  expect(await seriousFaults(app, { within: '[role=dialog]' })).toEqual([]);
});
