import { join } from 'node:path';
import { encodeWav } from '@likeness/proto/wav.ts';
import { seriousFaults } from './accessibility.ts';
import { at, startSpeaking } from './microphone.ts';
import { skip, takeClock } from './page_clock.ts';
import { enter, expect, test } from './studio.ts';

test('a voice moves the head, is recorded, played and exported', async ({ live: page }) => {
  test.setTimeout(240_000);
  await startSpeaking(page);
  await page.keyboard.press('r');
  // After the countdown.
  await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('[data-tone="record"]')).toHaveText(/[2-9] s/, { timeout: 30_000 });
  await page.keyboard.press('r');
  await expect(page.getByText('Take saved')).toBeVisible({ timeout: 30_000 });
  // Its card stays while it has the focus.
  await page.getByRole('button', { name: 'Show take' }).focus();
  // Nothing lies over the panel's tabs while the pointer rests on the button.
  await takeClock(page);
  await page.getByRole('button', { name: 'Record' }).hover();
  // Longer than the theme's delay, after which a tooltip would be there.
  await skip(page, 600);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();

  await page.getByRole('button', { name: 'Show take' }).click();
  await expect(page).toHaveURL(/#\/takes\/.+/);
  // In a smaller window the list is behind a button.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('row', { name: /^Take 1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog');
  for (const box of await dialog.getByRole('navigation').getByRole('checkbox', { checked: true }).all())
    await box.uncheck();
  await dialog.getByRole('checkbox', { name: 'Unreal' }).check();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export 1 output' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await expect(dialog).toBeHidden();

  await page.locator('#main input[type=file]').setInputFiles({
    name: 'said.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(
      encodeWav({
        sampleRate: 16_000,
        samples: Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i / 9) / 4),
      }),
    ),
  });
  await expect(page.getByRole('row', { name: /^said/ })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
  await expect(page.getByRole('row', { name: /^said/ })).toBeHidden();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('row', { name: /^said/ })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});

test('speaking is begun, interrupted and ended by keys', async ({ live: page }) => {
  test.setTimeout(120_000);
  await page.goto(at(page, 'live'));
  await expect(page.getByRole('button', { name: 'Start speaking' })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByRole('meter')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible();
  await page.keyboard.press('x');
  await page.keyboard.press('c');
  // What is said of a measurement is said where it was made, and goes by itself.
  const remark = page.getByRole('complementary').getByText('The room was not silent');
  await takeClock(page);
  await page.getByRole('button', { name: /Measure the room/ }).click();
  await expect(remark).toBeVisible({ timeout: 10_000 });
  await skip(page, 5000);
  await expect(remark).toBeVisible();
  await skip(page, 10_000);
  await expect(remark).toBeHidden();
  for (const view of ['Face', 'Keys', 'Latency']) {
    await page.getByText(view, { exact: true }).click();
    expect(await seriousFaults(page)).toEqual([]);
  }
  await page.keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Start speaking' })).toBeVisible();
});

test('the head has a window of its own, and the session lives as long as it', async ({ live: page }) => {
  test.setTimeout(180_000);
  await startSpeaking(page);
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('p');
  const head = await opening;
  const canvas = head.locator('canvas[data-speaking]');
  await expect(canvas).toBeVisible({ timeout: 30_000 });
  // The page's own face, not one at rest: it moves with the voice.
  const first = await canvas.screenshot();
  await expect.poll(async () => first.equals(await canvas.screenshot()), { timeout: 20_000 }).toBe(false);

  await page.getByText('Face', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Background' }).click();
  await page.getByRole('option', { name: 'Green' }).click();
  await expect(head.getByRole('application')).toHaveCSS('background-color', 'rgb(0, 255, 0)');
  await expect(page.getByRole('application')).toHaveCSS('background-color', 'rgb(0, 255, 0)');

  // Elsewhere in the studio the session goes on, and is seen to.
  await page.goto(at(page, 'takes'));
  const openSession = page.getByText('Live session open');
  await expect(openSession).toBeVisible();
  const here = await canvas.screenshot();
  await expect.poll(async () => here.equals(await canvas.screenshot()), { timeout: 20_000 }).toBe(false);
  expect(await seriousFaults(head)).toEqual([]);
  const gone = head.waitForEvent('close');
  // The window closes while it handles the key: whether the press comes back is of no interest.
  await head.keyboard.press('Escape').catch(() => undefined);
  await gone;
  await expect(openSession).toBeHidden();
});

test('a studio that is killed while it records has the take when it starts again', async ({
  live: page,
  start,
}) => {
  test.setTimeout(180_000);
  await startSpeaking(page);
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('[data-tone="record"]')).toHaveText(/[3-9] s/, { timeout: 30_000 });
  await page.studio.kill();

  const again = await page.context().newPage();
  await enter(again, await start());
  await again.goto(at(again, 'takes'));
  await expect(again.getByText('The studio ended during the recording')).toBeVisible();
  const length = again.getByRole('slider', { name: 'Position in the take' });
  expect(Number(await length.getAttribute('aria-valuemax'))).toBeGreaterThan(2);
});

test('a microphone that is unplugged is told, and taken again when it is back', async ({ live: page }) => {
  test.setTimeout(120_000);
  // No browser unplugs its fake microphone: the events are those that a real one sends.
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    const list = mediaDevices.enumerateDevices.bind(mediaDevices);
    let isThere = true;
    let opened = 0;
    let lookedFor = 0;
    mediaDevices.enumerateDevices = async () => {
      if (isThere) return list();
      lookedFor += 1;
      return [];
    };
    mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      opened += 1;
      const end = (stays: boolean): void => {
        isThere = stays;
        stream.getAudioTracks()[0]?.dispatchEvent(new Event('ended'));
      };
      const plugIn = (): void => {
        isThere = true;
        mediaDevices.dispatchEvent(new Event('devicechange'));
      };
      Object.assign(window, { end, plugIn, opened: () => opened, lookedFor: () => lookedFor });
      return stream;
    };
  });
  await page.goto(at(page, 'live'));
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await expect(page.getByRole('meter')).toBeVisible();
  await takeClock(page);
  await page.evaluate('end(false)');
  await expect(page.getByRole('alert')).toContainText('was unplugged');
  // Longer than the time after which it is looked for: it is gone, and so it stays.
  await skip(page, 1500);
  await expect.poll(() => page.evaluate<number>('lookedFor()')).toBeGreaterThan(0);
  await expect(page.getByRole('alert')).toContainText('was unplugged');
  await page.evaluate('plugIn()');
  await expect(page.getByRole('meter')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();

  // The system set it to another sample rate: it ends, and was never away.
  const opened = await page.evaluate<number>('opened()');
  await page.evaluate('end(true)');
  await expect.poll(() => page.evaluate<number>('opened()')).toBe(opened + 1);
  await expect(page.getByRole('meter')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('paused while this window was hidden')).toBeVisible();
});

test('a file is spoken to its end, then the session is over', async ({ live: page }) => {
  test.setTimeout(120_000);
  await page.goto(at(page, 'live'));
  await page
    .locator('#main input[type=file]')
    .setInputFiles(join(import.meta.dirname, '../fixtures/sounds/tone.flac'));
  await expect(page.getByText('The file has ended')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: 'Start speaking' })).toBeVisible();
  await page
    .locator('#main input[type=file]')
    .setInputFiles({ name: 'x.ogg', mimeType: 'audio/ogg', buffer: Buffer.from('no') });
  await expect(page.getByRole('complementary').getByRole('alert')).toContainText('can’t be played', {
    timeout: 20_000,
  });
});

test('a refused microphone is told with what to do', async ({ live: page }) => {
  test.setTimeout(120_000);
  await page.context().clearPermissions();
  await page.goto(at(page, 'live'));
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await expect(page.getByRole('alert')).toContainText('No permission for the microphone', {
    timeout: 30_000,
  });
  // There is no session without a sound: a file can be spoken instead.
  await expect(page.getByRole('button', { name: 'From a file' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});
