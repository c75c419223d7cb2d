/** Going from take to take: the desk stays, and what is of one take alone does not come along. */
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { studio } from '../../../renderer/base/studio.ts';
import { queryClient } from '../../../renderer/base/studio-queries.ts';
import { faceQuery } from '../../../renderer/takes/speech/take-analysis.ts';
import { takeOf } from '../../fixtures/studio/takes.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(() => page.viewport(1280, 900));

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('the desk is not built anew: speed, loop and tab stay, place, play and unsaved text do not', async () => {
  const fake = await openStudio({ takes: { takes: [takeOf(4), takeOf(6)] } }, '#/takes/take-4');
  await expect.element(button('Jaw')).toBeVisible();
  await page.getByLabelText('Notes').fill('louder');
  await button('Speed: 1×').click();
  await page.getByRole('menuitem', { name: '0.5×' }).click();
  // While a menu is open, keys belong to it.
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await userEvent.keyboard('{Shift>}l{/Shift}');
  const slider = page.getByRole('slider', { name: 'Position in the take' });
  slider.element().focus();
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
  await expect.element(slider).toHaveAttribute('aria-valuenow', '1.00');
  await button('Play').click();
  await expect.element(button('Pause')).toBeVisible();
  const curves = document.querySelector('canvas[data-timeline]');
  const before = document.querySelector('audio')!;

  location.hash = '#/takes/take-6';
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-6');
  await expect.element(button('Play')).toBeVisible();
  // A browser pauses what has left the page a moment later.
  await expect.poll(() => before.paused).toBe(true);
  await expect.element(slider).toHaveAttribute('aria-valuenow', '0.00');
  await expect.poll(() => document.querySelector('canvas[data-timeline]')).toBe(curves);
  await expect.poll(() => document.querySelector('audio')!.playbackRate).toBe(0.5);
  await expect.element(button('Loop')).toHaveAttribute('aria-pressed', 'true');
  await expect.element(page.getByLabelText('Notes')).toHaveValue('');
  expect(fake.calls.filter(({ name }) => name === 'takes.edit')).toMatchObject([
    { input: { id: 'take-4', changes: { notes: 'louder' } } },
  ]);

  await page.getByRole('tab', { name: 'Overdub', exact: true }).click();
  location.hash = '#/takes/take-4';
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-4');
  await expect
    .element(page.getByRole('tab', { name: 'Overdub', exact: true }))
    .toHaveAttribute('aria-selected', 'true');
});

test('a take of the list is opened before main has answered', async () => {
  await openStudio({ takes: { takes: [takeOf(4), takeOf(6)] } }, '#/takes/take-4');
  await expect.element(button('Jaw')).toBeVisible();
  const asked = vi.spyOn(studio.takes, 'take').mockReturnValue(new Promise(() => undefined));
  location.hash = '#/takes/take-6';
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-6');
  await expect.element(page.getByLabelText('Name')).toHaveValue(takeOf(6).name);
  expect(asked).toHaveBeenCalledWith({ id: 'take-6' });
  asked.mockRestore();
});

test('the face of a take that the pointer rests on is there before it is opened', async () => {
  const [other, long] = [takeOf(6), takeOf(9, { seconds: 7200 })];
  await openStudio({ takes: { takes: [takeOf(4), other, long] } }, '#/takes/take-4');
  await expect.element(button('Jaw')).toBeVisible();
  const stateOf = (take: typeof other) => queryClient.getQueryState(faceQuery(take).queryKey);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const rest = async (id: string): Promise<void> => {
    await userEvent.hover(document.querySelector(`[data-take="${id}"]`)!);
    vi.advanceTimersByTime(1000);
  };
  // What would take long is read when it is opened.
  await rest(long.id);
  expect(stateOf(long)).toBeUndefined();
  expect(stateOf(other)).toBeUndefined();
  await rest(other.id);
  vi.useRealTimers();
  await expect.poll(() => stateOf(other)?.data).toBeDefined();
});
