/** Heads leave in several formats at once, by presets for a purpose or of the person's own. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { searchAfresh } from '../../../renderer/library/model-list.ts';
import { stockModels } from '../../fixtures/studio/stock.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

const inputs = (calls: { name: string; input: unknown }[], name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

async function open() {
  const fake = await openStudio({ library: { models: stockModels(4) } }, '#/library');
  searchAfresh();
  await page.getByRole('option').first().click();
  await userEvent.keyboard('e');
  return { fake, dialog: page.getByRole('dialog', { name: 'Export head' }) };
}

test('ticked outputs go into one order; each says what it comes to, and the last export is offered again', async () => {
  const { fake, dialog } = await open();
  await dialog.getByRole('checkbox', { name: 'Unreal, Unity' }).click();
  await dialog.getByRole('combobox', { name: 'Names of the face shapes' }).click();
  await page.getByRole('option', { name: 'ARKit', exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'VRM', exact: true }).click();
  await dialog.getByRole('checkbox', { name: /^VRM 0.x/ }).click();
  await expect.element(dialog.getByText(/with a folder for each format/)).toBeVisible();
  await expect.poll(() => dialog.getByText(/67 face shapes/).elements()).toHaveLength(4);
  await dialog.getByRole('button', { name: 'Export 4 outputs' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(inputs(fake.calls, 'library.exportModels')).toEqual([
    expect.objectContaining({ formats: ['glb', 'fbx', 'vrm', 'vrm0'], names: 'arkit', fileName: '{name}' }),
  ]);
  await userEvent.keyboard('e');
  await expect.element(dialog.getByRole('button', { name: 'Export 1 output' })).toBeVisible();
  await dialog.getByRole('button', { name: 'As last time' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Export 4 outputs' })).toBeVisible();
});

test('a preset sets formats and names; what is chosen is kept as one, and a deletion is undone', async () => {
  const { fake, dialog } = await open();
  const web = dialog.getByRole('button', { name: 'Web and AR' });
  await web.click();
  await expect.element(web).toHaveAttribute('aria-pressed', 'true');
  await expect.element(dialog.getByRole('checkbox', { name: 'AR', exact: true })).toBeChecked();
  await expect.element(dialog.getByRole('checkbox', { name: 'Blender' })).not.toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Blender' }).click();
  await dialog.getByRole('textbox', { name: 'File name' }).fill('{name}-{date}');
  await dialog.getByRole('button', { name: 'Save as preset…' }).click();
  await userEvent.keyboard('Shop{Enter}');
  const shop = dialog.getByRole('button', { name: 'Shop', exact: true });
  await expect.element(shop).toBeVisible();
  expect(inputs(fake.calls, 'app.changeSettingsFrom').at(-1)).toMatchObject({
    changes: {
      headPresets: [
        {
          name: 'Shop',
          formats: ['glb-meshopt', 'usdz', 'glb'],
          names: 'as-is',
          fileName: '{name}-{date}',
        },
      ],
    },
  });
  await dialog.getByRole('button', { name: 'VTuber' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Export 2 outputs' })).toBeVisible();
  await shop.click();
  await expect.element(dialog.getByRole('button', { name: 'Export 3 outputs' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete preset Shop' }).click();
  await expect.element(shop).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.element(shop).toBeVisible();
});
