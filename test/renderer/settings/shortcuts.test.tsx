import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Settings } from '#contract';
import { queryClient } from '../../../renderer/base/studio-queries.ts';
import { changeLive, liveSettings, plainKeys } from '../../../renderer/live/live-settings.ts';
import { stockPhotos } from '../../fixtures/studio/stock.ts';
import type { FakeStudio } from '../../fixtures/studio/studio.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(async () => {
  await page.viewport(1280, 900);
  changeLive({ keys: plainKeys });
});

/** Opens the settings with the shortcuts that match. */
async function shortcutsOf(search: string, start: Parameters<typeof openStudio>[0] = {}) {
  const fake = await openStudio(start, '#/settings/shortcuts');
  await page.getByRole('textbox', { name: 'Find by name or key' }).fill(search);
  return fake;
}
async function press(field: RegExp, keys: string): Promise<void> {
  await page.getByRole('button', { name: field }).click();
  await userEvent.keyboard(keys);
}
const palette = page.getByPlaceholder('Find a head, go to, do…');
const alert = page.getByRole('alert');
const stored = (fake: FakeStudio) =>
  fake.calls.flatMap(({ name, input }) =>
    name === 'app.changeSettingsFrom' ? [(input as { changes: Partial<Settings> }).changes.shortcuts] : [],
  );

test('a changed key works at once and is shown everywhere; undo brings the old one back', async () => {
  const fake = await shortcutsOf('search and commands');
  await press(/^Search and commands: Ctrl K/, '{Shift>}{Control>}y{/Control}{/Shift}');
  await expect
    .element(page.getByRole('button', { name: /^Search and commands: Ctrl Shift Y/ }))
    .toBeVisible();
  expect(stored(fake)).toEqual([{ 'studio.palette': ['Ctrl+Shift+Y'] }]);
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(palette).not.toBeInTheDocument();
  await userEvent.keyboard('{Shift>}{Control>}y{/Control}{/Shift}');
  await expect.element(palette).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(palette).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByRole('button', { name: /^Search and commands: Ctrl K/ })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(palette).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(palette).not.toBeInTheDocument();
});

test('a key of another action on the page is refused by its name, and can be taken from it', async () => {
  const fake = await shortcutsOf('portraits set');
  await press(/^Set male: M/, 'f');
  await expect
    .element(alert.getByText('F is already “Set female” (Portraits).', { exact: false }))
    .toBeVisible();
  expect(stored(fake)).toEqual([]);
  await alert.getByRole('button', { name: 'Use it here instead' }).click();
  await expect.element(page.getByRole('button', { name: /^Set male: F/ })).toHaveFocus();
  await expect.element(page.getByRole('button', { name: /^Set female: none/ })).toBeVisible();
  expect(stored(fake)).toEqual([{ 'photos.male': ['F'], 'photos.female': [] }]);
  // Back to M alone would leave nothing at F; back to F is refused while the other has it.
  await page.getByRole('button', { name: 'Reset “Set female” to F' }).click();
  await expect
    .element(alert.getByText('F is already “Set male” (Portraits).', { exact: false }))
    .toBeVisible();
});

test('a key of the frame is refused on every page, one of another page is not', async () => {
  const fake = await shortcutsOf('loop');
  await press(/^Loop: Shift L/, 'g');
  await expect
    .element(alert.getByText('G is already “Go to: Portraits” (Anywhere)', { exact: false }))
    .toBeVisible();
  await press(/^Loop: Shift L/, '{Enter}');
  await expect.element(alert.getByText('Lists and fields need Enter.', { exact: false })).toBeVisible();
  await press(/^Loop: Shift L/, 'f');
  expect(stored(fake)).toEqual([{ 'takes.loop': ['F'] }]);
  await expect.element(alert).not.toBeInTheDocument();
});

test('the keys of Live are there too, single keys that its own panel shares', async () => {
  await shortcutsOf('interrupt');
  await press(/^Interrupt: X/, '{Control>}i{/Control}');
  await expect
    .element(alert.getByText('Live takes single keys, not Ctrl I.', { exact: false }))
    .toBeVisible();
  await press(/^Interrupt: X/, 'r');
  await expect.element(alert.getByText('R is already', { exact: false })).toBeVisible();
  await press(/^Interrupt: X/, 'i');
  await expect.element(page.getByRole('button', { name: /^Interrupt: I/ })).toBeVisible();
  expect(liveSettings().keys.interrupt).toBe('i');
});

test('the changed ones are found and reset together', async () => {
  const settings = { shortcuts: { 'takes.loop': ['F'], 'go.takes': ['Ctrl+9'], 'heads.pick': [] } };
  const fake = await shortcutsOf('', { settings });
  await page.getByRole('checkbox', { name: 'Changed (3)' }).click();
  await expect.element(page.getByRole('button', { name: /Press to change it/ }).nth(2)).toBeVisible();
  expect(page.getByRole('button', { name: /Press to change it/ }).elements()).toHaveLength(3);
  await userEvent.keyboard('?');
  const row = page.getByRole('dialog', { name: 'Keyboard' }).getByText('Go to: Takes', { exact: true });
  await expect.element(row).toBeVisible();
  expect(row.element().nextElementSibling).toHaveTextContent('Ctrl9');
  await userEvent.keyboard('{Escape}');
  await expect.element(row).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Reset all' }).click();
  await expect.element(page.getByText('3 shortcuts were reset')).toBeVisible();
  expect(stored(fake)).toEqual([{}]);
});

test('a key press reads the settings once for the page and once for the frame, not for each action', async () => {
  await openStudio({ library: {} }, '#/library');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
  const reads = vi.spyOn(queryClient, 'getQueryData');
  // A key of no action: each is compared with it.
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'F9', code: 'F9' }));
  expect(reads).toHaveBeenCalledTimes(2);
  reads.mockRestore();
});

test('on the board a changed key acts on the selected photos, and only where the board has the focus', async () => {
  const settings = { shortcuts: { 'photos.male': ['Q'] } };
  const fake = await openStudio(
    { settings, batch: { photos: stockPhotos(4), jobs: [] }, library: {} },
    '#/portraits',
  );
  const tags = () => fake.calls.filter(({ name }) => name === 'batch.tag').map(({ input }) => input);
  await page.getByRole('gridcell').first().click();
  await userEvent.keyboard('m');
  await userEvent.keyboard('q');
  await expect.poll(tags).toMatchObject([{ set: { sex: 'male' } }]);
  (page.getByRole('link', { name: 'Library' }).element() as HTMLElement).focus();
  await userEvent.keyboard('q');
  await userEvent.keyboard('f');
  (page.getByRole('grid').element() as HTMLElement).focus();
  await userEvent.keyboard('f');
  await expect.poll(tags).toMatchObject([{ set: { sex: 'male' } }, { set: { sex: 'female' } }]);
});
