import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { photographDefault } from '../support/synthetic_photo.ts';
import { seriousFaults } from './accessibility.ts';
import { settled } from './settled.ts';
import { expect, test } from './studio.ts';

/** A picture with nobody in it. */
const meadow = (shade: number): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 800, channels: 3, background: { r: 60, g: shade, b: 70 } } })
    .jpeg()
    .toBuffer();

test('photos are taken in, checked here, tagged from the keyboard; what can’t be used is not started, and says why', async ({
  app,
}) => {
  test.setTimeout(240_000);
  await app.getByRole('button', { name: 'Look around first' }).click();
  await app.locator('input[type=file][accept*="image/jpeg"]').setInputFiles([
    { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await meadow(120) },
    { name: 'two.jpg', mimeType: 'image/jpeg', buffer: await meadow(140) },
    { name: 'same.jpg', mimeType: 'image/jpeg', buffer: await meadow(120) },
    { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') },
  ]);
  const photos = app.getByRole('grid', { name: 'Photos' }).getByRole('gridcell');
  await expect(photos).toHaveCount(2);
  await expect(app.getByText('2 photos added, 2 files left out')).toBeVisible();
  await expect(photos.first()).toContainText('No face', { timeout: 90_000 });

  await photos.first().click();
  await app.keyboard.press('Control+a');
  await app.keyboard.press('f');
  await expect(photos.nth(1)).toHaveAccessibleName(/Female/);
  await app.keyboard.press('Control+z');
  await expect(photos.nth(1)).not.toHaveAccessibleName(/Female/);
  await app.keyboard.press('m');
  await expect(photos.nth(1)).toHaveAccessibleName(/Male/);

  // Neither can be used: there is nothing to start, and each says why.
  await expect(app.getByRole('button', { name: 'Make heads' })).toBeDisabled();
  await expect(photos.nth(1)).toContainText('No face');
  expect(await seriousFaults(app)).toEqual([]);
});

test('a stroke over the outline changes it, and the head that is made again from the library', async ({
  app,
  home,
}) => {
  test.setTimeout(240_000);
  await app.getByRole('button', { name: 'Look around first' }).click();
  await app.locator('input[type=file][accept*="image/jpeg"]').setInputFiles({
    name: 'drawn.png',
    mimeType: 'image/png',
    buffer: Buffer.from(await photographDefault()),
  });
  const photos = app.getByRole('grid', { name: 'Photos' }).getByRole('gridcell');
  await photos.first().click();
  await app.keyboard.press('f');
  await expect(photos.first()).toHaveAccessibleName(/Female/);
  await app.getByRole('button', { name: 'Make the head' }).click();
  await expect(photos.first()).toHaveAccessibleName(/, Done,/, { timeout: 90_000 });

  await app.getByRole('link', { name: 'Library', exact: true }).click();
  const heads = app.getByRole('listbox', { name: 'Heads' }).getByRole('option');
  await heads.first().dblclick();
  await app.getByRole('button', { name: 'More actions for this head' }).click();
  await app.getByRole('menuitem', { name: 'Correct the outline…' }).click();
  const outline = app.locator('path[data-sure]');
  await expect(outline).toHaveCount(1, { timeout: 30_000 });
  const topOf = async (): Promise<number> => (await outline.boundingBox())?.y ?? 0;
  await settled(app);
  const found = await topOf();

  // Painted without a pointer: the brush goes to the top of the head, and along it.
  await app.getByRole('application', { name: 'Photo with its outline' }).focus();
  await app.keyboard.press('b');
  for (let i = 0; i < 8; i += 1) await app.keyboard.press('ArrowUp');
  await app.keyboard.press('Space');
  for (let i = 0; i < 3; i += 1) await app.keyboard.press('Shift+ArrowRight');
  for (let i = 0; i < 6; i += 1) await app.keyboard.press('Shift+ArrowLeft');
  await app.keyboard.press('Space');
  await expect.poll(topOf, { timeout: 30_000 }).toBeGreaterThan(found + 8);
  const painted = await topOf();
  await app.keyboard.press('Control+z');
  await expect.poll(topOf, { timeout: 30_000 }).toBeLessThan(found + 2);
  await app.keyboard.press('Control+Shift+z');
  await expect.poll(topOf, { timeout: 30_000 }).toBeCloseTo(painted, 0);
  expect(await seriousFaults(app)).toEqual([]);

  await app.getByRole('button', { name: 'Keep and make the head' }).click();
  await expect(photos.first()).toHaveAccessibleName(/, Done,/, { timeout: 90_000 });
  await app.getByRole('link', { name: 'Library', exact: true }).click();
  // The first head's word may still stand there.
  await expect(heads).toHaveCount(2, { timeout: 60_000 });
  const files = (await readdir(home, { recursive: true })).filter((path) => basename(path) === 'model.glb');
  expect(files).toHaveLength(2);
  const [one, other] = await Promise.all(files.map((path) => readFile(join(home, path))));
  expect(one?.equals(other ?? Buffer.alloc(0))).toBe(false);
});
