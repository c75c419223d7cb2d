/** A photo goes from list to list and is nowhere lost, broken in another's stead, or without a way on. */

import { notifications } from '@mantine/notifications';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Photo } from '#contract';
import { studio } from '../../../renderer/base/studio.ts';
import { filterJobs } from '../../../renderer/portraits/queue/job-list.ts';
import { photoSelection } from '../../../renderer/portraits/tray/photo-list.ts';
import { clearFilter } from '../../../renderer/portraits/tray/TrayFilters.tsx';
import { type BatchStart, jobOf, photoOf } from '../../fixtures/studio/batch.ts';
import { builtInProfile, profileFrom } from '../../fixtures/studio/studio.ts';
import { openStudio } from '../open_studio.tsx';

beforeAll(() => import('../../../renderer/portraits/Portraits.tsx').then(() => undefined));
beforeEach(async () => {
  await page.viewport(1280, 900);
  clearFilter();
  filterJobs('all');
  photoSelection.restart();
});

const named = (sex: Photo['sex']): Photo[] =>
  ['Ada', 'Ben', 'Cem'].map((name, at) => photoOf(at + 1, { name, sex }));
const open = (batch: BatchStart, hash = '#/portraits') => openStudio({ batch, library: {} }, hash);
const option = (name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) });
const breakPicture = (id: string, within: Element): void => {
  const broken = [...within.querySelectorAll('img')].find(({ src }) => src.includes(id));
  broken!.dispatchEvent(new Event('error'));
};

test('a photo that moves into the place of an unreadable one shows its own picture', async () => {
  await open({ photos: named('female') });
  await expect.element(option('Ada')).toBeVisible();
  breakPicture('photo-1', option('Ada').element());
  await expect.poll(() => option('Ada').element().querySelector('img')).toBeNull();
  await option('Ada').click();
  await userEvent.keyboard('{Delete}');
  await expect.element(option('Ada')).not.toBeInTheDocument();
  await expect.poll(() => option('Ben').element().querySelector('img')?.src).toContain('photo-2');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(option('Ada')).toBeVisible();
  expect(option('Ben').element().querySelector('img')?.src).toContain('photo-2');
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

test('cancelled photos are back among the photos, and the row of each leads to its photo', async () => {
  const fake = await open({ photos: named('female') });
  await page.getByRole('listbox', { name: 'Photos' }).click();
  await userEvent.keyboard('{Control>}a{/Control}f');
  await expect.element(page.getByText('3 photos changed')).toBeVisible();
  await page.getByRole('button', { name: 'Make 3 heads' }).click();
  await expect.element(page.getByRole('row', { name: /Ada/ })).toBeVisible();
  // Nobody sees any more what that would undo.
  await expect.element(page.getByText('3 photos changed')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Cancel all' }).click();
  const dialog = page.getByRole('dialog');
  // The built-in engine costs nothing: no word of money.
  await expect.element(dialog.getByText(/The photos return to Photos/)).toBeVisible();
  expect(dialog.element().textContent).not.toMatch(/bill|paid|cost/);
  await dialog.getByRole('button', { name: 'Cancel 3 jobs' }).click();
  await expect.element(page.getByText('3 photos are back in Photos.')).toBeVisible();
  const row = page.getByRole('row', { name: /Ben/ });
  await expect.element(row.getByRole('button', { name: 'Make anyway' })).toBeVisible();
  await row.getByRole('button', { name: 'Back to the photo' }).click();
  await expect.element(page.getByRole('heading', { name: 'Ben' })).toBeVisible();
  expect(location.hash).toBe('#/portraits/review/photo-2');
  expect(fake.calls.filter(({ name }) => name === 'batch.bringBack')).toHaveLength(1);
});

test('a failed photo can be cropped: its row leads to it, in the tray again', async () => {
  const [photo] = named('female');
  await open(
    {
      photos: [],
      jobs: [jobOf(photo!, { state: 'failed', message: 'Too dark.', code: 'upstream_refused' })],
    },
    '#/portraits/queue',
  );
  await expect.element(page.getByText('No head was made')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'See the heads' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Back to the photo' })).toBeVisible();
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
    '#/portraits/queue',
  );
  await page.getByRole('button', { name: 'Cancel all' }).click();
  await expect.element(page.getByRole('dialog').getByText(/still be billed/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep them' }).click();
  await page.getByRole('button', { name: 'Retry 1 failed' }).click();
  await expect.element(page.getByRole('menuitem', { name: /Acme: .*0\.50 each/ })).toBeVisible();
  // The one that it failed at is no other one.
  await expect.element(page.getByRole('menuitem', { name: /Built-in engine/ })).not.toBeInTheDocument();
});

test('a review that a link began ends with the heads that can be made, and its filter goes', async () => {
  const fake = await open({ photos: named(null) });
  await page.getByRole('link', { name: /need a sex/ }).click();
  await page.getByRole('button', { name: 'Review', exact: true }).first().click();
  await expect.element(page.getByRole('button', { name: /Next photo without a sex/ })).toBeVisible();
  await userEvent.keyboard('fmf');
  await expect.element(page.getByText('3 heads can be made')).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: /Next photo without a sex/ }))
    .not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(option('Cem')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Make 3 heads' })).toBeEnabled();
  await page.getByRole('button', { name: 'Review', exact: true }).first().click();
  await page.getByRole('button', { name: 'Make 3 heads' }).click();
  await expect.element(page.getByRole('row', { name: /Cem/ })).toBeVisible();
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

test('a photo that leaves the list, wherever it was removed, is no longer chosen', async () => {
  await open({ photos: named('female') });
  await option('Ada').click();
  await option('Ben').click({ modifiers: ['Shift'] });
  await expect.element(page.getByRole('complementary', { name: '2 photos selected' })).toBeVisible();
  await studio.batch.removePhotos({ selection: { ids: ['photo-2'] } });
  await expect.element(option('Ben')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Only the selected one' })).toBeVisible();
  expect([...photoSelection.chosen.ids]).toEqual(['photo-1']);
  notifications.clean();
});
