/** The list of takes: searched, sorted, several chosen and marked, ten thousand of them. */

import { arkitBlendshapeIndex } from '@likeness/proto/blendshapes.ts';
import type { FaceMoment } from '@likeness/proto/live/face_state.ts';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Take } from '#contract';
import { studio } from '../../../renderer/base/studio.ts';
import { takeList, takeSelection } from '../../../renderer/takes/list/take-list.ts';
import type { ToFilmWorker } from '../../../renderer/takes/video/film-worker-message.ts';
import { manyTakes, takeOf } from '../../fixtures/studio/takes.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(async () => {
  await page.viewport(1280, 900);
  takeSelection.restart();
  takeList.find({});
});

const three = (): Take[] =>
  ['Anna', 'Ben', 'Cem'].map((name, at) =>
    takeOf(at + 1, { name, createdAt: 1_795_000_000_000 - at * 60_000, shownFace: 'live' }),
  );
const open = (takes: Take[], hash = '#/takes') => openStudio({ takes: { takes } }, hash);
const list = () => page.getByRole('grid', { name: 'List of takes' });
const row = (name: RegExp) => page.getByRole('row', { name });
const search = () => page.getByRole('searchbox', { name: 'Search takes' });
const heard = (fake: { calls: { name: string; input: unknown }[] }, name: string): unknown[] =>
  fake.calls.filter((call) => call.name === name).map(({ input }) => input);

test('the first is shown; arrows go on from wherever the focus is, and the list tells which it is', async () => {
  await open(three());
  await expect.element(row(/^Anna/)).toHaveAttribute('aria-current', 'true');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row(/^Ben/)).toHaveAttribute('aria-current', 'true');
  await expect.element(row(/^Ben/)).toHaveAttribute('aria-selected', 'true');
  list().element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row(/^Cem/)).toHaveAttribute('aria-current', 'true');
  await expect.element(list()).toHaveAttribute('aria-activedescendant', row(/^Cem/).element().id);
});

test('several are chosen by Shift and Ctrl, rated, tagged, and that is taken back', async () => {
  const fake = await open(three());
  await row(/^Anna/).click();
  await row(/^Cem/).click({ modifiers: ['Shift'] });
  await expect.element(page.getByRole('heading', { name: '3 takes selected' })).toBeVisible();
  await row(/^Ben/).click({ modifiers: ['ControlOrMeta'] });
  await expect.element(page.getByRole('heading', { name: '2 takes selected' })).toBeVisible();
  list().element().focus();
  await userEvent.keyboard('4');
  await expect
    .poll(() => heard(fake, 'takes.editMany'))
    .toEqual([{ selection: { ids: ['take-1', 'take-3'] }, changes: { rating: 4 } }]);
  await expect.element(row(/^Anna.*4 stars/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(row(/^Anna.*4 stars/)).not.toBeInTheDocument();
  await userEvent.keyboard('t');
  const dialog = page.getByRole('dialog', { name: 'Tags of 2 takes' });
  await dialog.getByLabelText('Add').fill('film');
  await userEvent.keyboard('{Enter}');
  await dialog.getByRole('button', { name: 'Change tags' }).click();
  await expect.element(row(/^Cem.*film/)).toBeVisible();
});

test('several are filmed in one go: one dialog says how many frames, and by what names', async () => {
  await open(three());
  await row(/^Anna/).click();
  await row(/^Cem/).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export 3 takes' });
  await dialog.getByRole('checkbox', { name: 'Film' }).click();
  await expect.element(dialog.getByLabelText('File names')).toHaveValue('{name}');
  // One, two and three seconds at 30 a second.
  await expect.element(dialog.getByText(/^180 frames, 6\ss/)).toBeVisible();
});

test('several go to the trash by key and come back', async () => {
  const fake = await open(three());
  await row(/^Anna/).click();
  list().element().focus();
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}{Delete}');
  await expect
    .poll(() => heard(fake, 'takes.trashMany'))
    .toEqual([{ selection: { ids: ['take-1', 'take-2'] } }]);
  await expect.element(row(/^Anna/)).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(row(/^Anna/)).toBeVisible();
});

test('all that a search finds is marked at once, also what is not on the screen', async () => {
  const fake = await open(manyTakes(400));
  await search().fill('tag:film rating:>3');
  await expect.element(page.getByText(/^\d+ of 400$/)).toBeVisible();
  list().element().focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await expect.element(page.getByRole('heading', { name: /\d\d takes selected/ })).toBeVisible();
  await userEvent.keyboard('5');
  await expect
    .poll(() => heard(fake, 'takes.editMany'))
    .toEqual([{ selection: { query: { text: 'tag:film rating:>3' } }, changes: { rating: 5 } }]);
});

test('what a search passes over is told; the fields are offered', async () => {
  await open(three());
  await search().fill('rating:9');
  await expect.element(page.getByText(/“rating:9” is ignored/).first()).toBeInTheDocument();
  await search().fill('');
  await expect.element(page.getByRole('list', { name: 'Filter by a field' })).toBeVisible();
});

test('of ten thousand only what is on the screen is drawn, and the last one is a key away', async () => {
  await open(manyTakes(10_000));
  await expect.element(page.getByText('10,000 takes')).toBeVisible();
  list().element().focus();
  await userEvent.keyboard('{End}');
  await expect.element(row(/^Scene 834, line 4/)).toBeVisible();
  expect(document.querySelectorAll('[data-take]').length).toBeLessThan(60);
  expect(list().element().getAttribute('aria-rowcount')).toBe('10000');
});

test('two are joined in the order that is shown', async () => {
  const fake = await open(three());
  await row(/^Anna/).click();
  await row(/^Ben/).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Join' }).click();
  const dialog = page.getByRole('dialog', { name: 'Join 2 takes into a new one' });
  await dialog.getByLabelText('Name').fill('Both');
  await dialog.getByRole('button', { name: 'Join' }).click();
  // The list has the newest first; what was recorded first plays first.
  await expect
    .poll(() => heard(fake, 'takeEdits.join'))
    .toEqual([{ ids: ['take-2', 'take-1'], name: 'Both' }]);
  await expect.element(row(/^Both/)).toHaveAttribute('aria-current', 'true');
});

test('a thumbnail shows the face under the pointer’s share of the take, while motion is wanted', async () => {
  await open([takeOf(3, { name: 'Anna', shownFace: 'live' })]);
  await expect.element(row(/^Anna/)).toHaveAttribute('aria-current', 'true');
  const thumbnail = list().element().querySelector('[data-thumbnail]')!;
  const canvas = thumbnail.querySelector('canvas')!;
  const pixels = (): string => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return data.join();
  };
  const hover = (x: number) => userEvent.hover(thumbnail, { position: { x, y: 24 } });
  document.documentElement.dataset.motion = 'reduced';
  await hover(10);
  await new Promise((resolve) => setTimeout(resolve, 600)); // that nothing is drawn is the subject
  expect(canvas.hidden).toBe(true);
  await userEvent.unhover(thumbnail);

  document.documentElement.dataset.motion = 'full';
  await hover(10);
  await expect.poll(() => canvas.hidden, { timeout: 30_000 }).toBe(false);
  const first = pixels();
  expect(first).toMatch(/[1-9]/);
  await hover(50);
  await expect.poll(pixels, { timeout: 10_000 }).not.toBe(first);
  await hover(10);
  await expect.poll(pixels).toBe(first);
  await userEvent.unhover(thumbnail);
  await expect.poll(() => canvas.hidden).toBe(true);
}, 60_000);

test('a thumbnail shows the face as the edits make it', async () => {
  document.documentElement.dataset.motion = 'full';
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => post.mockRestore());
  const drawn = (): FaceMoment | undefined =>
    post.mock.calls
      .map(([message]) => message as ToFilmWorker)
      .filter((message) => message.kind === 'thumbnail')
      .at(-1)?.moment;
  const jaw = (): number | undefined => drawn()?.weights[arkitBlendshapeIndex.jawOpen];
  await open([takeOf(3, { name: 'Anna', shownFace: 'live' })]);
  await expect.element(row(/^Anna/)).toBeVisible();
  const keys = [0, 5].map((time) => ({ time, value: time / 5, to: 'linear' as const }));
  await studio.takeEdits.apply({
    id: 'take-3',
    after: 0,
    operations: [
      { kind: 'draw', channel: 'jawOpen', from: 0, to: 5, keys },
      { kind: 'pieces', pieces: [{ from: 2, to: 3, speed: 1 }] },
    ],
  });
  const thumbnail = list().element().querySelector('[data-thumbnail]')!;
  await userEvent.hover(thumbnail, { position: { x: 10, y: 24 } });
  // A jaw that opens for five seconds, seen near the beginning of a part that begins at two.
  await expect.poll(jaw).toBeGreaterThan(0.4);
  expect(jaw()).toBeLessThan(0.6);
});
