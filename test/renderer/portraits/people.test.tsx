import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { boardSelection, filterBoard } from '../../../renderer/portraits/board/board-list.ts';
import { type BatchStart, photoOf } from '../../fixtures/studio/batch.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(async () => {
  await page.viewport(1280, 900);
});

const three = ['anna_front.jpg', 'anna_left.jpg', 'bo.jpg'].map((fileName, index) =>
  photoOf(index, { fileName, name: fileName.replace('.jpg', ''), sex: 'female', yaw: index === 1 ? 62 : 1 }),
);

const open = async (batch: BatchStart) => {
  const fake = await openStudio({ batch }, '#/portraits');
  boardSelection.restart();
  filterBoard({ sort: 'added' });
  return fake;
};
const tile = (name: RegExp) => page.getByRole('gridcell', { name });

test('chosen photos become one person by a key, lead as one says, and come apart', async () => {
  const fake = await open({ photos: three });
  await tile(/anna_front/).click();
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}p');
  await expect.element(tile(/anna_front.*2 photos/)).toBeVisible();
  expect(fake.calls.filter(({ name }) => name === 'batch.samePerson')).toMatchObject([
    { input: { people: [{ ids: ['photo-0', 'photo-1'] }] } },
  ]);
  await tile(/anna_front/).click();
  await expect.element(page.getByText('Turned 62° to the left')).toBeVisible();
  await page.getByRole('button', { name: 'Make anna_left.jpg the main photo' }).click();
  await expect.element(tile(/anna_left.*2 photos/)).toBeVisible();
  await tile(/anna_left/).click();
  await page.getByRole('button', { name: 'Separate', exact: true }).click();
  await expect.element(tile(/anna_front/)).toBeVisible();
});

test('a suggestion changes nothing until somebody says so', async () => {
  const suggestion = { ids: ['photo-0', 'photo-1'], name: 'anna', by: 'folder' as const, fileNames: [] };
  const fake = await open({ photos: three, suggestions: [suggestion] });
  await expect.element(page.getByText('These photos may be of one person')).toBeVisible();
  expect(fake.calls.some(({ name }) => name === 'batch.samePerson')).toBe(false);
  await page.getByRole('button', { name: 'anna: same person' }).click();
  await expect.element(tile(/anna.*2 photos/)).toBeVisible();
});
