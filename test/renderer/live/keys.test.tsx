import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { queryClient } from '../../../renderer/base/studio-queries.ts';
import { Themed } from '../../../renderer/base/Themed.tsx';
import { initLanguages } from '../../../renderer/frame/init-languages.ts';
import { acceleratorOf, perform, talking } from '../../../renderer/live/live-keys.ts';
import { showLive } from '../../../renderer/live/live-run.ts';
import { changeLive, liveSettings, plainHotkeys, plainKeys } from '../../../renderer/live/live-settings.ts';
import { KeysPanel } from '../../../renderer/live/panels/KeysPanel.tsx';
import { expressionNow } from '../../../renderer/live/shown-face.ts';
import { type FakeStudio, fakeStudio } from '../../fixtures/studio/studio.ts';

let fake: FakeStudio;
beforeEach(() => {
  changeLive({ keys: plainKeys, hotkeys: plainHotkeys, hotkeysOn: false, pushToTalk: false });
  expressionNow.set(null);
});

async function open(shell: 'browser' | 'electron'): Promise<() => void> {
  fake = fakeStudio();
  Object.assign(window, { studio: fake.bridge });
  queryClient.clear();
  queryClient.setQueryData(['settings'], { language: 'en', theme: 'dark', reducedMotion: 'on' });
  queryClient.setQueryData(['app-info'], { shell });
  await initLanguages('en');
  const leave = showLive();
  await render(
    <QueryClientProvider client={queryClient}>
      <Themed>
        <KeysPanel />
      </Themed>
    </QueryClientProvider>,
  );
  return leave;
}
const given = () => fake.calls.filter(({ name }) => name === 'live.setHotkeys').map(({ input }) => input);

test('a number shows its expression until it is pressed again', async () => {
  const leave = await open('browser');
  await userEvent.keyboard('1');
  expect(expressionNow.get()).toBe('smile');
  await userEvent.keyboard('5');
  expect(expressionNow.get()).toBe('anger');
  await userEvent.keyboard('5');
  expect(expressionNow.get()).toBeNull();
  leave();
  await userEvent.keyboard('1');
  expect(expressionNow.get()).toBeNull();
});

test('a key is changed by keyboard alone, and one key does one thing', async () => {
  const leave = await open('browser');
  queryClient.setQueryData<object>(['settings'], (now) => ({ ...now, shortcuts: { 'studio.jobs': ['Q'] } }));
  const smile = page.getByRole('button', { name: /^Smile: 1\./ });
  await expect.element(smile).toBeVisible();
  (smile.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(smile).toHaveTextContent('Press…');
  // Keys that the page needs are refused, and what a key is for is not done meanwhile.
  await userEvent.keyboard('g');
  await userEvent.keyboard('q');
  await userEvent.keyboard('5');
  expect(liveSettings().keys).toMatchObject({ expression1: '5', expression5: '' });
  expect(expressionNow.get()).toBeNull();
  await userEvent.keyboard('5');
  expect(expressionNow.get()).toBe('smile');
  await page.getByRole('button', { name: 'Reset keys' }).click();
  expect(liveSettings().keys).toEqual(plainKeys);
  leave();
});

test('push to talk is the key’s as long as it is held', async () => {
  const leave = await open('browser');
  await userEvent.keyboard('{ >}');
  expect(talking.get()).toBe(false);
  await userEvent.keyboard('{/ }');
  changeLive({ pushToTalk: true, keys: { ...plainKeys, talk: 't' } });
  await userEvent.keyboard('{t>}');
  expect(talking.get()).toBe(true);
  await userEvent.keyboard('{/t}');
  expect(talking.get()).toBe(false);
  leave();
});

test('on the desktop keys are taken from the system while Live is open, and given back', async () => {
  const leave = await open('electron');
  expect(given()).toEqual([]);
  await page.getByRole('switch', { name: /^Global keys/ }).click();
  await expect.poll(() => given().length).toBe(1);
  expect(given()[0]).toContainEqual({ action: 'interrupt', accelerator: 'Control+Alt+X' });
  // Nobody can talk by a key who has not asked for it.
  expect(JSON.stringify(given()[0])).not.toContain('talk');
  fake.emit('live', 'hotkey', { action: 'expression3' });
  expect(expressionNow.get()).toBe('surprise');
  leave();
  await expect.poll(() => given().at(-1)).toEqual([]);
});

test('a system’s key is a function key, or one with Control, Alt or Command', () => {
  const press = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };
  expect(acceleratorOf({ ...press, code: 'KeyR' })).toBeNull();
  expect(acceleratorOf({ ...press, shiftKey: true, code: 'KeyR' })).toBeNull();
  expect(acceleratorOf({ ...press, code: 'F9' })).toBe('F9');
  expect(acceleratorOf({ ...press, ctrlKey: true, shiftKey: true, code: 'Digit4' })).toBe('Control+Shift+4');
  expect(acceleratorOf({ ...press, altKey: true, code: 'Space' })).toBe('Alt+Space');
  expect(acceleratorOf({ ...press, ctrlKey: true, code: 'ControlLeft' })).toBeNull();
  expect(perform('popOut')).toBe(false);
});
