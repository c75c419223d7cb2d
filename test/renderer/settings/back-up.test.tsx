import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { liveSettings } from '../../../renderer/live/live-settings.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

const choose = (name: string, content: string): void => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const data = new DataTransfer();
  data.items.add(new File([content], name, { type: 'application/json' }));
  input.files = data.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
};

test('says what a file changes before it does, keeps what the page keeps, and takes it back', async () => {
  const fake = await openStudio(
    {
      backUp: {
        madeAt: Date.UTC(2026, 10, 3),
        changes: [
          { what: 'setting', name: 'theme', fields: [], from: '"dark"', to: '"light"' },
          {
            what: 'setting',
            name: 'headExport',
            fields: [],
            from: '{"format":"glb","names":"as-is"}',
            to: '{"format":"obj","names":"vrm"}',
          },
          { what: 'connection_added', name: 'Nord', fields: [], from: '', to: '' },
        ],
        page: { live: JSON.stringify({ ...liveSettings(), sensitivity: 6, monitor: 99, keys: null }) },
        leftOut: ['interfaceSize'],
      },
    },
    '#/settings/backUp',
  );
  await expect.element(page.getByRole('button', { name: 'Save all settings…' })).toBeVisible();
  choose('mine.json', '{}');
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByRole('row', { name: 'Theme Dark Light' })).toBeVisible();
  await expect
    .element(dialog.getByRole('row', { name: 'Export of heads GLB, As in the file OBJ, VRM 1.0' }))
    .toBeVisible();
  await expect.element(dialog.getByText('is added, without keys')).toBeVisible();
  await expect.element(dialog.getByText('interfaceSize')).toBeVisible();
  expect(fake.calls.map(({ name }) => name)).not.toContain('app.readBackUp');
  expect(liveSettings().sensitivity).toBe(0);

  await dialog.getByRole('button', { name: 'Make these changes' }).click();
  await expect.poll(() => liveSettings().sensitivity).toBe(6);
  // What makes no sense in it has its default.
  expect(liveSettings()).toMatchObject({ monitor: 0, keys: { speak: 's' } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => liveSettings().sensitivity).toBe(0);
  expect(fake.calls.map(({ name }) => name)).toContain('app.undoBackUp');
});

test('a wrong file is told in a sentence, and a huge one is not even read', async () => {
  const fake = await openStudio({ backUp: { problem: 'newer' } }, '#/settings/backUp');
  choose('new.json', '{}');
  await expect.element(page.getByText('This file comes from a newer Likeness Studio')).toBeVisible();
  await expect
    .element(page.getByRole('dialog').getByRole('button', { name: /Change/ }))
    .not.toBeInTheDocument();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  const asked = fake.calls.filter(({ name }) => name === 'app.compareBackUp').length;
  choose('film.json', ' '.repeat(17_000_000));
  await expect.element(page.getByText('This file is too large')).toBeVisible();
  expect(fake.calls.filter(({ name }) => name === 'app.compareBackUp')).toHaveLength(asked);
});
