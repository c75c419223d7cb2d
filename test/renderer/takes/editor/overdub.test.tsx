/** Tries of a take in the page: chosen in a stretch by keys, typed, named, and put away. */

import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { changePunch } from '../../../../renderer/takes/editor/overdub/overdub-settings.ts';
import type { FakeStudio } from '../../../fixtures/studio/studio.ts';
import { attemptOf } from '../../../fixtures/studio/take_edits.ts';
import { takeOf } from '../../../fixtures/studio/takes.ts';
import { openStudio } from '../../open_studio.tsx';

beforeAll(() => import('../../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(async () => {
  // It outlives a page, and so a test.
  changePunch({ armed: ['mouth'] });
  await page.viewport(1280, 900);
});

const open = async (): Promise<FakeStudio> => {
  const attempts = { 'take-4': [attemptOf(1, 1), attemptOf(2, 1.5)] };
  const fake = await openStudio({ takes: { takes: [takeOf(4)], attempts } }, '#/takes/take-4');
  await page.getByRole('tab', { name: 'Overdub' }).click();
  await expect.element(page.getByRole('group', { name: 'Try 1', exact: true })).toBeVisible();
  return fake;
};
const operations = ({ calls }: FakeStudio): EditOperation[] =>
  calls
    .filter(({ name }) => name === 'takeEdits.apply')
    .flatMap(({ input }) => (input as { operations: EditOperation[] }).operations);

const slider = () => page.getByRole('slider', { name: 'Position in the take' });

/** Selects from 2 to 3 seconds by keys. */
async function select(): Promise<void> {
  (slider().element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  await expect.element(slider()).toHaveAttribute('aria-valuenow', '2.00');
  await userEvent.keyboard('i{Shift>}{ArrowRight}{/Shift}');
  await expect.element(slider()).toHaveAttribute('aria-valuenow', '3.00');
  await userEvent.keyboard('o');
}

test('] goes from try to try in what is selected, and back to the recording, in the armed layers alone', async () => {
  const fake = await open();
  await page.getByRole('button', { name: 'Jaw', exact: true }).first().click();
  await select();
  const takes = (): string[] =>
    operations(fake).map((operation) =>
      operation.kind === 'take'
        ? `${operation.region} ${operation.from} ${operation.to} ${operation.attempt}`
        : '',
    );
  for (const attempt of ['take-2-1', 'take-2-2', 'recording']) {
    const before = takes().length;
    await userEvent.keyboard(']');
    await expect.poll(takes).toHaveLength(before + 2);
    expect(takes().slice(before)).toEqual([`mouth 2 3 ${attempt}`, `jaw 2 3 ${attempt}`]);
  }
});

test('a stretch is typed elsewhere and taken from another try; a try is named and moved', async () => {
  const fake = await open();
  await select();
  await page.getByRole('button', { name: 'Use Try 1 in the selection' }).click();
  const to = page.getByRole('textbox', { name: /: end, seconds$/ });
  await expect.element(to).toHaveValue('3');
  await to.fill('2.8');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => operations(fake)).toHaveLength(3);
  expect(operations(fake).slice(1)).toEqual([
    { kind: 'take', region: 'mouth', from: 2, to: 3, attempt: 'recording' },
    { kind: 'take', region: 'mouth', from: 2, to: 2.8, attempt: 'take-2-1' },
  ]);
  await page.getByRole('combobox', { name: /: source$/ }).selectOptions('Try 2');
  await expect.poll(() => operations(fake).at(-1)).toMatchObject({ to: 2.8, attempt: 'take-2-2' });

  await page.getByRole('textbox', { name: 'Name of Try 1' }).fill('Calmer');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('group', { name: 'Calmer' })).toBeVisible();
  const begins = page.getByRole('textbox', { name: 'Start of Calmer, seconds' });
  await begins.fill('0.95');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => fake.calls.filter(({ name }) => name === 'takeEdits.changeOverdub').map(({ input }) => input))
    .toEqual([
      { id: 'take-4', attempt: 'take-2-1', changes: { name: 'Calmer' } },
      { id: 'take-4', attempt: 'take-2-1', changes: { startsAt: 0.95 } },
    ]);
  const undo = page.getByRole('button', { name: /^Undo/ });
  await undo.click();
  await expect.element(page.getByText('Undone: moved an overdub')).toBeVisible();
  await expect.element(begins).not.toHaveValue('0.95');
  await undo.click();
  await expect.element(page.getByRole('group', { name: 'Try 1' })).toBeVisible();
});

test('a try that is used goes into the trash, and what was taken from it is the recording’s again', async () => {
  const fake = await open();
  await select();
  await page.getByRole('button', { name: 'Use Try 2 in the selection' }).click();
  await expect.element(page.getByRole('combobox', { name: /: source$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Move Try 2 to the trash' }).click();
  await expect.element(page.getByRole('group', { name: 'Try 2' })).not.toBeInTheDocument();
  expect(operations(fake).at(-1)).toEqual({
    kind: 'take',
    region: 'mouth',
    from: 2,
    to: 3,
    attempt: 'recording',
  });
  expect(fake.calls.findLast(({ name }) => name === 'takeEdits.trashOverdub')?.input).toEqual({
    id: 'take-4',
    attempt: 'take-2-2',
  });
});

test('where a cut lies nothing is recorded, and the page says why', async () => {
  const fake = await open();
  await select();
  await userEvent.keyboard('{Delete}');
  await expect.poll(() => operations(fake)).toHaveLength(1);
  // The playhead is where the cut is: from it to the end nothing is cut.
  await userEvent.keyboard('{Home}io');
  await userEvent.keyboard('{End}or');
  await expect.element(page.getByText(/^You can’t record here/)).toBeVisible();
});
