import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { livedInJournal, livedInProfiles } from '../fixtures/studio/lived_in.ts';
import { openStudio } from './open_studio.tsx';

beforeEach(() => page.viewport(1280, 800));
const now = Date.UTC(2026, 10, 21, 12);
const lived = { profiles: livedInProfiles, journal: livedInJournal(1200, now), now: () => now };

test('the journal draws only what is on the screen, and reads on as it is scrolled', async () => {
  await openStudio(lived, '#/activity');
  const grid = page.getByRole('grid', { name: 'Journal entries' });
  await expect.element(page.getByText('1,200 entries')).toBeVisible();
  expect(document.querySelectorAll('[role="row"]').length).toBeLessThan(60);
  (grid.element() as HTMLElement).focus();
  for (let end = 0; end < 7; end += 1) {
    await userEvent.keyboard('{End}');
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  await expect.element(page.getByRole('complementary', { name: 'Entry 1', exact: true })).toBeVisible();
});

test('filters ask main, and say how much is left', async () => {
  const fake = await openStudio(lived, '#/activity');
  await page.getByPlaceholder('Id, message or connection').fill('busy');
  const failed = lived.journal.filter(({ message }) => message.includes('busy')).length;
  await expect.element(page.getByText(`${failed} entries`)).toBeVisible();
  expect(fake.calls.at(-1)?.input).toMatchObject({ filter: { text: 'busy' } });
});

test('verifying says how it ended', async () => {
  await openStudio(lived, '#/activity/journal/verify');
  await expect.element(page.getByText('The journal is intact')).toBeVisible();
});

test('usage shows what is spent against the cap', async () => {
  await openStudio(lived, '#/activity/usage');
  const card = page.getByRole('region', { name: 'Lab server' });
  await expect.element(card.getByRole('meter', { name: 'Cap' })).toHaveAttribute('aria-valuemax', '120');
});

test('the latency plot holds P50 and P95 against the target', async () => {
  await openStudio(lived, '#/activity/latency');
  await expect.element(page.getByRole('img', { name: /against the target of 900/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show Audio to face in the plot' }).click();
  await expect
    .element(page.getByRole('button', { name: 'Show Audio to face in the plot' }))
    .toHaveAttribute('aria-pressed', 'true');
});

test('where nothing was called yet, it says what will be here', async () => {
  await openStudio({}, '#/activity');
  await expect.element(page.getByText('Nothing has been called yet')).toBeVisible();
});
