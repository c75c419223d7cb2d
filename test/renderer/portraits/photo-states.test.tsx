/** A photo goes from list to list and is nowhere lost, broken in another's stead, or without a way on. */

import { notifications } from '@mantine/notifications';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Photo } from '#contract';
import { studio } from '../../../renderer/base/studio.ts';
import { boardSelection, filterBoard, review } from '../../../renderer/portraits/board/board-list.ts';
import { headsOfBatch } from '../../../renderer/portraits/queue/heads-of-batch.ts';
import { type BatchStart, jobOf, photoOf } from '../../fixtures/studio/batch.ts';
import { builtInProfile, profileFrom } from '../../fixtures/studio/studio.ts';
import { openStudio } from '../open_studio.tsx';

beforeAll(() => import('../../../renderer/portraits/Portraits.tsx').then(() => undefined));
beforeEach(async () => {
  await page.viewport(1280, 900);
  boardSelection.restart();
});

const named = (sex: Photo['sex']): Photo[] =>
  ['Ada', 'Ben', 'Cem'].map((name, at) => photoOf(at + 1, { name, sex }));
const open = async (batch: BatchStart, hash = '#/portraits') => {
  const fake = await openStudio({ batch, library: {} }, hash);
  review.list.find({ editable: true, sort: 'added' });
  filterBoard({ state: undefined, reason: undefined, sort: 'added' });
  return fake;
};
const tile = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}`) });
const breakPicture = (id: string, within: Element): void => {
  const broken = [...within.querySelectorAll('img')].find(({ src }) => src.includes(id));
  broken!.dispatchEvent(new Event('error'));
};

test('a photo that moves into the place of an unreadable one shows its own picture', async () => {
  await open({ photos: named('female') });
  await expect.element(tile('Ada')).toBeVisible();
  breakPicture('photo-1', tile('Ada').element());
  await expect.poll(() => tile('Ada').element().querySelector('img')).toBeNull();
  await tile('Ada').click();
  await userEvent.keyboard('{Delete}');
  await expect.element(tile('Ada')).not.toBeInTheDocument();
  await expect.poll(() => tile('Ben').element().querySelector('img')?.src).toContain('photo-2');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(tile('Ada')).toBeVisible();
  expect(tile('Ben').element().querySelector('img')?.src).toContain('photo-2');
});

test('the film strip has a sign for a picture that can’t be shown, and for that one alone', async () => {
  await open({ photos: named('female') }, '#/portraits/review/0');
  const strip = () => page.getByRole('list', { name: 'Photos' }).element();
  await expect.poll(() => document.querySelectorAll('ol img').length).toBe(3);
  breakPicture('photo-2', document.querySelector('ol')!);
  await expect.poll(() => document.querySelectorAll('ol img').length).toBe(2);
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(page.getByText('3 of 3')).toBeVisible();
  await expect
    .poll(() => [...document.querySelectorAll<HTMLImageElement>('ol img')].map(({ src }) => src.slice(-7)))
    .toEqual(['photo-1', 'photo-3']);
  expect(strip()).toBeTruthy();
});

test('cancelled photos are ready again, and that can be undone', async () => {
  const fake = await open({ photos: named('female') });
  await page.getByRole('grid', { name: 'Photos' }).click();
  await userEvent.keyboard('{Control>}a{/Control}f');
  await expect.element(page.getByText('3 photos changed')).toBeVisible();
  await page.getByRole('button', { name: 'Make 3 heads' }).first().click();
  await expect.element(tile('Ada, Making')).toBeVisible();
  // Nobody sees any more what that would undo.
  await expect.element(page.getByText('3 photos changed')).not.toBeInTheDocument();
  await tile('Ben').hover();
  await tile('Ben').getByRole('button', { name: 'Cancel: back to Ready' }).click();
  await expect.element(tile('Ben, Ready')).toBeVisible();
  // The built-in engine costs nothing: nobody is asked, and no word of money.
  await page.getByRole('button', { name: 'More actions for these photos' }).click();
  await page.getByRole('menuitem', { name: 'Cancel all' }).click();
  await expect.element(page.getByText('2 photos are back in Ready.')).toBeVisible();
  await expect.element(tile('Ada, Ready')).toBeVisible();
  expect(page.getByRole('dialog').elements()).toEqual([]);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(tile('Ada, Making')).toBeVisible();
  await expect.element(tile('Ben, Ready')).toBeVisible();
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(page.getByText(/^Can’t be redone: cancelled/)).toBeVisible();
  expect(fake.calls.filter(({ name }) => name === 'batch.cancel')).toHaveLength(2);
});

test('a failed photo says why and what mends it: its photo comes back to be corrected', async () => {
  const [photo] = named('female');
  const fake = await open({
    photos: [],
    jobs: [jobOf(photo!, { state: 'failed', message: 'Too dark.', code: 'upstream_refused' })],
  });
  await expect.element(tile('Ada, Needs you, Too dark., .*Failed: The server refused')).toBeVisible();
  await expect.element(tile('Ada').getByRole('button', { name: 'Another photo…' })).toBeVisible();
  await tile('Ada').click();
  await page.getByRole('button', { name: 'Back to the photo' }).click();
  await expect.poll(() => fake.calls.filter(({ name }) => name === 'batch.bringBack')).toHaveLength(1);
});

test('what is cancelled at a server says what stays billed, and a retry elsewhere says its price', async () => {
  const [photo, other] = named('female');
  await openStudio(
    {
      profiles: [
        builtInProfile,
        profileFrom(
          {
            name: 'Acme',
            groupBUrl: 'https://acme.example',
            prices: { ...builtInProfile.prices, perModel: 0.5 },
          },
          { id: 'acme' },
        ),
      ],
      library: {},
      batch: {
        jobs: [
          jobOf(photo!, { state: 'waiting', profileId: 'acme', profileName: 'Acme' }),
          jobOf(other!, { state: 'failed' }),
        ],
      },
    },
    '#/portraits',
  );
  const more = page.getByRole('button', { name: 'More actions for these photos' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Cancel all' }).click();
  await expect.element(page.getByRole('dialog').getByText(/still be billed/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep them' }).click();
  await more.click();
  await expect.element(page.getByRole('menuitem', { name: 'Retry 1 failed' })).toBeVisible();
  await expect.element(page.getByRole('menuitem', { name: /Acme: .*0\.50 each/ })).toBeVisible();
  // The one that it failed at is no other one.
  await expect.element(page.getByRole('menuitem', { name: /Built-in engine/ })).not.toBeInTheDocument();
});

test('a review of what needs F or M ends with the heads that can be made, and nothing is a dead end', async () => {
  const fake = await open({ photos: named(null) });
  await page.getByRole('button', { name: '3 need F or M: Review' }).click();
  await expect.element(page.getByRole('button', { name: /Next photo without a sex/ })).toBeVisible();
  await userEvent.keyboard('fmf');
  await expect.element(page.getByText('3 heads can be made')).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: /Next photo without a sex/ }))
    .not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(tile('Cem')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Make 3 heads' })).toBeEnabled();
  await tile('Cem').dblClick();
  await page.getByRole('button', { name: 'Make 3 heads' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(tile('Cem, Making')).toBeVisible();
  expect(fake.calls.filter(({ name }) => name === 'batch.start')).toMatchObject([
    { input: { selection: { filter: {} } } },
  ]);
});

test('loaded anew, a review goes on at the photo that was seen', async () => {
  await open({ photos: named('female') }, '#/portraits/review/0');
  await userEvent.keyboard('{End}');
  await expect.element(page.getByText('3 of 3')).toBeVisible();
  await expect.poll(() => location.hash).toBe('#/portraits/review/photo-3');
  document.getElementById('root')!.remove();
  await open({ photos: named('female') }, '#/portraits/review/photo-3');
  await expect.element(page.getByText('3 of 3')).toBeVisible();
});

test('what was cancelled does not count as a head of the batch', () => {
  const batch = { total: 9, finished: 3, done: 1, failed: 1, share: 0.4 };
  expect(headsOfBatch({ batch })).toEqual({ over: 2, count: 8 });
});

test('in a review Z shows a photo pixel by pixel, the face in the middle; a drag moves it, and Z shows all of it', async () => {
  const [ada, ...others] = named('female');
  await open({ photos: [{ ...ada!, width: 1800, height: 2400 }, ...others] }, '#/portraits/review/photo-1');
  const stage = page.getByRole('region', { name: 'Photo by photo' });
  const photo = stage.getByRole('img', { name: 'Ada' });
  await expect.element(photo).toBeVisible();
  const rect = (): DOMRect => photo.element().getBoundingClientRect();
  await expect.poll(() => (photo.element() as HTMLImageElement).naturalWidth).toBeGreaterThan(0);
  // No pointer of a person's: captures of such ids are refused.
  Element.prototype.setPointerCapture = () => undefined;
  await userEvent.keyboard('z');
  await expect.poll(() => rect().width).toBeCloseTo(1800 / window.devicePixelRatio, 0);
  const { left, top, width } = stage.element().getBoundingClientRect();
  const middle = left + width / 2;
  // The photo is cut off at its stage's edge, and covers no button around it.
  const back = page.getByRole('button', { name: 'All photos' }).element();
  const button = back.getBoundingClientRect();
  const above = document.elementFromPoint(button.left + button.width / 2, button.top + button.height / 2);
  expect(back.contains(above)).toBe(true);
  expect(document.elementFromPoint(middle, top - 5)).not.toBe(photo.element());
  // The face is from .28 to .7 of the photo's width.
  await expect.poll(() => rect().left + rect().width * 0.49 - middle).toBeCloseTo(0, 0);
  const before = rect().left;
  const at = (clientX: number): PointerEventInit => ({
    ...{ clientX, clientY: top + 100, button: 0, pointerId: 1, bubbles: true, cancelable: true },
  });
  photo.element().dispatchEvent(new PointerEvent('pointerdown', at(middle)));
  photo.element().dispatchEvent(new PointerEvent('pointermove', at(middle - 40)));
  photo.element().dispatchEvent(new PointerEvent('pointerup', at(middle - 40)));
  await expect.poll(() => rect().left).toBeCloseTo(before - 40, 0);
  await userEvent.keyboard('z');
  await expect.poll(() => rect().width).toBeLessThan(900);
});

test('a photo that leaves the list, wherever it was removed, is no longer chosen', async () => {
  await open({ photos: named('female') });
  await tile('Ada').click();
  await tile('Ben').click({ modifiers: ['Shift'] });
  await expect.element(page.getByRole('region', { name: '2 selected' })).toBeVisible();
  await studio.batch.remove({ ids: ['photo-2'] });
  await expect.element(tile('Ben')).not.toBeInTheDocument();
  await expect.poll(() => [...boardSelection.chosen.ids]).toEqual(['photo-1']);
  notifications.clean();
});
