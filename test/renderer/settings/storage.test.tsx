import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

const names = (): (string | undefined)[] =>
  [...document.querySelectorAll('th[scope=row]')].map((cell) => cell.firstChild?.textContent ?? undefined);

test('what takes how much space, the largest first, with links to its pages', async () => {
  await openStudio({}, '#/settings/storage');
  await expect.element(page.getByText('1.3 GB in total', { exact: false })).toBeVisible();
  expect(names().slice(0, 4)).toEqual(['Caches', 'Library', 'Takes', 'Photos']);
  await expect.element(page.getByRole('cell', { name: '412 MB 320 files' })).toBeVisible();
  await page
    .getByRole('row', { name: /^Takes/ })
    .getByRole('link')
    .click();
  expect(window.location.hash).toBe('#/takes');
});

test.for([
  ['en', '0 bytes in total'],
  ['zh-CN', '共 0字节'],
] as const)('a few bytes are written as a person would (%s)', async ([language, total]) => {
  const parts = [{ part: 'caches' as const, bytes: 0, files: 0 }];
  await openStudio({ storage: { parts }, settings: { language } }, '#/settings/storage');
  await expect.element(page.getByText(total, { exact: false })).toBeVisible();
});

test('clearing caches frees their space, and then has nothing left to clear', async () => {
  const fake = await openStudio({}, '#/settings/storage');
  await page.getByRole('button', { name: 'Clear 700 MB of exported copies' }).click();
  await expect.element(page.getByText('700 MB cleared')).toBeVisible();
  await expect.element(page.getByRole('cell', { name: '40 MB 9 files' })).toBeVisible();
  expect(fake.calls.filter(({ name }) => name === 'app.clearCaches')).toHaveLength(1);
  await expect.element(page.getByRole('button', { name: /of exported copies/ })).not.toBeInTheDocument();
});

test('folders that could not be read are named, as is a failure', async () => {
  const fake = await openStudio(
    { storage: { unreadable: ['/media/disk/heads'], clearable: 0 } },
    '#/settings/storage',
  );
  await expect.element(page.getByText('/media/disk/heads', { exact: false })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /of exported copies/ })).not.toBeInTheDocument();
  fake.failNext('app.storageUse', { code: 'storage', message: 'The disk can’t be read.' });
  await page.getByRole('button', { name: 'Measure again' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('The disk can’t be read.');
});
