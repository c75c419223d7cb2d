import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { studio } from '../../../renderer/base/studio.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand, which is not to run down the test's clock.
beforeAll(() => import('../../../renderer/settings/Settings.tsx').then(() => undefined));
beforeEach(() => page.viewport(1280, 900));

test('own pronunciations are seen, corrected, removed and added; a sound that there is not is refused', async () => {
  const fake = await openStudio(
    {
      settings: {
        pronunciations: [
          { word: 'glTF', phones: 'JH IY' },
          { word: 'Aoide', phones: 'EY OY D IY' },
        ],
      },
    },
    '#/settings/pronunciations',
  );
  const changes = (): unknown[] =>
    fake.calls
      .filter(({ name }) => name === 'app.changeSettingsFrom')
      .map(({ input }) => (input as { changes: unknown }).changes);
  const gltf = page.getByRole('textbox', { name: 'Pronunciation of “glTF”' });
  await gltf.fill('JH IY QQ');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('“QQ” is not a phone', { exact: false })).toBeVisible();
  expect(changes()).toEqual([]);
  await gltf.fill('JH IY EH L');
  await userEvent.keyboard('{Enter}');
  const aoide = { word: 'Aoide', phones: 'EY OY D IY' };
  await expect.poll(changes).toEqual([{ pronunciations: [aoide, { word: 'glTF', phones: 'JH IY EH L' }] }]);
  await page.getByRole('button', { name: 'Remove “glTF”' }).click();
  await expect.poll(() => changes().at(-1)).toEqual({ pronunciations: [aoide] });
  await page.getByRole('textbox', { name: 'Word' }).fill('妮好');
  await page.getByRole('textbox', { name: 'Phones, separated by spaces' }).fill('n i h ao');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect
    .poll(() => changes().at(-1))
    .toEqual({ pronunciations: [aoide, { word: '妮好', phones: 'n i h ao' }] });
  await expect.element(page.getByRole('textbox', { name: 'Pronunciation of “妮好”' })).toBeVisible();
});

test('a word that another window added meanwhile stays', async () => {
  const nike = { word: 'Nike', phones: 'N AY K IY' };
  await openStudio({ settings: { pronunciations: [] } }, '#/settings/pronunciations');
  await expect.element(page.getByRole('textbox', { name: 'Word' })).toBeVisible();
  const asked = vi.spyOn(studio.app, 'changeSettingsFrom').mockImplementationOnce(async () => {
    const settings = await studio.app.changeSettings({ pronunciations: [nike] });
    return { isChanged: false, settings };
  });
  await page.getByRole('textbox', { name: 'Word' }).fill('Ada');
  await page.getByRole('textbox', { name: 'Phones, separated by spaces' }).fill('EY D AH');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.element(page.getByRole('textbox', { name: 'Pronunciation of “Ada”' })).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: 'Pronunciation of “Nike”' })).toBeVisible();
  expect(asked).toHaveBeenCalledTimes(2);
  asked.mockRestore();
});
