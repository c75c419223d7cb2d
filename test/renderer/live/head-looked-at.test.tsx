import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { modelOf } from '../../fixtures/studio/library.ts';
import { openStudio } from '../open_studio.tsx';

test('Live opens with the head that the library looked at', async () => {
  const models = Array.from({ length: 5 }, (_, number) => modelOf(number));
  await openStudio({ library: { models } }, '#/library/model/model-3');
  await expect.element(page.getByRole('heading', { name: /Head 3/ })).toBeVisible();
  window.location.hash = '#/live';
  const face = page.getByRole('radio', { name: 'Face' });
  await expect.element(face, { timeout: 40_000 }).toBeInTheDocument();
  // A pointer waits until the page stands still, which a head that is being loaded puts off on a slow
  // machine.
  (face.element() as HTMLElement).click();
  await expect
    .element(page.getByRole('combobox', { name: 'Head' }), { timeout: 20_000 })
    .toHaveValue('Head 3');
}, 120_000);
