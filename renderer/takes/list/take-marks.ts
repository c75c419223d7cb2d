/** Actions on one take or many. Each can be undone and offers to. */
import i18next from 'i18next';
import type { CallInput, TakeSelection } from '#contract';
import { notify } from '../../base/notices.tsx';
import type { DoneAction } from '../../base/page-history.ts';
import { go, parseRoute } from '../../base/route.ts';
import { StudioFailure, studio } from '../../base/studio.ts';
import { showTake, takesHistory } from '../takes-history.ts';
import { takeBeside, takeSelection } from './take-list.ts';

const words = () => i18next.getFixedT(null, 'takes');

export async function markTakes(
  selection: TakeSelection,
  changes: CallInput<'takes', 'editMany'>['changes'],
): Promise<void> {
  let made = await studio.takes.editMany({ selection, changes });
  const { changed } = made;
  if (changed === 0) return;
  const action = {
    label: words()('done.marks', { count: changed }),
    undo: () => studio.takes.undoEdit({ step: made.step }),
    async redo() {
      made = await studio.takes.editMany({ selection, changes });
    },
  };
  // A single take's change is seen.
  if (changed > 1 || !('ids' in selection))
    takesHistory.offer(words()('list.changed', { count: changed }), action);
  else takesHistory.record(action);
}

export async function trashTakes(selection: TakeSelection): Promise<void> {
  // What the page shows leaves it first: nothing of it may be asked for when it is gone.
  const [shown] = parseRoute(window.location.hash).rest;
  if (shown !== undefined && (!('ids' in selection) || selection.ids.includes(shown))) go('takes');
  const { trashed } = await studio.takes.trashMany({ selection });
  takeSelection.clear();
  if (trashed.length === 0) return;
  takesHistory.offer(words()('list.trashed', { count: trashed.length }), trashing(trashed));
}

export async function trashTake({ id, name }: { id: string; name: string }): Promise<void> {
  const next = takeBeside(id);
  if (next === null) go('takes');
  else go('takes', next);
  try {
    await studio.takes.trash({ id });
  } catch (thrown) {
    go('takes', id);
    throw thrown;
  }
  takesHistory.offer(words()('trashed', { name }), trashing([id]));
}

const trashing = (ids: string[]): DoneAction => ({
  label: words()('done.trashed', { count: ids.length }),
  undo: () => bringBack(ids),
  redo: () => trashAgain(ids),
});

/** Takes a take out of the trash. */
export async function restoreTake(id: string): Promise<void> {
  await studio.takes.restore({ id });
  const label = words()('done.restored');
  takesHistory.record({ label, undo: () => trashAgain([id]), redo: () => bringBack([id]) });
}

async function bringBack(ids: string[]): Promise<void> {
  const { restored } = await studio.takes.restoreMany({ ids });
  // Erased since.
  if (restored === 0) throw new StudioFailure({ code: 'not_found', message: '', hint: '', retryable: false });
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) showTake(only);
}

async function trashAgain(ids: string[]): Promise<void> {
  const [shown] = parseRoute(window.location.hash).rest;
  if (shown !== undefined && ids.includes(shown)) go('takes');
  await studio.takes.trashMany({ selection: { ids } });
}

/** New takes that were made of others: undone, they are in the trash. */
export function recordMade(label: string, ids: string[], of: string): void {
  takesHistory.record({
    label,
    async undo() {
      showTake(of);
      await studio.takes.trashMany({ selection: { ids } });
    },
    async redo() {
      await studio.takes.restoreMany({ ids });
      if (ids[0] !== undefined) showTake(ids[0]);
    },
  });
}

/** Makes one take of several, one after the other as they are given. */
export async function joinTakes(ids: readonly string[], name: string): Promise<void> {
  const take = await studio.takeEdits.join({ ids: [...ids], name });
  if (ids[0] !== undefined) recordMade(words()('done.joined', { count: ids.length }), [take.id], ids[0]);
  go('takes', take.id);
  notify({
    level: 'success',
    title: words()('list.joined', { name: take.name, count: ids.length }),
    text: '',
  });
}
