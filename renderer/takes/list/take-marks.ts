/** What is done with one take or many. All of it can be taken back, and offers to. */
import i18next from 'i18next';
import type { CallInput, TakeSelection } from '#contract';
import { attempt, offerUndo, tell } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { takeBeside, takeSelection } from './take-list.ts';

const words = () => i18next.getFixedT(null, 'takes');

const undoEdit = (): void => attempt(() => studio.takes.undoEdit());

export async function markTakes(
  selection: TakeSelection,
  changes: CallInput<'takes', 'editMany'>['changes'],
): Promise<void> {
  const { changed } = await studio.takes.editMany({ selection, changes });
  // A single take's change is seen.
  if (changed > 1 || !('ids' in selection)) offerUndo(words()('list.changed', { count: changed }), undoEdit);
}

export async function trashTakes(selection: TakeSelection): Promise<void> {
  const { trashed } = await studio.takes.trashMany({ selection });
  takeSelection.clear();
  if (trashed.length === 0) return;
  offerUndo(words()('list.trashed', { count: trashed.length }), () =>
    attempt(() => studio.takes.restoreMany({ ids: trashed })),
  );
}

export async function trashTake({ id, name }: { id: string; name: string }): Promise<void> {
  const next = takeBeside(id);
  await studio.takes.trash({ id });
  if (next !== null) go('takes', next);
  offerUndo(words()('trashed', { name }), () =>
    attempt(async () => {
      await studio.takes.restore({ id });
      go('takes', id);
    }),
  );
}

/** Makes one take of several, one after the other as they are given. */
export async function joinTakes(ids: readonly string[], name: string): Promise<void> {
  const take = await studio.takes.join({ ids: [...ids], name });
  go('takes', take.id);
  tell({ level: 'success', title: words()('list.joined', { name: take.name, count: ids.length }), text: '' });
}
