import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { photoOf } from '../../fixtures/studio/batch.ts';
import { modelOf } from '../../fixtures/studio/library.ts';
import { livedInProfiles } from '../../fixtures/studio/lived_in.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 800));

test('“Make again…” makes the head by itself, with the connection that was chosen', async () => {
  const photo = photoOf(1, { sex: 'female', check: 'ok', inLibrary: 'model-1' });
  const fake = await openStudio(
    {
      profiles: livedInProfiles,
      batch: { photos: [photo] },
      library: { models: [modelOf(1, { hasPortrait: true })] },
    },
    '#/library/model/model-1',
  );
  await page.getByRole('button', { name: 'More actions for this head' }).click();
  await page.getByRole('menuitem', { name: 'Make again…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'With' }).click();
  await page.getByRole('option', { name: /Nord/ }).click();
  await dialog.getByRole('button', { name: 'Make again' }).click();
  await expect
    .poll(() => fake.calls.filter(({ name }) => name === 'batch.makeAgain').map(({ input }) => input))
    .toMatchObject([{ selection: { ids: ['model-1'] }, profileId: 'nord', asNew: false }]);
  await expect.element(page.getByRole('button', { name: 'Show the queue' })).toBeVisible();
});

test('glasses are painted away where the person says so, by the keyboard too, and as usual again', async () => {
  const fake = await openStudio(
    { library: { models: [modelOf(1, { glasses: true, options: { smile: 1 } })] } },
    '#/library/model/model-1',
  );
  await page.getByRole('button', { name: 'More actions for this head' }).click();
  await page.getByRole('menuitem', { name: 'Make again…' }).click();
  const dialog = page.getByRole('dialog');
  const kept = dialog.getByRole('radio', { name: 'Painted on the skin' });
  await expect.element(kept).toBeChecked();
  (kept.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  const away = dialog.getByRole('radio', { name: 'Removed' });
  await expect.element(away).toBeChecked();
  await dialog.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect.element(kept).toBeChecked();
  (kept.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await dialog.getByRole('button', { name: 'Make again' }).click();
  await expect
    .poll(() => fake.calls.filter(({ name }) => name === 'batch.makeAgain').map(({ input }) => input))
    .toMatchObject([{ options: { glasses: 'removed' } }]);
});

test('glasses are no choice of a head whose photo shows none', async () => {
  await openStudio({ library: { models: [modelOf(1, { glasses: false })] } }, '#/library/model/model-1');
  await page.getByRole('button', { name: 'More actions for this head' }).click();
  await page.getByRole('menuitem', { name: 'Make again…' }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('Below the neck')).toBeVisible();
  expect(dialog.getByText('Glasses').elements()).toEqual([]);
});

test('the suggestions for tags to add leave the field for tags to remove free', async () => {
  await openStudio(
    {
      library: {
        models: Array.from({ length: 30 }, (_, at) => modelOf(at, { tags: [`tag-${at}`, `more-${at}`] })),
      },
    },
    '#/library',
  );
  await page.getByText('Head 0', { exact: true }).click({ modifiers: ['Control'] });
  await page.getByRole('button', { name: 'Tags', exact: false }).click();
  const add = page.getByRole('dialog').getByRole('combobox').first();
  await add.click();
  const option = page.getByRole('option', { name: 'tag-0' });
  await expect.element(option).toBeVisible();
  const list = option.element().closest('[role=listbox]')!.getBoundingClientRect();
  const remove = page.getByRole('dialog').getByRole('combobox').nth(1).element().getBoundingClientRect();
  expect(list.bottom <= remove.top || list.top >= remove.bottom).toBe(true);
});
