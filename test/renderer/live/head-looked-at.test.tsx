import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { modelOf } from '../../fixtures/studio/library.ts';
import { openStudio } from '../open_studio.tsx';

test('Live opens with the head that the library looked at', async () => {
  const models = Array.from({ length: 5 }, (_, number) => modelOf(number));
  await openStudio({ library: { models } }, '#/library/model/model-3');
  await expect.element(page.getByRole('heading', { name: /Head 3/ })).toBeVisible();
  window.location.hash = '#/live';
  await expect
    .element(page.getByRole('combobox', { name: 'Head' }), { timeout: 60_000 })
    .toHaveValue('Head 3');
}, 120_000);
