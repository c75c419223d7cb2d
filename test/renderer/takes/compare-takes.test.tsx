/** Two faces side by side, and a take in figures. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { studio } from '../../../renderer/base/studio.ts';
import { takeSelection } from '../../../renderer/takes/list/take-list.ts';
import { takeOf } from '../../fixtures/studio/takes.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(async () => {
  await page.viewport(1280, 900);
  takeSelection.restart();
});

const open = (hash: string) =>
  openStudio({ takes: { takes: [takeOf(4, { name: 'Anna' }), takeOf(5, { name: 'Ben' })] } }, hash);

test('one take by two engines: both heads, their difference, and a time for both', async () => {
  await open('#/takes/take-4');
  await page.getByRole('button', { name: 'Compare both faces' }).click();
  await expect.element(page.getByRole('region', { name: 'Anna · Live' })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Anna · Full pass' })).toBeVisible();
  // The same sound: there is none to choose.
  await expect.element(page.getByRole('radiogroup', { name: 'Audio from' })).not.toBeInTheDocument();
  const difference = page.getByRole('region', { name: 'Difference' });
  await expect.element(difference.getByText('at the same time (r = 1.00)').first()).toBeVisible();
  const position = page.getByRole('slider', { name: 'Position in the take' });
  position.element().focus();
  await userEvent.keyboard('{End}');
  await expect.poll(() => document.querySelector('audio')!.currentTime).toBeGreaterThan(3.9);
});

test('two takes: whose sound is heard can be chosen; the way back leads to the first', async () => {
  await open('#/takes/compare/take-4.live/take-5.second');
  await page.getByText('Ben', { exact: true }).click();
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-5');
  await page.getByRole('button', { name: 'Back to the take' }).click();
  await expect.element(page.getByRole('row', { name: /^Anna/ })).toHaveAttribute('aria-current', 'true');
});

test('two takes that were chosen in the list are compared by the faces that they show', async () => {
  await open('#/takes/compare/take-4/take-5');
  await expect.element(page.getByRole('region', { name: 'Anna · Full pass' })).toBeVisible();
});

test('edited takes are compared as they play, and as they were recorded', async () => {
  await open('#/takes/compare/take-4.live/take-5.live');
  const shown = page.getByRole('radiogroup', { name: 'Version shown' });
  const length = (seconds: number) => page.getByText(new RegExp(`/ ${seconds}(\\.0+)?\\s*s$`));
  await expect.element(length(5)).toBeVisible();
  await expect.element(shown).not.toBeInTheDocument();
  await studio.takeEdits.apply({
    id: 'take-5',
    after: 0,
    operations: [{ kind: 'pieces', pieces: [{ from: 1, to: 2, speed: 1 }] }],
  });
  await expect.element(shown).toBeVisible();
  // The other is the longer one now.
  await expect.element(length(4)).toBeVisible();
  await page.getByText('Ben', { exact: true }).click();
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-edited-audio');
  await page.getByText('As recorded', { exact: true }).click();
  await expect.element(length(5)).toBeVisible();
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-audio');
});

test('a take that is gone is told', async () => {
  await open('#/takes/compare/take-4.live/nobody.live');
  await expect.element(page.getByText(/One of the two takes no longer exists/)).toBeVisible();
});

test('each figure of a take is there with its sentence, and is saved', async () => {
  const fake = await open('#/takes/take-4');
  await page.getByRole('button', { name: 'Scorecard' }).click();
  const card = page.getByRole('dialog', { name: 'Scorecard of “Anna”' });
  await expect.element(card.getByText('Jaw after sound')).toBeVisible();
  await expect.element(card.getByText(/^The lag of the jaw curve behind/)).toBeVisible();
  expect(card.element().querySelectorAll('dt')).toHaveLength(10);
  await card.getByRole('button', { name: 'Save as CSV' }).click();
  await expect
    .poll(() => fake.calls.filter(({ name }) => name === 'takes.exportScore').map(({ input }) => input))
    .toEqual([{ id: 'take-4', modelId: null, format: 'csv' }]);
});
