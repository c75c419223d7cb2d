/** Tables of names: read, made one's own, changed line by line, and deleted. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { modelOf } from '../../fixtures/studio/library.ts';
import type { FakeStudio } from '../../fixtures/studio/studio.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

const inputs = (fake: FakeStudio, name: string): unknown[] =>
  fake.calls.filter((call) => call.name === name).map(({ input }) => input);
const tables = () => page.getByRole('dialog', { name: 'Names of the face shapes' });
const openTables = async (): Promise<FakeStudio> => {
  const fake = await openStudio({}, '#/settings/exports');
  await page.getByRole('button', { name: 'Names…' }).click();
  await expect.element(tables()).toBeVisible();
  return fake;
};

// The first of a file waits until the page has been put together.
test('a table of the studio’s is read and made one’s own, changed in its lines and saved', {
  timeout: 90_000,
}, async () => {
  const fake = await openTables();
  await tables().getByRole('button', { name: 'Character Creator 4' }).click();
  await expect.element(tables().getByText('1 will not move: V_Wide')).toBeVisible();
  await expect.element(tables().getByRole('cell', { name: 'Jaw_Open' })).toBeVisible();
  await expect.element(tables().getByRole('textbox')).not.toBeInTheDocument();

  await tables().getByRole('button', { name: 'Duplicate' }).click();
  const name = tables().getByRole('textbox', { name: 'Name of the table' });
  await expect.element(name).toHaveValue('Character Creator 4, copy');
  await name.fill('Rig 7');
  await tables().getByLabelText('New name, line 1').fill('jaw_drop');
  await tables().getByRole('button', { name: 'Add a line' }).click();
  await expect.element(tables().getByLabelText('Face shape of the head, line 3')).toHaveFocus();
  await userEvent.keyboard('jawOpen{Tab}');
  await expect.element(tables().getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await expect.element(tables().getByText('Lines with a red frame are not finished')).toBeVisible();
  await userEvent.keyboard('chin{Tab}');
  await userEvent.keyboard('{Control>}a{/Control}0,5');
  await tables().getByRole('button', { name: 'Remove line 2' }).click();
  await tables().getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => inputs(fake, 'names.save').at(-1))
    .toEqual({
      id: 'own-1',
      name: 'Rig 7',
      entries: [
        { name: 'jaw_drop', variant: 1, shape: 'jawOpen', weight: 1, side: null },
        { name: 'chin', variant: 1, shape: 'jawOpen', weight: 0.5, side: null },
      ],
    });
  await expect.element(tables().getByText('2 names move the head.')).toBeVisible();
  await expect.element(tables().getByRole('button', { name: /^Rig 7/ })).toBeVisible();
});

test('changes are not lost unasked, and a table is deleted only when it is said again', async () => {
  const fake = await openTables();
  await tables().getByRole('button', { name: 'Duplicate' }).click();
  await tables().getByLabelText('New name, line 1').fill('x');
  await tables().getByRole('button', { name: 'VRChat' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect.element(leaving).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(leaving).not.toBeInTheDocument();
  await expect.element(tables().getByLabelText('New name, line 1')).toHaveValue('x');
  await tables().getByRole('button', { name: 'VRChat' }).click();
  await leaving.getByRole('button', { name: 'Leave without saving' }).click();
  await expect.element(tables().getByText('vrc.v_aa')).toBeVisible();

  await tables()
    .getByRole('button', { name: /^ARKit, copy/ })
    .click();
  await tables().getByRole('button', { name: 'Delete…' }).click();
  expect(inputs(fake, 'names.remove')).toEqual([]);
  await page.getByRole('button', { name: 'Delete the table' }).click();
  await expect.poll(() => inputs(fake, 'names.remove')).toEqual([{ id: 'own-1' }]);
  await expect.element(tables().getByRole('button', { name: /^ARKit, copy/ })).not.toBeInTheDocument();
});

test('a CSV file with a fault is not taken, and says in which line it is', async () => {
  const fake = await openTables();
  const input = document.querySelector<HTMLInputElement>('input[type=file][accept^=".csv"]')!;
  await userEvent.upload(
    input,
    new File(['name,shape,weight\na,jawOpen,bad\n'], 'rig.csv', { type: 'text/csv' }),
  );
  await expect.element(tables().getByText('Line 2, column 5:', { exact: false })).toBeVisible();
  expect(inputs(fake, 'names.importTable')).toEqual([
    { name: 'rig', csv: 'name,shape,weight\na,jawOpen,bad\n' },
  ]);
});

test('the export dialog opens the tables, and stays open below them', async () => {
  await openStudio({ library: { models: [modelOf(1), modelOf(2)] } }, '#/library/model/model-1');
  await page.getByRole('button', { name: 'Export', exact: false }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Export head' });
  await dialog.getByRole('button', { name: 'Names…' }).click();
  await expect.element(tables()).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(tables()).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
});
