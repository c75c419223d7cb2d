import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { muted } from '../../../renderer/live/live-keys.ts';
import { changeLive, plainKeys } from '../../../renderer/live/live-settings.ts';
import { expressionNow } from '../../../renderer/live/shown-face.ts';
import { openStudio } from '../open_studio.tsx';

afterEach(() => changeLive({ keys: plainKeys, pads: true }));

const pad = (name: string) => page.getByRole('button', { name, exact: true });

test('a pad shows its expression until it is pressed again, and so does its key', async () => {
  await openStudio({}, '#/live');
  const laugh = pad('Laugh');
  await expect.element(laugh, { timeout: 20_000 }).toHaveAttribute('aria-pressed', 'false');
  await expect.element(laugh).toHaveTextContent('Laugh2');
  const focused = document.activeElement;
  await laugh.click();
  await expect.element(laugh).toHaveAttribute('aria-pressed', 'true');
  expect(expressionNow.get()).toBe('laugh');
  // Space is the talk key: a click with the pointer gives it to no pad.
  expect(document.activeElement).toBe(focused);
  await userEvent.keyboard('6');
  await expect.element(laugh).toHaveAttribute('aria-pressed', 'false');
  await expect.element(pad('Wink')).toHaveAttribute('aria-pressed', 'true');
  (pad('Wink').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  expect(expressionNow.get()).toBeNull();
});

test('pads are one tab stop, and arrow keys lead from one to the next', async () => {
  await openStudio({}, '#/live');
  await expect.element(pad('Laugh'), { timeout: 20_000 }).toBeInTheDocument();
  const pads = [...document.querySelectorAll<HTMLElement>('[aria-label="Expressions"] > button')];
  expect(pads.length).toBeGreaterThan(5);
  expect(pads.filter(({ tabIndex }) => tabIndex === 0)).toEqual([pads[0]]);
  pads[0]!.focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}');
  expect(document.activeElement).toBe(pads[1]);
  expect(pads.filter(({ tabIndex }) => tabIndex === 0)).toEqual([pads[1]]);
});

test('pads are hidden for good, and their keys still work', async () => {
  await openStudio({}, '#/live');
  await pad('Expressions').click();
  await expect.element(pad('Laugh')).not.toBeInTheDocument();
  expect(JSON.parse(localStorage.getItem('likeness.live')!).pads).toBe(false);
  await userEvent.keyboard('2');
  expect(expressionNow.get()).toBe('laugh');
  await pad('Expressions').click();
  await expect.element(pad('Laugh')).toHaveAttribute('aria-pressed', 'true');
});

test('on a narrow stage pads are their keys, and keep their names', async () => {
  await page.viewport(900, 700);
  await openStudio({}, '#/live');
  await expect.element(pad('Laugh'), { timeout: 20_000 }).toBeInTheDocument();
  const width = (): number => pad('Laugh').element().getBoundingClientRect().width;
  expect(width()).toBeLessThan(40);
  await page.viewport(1440, 900);
  await expect.poll(width).toBeGreaterThan(100);
});

test('the microphone is muted by its button and by its key, and not left muted for other pages', async () => {
  await openStudio({}, '#/live');
  await pad('Mute').click();
  await expect.element(pad('Mute')).toHaveAttribute('aria-pressed', 'true');
  await userEvent.keyboard('m');
  await expect.element(pad('Mute')).toHaveAttribute('aria-pressed', 'false');
  await userEvent.keyboard('m');
  expect(muted.get()).toBe(true);
  window.location.hash = '#/takes';
  await expect.element(page.getByRole('heading', { name: 'Takes' })).toBeVisible();
  expect(muted.get()).toBe(false);
});

test('the lamp is lit while somebody gets the face', async () => {
  const fake = await openStudio({}, '#/live');
  const lamp = page.getByText('On air');
  await expect.element(pad('Mute')).toBeVisible();
  await expect.element(lamp).not.toBeInTheDocument();
  const { value } = await (fake.bridge.send!.state!() as Promise<{ value: { viewers: object } }>);
  const viewers = { ...value.viewers, on: true, watching: 1 };
  fake.emit('send', 'changed', { ...value, hasFace: true, viewers });
  await expect.element(lamp).toBeVisible();
  fake.emit('send', 'changed', { ...value, hasFace: false, viewers });
  await expect.element(lamp).not.toBeInTheDocument();
});
