/** Editing a take beside its head: by keys, by typing and with the pointer, and what main is asked for. */

import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FakeStudio } from '../../../fixtures/studio/studio.ts';
import { alignmentOf, takeOf } from '../../../fixtures/studio/takes.ts';
import { openStudio } from '../../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(() => page.viewport(1280, 900));

const open = async (): Promise<FakeStudio> => {
  const fake = await openStudio(
    { takes: { takes: [takeOf(4)], words: { 'take-4': alignmentOf(8) } } },
    '#/takes/take-4',
  );
  await expect.element(page.getByRole('button', { name: 'Jaw', exact: true })).toBeVisible();
  await expect.poll(() => fake.calls.some(({ name }) => name === 'takeEdits.open')).toBe(true);
  return fake;
};
const operations = ({ calls }: FakeStudio): EditOperation[] =>
  calls
    .filter(({ name }) => name === 'takeEdits.apply')
    .flatMap(({ input }) => (input as { operations: EditOperation[] }).operations);
const named = ({ calls }: FakeStudio, name: string): unknown[] => calls.filter((call) => call.name === name);
const slider = () => page.getByRole('slider', { name: 'Position in the take' });

/** Goes to a time by keys: seconds with Shift. */
async function goTo(seconds: number): Promise<void> {
  await userEvent.keyboard(`{Home}${'{Shift>}{ArrowRight}{/Shift}'.repeat(seconds)}`);
  await expect.poll(() => document.querySelector('audio')!.currentTime).toBeCloseTo(seconds, 3);
}

test('a take is split at the playhead: the first half is shown, and the whole one stays', async () => {
  const fake = await open();
  slider().element().focus();
  await goTo(1);
  await page.getByRole('button', { name: 'Trim, split and speed' }).click();
  await page.getByRole('menuitem', { name: /^Split/ }).click();
  await expect.poll(() => named(fake, 'takeEdits.split')).toHaveLength(1);
  expect(named(fake, 'takeEdits.split')).toMatchObject([{ input: { id: 'take-4', at: 1 } }]);
  await expect.element(page.getByRole('row', { name: /\(1\)/ })).toHaveAttribute('aria-current', 'true');
  await expect.element(page.getByText(/New takes: .*\(1\), .*\(2\)/)).toBeVisible();
});

test('what lies between I and O is cut by Delete, and comes back by Ctrl+Z; the take stays', async () => {
  const fake = await open();
  slider().element().focus();
  await goTo(1);
  await userEvent.keyboard('i');
  await goTo(2);
  await userEvent.keyboard('o{Delete}');
  await expect
    .poll(() => operations(fake))
    .toEqual([
      {
        kind: 'pieces',
        pieces: [
          { from: 0, to: 1, speed: 1 },
          { from: 2, to: 4, speed: 1 },
        ],
      },
    ]);
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-edited-audio');
  // Another sound is played from where one was; the second that is cut takes no time any more.
  await expect.element(slider()).toHaveAttribute('aria-valuenow', '1.00');
  await expect.element(slider()).toHaveAttribute('aria-valuemax', '3');
  await userEvent.keyboard('{Delete}');
  expect(named(fake, 'takes.trash')).toEqual([]);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => named(fake, 'takeEdits.undo')).toHaveLength(1);
  await expect.poll(() => document.querySelector('audio')!.src).toContain('take-audio');
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  await expect.poll(() => named(fake, 'takeEdits.redo')).toHaveLength(1);
});

test('a region is set by typing, muted, and given back as it was recorded', async () => {
  const fake = await open();
  await page.getByRole('button', { name: 'Layer: Mouth' }).click();
  const gain = page.getByRole('textbox', { name: 'Gain' });
  await gain.fill('1.5');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('button', { name: 'Mute: Jaw' }).click();
  await expect
    .poll(() => operations(fake))
    .toEqual([
      { kind: 'region', region: 'mouth', changes: { gain: 1.5 } },
      { kind: 'region', region: 'jaw', changes: { muted: true } },
    ]);
  await expect
    .element(page.getByRole('button', { name: 'Mute: Jaw' }))
    .toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Restore Mouth as recorded' }).click();
  await expect.element(gain).toHaveValue('1×');
});

test('an edit that another window was quicker with is told, and its state shown', async () => {
  const fake = await open();
  fake.failNext('takeEdits.apply', { code: 'conflict', message: 'The take was edited in another window.' });
  await page.getByRole('button', { name: 'Mute: Jaw' }).click();
  await expect.element(page.getByText('This take was edited in another window')).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: 'Mute: Jaw' }))
    .toHaveAttribute('aria-pressed', 'false');
  expect(named(fake, 'takeEdits.open').length).toBeGreaterThan(1);
});

test('a key is set at the playhead, typed elsewhere, and removed; all of it by keys and fields', async () => {
  const fake = await open();
  await page.getByRole('button', { name: 'Jaw', exact: true }).click();
  // What is clicked in the timeline is shown beside it.
  await page.getByRole('button', { name: 'jawOpen' }).click();
  slider().element().focus();
  await goTo(2);
  await page.getByRole('button', { name: 'Add key at the playhead' }).click();
  await expect.element(page.getByText('3 of 3 keys are visible.')).toBeVisible();
  const value = page.getByRole('textbox', { name: /^Value at 2\s*s$/ });
  await value.fill('0.9');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => operations(fake)).toHaveLength(2);
  const [, changed] = operations(fake);
  expect(changed).toMatchObject({ kind: 'draw', channel: 'jawOpen', from: 1.75, to: 2.25 });
  expect(changed?.kind === 'draw' && changed.keys[1]).toMatchObject({ time: 2, value: 0.9 });
  await page.getByRole('button', { name: 'Reset all' }).click();
  await expect.element(page.getByText('This channel has no keys drawn by hand.')).toBeVisible();
});

/** Moves a made-up pointer over the chosen curve's row. */
function pointer(type: string, x: number, share: number): void {
  const rows = document.querySelector<HTMLElement>('section[aria-label="Curves"]')!;
  rows.setPointerCapture = () => undefined;
  const canvas = document.querySelector('canvas[data-timeline]')!.getBoundingClientRect();
  const row = page.getByRole('button', { name: 'jawOpen' }).element().getBoundingClientRect();
  const place = {
    clientX: canvas.left + x * canvas.width,
    clientY: row.bottom - 3 - share * (row.height - 6),
  };
  rows.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, ...place }));
}

test('a curve is drawn in its row and kept where the pointer is let go; Escape lets it be', async () => {
  const fake = await open();
  await page.getByRole('button', { name: 'Jaw', exact: true }).click();
  await page.getByRole('button', { name: 'jawOpen' }).click();
  await page.getByRole('button', { name: 'Draw the curve with the pointer' }).click();
  await expect
    .poll(() => page.getByRole('button', { name: 'jawOpen' }).element().clientHeight)
    .toBeGreaterThan(60);
  pointer('pointerdown', 0.25, 0.2);
  pointer('pointermove', 0.5, 0.8);
  await userEvent.keyboard('{Escape}');
  pointer('pointerup', 0.5, 0.8);
  expect(operations(fake)).toEqual([]);

  pointer('pointerdown', 0.25, 0.2);
  pointer('pointermove', 0.5, 0.8);
  pointer('pointerup', 0.5, 0.8);
  await expect.poll(() => operations(fake)).toHaveLength(1);
  const [drawn] = operations(fake);
  if (drawn?.kind !== 'draw') throw new Error('It was not drawn.');
  expect(drawn.from).toBeCloseTo(1, 1);
  expect(drawn.to).toBeCloseTo(2, 1);
  expect(drawn.keys.at(0)!.value).toBeCloseTo(0.2, 1);
  expect(drawn.keys.at(-1)!.value).toBeCloseTo(0.8, 1);
});

test('M sets a marker; its note is kept, and all of the take can be read', async () => {
  const fake = await open();
  slider().element().focus();
  await goTo(1);
  await userEvent.keyboard('m');
  const note = page.getByRole('textbox', { name: /^Note at 1/ });
  await note.fill('once more');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => operations(fake)).toHaveLength(2);
  expect(operations(fake)[1]).toMatchObject({ kind: 'marker', marker: { time: 1, note: 'once more' } });
  await page.getByRole('button', { name: 'The take as text' }).click();
  const lines = page.getByRole('list', { name: 'The take as text' });
  await expect.element(lines.getByRole('button', { name: '0:01.0 marker: once more' })).toBeVisible();
  await lines.getByRole('button', { name: /“harbour”/ }).click();
  expect(document.querySelector('audio')!.currentTime).toBeCloseTo(alignmentOf(8).words[1]!.start, 3);
});

test('lips that stay open at a sound are closed by a press, as one step', async () => {
  const fake = await open();
  await page.getByRole('button', { name: 'The take as text' }).click();
  const close = page.getByRole('button', { name: /^Close lips at/ });
  await expect.element(close.first()).toBeVisible();
  const count = close.elements().length;
  await close.first().click();
  await expect.poll(() => close.elements().length).toBe(count - 1);
  expect(operations(fake).length).toBeGreaterThan(0);
  expect(operations(fake).every(({ kind }) => kind === 'draw')).toBe(true);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => close.elements().length).toBe(count);
});

test('versions are named and opened; expressions, looks and blinks are set at the playhead', async () => {
  const fake = await open();
  await page.getByLabelText('Name of this version').fill('Before the cut');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: /^Before the cut/ }).click();
  await expect.poll(() => named(fake, 'takeEdits.openVersion')).toHaveLength(1);
  await page.getByRole('button', { name: 'Add an expression at the playhead' }).click();
  await page.getByRole('button', { name: 'Add a gaze at the playhead' }).click();
  await page.getByRole('button', { name: 'Add a blink at the playhead' }).click();
  await expect
    .poll(() => operations(fake).map(({ kind }) => kind))
    .toEqual(['expressions', 'gaze', 'blinks']);
});

test('L plays and K stops; + and − zoom about the playhead, and Shift+Z shows all of it', async () => {
  await open();
  const words = () => document.querySelectorAll('[role="option"][aria-setsize]').length;
  await expect.poll(words).toBe(8);
  slider().element().focus();
  await userEvent.keyboard('l');
  await expect.element(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await userEvent.keyboard('k');
  await expect.element(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await userEvent.keyboard('{Home}');
  await userEvent.keyboard('++++');
  await expect.poll(words).toBeLessThan(8);
  await userEvent.keyboard('{Shift>}Z{/Shift}');
  await expect.poll(words).toBe(8);
});
