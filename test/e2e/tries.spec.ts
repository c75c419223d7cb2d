/** Recording a try over a playing take: punched in and out, chosen, put away; and found again after a kill. */

import { encodeWav } from '@likeness/proto/wav.ts';
import type { Page } from '@playwright/test';
import type { EditState, TakeOverdub } from '#contract';
import { accessibilityFaults } from './accessibility.ts';
import { at } from './microphone.ts';
import { enter, expect, test } from './studio.ts';

const seconds = 6;

/** A take of silence, with I at 2 s and O at 3 s, and the panel of tries. */
async function openTries(page: Page): Promise<void> {
  await page.goto(at(page, 'takes'));
  await page.locator('#main input[type=file]').setInputFiles({
    name: 'base.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(encodeWav({ sampleRate: 16_000, samples: new Float32Array(16_000 * seconds) })),
  });
  await expect(page.getByRole('row', { name: /^base/ })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Overdub' }).click();
  await page.getByRole('slider', { name: 'Position in the take' }).focus();
  await page.keyboard.press('Home');
  for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight', 'i', 'Shift+ArrowRight', 'o'])
    await page.keyboard.press(key);
  await expect(page.getByText(/^From 2\ss to 3\ss/)).toBeVisible();
}

const kept = (page: Page): Promise<{ tries: TakeOverdub[]; taken: EditState['edits']['taken'] }> =>
  page.evaluate(async () => {
    const { studio } = window as never as {
      studio: {
        takes: { search(asked: unknown): Promise<{ value?: { takes: { id: string }[] } }> };
        takeEdits: Record<'overdubs' | 'open', (asked: unknown) => Promise<{ value?: never }>>;
      };
    };
    const found = await studio.takes.search({ offset: 0, limit: 1, query: {} });
    const id = found.value!.takes[0]!.id;
    const tries = await studio.takeEdits.overdubs({ id });
    const edits = (await studio.takeEdits.open({ id })) as { value?: { edits: { taken: never } } };
    return { tries: tries.value as never, taken: edits.value!.edits.taken };
  });

test('a try is recorded over its layer in its range, heard, chosen and put away, all by the keyboard', async ({
  live: page,
}) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1280, height: 900 });
  await openTries(page);
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: 'Stop overdub' })).toBeVisible({ timeout: 30_000 });
  const row = page.getByRole('group', { name: 'Overdub 1 · base' });
  await expect(row).toBeVisible({ timeout: 60_000 });
  const { tries, taken } = await kept(page);
  expect(tries).toMatchObject([{ name: 'Overdub 1 · base', regions: ['mouth'] }]);
  // It begins in the pre-roll, later on a slow machine, and holds the whole range.
  const [{ startsAt, seconds }] = tries as [(typeof tries)[0]];
  expect(startsAt).toBeLessThan(2);
  expect(startsAt + seconds).toBeGreaterThan(3);
  expect(taken.mouth).toEqual([{ from: 2, to: 3, attempt: tries[0]!.id }]);
  expect(taken.jaw).toEqual([]);

  await page.keyboard.press(']');
  await expect(page.getByText('None yet: the whole take is the original recording.')).toBeVisible();
  await page.keyboard.press('[');
  await expect(page.getByRole('combobox', { name: /: source$/ })).toHaveValue(tries[0]!.id);
  expect(await accessibilityFaults(page, { within: 'aside' })).toEqual([]);

  await row.getByRole('button', { name: 'Preview Overdub 1 · base' }).press('Enter');
  await expect(row.getByRole('button', { name: 'Pause' })).toBeVisible();
  await row.getByRole('button', { name: 'Pause' }).press('Enter');
  await row.getByRole('button', { name: /to the trash$/ }).press('Enter');
  await expect(row).toBeHidden();
  expect(await kept(page)).toMatchObject({ tries: [], taken: { mouth: [] } });
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(row).toBeVisible();
  await expect.poll(async () => (await kept(page)).taken.mouth).toHaveLength(1);
});

test('a studio that is killed in the middle of a try finds it among the tries of its take', async ({
  live: page,
  start,
}) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1280, height: 900 });
  await openTries(page);
  await page.keyboard.press('r');
  await expect(page.getByText(/^Recording one layer/)).toBeVisible({ timeout: 30_000 });
  await page.studio.kill();

  const again = await page.context().newPage();
  await again.setViewportSize({ width: 1280, height: 900 });
  await enter(again, await start());
  await again.goto(at(again, 'takes'));
  await expect(again.locator('[data-take]')).toHaveCount(1);
  const { tries } = await kept(again);
  expect(tries).toMatchObject([{ name: 'Overdub 1 · base', recovered: true }]);
  // It had played two seconds before the in point: no more than one of them may be lost.
  expect(tries[0]!.seconds).toBeGreaterThan(1);
  await again.getByRole('tab', { name: 'Overdub' }).click();
  await expect(again.getByRole('group', { name: 'Overdub 1 · base' })).toBeVisible();
});
