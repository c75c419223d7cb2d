/** Several formats of one take at one rate, and what moves what on a head. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { partsOf } from '../../../renderer/takes/export/drive-parts.ts';
import { driveOf } from '../../../renderer/takes/export/drive-rows.ts';
import { takeOf } from '../../fixtures/studio/takes.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(() => page.viewport(1280, 900));

const inputs = (calls: { name: string; input: unknown }[], name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

async function open() {
  const fake = await openStudio({ takes: { takes: [takeOf(4)] } }, '#/takes/take-4');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  return { fake, dialog: page.getByRole('dialog', { name: 'Export 1 take' }) };
}

test('formats, rate and names go into one order, and what it comes to is said first', async () => {
  const { fake, dialog } = await open();
  await dialog.getByRole('button', { name: /^Data/ }).click();
  await dialog.getByRole('checkbox', { name: /^Table/ }).click();
  await dialog.getByRole('button', { name: /^Subtitles/ }).click();
  await dialog.getByRole('checkbox', { name: /^SRT/ }).click();
  await expect.element(dialog.getByText(/These takes have no transcript/)).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^SRT/ }).click();
  await dialog.getByRole('combobox', { name: 'Frames per second' }).click();
  await page.getByRole('option', { name: '29.97' }).click();
  await dialog.getByRole('textbox', { name: 'File names' }).fill('{name}_{take}_{rate}');
  await expect.element(dialog.getByText(/240 frames/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Export 2 outputs' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(inputs(fake.calls, 'takeExports.make')).toEqual([
    expect.objectContaining({
      ids: ['take-4'],
      rate: '29.97',
      fileName: '{name}_{take}_{rate}',
      formats: expect.arrayContaining(['csv']),
      as: 'zip',
    }),
  ]);
});

test('a running export tells how far it is and can be stopped; the dialog stays', async () => {
  const { fake, dialog } = await open();
  await dialog.getByRole('button', { name: /^2D mouths/ }).click();
  await dialog.getByRole('checkbox', { name: /^Moho/ }).click();
  await dialog.getByRole('button', { name: /^Data/ }).click();
  for (const name of [/^Table/, /^JSON lines/]) await dialog.getByRole('checkbox', { name }).click();
  await dialog.getByRole('button', { name: 'Export 4 outputs' }).click();
  await expect.element(dialog.getByRole('status').getByText(/12(\.0)?\s*s left/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await expect.element(page.getByText('The export was stopped and left no files.')).toBeVisible();
  expect(inputs(fake.calls, 'takeExports.cancel')).toHaveLength(1);
  await expect.element(dialog).toBeVisible();
});

test('what a head can’t show is said, and a row of one’s own is kept for it', async () => {
  const { fake, dialog } = await open();
  await dialog.getByRole('checkbox', { name: 'Blender' }).click();
  await expect.element(dialog.getByText(/move nothing on this head: browInnerUp, tongueOut/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Shape mapping…' }).click();
  const table = page.getByRole('dialog', { name: 'Shape mapping of this head' });
  await expect.element(table.getByText('Naming scheme: VRM 0.x')).toBeVisible();
  await table
    .getByRole('combobox', { name: 'Channels of Joy' })
    .fill('mouthSmileLeft 0.5, mouthSmileRight O');
  await expect.element(table.getByRole('alert')).toBeVisible();
  await expect.element(table.getByRole('button', { name: 'Save' })).toBeDisabled();
  await table
    .getByRole('combobox', { name: 'Channels of Joy' })
    .fill('mouthSmileLeft 0.5, mouthSmileRight 0.5');
  await table.getByRole('textbox', { name: 'Gain of Joy' }).fill('1.5');
  await table.getByRole('button', { name: 'Save' }).click();
  expect(inputs(fake.calls, 'names.saveDrives')).toEqual([
    {
      modelId: null,
      rows: [
        {
          shape: 'Joy',
          parts: [
            { channel: 'mouthSmileLeft', weight: 0.5 },
            { channel: 'mouthSmileRight', weight: 0.5 },
          ],
          gain: 1.5,
          curve: 1,
        },
      ],
    },
  ]);
  // Escape closes one dialog at a time.
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a preset sets the film alone, transparency takes WebM, and what was exported last is offered again', async () => {
  const { dialog } = await open();
  await dialog.getByRole('button', { name: 'Short 9:16' }).click();
  await expect.element(dialog.getByRole('checkbox', { name: 'Film' })).toBeChecked();
  await expect.element(dialog.getByLabelText('Width')).toHaveValue('1080');
  await expect.element(dialog.getByRole('button', { name: 'Export 1 output' })).toBeEnabled();
  await expect.element(dialog.getByRole('textbox', { name: 'Colour' })).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Choose…' })).not.toBeInTheDocument();
  await dialog.getByText('Transparent', { exact: true }).click();
  await expect.element(dialog.getByRole('textbox', { name: 'Colour' })).not.toBeInTheDocument();
  const format = dialog.getByRole('combobox', { name: 'Format' });
  await expect.poll(() => (format.element() as HTMLInputElement).value).toMatch(/^WebM/);
  await expect
    .element(dialog.getByRole('button', { name: 'Short 9:16' }))
    .toHaveAttribute('aria-pressed', 'false');
  await dialog.getByRole('checkbox', { name: 'Film' }).click();
  await dialog.getByRole('checkbox', { name: 'Unreal' }).click();
  await dialog.getByRole('checkbox', { name: 'Subtitles' }).click();
  await dialog.getByRole('button', { name: 'Export 2 outputs' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard('e');
  await dialog.getByRole('checkbox', { name: 'Unreal' }).click();
  await dialog.getByRole('button', { name: 'As last time' }).click();
  await expect.element(dialog.getByRole('checkbox', { name: 'Unreal' })).toBeChecked();
  await expect.element(dialog.getByRole('checkbox', { name: 'Subtitles' })).toBeChecked();
});

test('parts are read as they are written, and nonsense is not', () => {
  expect(partsOf('viseme_aa, jawOpen -0.4')).toEqual([
    { channel: 'viseme_aa', weight: 1 },
    { channel: 'jawOpen', weight: -0.4 },
  ]);
  expect(partsOf('')).toEqual([]);
  expect(partsOf('jawOpen 9')).toBeNull();
  expect(partsOf('jaw open wide')).toBeNull();
  const row = { shape: 'A', parts: 'jawOpen', gain: '1,5', curve: '2', isOwn: true };
  expect(driveOf(row)).toMatchObject({ gain: 1.5, curve: 2 });
  expect(driveOf({ ...row, curve: '0' })).toBeNull();
});

test('what is chosen is kept as a preset under a name, and deleted again', async () => {
  const { fake, dialog } = await open();
  await dialog.getByRole('button', { name: /^Data/ }).click();
  await dialog.getByRole('checkbox', { name: /^Table/ }).click();
  await dialog.getByRole('button', { name: 'Save as preset…' }).click();
  await userEvent.keyboard('Two files{Enter}');
  await dialog.getByRole('checkbox', { name: /^Table/ }).click();
  await dialog.getByRole('button', { name: 'Two files', exact: true }).click();
  await expect.element(dialog.getByRole('button', { name: 'Export 2 outputs' })).toBeVisible();
  expect(inputs(fake.calls, 'app.changeSettingsFrom').at(-1)).toMatchObject({
    changes: { takePresets: [{ name: 'Two files', formats: ['livelink', 'csv'], rate: 'own', film: null }] },
  });
  await dialog.getByRole('button', { name: 'Delete preset Two files' }).click();
  await expect
    .element(dialog.getByRole('button', { name: 'Two files', exact: true }))
    .not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.element(dialog.getByRole('button', { name: 'Two files', exact: true })).toBeVisible();
});
