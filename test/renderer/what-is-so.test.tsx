/** What the page says of itself and of the studio is what is so at that moment. */

import { t } from '@likeness/messages';
import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { queryClient } from '../../renderer/base/studio-queries.ts';
import { Themed } from '../../renderer/base/Themed.tsx';
import { searchAfresh } from '../../renderer/library/model-list.ts';
import { changeLive, plainKeys } from '../../renderer/live/live-settings.ts';
import { ChannelBars } from '../../renderer/live/panels/ChannelBars.tsx';
import { closeSound } from '../../renderer/live/sound-source.ts';
import { stockModels } from '../fixtures/studio/stock.ts';
import { openStudio } from './open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

describe('a studio that stops', () => {
  const listeners = new Set<(isOpen: boolean) => void>();
  const tell = (isOpen: boolean): void => {
    for (const listener of listeners) listener(isOpen);
  };
  beforeEach(() => {
    listeners.clear();
    Object.assign(window, {
      studioPage: {
        id: 'page',
        assets: '',
        onConnection(listener: (isOpen: boolean) => void) {
          listeners.add(listener);
          listener(true);
          return () => listeners.delete(listener);
        },
      },
    });
    return () => void Reflect.deleteProperty(window, 'studioPage');
  });
  const alert = () => page.getByText('The studio has stopped.');

  test('is told without a click, and nothing is said to be running', async () => {
    await openStudio({}, '#/activity');
    await expect.element(page.getByRole('link', { name: /Built-in engine.*running/ })).toBeVisible();
    tell(false);
    await expect.element(alert()).toBeVisible();
    await expect.element(page.getByText('The studio does not respond')).toBeVisible();
    await expect.element(page.getByText('running')).not.toBeInTheDocument();
  });

  test('for less than a moment, as after a sleep, is not told; what was missed is asked for', async () => {
    const fake = await openStudio({}, '#/activity');
    await expect.element(page.getByRole('link', { name: /Built-in engine.*running/ })).toBeVisible();
    const asked = (): number => fake.calls.filter(({ name }) => name === 'engine.status').length;
    const before = asked();
    tell(false);
    tell(true);
    await expect.poll(asked).toBe(before + 1);
    await expect.element(alert()).not.toBeInTheDocument();
  });
});

test('an engine that does not answer is named in the status bar and in its settings, with what follows', async () => {
  const message = t('engine.unresponsive', { seconds: 60 });
  await openStudio({ engine: { state: 'unresponsive', message } }, '#/settings/engine');
  await expect.element(page.getByRole('link', { name: /Built-in engine.*not answering/ })).toBeVisible();
  const callout = page.getByRole('status').filter({ hasText: 'Not answering' });
  await expect.element(callout.filter({ hasText: 'If it stays silent for 60 s' })).toBeVisible();
});

test.each(['Face', 'Keys', 'Latency', 'Channels'])(
  'a microphone that is not there is told where %s is open',
  async (panel) => {
    changeLive({ keys: plainKeys });
    const media = vi
      .spyOn(navigator.mediaDevices, 'getUserMedia')
      .mockRejectedValue(new DOMException('Requested device not found', 'NotFoundError'));
    await openStudio({}, '#/live');
    await page.getByText(panel, { exact: true }).first().click();
    await page.getByRole('button', { name: /^Start speaking/ }).click();
    await expect.element(page.getByText('No microphone found')).toBeVisible();
    media.mockRestore();
    closeSound();
  },
);

test('channels are written in the app’s font', async () => {
  const fonts = new Set<string>();
  const write = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText').mockImplementation(function (
    this: CanvasRenderingContext2D,
  ) {
    fonts.add(this.font);
  });
  queryClient.setQueryData(['settings'], { language: 'en', theme: 'dark', reducedMotion: 'on' });
  const face = { channelNames: ['jawOpen'], weights: Float32Array.of(0.4) };
  await render(
    <QueryClientProvider client={queryClient}>
      <Themed>
        <ChannelBars face={() => face as never} />
      </Themed>
    </QueryClientProvider>,
  );
  await expect.poll(() => [...fonts]).not.toEqual([]);
  write.mockRestore();
  const { fontFamily } = getComputedStyle(document.body);
  expect(fontFamily).toContain('Inter');
  expect([...fonts][0]).toBe(`11px ${fontFamily}`);
});

test('a face that nothing is switched on for is not said to be sent', async () => {
  const fake = await openStudio({}, '#/live');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send and receive' });
  await expect.element(dialog.getByText('No face to send yet', { exact: false })).toBeVisible();
  const state = await (fake.bridge.send!.state!() as Promise<{ value: object }>);
  fake.emit('send', 'changed', { ...state.value, hasFace: true });
  await expect.element(dialog.getByText('no target is on', { exact: false })).toBeVisible();
  await expect.element(dialog.getByText('is sent to the targets', { exact: false })).not.toBeInTheDocument();
});

test.each([
  [1440, 900],
  [1280, 720],
])('the menu of a head is within a window of %d by %d', async (width, height) => {
  await page.viewport(width, height);
  await openStudio({ batch: {}, library: { models: stockModels(40) } }, '#/library');
  searchAfresh();
  await expect.poll(() => document.querySelectorAll('[role=option]').length).toBeGreaterThan(12);
  for (const index of [2, 11]) {
    await page.getByRole('option').nth(index).click({ button: 'right' });
    const trash = page.getByRole('menuitem', { name: /Move to trash/ });
    await expect.element(trash).toBeVisible();
    await expect.poll(() => trash.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(height);
    const menu = page.getByRole('menu').first().element().getBoundingClientRect();
    expect(menu.top).toBeGreaterThanOrEqual(0);
    expect(menu.bottom).toBeLessThanOrEqual(height);
    await userEvent.keyboard('{Escape}');
    await expect.element(trash).not.toBeInTheDocument();
  }
});
