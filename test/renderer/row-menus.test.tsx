/** Rows of takes and tiles of the board have a menu: by pointer and key, for one or for several, within the window. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Job } from '#contract';
import { boardSelection, showAll } from '../../renderer/portraits/board/board-list.ts';
import { takeList, takeSelection } from '../../renderer/takes/list/take-list.ts';
import { jobOf, photoOf } from '../fixtures/studio/batch.ts';
import { manyTakes, takeOf } from '../fixtures/studio/takes.ts';
import { openStudio } from './open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(async () => {
  await page.viewport(1280, 900);
  takeSelection.restart();
  takeList.find({});
  showAll();
  boardSelection.restart();
});

const row = (name: RegExp) => page.getByRole('row', { name });
const tile = (name: RegExp) => page.getByRole('gridcell', { name });
const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
const items = (): string[] =>
  [...document.querySelectorAll('[role=menu] [role=menuitem]')].map(
    (one) => one.querySelector('[class*=itemLabel]')?.textContent ?? '',
  );
const heard = (fake: { calls: { name: string; input: unknown }[] }, name: string): unknown[] =>
  fake.calls.filter((call) => call.name === name).map(({ input }) => input);

const threeTakes = () =>
  ['Anna', 'Ben', 'Cem'].map((name, at) =>
    takeOf(at + 1, { name, createdAt: 1_795_000_000_000 - at * 60_000, shownFace: 'live' }),
  );

test('a take’s menu acts on the row under the pointer, which is shown', async () => {
  const fake = await openStudio({ takes: { takes: threeTakes() } }, '#/takes');
  await row(/^Ben/).click({ button: 'right' });
  await expect.element(page.getByRole('menu', { name: 'Actions for Ben' })).toBeVisible();
  await expect.element(row(/^Ben/)).toHaveAttribute('aria-current', 'true');
  expect(items()).toEqual(['Rate', 'Tags', 'Export', 'Film…', 'Show its folder', 'Move to the trash']);
  await item('Show its folder').click();
  await expect.poll(() => heard(fake, 'takes.reveal')).toEqual([{ id: 'take-2' }]);
  await row(/^Ben/).click({ button: 'right' });
  await item('Rate').hover();
  await item(/^4 stars/).click();
  await expect.element(row(/^Ben.*4 stars/)).toBeVisible();
  await row(/^Ben/).click({ button: 'right' });
  await item(/^Tags/).click();
  const dialog = page.getByRole('dialog', { name: 'Tags of 1 take' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await row(/^Ben/).click({ button: 'right' });
  await item(/^Move to the trash/).click();
  await expect.poll(() => heard(fake, 'takes.trash')).toEqual([{ id: 'take-2' }]);
});

test('with several takes chosen the menu acts on all of them, and by key it opens at the row', async () => {
  const fake = await openStudio({ takes: { takes: threeTakes() } }, '#/takes');
  await row(/^Anna/).click();
  await row(/^Ben/).click({ modifiers: ['Shift'] });
  await expect.element(page.getByRole('heading', { name: '2 takes selected' })).toBeVisible();
  page.getByRole('grid', { name: 'List of takes' }).element().focus();
  await userEvent.keyboard('{Shift>}{F10}{/Shift}');
  const menu = page.getByRole('menu', { name: '2 takes selected' });
  await expect.element(menu).toBeVisible();
  expect(items()).toEqual(['Rate', 'Tags', 'Join', 'Compare', 'Export', 'Film…', 'Move to the trash']);
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  // The list has the focus again.
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('grid');
  await userEvent.keyboard('{ContextMenu}');
  await expect.element(menu).toBeVisible();
  await item(/^Move to the trash/).click();
  await expect
    .poll(() => heard(fake, 'takes.trashMany'))
    .toEqual([{ selection: { ids: ['take-1', 'take-2'] } }]);
});

test('a take that can’t be read has only what can be done with its file; of all found none are joined', async () => {
  await openStudio(
    { takes: { takes: [takeOf(1, { name: 'Anna', damaged: 'Cut off.' }), takeOf(2, { name: 'Ben' })] } },
    '#/takes',
  );
  await row(/^Anna/).click({ button: 'right' });
  await expect.element(item('Show its folder')).toBeVisible();
  expect(items()).toEqual(['Show its folder', 'Move to the trash']);
  await userEvent.keyboard('{Escape}');
  page.getByRole('grid', { name: 'List of takes' }).element().focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await row(/^Ben/).click({ button: 'right' });
  await expect.element(item(/^Tags/)).toBeVisible();
  expect(items()).toEqual(['Rate', 'Tags', 'Move to the trash']);
});

const named = (name: string, at: number, rest: Partial<Job>): Job =>
  jobOf(photoOf(at, { name, sex: 'female' }), rest);
const jobs = (): Job[] => [
  named('Ada', 1, { state: 'queued' }),
  named('Ben', 2, { state: 'failed', message: 'Too dark.', code: 'upstream_refused' }),
  named('Cem', 3, { state: 'failed', orderState: 'gone', profileId: 'acme', profileName: 'Acme' }),
  named('Dia', 4, { state: 'uncertain' }),
  named('Eva', 5, { state: 'done', modelId: 'model-1' }),
  named('Fay', 6, { state: 'cancelled' }),
];
const openBoard = () => openStudio({ batch: { jobs: jobs(), stepMs: 0 }, library: {} }, '#/portraits');

test.each([
  ['Ada', ['Make next', 'Earlier', 'Later', 'Cancel: back to Ready']],
  ['Ben', ['Another photo…', 'Try again', 'Back to the photo', 'Remove']],
  ['Cem', ['Another photo…', 'Ask for it again', 'Order again…', 'Back to the photo', 'Remove']],
  ['Dia', ['Decide']],
  ['Eva', ['Speak', 'Open', 'Make again…', 'Archive', 'Remove']],
  ['Fay', ['Another photo…', 'Make anyway', 'Back to the photo', 'Remove']],
])('the menu of the tile of %s has what can be done with it', async (name, words) => {
  await openBoard();
  await tile(new RegExp(`^${name}`)).click({ button: 'right' });
  await expect.element(page.getByRole('menu', { name: `Actions for ${name}` })).toBeVisible();
  expect(items()).toEqual(words);
});

test('several failed tiles are tried again from the menu, by key; one ordered anew asks first', async () => {
  const fake = await openBoard();
  await tile(/^Ben/).click();
  await tile(/^Cem/).click({ modifiers: ['ControlOrMeta'] });
  page.getByRole('grid').element().focus();
  await userEvent.keyboard('{ContextMenu}');
  await expect.element(page.getByRole('menu', { name: '2 selected' })).toBeVisible();
  await item(/^Try again/).click();
  await expect.poll(() => heard(fake, 'batch.retry')).toEqual([{ ids: ['job-photo-2', 'job-photo-3'] }]);
});

test('a head is ordered anew from the menu only after a word', async () => {
  const fake = await openBoard();
  await tile(/^Cem/).click({ button: 'right' });
  await item('Order again…').click();
  const question = page.getByRole('dialog', { name: 'Order this head again?' });
  await expect.element(question).toBeVisible();
  expect(heard(fake, 'batch.retry')).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
});

test.each([
  [1440, 900],
  [1280, 720],
])('the menus of takes and tiles are within a window of %d by %d', async (width, height) => {
  await page.viewport(width, height);
  const within = async (): Promise<void> => {
    await expect.poll(() => document.querySelector('[role=menu]') !== null).toBe(true);
    const box = () => document.querySelector('[role=menu]')!.getBoundingClientRect();
    await expect.poll(() => box().bottom).toBeLessThanOrEqual(height);
    expect(box().top).toBeGreaterThanOrEqual(0);
    expect(box().right).toBeLessThanOrEqual(width);
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => document.querySelector('[role=menu]')).toBeNull();
  };
  const lowest = (of = 'row'): Element =>
    [...document.querySelectorAll(`[role=grid] [role=${of}]:not([aria-hidden])`)]
      .filter((one) => one.getBoundingClientRect().bottom < height - 30)
      .at(-1)!;
  await openStudio({ takes: { takes: manyTakes(60) } }, '#/takes');
  await expect.poll(() => document.querySelectorAll('[role=grid] [role=row]').length).toBeGreaterThan(8);
  await userEvent.click(lowest(), { button: 'right' });
  await within();
  document.getElementById('root')!.remove();
  const many = Array.from({ length: 40 }, (_, at) => named(`Job ${at}`, at + 1, { state: 'queued' }));
  await openStudio({ batch: { jobs: many, stepMs: 0 }, library: {} }, '#/portraits');
  await expect.poll(() => document.querySelectorAll('[role=gridcell]').length).toBeGreaterThan(5);
  await userEvent.click(lowest('gridcell'), { button: 'right', position: { x: 60, y: 10 } });
  await within();
});
