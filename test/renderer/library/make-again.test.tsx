import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { photoOf } from '../../fixtures/studio/batch.ts';
import { modelOf } from '../../fixtures/studio/library.ts';
import { livedInProfiles } from '../../fixtures/studio/lived_in.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 800));

test('a head is made again with another connection, by its look’s menu', async () => {
  const photo = photoOf(1, { sex: 'female', check: 'ok', inLibrary: 'model-1' });
  const fake = await openStudio(
    {
      profiles: livedInProfiles,
      batch: { photos: [photo] },
      library: { models: [modelOf(1, { hasPortrait: true })] },
    },
    '#/library/model/model-1',
  );
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'More actions for this head' }).click();
  await page.getByRole('menuitem', { name: 'Make again…' }).click();
  await page.getByRole('radiogroup', { name: 'Hair', exact: true }).getByText('Bald').click();
  await page.getByRole('button', { name: 'More ways to make it' }).click();
  await page.getByRole('menuitem', { name: /another connection/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'With' }).click();
  await page.getByRole('option', { name: /Nord/ }).click();
  await dialog.getByRole('button', { name: 'Make again' }).click();
  await expect
    .poll(() => fake.calls.filter(({ name }) => name === 'batch.makeAgain').map(({ input }) => input))
    .toMatchObject([
      { selection: { ids: ['model-1'] }, profileId: 'nord', asNew: false, options: { hair: 'bald' } },
    ]);
  await expect.element(page.getByRole('button', { name: 'Show the queue' })).toBeVisible();
});

test('glasses are painted away where the person says so, by the keyboard too', async () => {
  const fake = await openStudio(
    {
      library: { models: [modelOf(1, { hasPortrait: true, glasses: true, options: { smile: 1 } })] },
      batch: {},
    },
    '#/library/model/model-1',
  );
  const kept = page.getByRole('radio', { name: 'Kept' });
  await expect.element(kept).toBeChecked();
  (kept.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('radio', { name: 'Removed' })).toBeChecked();
  await page.getByRole('button', { name: 'Make version 2' }).click();
  await expect
    .poll(() => fake.calls.filter(({ name }) => name === 'batch.makeAgain').map(({ input }) => input))
    .toMatchObject([{ options: { smile: 1, glasses: 'removed' } }]);
});

test('glasses are no choice of a head whose photo shows none', async () => {
  await openStudio(
    { library: { models: [modelOf(1, { hasPortrait: true, glasses: false })] } },
    '#/library/model/model-1',
  );
  await expect.element(page.getByText('None in the photo')).toBeVisible();
  expect(page.getByRole('radio', { name: 'Removed' }).elements()).toEqual([]);
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
