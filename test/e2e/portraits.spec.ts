import AxeBuilder from '@axe-core/playwright';
import sharp from 'sharp';
import { expect, test } from './studio.ts';

/** A picture with nobody in it. */
const meadow = (shade: number): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 800, channels: 3, background: { r: 60, g: shade, b: 70 } } })
    .jpeg()
    .toBuffer();

test('photos are taken in, checked here, tagged from the keyboard; what can’t be used stays, and says why', async ({
  app,
}) => {
  await app.getByRole('button', { name: 'Look around first' }).click();
  await app.locator('input[type=file][accept*="image/jpeg"]').setInputFiles([
    { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await meadow(120) },
    { name: 'two.jpg', mimeType: 'image/jpeg', buffer: await meadow(140) },
    { name: 'same.jpg', mimeType: 'image/jpeg', buffer: await meadow(120) },
    { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') },
  ]);
  const photos = app.getByRole('listbox', { name: 'Photos' }).getByRole('option');
  await expect(photos).toHaveCount(2);
  await expect(app.getByText('2 photos added, 2 files left out')).toBeVisible();
  await expect(photos.first()).toContainText('No face', { timeout: 30_000 });

  await photos.first().click();
  await app.keyboard.press('Control+a');
  await app.keyboard.press('f');
  await expect(photos.nth(1)).toContainText('Female');
  await app.keyboard.press('Control+z');
  await expect(photos.nth(1)).toContainText('Sex not set');
  await app.keyboard.press('m');
  await expect(photos.nth(1)).toContainText('Male');

  await app.getByRole('button', { name: 'Make heads of all 2' }).click();
  await expect(app.getByText('2 stayed: can’t be used')).toBeVisible();
  const { violations } = await new AxeBuilder({ page: app }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
});
