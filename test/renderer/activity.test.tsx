import { inEnglish } from '@likeness/messages';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { livedInJournal, livedInProfiles } from '../fixtures/studio/lived_in.ts';
import { openStudio } from './open_studio.tsx';

beforeEach(() => page.viewport(1280, 800));
const now = Date.UTC(2026, 10, 21, 12);
const lived = { profiles: livedInProfiles, journal: livedInJournal(1200, now), now: () => now };

test('the journal draws only what is on the screen, and reads on as it is scrolled', {
  timeout: 60_000,
}, async () => {
  await openStudio(lived, '#/activity');
  const grid = page.getByRole('grid', { name: 'Journal entries' });
  await expect.element(page.getByText('1,200 entries')).toBeVisible();
  expect(document.querySelectorAll('[role="row"]').length).toBeLessThan(60);
  (grid.element() as HTMLElement).focus();
  const oldest = page.getByRole('complementary', { name: 'Entry 1', exact: true });
  // Each time it goes to the end of what has been read, and what is older is asked for.
  await expect
    .poll(
      async () => {
        await userEvent.keyboard('{End}');
        return oldest.query() !== null;
      },
      { timeout: 50_000 },
    )
    .toBe(true);
  await expect.element(oldest).toBeVisible();
});

test('looks at one head are one row that opens; what failed among them is seen', async () => {
  const [first] = livedInJournal(1, now);
  const look = { ...first!, operation: 'get_model', subject: 'head-1', outcome: 'ok' as const };
  const journal = [
    { ...look, sequence: 1, operation: 'generate_model' },
    { ...look, sequence: 2 },
    { ...look, sequence: 3, subject: 'head-2' },
    { ...look, sequence: 4 },
    { ...look, sequence: 5, outcome: 'failed' as const },
    { ...look, sequence: 6 },
  ];
  await openStudio({ ...lived, journal }, '#/activity');
  const grid = page.getByRole('grid', { name: 'Journal entries' });
  const rows = () => [...document.querySelectorAll('[role="row"][id]')].map(({ id }) => id);
  const folded = ['entry-6', 'entry-5', 'entry-3', 'entry-1'];
  await expect.poll(rows).toEqual(folded);
  const button = grid.getByRole('button', { name: '3 queries for the same head' });
  await button.click();
  await expect.poll(rows).toEqual(['entry-6', 'entry-4', 'entry-2', 'entry-5', 'entry-3', 'entry-1']);
  await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  (grid.element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}{ArrowLeft}');
  await expect.poll(rows).toEqual(folded);
});

test('an entry about a head has the head’s name, and what the server calls it beside', async () => {
  const [first] = livedInJournal(1, now);
  const look = { ...first!, operation: 'get_model', outcome: 'ok' as const };
  const journal = [
    { ...look, sequence: 1, subject: 'head-1' },
    { ...look, sequence: 2, subject: 'head-2' },
    { ...look, sequence: 3, subject: 'head-1' },
  ];
  const fake = await openStudio({ ...lived, journal, headNames: { 'head-1': 'Ada Lovelace' } }, '#/activity');
  const row = page.getByRole('row', { name: /Ada Lovelace/ });
  await expect.element(row.getByRole('button', { name: '2 queries for the same head' })).toBeVisible();
  await expect.element(page.getByRole('row', { name: /head-2/ })).toBeVisible();
  await row.getByText('Ada Lovelace').click();
  const details = page.getByRole('complementary');
  await expect.element(details.getByText('Ada Lovelace')).toBeVisible();
  await expect.element(details.getByText('head-1')).toBeVisible();
  // Each is asked for once.
  const asked = fake.calls.filter(({ name }) => name === 'journal.namesOf');
  expect(asked[0]?.input).toMatchObject({ subjects: [{ subject: 'head-1' }, { subject: 'head-2' }] });
  expect(asked[0]?.input).toHaveProperty('subjects.length', 2);
});

test('filters ask main, and say how much is left', async () => {
  const fake = await openStudio(lived, '#/activity');
  await page.getByPlaceholder('Id, message or connection').fill('busy');
  const failed = lived.journal.filter(({ message }) => inEnglish(message).includes('busy')).length;
  await expect.element(page.getByText(`${failed} entries`)).toBeVisible();
  const asked = fake.calls.filter(({ name }) => name === 'journal.entries');
  expect(asked.at(-1)?.input).toMatchObject({ filter: { text: 'busy' } });
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

test('a connection that answers late comes with what to change', async () => {
  const late = livedInJournal(60, now).map((entry) => ({ ...entry, firstByteMs: 2355 }));
  await openStudio({ ...lived, journal: late }, '#/activity/latency');
  await expect.element(page.getByText('First answers later than the target')).toBeVisible();
  await page.getByRole('button', { name: 'Open Live' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Live');
});

test('where nothing was called yet, it says what will be here', async () => {
  await openStudio({}, '#/activity');
  await expect.element(page.getByText('No calls yet')).toBeVisible();
});
