/** A person's own expressions: kept from the playhead, used as the built-in ones, typed, renamed, removed. */

import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CallInput } from '#contract';
import type { FakeStudio } from '../../../fixtures/studio/studio.ts';
import { takeOf } from '../../../fixtures/studio/takes.ts';
import { openStudio } from '../../open_studio.tsx';

beforeAll(() => import('../../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(() => page.viewport(1280, 900));

const operations = ({ calls }: FakeStudio): EditOperation[] =>
  calls
    .filter(({ name }) => name === 'takeEdits.apply')
    .flatMap(({ input }) => (input as { operations: EditOperation[] }).operations);
const poses = ({ calls }: FakeStudio): CallInput<'app', 'changeSettings'>['poses'] =>
  (
    calls.findLast(({ name }) => name === 'app.changeSettingsFrom')?.input as
      | CallInput<'app', 'changeSettingsFrom'>
      | undefined
  )?.changes.poses;

test('a face is kept, shown by a key of the track, typed, renamed with its key, and removed with an undo', async () => {
  const fake = await openStudio({ takes: { takes: [takeOf(4)] } }, '#/takes/take-4');
  await page.getByRole('tab', { name: 'Selected' }).click();
  const name = page.getByRole('textbox', { name: 'Name of a new expression' });
  await name.fill('Joy');
  await expect.element(page.getByText('A built-in expression has this name.')).toBeVisible();
  await page.getByRole('switch', { name: 'Include mouth and jaw' }).click();
  await name.fill('Smirk');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('group', { name: 'Smirk' })).toBeVisible();
  expect(poses(fake)).toMatchObject([{ name: 'Smirk' }]);

  await page.getByRole('button', { name: 'Weights of Smirk' }).click();
  await page.getByPlaceholder('Add a channel').fill('cheekPuff');
  await page.getByRole('option', { name: 'cheekPuff' }).click();
  const weight = page.getByRole('textbox', { name: 'Weight of cheekPuff' });
  await weight.fill('0.8');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => poses(fake)?.[0]?.weights.cheekPuff).toBe(0.8);
  // Nothing of it is in the take before a key shows it.
  expect(operations(fake)).toEqual([]);
  await page.getByRole('button', { name: 'Add an expression at the playhead' }).click();
  await page.getByRole('radio', { name: 'Smirk' }).click();
  await expect.poll(() => operations(fake)).toHaveLength(3);
  expect(operations(fake).slice(1)).toMatchObject([
    { kind: 'preset', name: 'Smirk', weights: { cheekPuff: 0.8 } },
    { kind: 'expressions', keys: [{ preset: 'Smirk' }, {}, {}, {}] },
  ]);

  await page.getByRole('textbox', { name: 'Name of Smirk' }).fill('Half a smile');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => operations(fake)).toHaveLength(6);
  expect(operations(fake).slice(3)).toMatchObject([
    { kind: 'preset', name: 'Half a smile' },
    { kind: 'expressions', keys: [{ preset: 'Half a smile' }, {}, {}, {}] },
    { kind: 'preset', name: 'Smirk', weights: null },
  ]);
  await page.getByRole('button', { name: 'Remove Half a smile' }).click();
  await expect.poll(() => poses(fake)).toEqual([]);
  // The take has it still.
  await expect
    .element(page.getByRole('radio', { name: 'Half a smile' }))
    .toHaveAttribute('aria-checked', 'true');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => poses(fake)).toMatchObject([{ name: 'Half a smile', weights: { cheekPuff: 0.8 } }]);
  // Before that it was renamed, in the take and among the person's own.
  await page.getByRole('button', { name: 'Undo: changed expression “Half a smile”' }).click();
  await expect.poll(() => poses(fake)).toMatchObject([{ name: 'Smirk' }]);
  await expect.poll(() => fake.calls.filter(({ name }) => name === 'takeEdits.undo')).toHaveLength(1);
});
