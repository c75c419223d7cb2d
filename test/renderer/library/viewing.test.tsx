/** Heads that are looked at closely: faces made and kept, views, several side by side. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pressed } from '../../../renderer/base/keyboard.ts';
import { appearanceNow, changeAppearance } from '../../../renderer/viewer/appearance.ts';
import { ViewLink } from '../../../renderer/viewer/view-link.ts';
import { stockModels } from '../../fixtures/studio/stock.ts';
import type { FakeStudio } from '../../fixtures/studio/studio.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));
const open = (hash: string): Promise<FakeStudio> =>
  openStudio({ batch: {}, library: { models: stockModels(8) } }, hash);
const inputs = (fake: FakeStudio, name: string): unknown[] =>
  fake.calls.filter((call) => call.name === name).map(({ input }) => input);

test('a weight is typed; left and right go together; the face is kept under a name', async () => {
  const fake = await open('#/library/model/model-2');
  await page.getByRole('tab', { name: 'Face shapes' }).click();
  const weight = (name: string) => page.getByRole('spinbutton', { name: `${name}, weight` });
  await weight('mouthSmileLeft').fill('0.4');
  await expect.element(page.getByRole('slider', { name: 'mouthSmileLeft' })).toHaveValue('0.4');
  await expect.element(page.getByRole('slider', { name: 'mouthSmileRight' })).toHaveValue('0');
  await page.getByRole('switch', { name: 'Left and right together' }).click();
  await weight('mouthSmileLeft').fill('0.6');
  await expect.element(page.getByRole('slider', { name: 'mouthSmileRight' })).toHaveValue('0.6');
  await page.getByRole('button', { name: 'Save this pose' }).click();
  await userEvent.keyboard('Grin{Enter}');
  await expect
    .poll(() => inputs(fake, 'app.changeSettingsFrom'))
    .toContainEqual({
      revision: expect.any(Number),
      changes: { poses: [{ name: 'Grin', weights: { mouthSmileLeft: 0.6, mouthSmileRight: 0.6 } }] },
    });
  await page.getByRole('button', { name: 'Reset all' }).click();
  await page.getByRole('button', { name: 'Grin', exact: true }).click();
  await expect.element(page.getByRole('slider', { name: 'mouthSmileLeft' })).toHaveValue('0.6');
  await page.getByRole('switch', { name: 'Left and right together' }).click();
});

test('shading, lens, light and an own background are chosen by key or typed', async () => {
  await open('#/library/model/model-2');
  await expect.element(page.getByRole('application')).toBeVisible();
  await page
    .getByRole('application')
    .element()
    .dispatchEvent(new KeyboardEvent('keydown', { key: 'z', code: 'KeyZ', bubbles: true }));
  expect(appearanceNow().shading).toBe('clay');
  changeAppearance({ shading: 'lit' });
  await page.getByRole('button', { name: 'View and lens' }).click();
  await page.getByRole('textbox', { name: 'Field of view' }).fill('50');
  await expect.poll(() => appearanceNow().lens).toBe(50);
  await page.getByRole('textbox', { name: 'Light angle' }).fill('-90');
  await expect.poll(() => appearanceNow().lightTurn).toBe(-90);
  await page.getByRole('textbox', { name: 'Custom background colour' }).fill('#203040');
  await expect
    .poll(() => document.querySelector<HTMLElement>('[data-background=own]')?.style.background)
    .toBe('rgb(32, 48, 64)');
  changeAppearance({ lens: 22, lightTurn: 0, background: 'stage' });
});

test('heads are compared side by side, and judged there', async () => {
  const fake = await open('#/library/compare/model-1/model-2/model-3');
  await expect.element(page.getByRole('application').nth(2)).toBeVisible();
  const [, second] = stockModels(3);
  const part = page.getByRole('region', { name: second!.name });
  await part.getByRole('button', { name: 'Reject' }).click();
  await userEvent.keyboard('5');
  await expect
    .poll(() => inputs(fake, 'library.edit'))
    .toMatchObject([{ changes: { flag: 'reject' } }, { changes: { rating: 5 } }]);
  await userEvent.keyboard('{Escape}'); // the words beside the button
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => location.hash).toBe('#/library');
});

test('keys are written as tables of actions have them, the number pad apart from the digits', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  expect(pressed({ ...none, key: 'w', code: 'KeyW' })).toBe('W');
  expect(pressed({ ...none, key: '?', code: 'Slash', shiftKey: true })).toBe('?');
  expect(pressed({ ...none, key: '!', code: 'Digit1', shiftKey: true })).toBe('Shift+1');
  expect(pressed({ ...none, key: '1', code: 'Digit1' })).toBe('1');
  expect(pressed({ ...none, key: '1', code: 'Numpad1', ctrlKey: true })).toBe('Ctrl+Numpad1');
});

test('of linked views the one that is moved leads, and is not led back', () => {
  const link = new ViewLink();
  const heard: string[] = [];
  for (const name of ['a', 'b', 'c']) link.listen(name, () => heard.push(name));
  const view = { azimuth: 1, polar: 1, closeness: 1, at: [0, 0, 0] } as const;
  link.lead('a');
  link.publish('a', view);
  link.publish('b', view); // it follows, and moves
  expect(heard).toEqual(['b', 'c']);
});

test('stars are one tab stop, and arrow keys change the rating', async () => {
  await open('#/library/model/model-2');
  const stars = page.getByRole('radiogroup', { name: 'Rating' });
  const star = (name: string) => stars.getByRole('radio', { name, exact: true });
  await star('2 stars').click();
  await expect.element(star('2 stars')).toBeChecked();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(star('3 stars')).toBeChecked();
  await expect.element(star('3 stars')).toHaveFocus();
  const tabStops = stars.getByRole('radio').elements() as HTMLElement[];
  expect(tabStops.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0, -1, -1]);
  // The given star once more clears the rating; Tab still leaves from where the focus is.
  await userEvent.keyboard(' ');
  await expect.element(star('3 stars')).not.toBeChecked();
  await userEvent.tab({ shift: true });
  expect(stars.element().contains(document.activeElement)).toBe(false);
  await userEvent.tab();
  await expect.element(star('3 stars')).toHaveFocus();
});
