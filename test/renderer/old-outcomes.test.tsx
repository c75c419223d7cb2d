/** What is shown of an order or a check is of this one: nothing of an earlier one stays while it is asked for anew. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { searchAfresh } from '../../renderer/library/model-list.ts';
import { stockModels } from '../fixtures/studio/stock.ts';
import type { FakeStudio } from '../fixtures/studio/studio.ts';
import { takeOf } from '../fixtures/studio/takes.ts';
import { openStudio } from './open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

/** From now on a call of the studio waits until it is let go. */
function delayed({ bridge }: FakeStudio, room: string, call: string): { letGo: () => void } {
  const own = bridge[room]?.[call];
  if (!own) throw new Error(`no ${room}.${call}`);
  const gate = Promise.withResolvers<void>();
  Object.assign(bridge[room] ?? {}, { [call]: (input?: unknown) => gate.promise.then(() => own(input)) });
  return { letGo: gate.resolve };
}

test('the export of a head: another format', async () => {
  const fake = await openStudio({ library: { models: stockModels(4) } }, '#/library');
  searchAfresh();
  await page.getByRole('option').first().click();
  await userEvent.keyboard('e');
  const dialog = page.getByRole('dialog', { name: 'Export head' });
  await expect.element(dialog.getByText(/\.glb, .* face shapes/).first()).toBeVisible();
  const { letGo } = delayed(fake, 'library', 'previewExport');
  await dialog.getByRole('checkbox', { name: 'Blender' }).click();
  await dialog.getByRole('button', { name: /^Separate files/ }).click();
  await dialog.getByRole('checkbox', { name: /^OBJ/ }).click();
  await expect.element(dialog.getByText('Trying it on the first head …')).toBeVisible();
  expect(dialog.getByText(/\.glb, .* face shapes/).elements()).toEqual([]);
  letGo();
  await expect.element(dialog.getByText(/\.zip, .* face shapes/).first()).toBeVisible();
});

test('the export of a take: another format', async () => {
  const fake = await openStudio({ takes: { takes: [takeOf(4)] } }, '#/takes/take-4');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export 1 take' });
  await expect.element(dialog.getByText(/240 frames/)).toBeVisible();
  const { letGo } = delayed(fake, 'takeExports', 'preview');
  await dialog.getByRole('checkbox', { name: '2D mouths' }).click();
  // At once, not only when the new outcome is asked for.
  expect(dialog.getByText(/240 frames/).elements()).toEqual([]);
  letGo();
  await expect.element(dialog.getByText(/240 frames/)).toBeVisible();
});

test('the check of all files, run again', async () => {
  const fake = await openStudio({ library: { models: stockModels(4) } }, '#/library/check');
  await page.getByRole('button', { name: 'Check all files' }).click();
  const sound = page.getByText('4 heads checked: all files are intact');
  await expect.element(sound).toBeVisible();
  const { letGo } = delayed(fake, 'library', 'verify');
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect.element(sound).not.toBeInTheDocument();
  letGo();
  await expect.element(sound).toBeVisible();
});

test('new names by another pattern', async () => {
  const fake = await openStudio({ library: { models: stockModels(4) } }, '#/library');
  searchAfresh();
  await page.getByRole('option').first().click();
  await page
    .getByRole('option')
    .nth(1)
    .click({ modifiers: ['Shift'] });
  await userEvent.keyboard('{F2}');
  const dialog = page.getByRole('dialog', { name: 'Rename by a pattern' });
  const pattern = dialog.getByRole('textbox', { name: 'Pattern' });
  await pattern.fill('One');
  await expect.element(dialog.getByText('One', { exact: true }).first()).toBeVisible();
  const { letGo } = delayed(fake, 'library', 'rename');
  await pattern.fill('Two');
  await expect.element(dialog.getByText('One', { exact: true }).first()).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('button', { name: 'Rename' })).toBeDisabled();
  letGo();
  await expect.element(dialog.getByText('Two', { exact: true }).first()).toBeVisible();
});
