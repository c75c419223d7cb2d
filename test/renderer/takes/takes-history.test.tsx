/** Ctrl+Z among the takes: it undoes what was done last, be it a take that went or an edit within one. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { takeList, takeSelection } from '../../../renderer/takes/list/take-list.ts';
import { changeTake } from '../../../renderer/takes/takes-history.ts';
import { takeOf } from '../../fixtures/studio/takes.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(async () => {
  await page.viewport(1280, 900);
  takeSelection.restart();
  takeList.find({});
});

const open = (hash: string) =>
  openStudio(
    {
      takes: {
        takes: ['Anna', 'Ben', 'Cem'].map((name, at) =>
          takeOf(at + 4, { name, createdAt: 1_795_000_000_000 - at * 60_000, shownFace: 'live' }),
        ),
      },
    },
    hash,
  );
type Fake = Awaited<ReturnType<typeof open>>;
const list = () => page.getByRole('grid', { name: 'List of takes' });
const row = (name: RegExp) => page.getByRole('row', { name });
const asked = ({ calls }: Fake, name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

test('what is set to the value that it has leaves nothing to undo', async () => {
  const fake = await open('#/takes/take-4');
  const undo = page.getByRole('button', { name: /^Undo/ });
  await expect.element(undo).toBeDisabled();
  const calls: number[] = [];
  const set = async (): Promise<void> => void calls.push(1);
  await changeTake('take-4', 'name', { name: 'Anna' }, { name: 'Anna' }, set);
  expect(calls).toEqual([]);
  await expect.element(undo).toBeDisabled();
  await changeTake('take-4', 'name', { name: 'Anna' }, { name: 'Anne' }, set);
  await expect.element(undo).toBeEnabled();
  await expect.element(undo).toHaveAccessibleName('Undo: renamed the take');
  expect(asked(fake, 'takeEdits.apply')).toEqual([]);
});

test('a take that was deleted comes back, and an edit of another take is undone only after that', async () => {
  const fake = await open('#/takes/take-4');
  await expect.element(page.getByRole('button', { name: 'Set a marker', exact: true })).toBeVisible();
  await userEvent.keyboard('m');
  await expect.poll(() => asked(fake, 'takeEdits.apply')).toHaveLength(1);
  await row(/^Ben/).click();
  await expect.element(row(/^Ben/)).toHaveAttribute('aria-current', 'true');
  list().element().focus();
  await userEvent.keyboard('{Delete}');
  await expect.element(row(/^Ben/)).not.toBeInTheDocument();

  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(row(/^Ben/)).toHaveAttribute('aria-current', 'true');
  expect(asked(fake, 'takeEdits.undo')).toEqual([]);
  // The message that offered it would undo the edit now.
  await expect.element(page.getByText('“Ben” is in the trash')).not.toBeInTheDocument();
  await expect.element(page.getByText('Undone: moved a take to the trash')).toBeVisible();

  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => asked(fake, 'takeEdits.undo')).toMatchObject([{ id: 'take-4' }]);
  await expect.element(page.getByText('Undone: Marker added')).toBeVisible();
  await expect.element(page.getByText('Undone: moved a take to the trash')).not.toBeInTheDocument();
  await expect.element(row(/^Anna/)).toHaveAttribute('aria-current', 'true');

  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  await expect.poll(() => asked(fake, 'takeEdits.redo')).toMatchObject([{ id: 'take-4' }]);
  await expect.element(page.getByText('Redone: Marker added')).toBeVisible();
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(row(/^Ben/)).not.toBeInTheDocument();
  expect(asked(fake, 'takes.trashMany')).toEqual([{ selection: { ids: ['take-5'] } }]);
});

test('stars of one take and of several are undone in the order in which they were given', async () => {
  const fake = await open('#/takes');
  await row(/^Anna/).click();
  list().element().focus();
  await userEvent.keyboard('2');
  await expect.element(row(/^Anna.*2 stars/)).toBeVisible();
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}5');
  await expect.element(row(/^Ben.*5 stars/)).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(row(/^Anna.*2 stars/)).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(row(/^Anna.*2 stars/)).not.toBeInTheDocument();
  expect(asked(fake, 'takes.undoEdit')).toEqual([{ step: 1 }, { step: 0 }]);
});

test('several that are deleted leave the page without a word of one that is not there', async () => {
  await open('#/takes/take-5');
  await expect.element(row(/^Ben/)).toHaveAttribute('aria-current', 'true');
  await row(/^Ben/).click();
  await row(/^Cem/).click({ modifiers: ['ControlOrMeta'] });
  await expect.element(page.getByRole('heading', { name: '2 takes selected' })).toBeVisible();
  list().element().focus();
  await userEvent.keyboard('{Delete}');
  await expect.element(page.getByText('2 takes are in the trash')).toBeVisible();
  await expect.element(row(/^Anna/)).toHaveAttribute('aria-current', 'true');
  expect(location.hash).toBe('#/takes');
  await expect.element(page.getByText('No longer exists')).not.toBeInTheDocument();
});

test('a take that came out of the trash goes back into it', async () => {
  const fake = await open('#/takes/take-4');
  await row(/^Ben/).click();
  list().element().focus();
  await userEvent.keyboard('{Delete}');
  await page.getByRole('button', { name: 'Trash (1)' }).click();
  await page.getByRole('button', { name: 'Restore “Ben”' }).click();
  await expect.element(row(/^Ben/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(row(/^Ben/)).not.toBeInTheDocument();
  expect(asked(fake, 'takes.trashMany')).toEqual([{ selection: { ids: ['take-5'] } }]);
});
