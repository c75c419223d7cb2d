/** Panes of the editor: moved by pointer and keys, remembered, and never by anything else. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fittingSize } from '../../../renderer/takes/panes/panes.ts';
import { takeOf } from '../../fixtures/studio/takes.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(() => page.viewport(1440, 900));

const open = () => openStudio({ takes: { takes: [takeOf(4), takeOf(6)] } }, '#/takes/take-4');
const splitter = (name: string) => page.getByRole('separator', { name });
const stage = (): { width: number; height: number } =>
  document.querySelector('[data-stage]')!.getBoundingClientRect();
const kept = (): unknown => JSON.parse(localStorage.getItem('likeness.takes.panes') ?? '{}');

test('arrows move a splitter, a double click gives the default back, and sizes are kept', async () => {
  await open();
  await expect.element(splitter('Width of the list')).toHaveAttribute('aria-valuenow', '248');
  splitter('Width of the list').element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(splitter('Width of the list')).toHaveAttribute('aria-valuenow', '264');
  splitter('Width of the inspector').element().focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(splitter('Width of the inspector')).toHaveAttribute('aria-valuenow', '336');
  expect(kept()).toEqual({ list: 264, inspector: 336 });
  await splitter('Width of the inspector').dblClick();
  await expect.element(splitter('Width of the inspector')).toHaveAttribute('aria-valuenow', '320');
  expect(kept()).toEqual({ list: 264 });

  const height = splitter('Height of the timeline').element();
  const before = stage().height;
  const { x, y } = height.getBoundingClientRect();
  // A browser refuses to capture a made-up pointer.
  (height as HTMLElement).setPointerCapture = () => undefined;
  const send = (type: string, clientY: number): void => {
    height.dispatchEvent(
      new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: x + 200, clientY, button: 0 }),
    );
  };
  send('pointerdown', y);
  send('pointermove', y + 30);
  send('pointerup', y + 30);
  await expect.poll(() => stage().height).toBeCloseTo(before + 30, 0);
});

test('the stage stays as large as it is, whatever opens, fails or is chosen', async () => {
  const fake = await open();
  await expect.element(page.getByRole('button', { name: 'Jaw', exact: true })).toBeVisible();
  const before = { width: stage().width, height: stage().height };
  await page.getByRole('button', { name: 'Jaw', exact: true }).click();
  await page.getByRole('button', { name: 'jawOpen' }).click();
  await page.getByRole('tab', { name: 'Overdub' }).click();
  fake.emit('takes', 'analysis', { id: 'take-4', stage: 'failed', share: 0, problem: 'No audio.' });
  location.hash = '#/takes/take-6';
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-6');
  expect({ width: stage().width, height: stage().height }).toEqual(before);
});

test('a narrow window has a strip of thumbnails; the list lies over the stage when it is wanted', async () => {
  await page.viewport(1024, 700);
  await open();
  await expect.element(page.getByRole('button', { name: 'Search takes' })).toBeVisible();
  const before = stage().width;
  await page.getByRole('button', { name: 'Search takes' }).click();
  await expect.element(page.getByRole('searchbox', { name: 'Search takes' })).toBeVisible();
  expect(stage().width).toBe(before);
  await page.getByRole('row', { name: /^Take of 6 s/ }).click();
  await expect.element(page.getByRole('searchbox', { name: 'Search takes' })).not.toBeInTheDocument();
});

test('a pane leaves room for the stage, and the list has no width between thumbnails and names', () => {
  const room = { width: 400, height: 260 };
  expect(fittingSize('inspector', 460, 320, room)).toBe(360);
  expect(fittingSize('timeline', 900, 400, room)).toBe(420);
  expect(fittingSize('inspector', 100, 320, room)).toBe(280);
  expect(fittingSize('list', 120, 248, room)).toBe(72);
  expect(fittingSize('list', 150, 72, { ...room, width: 600 })).toBe(200);
});
