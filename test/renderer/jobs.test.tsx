/** Cards lie over the page and go by themselves; Jobs in the status bar lists what runs and what failed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { reportJob } from '../../renderer/base/jobs.ts';
import { notify } from '../../renderer/base/notices.tsx';
import { jobOf, photoOf } from '../fixtures/studio/batch.ts';
import { livedInProfiles } from '../fixtures/studio/lived_in.ts';
import { openStudio } from './open_studio.tsx';

beforeEach(() => page.viewport(1440, 900));
afterEach(() => vi.useRealTimers());

const jobs = () => page.getByRole('dialog', { name: 'Jobs' });
const card = (text: string) => page.getByRole('alert').filter({ hasText: text });
const fail = (text: string): void => notify({ level: 'error', title: 'Could not be stored', text });

test('a failure is a card that moves nothing, goes after five seconds, and stays in Jobs', async () => {
  await openStudio({ library: {} }, '#/activity');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
  const main = document.querySelector('main')!;
  const before = JSON.stringify(main.getBoundingClientRect());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fail('The disk is full.');
  await vi.advanceTimersByTimeAsync(300);
  await expect.element(card('The disk is full.')).toBeVisible();
  const { right, bottom, width } = card('The disk is full.').element().getBoundingClientRect();
  expect(width).toBe(360);
  expect([1440 - right, bottom < 900 - 26]).toEqual([16, true]);
  expect(JSON.stringify(main.getBoundingClientRect())).toBe(before);
  await vi.advanceTimersByTimeAsync(5500);
  await expect.element(card('The disk is full.')).not.toBeInTheDocument();
  vi.useRealTimers();
  await page.getByRole('button', { name: 'No jobs 1 failed' }).click();
  await expect.element(jobs().getByText('The disk is full.')).toBeVisible();
  await jobs().getByRole('button', { name: 'Clear finished' }).click();
  await expect.element(jobs().getByText('The disk is full.')).not.toBeInTheDocument();
});

test('a card never covers an open dialog, or no more of it than its title', async () => {
  await openStudio({}, '#/activity');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
  await userEvent.keyboard('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard' });
  await expect.element(sheet).toBeVisible();
  fail('The disk is full.');
  const covers = async (part: typeof sheet): Promise<boolean> => {
    const [over, under] = [card('The disk is full.'), part].map((one) =>
      one.element().getBoundingClientRect(),
    );
    return over!.right > under!.left && over!.bottom > under!.top && over!.left < under!.right;
  };
  await expect.element(card('The disk is full.')).toBeVisible();
  await expect.poll(() => covers(sheet)).toBe(false);
  await page.viewport(900, 700);
  await expect.poll(() => card('The disk is full.').element().getBoundingClientRect().top).toBe(8);
  expect(await covers(sheet.getByRole('button', { name: 'Close' }))).toBe(false);
});

test('a card waits while the focus is in it', async () => {
  await openStudio({}, '#/activity');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fail('Held.');
  await vi.advanceTimersByTimeAsync(300);
  const close = card('Held.').getByRole('button', { name: 'Close' });
  (close.element() as HTMLElement).focus();
  await vi.advanceTimersByTimeAsync(20_000);
  await expect.element(card('Held.')).toBeVisible();
  (close.element() as HTMLElement).blur();
  await vi.advanceTimersByTimeAsync(6000);
  await expect.element(card('Held.')).not.toBeInTheDocument();
});

test('the heads that are made, with stage, pause and cancel, by keyboard; Escape returns the focus', async () => {
  const [first, second] = [photoOf(1, { name: 'Ada', sex: 'female' }), photoOf(2, { sex: 'male' })];
  const fake = await openStudio(
    {
      library: {},
      batch: { jobs: [jobOf(first, { state: 'waiting', stage: 'bake', progress: 0.5 }), jobOf(second)] },
    },
    '#/activity',
  );
  await expect.element(page.getByRole('button', { name: /^Making heads · 0 of 2/ })).toBeVisible();
  await userEvent.keyboard('{Control>}j{/Control}');
  await expect.element(jobs().getByText('Ada: Painting the skin')).toBeVisible();
  await expect.element(jobs().getByRole('progressbar', { name: 'Making heads' })).toBeInTheDocument();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => fake.calls.some(({ name }) => name === 'batch.pause')).toBe(true);
  await expect.element(jobs().getByRole('button', { name: 'Go on' })).toBeVisible();
  await jobs().getByRole('button', { name: 'Cancel: Making heads' }).click();
  await expect.poll(() => fake.calls.some(({ name }) => name === 'batch.cancel')).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(jobs()).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}j{/Control}');
  await expect.element(jobs().getByText('Heads, films, analyses', { exact: false })).toBeVisible();
});

test('a film, an analysis and a photo check have a row each, and end there', async () => {
  const fake = await openStudio({ library: {}, batch: { photos: [photoOf(1, { check: 'pending' })] } });
  await expect.element(page.getByRole('button', { name: /^Checking photos/ })).toBeVisible();
  const cancel = vi.fn(() => reportJob('film', null));
  reportJob('film', { name: 'Greeting', share: 0.4, secondsLeft: 40, waiting: 1, cancel });
  fake.emit('takes', 'analysis', { id: 'take-2', stage: 'analysing', share: 0.4, problem: '' });
  await page.getByRole('button', { name: /^3 jobs/ }).click();
  await expect.element(jobs().getByText('Checking photos')).toBeVisible();
  await expect.element(jobs().getByText('Analysing the audio')).toBeVisible();
  await expect.element(jobs().getByText('40 seconds')).toBeVisible();
  await expect.element(jobs().getByText('1 more waits')).toBeVisible();
  await jobs()
    .getByRole('button', { name: /^Cancel: Filming/ })
    .click();
  expect(cancel).toHaveBeenCalledOnce();
  fake.emit('takes', 'analysis', { id: 'take-2', stage: 'done', share: 1, problem: '' });
  await expect.element(jobs().getByText('Analysing the audio')).not.toBeInTheDocument();
});

test('photos that failed are counted, and lead to where they can be mended', async () => {
  const photo = photoOf(1, { sex: 'female' });
  await openStudio(
    { library: {}, batch: { jobs: [jobOf(photo, { state: 'failed', code: 'timeout' })] } },
    '#/activity',
  );
  await page.getByRole('button', { name: 'No jobs 1 failed' }).click();
  await jobs().getByRole('button', { name: 'Show' }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Portraits' })).toBeVisible();
  await expect.element(jobs()).not.toBeInTheDocument();
});

test('response times and costs are shown to those who have a server', async () => {
  await openStudio({}, '#/activity');
  await expect.element(page.getByRole('button', { name: 'No jobs' })).toBeVisible();
  expect(document.querySelector('footer')!.textContent).not.toMatch(/24 hours|this month/);
  document.getElementById('root')!.remove();
  await openStudio({ profiles: livedInProfiles }, '#/activity');
  await expect.element(page.getByRole('link', { name: /24 hours/ })).toBeVisible();
});
