import { readFile } from 'node:fs/promises';
import { headGlb } from '../fixtures/studio/head_glb.ts';
import { seriousFaults } from './accessibility.ts';
import { expect, test } from './studio.ts';

test('a GLB of one’s own is imported, photographed, looked at, trashed and brought back', async ({ app }) => {
  await app.getByRole('button', { name: 'Look around first' }).click();
  await app.getByRole('link', { name: 'Library' }).click();
  await expect(app.getByRole('heading', { name: 'No heads yet' })).toBeVisible();
  await app.locator('input[type=file]').setInputFiles([
    { name: 'egg.glb', mimeType: 'model/gltf-binary', buffer: Buffer.from(headGlb()) },
    { name: 'broken.glb', mimeType: 'model/gltf-binary', buffer: Buffer.from('not a model') },
  ]);
  // First the card, which goes by itself.
  await expect(app.getByText('1 file was not imported')).toBeVisible();
  const egg = app.getByRole('option', { name: /egg/ });
  await expect(egg).toBeVisible();
  // It came without a picture: the viewer makes one, and main keeps it.
  await expect(egg.locator('img')).toBeVisible({ timeout: 20_000 });

  await egg.dblclick();
  await expect(app.getByRole('application')).toBeVisible({ timeout: 20_000 });
  await app.getByRole('tab', { name: 'Face shapes' }).click();
  await app.getByLabel('Search face shapes').fill('jawOpen');
  await app.getByRole('slider', { name: 'jawOpen' }).fill('0.5');
  await expect(app.getByRole('spinbutton', { name: 'jawOpen, weight' })).toHaveValue('0.50');
  await app.getByRole('tab', { name: 'Readiness' }).click();
  await expect(app.getByText('52 of 52')).toBeVisible({ timeout: 20_000 });
  expect(await seriousFaults(app)).toEqual([]);

  await app.getByRole('button', { name: 'All heads' }).click();
  await egg.click();
  await app.keyboard.press('Delete');
  await expect(egg).toHaveCount(0);
  await app.getByRole('button', { name: 'Undo' }).click();
  await expect(egg).toBeVisible();
});

test('heads are exported under names of one’s own, and weighed before', async ({ app }) => {
  await app.getByRole('button', { name: 'Look around first' }).click();
  await app.getByRole('link', { name: 'Library' }).click();
  await expect(app.getByRole('heading', { name: 'No heads yet' })).toBeVisible();
  await app.locator('input[type=file]').setInputFiles(
    ['egg', 'ball'].map((name) => ({
      name: `${name}.glb`,
      mimeType: 'model/gltf-binary',
      buffer: Buffer.from(headGlb()),
    })),
  );
  const first = app.getByRole('option', { name: /egg/ });
  await expect(first).toBeVisible();
  await first.click();
  await app.keyboard.press('e');
  const dialog = app.getByRole('dialog', { name: 'Export head' });
  await expect(dialog.getByText(/^egg\.glb, .*\d face shapes\.$/)).toBeVisible({ timeout: 20_000 });
  await dialog.getByRole('button', { name: /^Separate files/ }).click();
  await dialog.getByRole('checkbox', { name: 'OBJ' }).click();
  await expect(dialog.getByText(/^egg\.obj, /)).toBeVisible({ timeout: 20_000 });
  await expect(dialog.getByText('Face shapes, bones and roughness are lost.')).toBeVisible();
  expect(await seriousFaults(app)).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'OBJ' }).click();
  await dialog.getByLabel('File name').fill('{name} for film');
  const downloading = app.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export 1 output' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('egg for film.glb');
  const bytes = await readFile(await download.path());
  expect(bytes.toString('latin1', 0, 4)).toBe('glTF');
  await expect(dialog).toHaveCount(0);

  await app.keyboard.press('Control+a');
  await app.keyboard.press('e');
  const both = app.getByRole('dialog', { name: 'Export 2 heads' });
  await both.getByLabel('File name').fill('{nobody}');
  await expect(both.getByText('There is no field {nobody}.')).toBeVisible();
  await both.getByLabel('File name').fill('{name}-{number:3}');
  await expect(both.getByText(/^For example .*-001\.glb; about/)).toBeVisible({ timeout: 20_000 });
  const zipping = app.waitForEvent('download');
  await both.getByRole('button', { name: 'Export 1 output' }).click();
  expect((await zipping).suggestedFilename()).toMatch(/^likeness-.*\.zip$/);
});

test('a table of names is made one’s own, changed by keyboard, and used by the export', async ({ app }) => {
  test.slow();
  await app.getByRole('button', { name: 'Look around first' }).click();
  await app.getByRole('link', { name: 'Library' }).click();
  await expect(app.getByRole('heading', { name: 'No heads yet' })).toBeVisible();
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'egg.glb', mimeType: 'model/gltf-binary', buffer: Buffer.from(headGlb()) });
  await app.getByRole('option', { name: /egg/ }).click();
  await app.keyboard.press('e');
  const dialog = app.getByRole('dialog', { name: 'Export head' });
  await dialog.getByRole('button', { name: 'Names…' }).click();
  const tables = app.getByRole('dialog', { name: 'Names of the face shapes' });
  await tables.getByRole('button', { name: 'Oculus', exact: true }).click();
  await expect(tables.getByText(/names? moves? the head\.$/)).toBeVisible({ timeout: 20_000 });
  await tables.getByRole('button', { name: 'Duplicate' }).focus();
  await app.keyboard.press('Enter');
  const name = tables.getByLabel('Name of the table');
  await expect(name).toHaveValue('Oculus, copy');
  await name.fill('Rig 7');
  await tables.getByLabel('New name, line 1', { exact: true }).fill('my_first');
  expect(await seriousFaults(app, { within: '[role=dialog]' })).toEqual([]);
  await tables.getByRole('button', { name: 'Save', exact: true }).focus();
  await app.keyboard.press('Enter');
  await expect(tables.getByText('Not saved yet')).toHaveCount(0);
  const downloading = app.waitForEvent('download');
  await tables.getByRole('button', { name: 'Save as CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Rig 7.csv');
  expect(await readFile(await download.path(), 'utf8')).toMatch(
    /^name,variant,shape,weight,side\r?\nmy_first,/,
  );
  await app.keyboard.press('Escape');
  await expect(tables).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'Names of the face shapes' }).click();
  await app.getByRole('option', { name: 'Rig 7' }).click();
  await expect(dialog.getByText(/^egg\.glb, .*\d face shapes\.$/)).toBeVisible({ timeout: 20_000 });
});
