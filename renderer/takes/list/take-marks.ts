/** Actions on one take or many. Each can be undone and offers to. */
import i18next from 'i18next';
import type { CallInput, TakeSelection } from '#contract';
import { notify, offerUndo } from '../../base/notices.tsx';
import { go, parseRoute } from '../../base/route.ts';
import { StudioFailure, studio } from '../../base/studio.ts';
import { recordAction, showTake, undoLast } from '../takes-history.ts';
import { takeBeside, takeSelection } from './take-list.ts';

const words = () => i18next.getFixedT(null, 'takes');

export async function markTakes(
  selection: TakeSelection,
  changes: CallInput<'takes', 'editMany'>['changes'],
): Promise<void> {
  let made = await studio.takes.editMany({ selection, changes });
  const { changed } = made;
  if (changed === 0) return;
  recordAction({
    undo: () => studio.takes.undoEdit({ step: made.step }),
    async redo() {
      made = await studio.takes.editMany({ selection, changes });
    },
  });
  // A single take's change is seen.
  if (changed > 1 || !('ids' in selection))
    offerUndo('takes', words()('list.changed', { count: changed }), undoLast);
}

export async function trashTakes(selection: TakeSelection): Promise<void> {
  // What the page shows leaves it first: nothing of it may be asked for when it is gone.
  const [shown] = parseRoute(window.location.hash).rest;
  if (shown !== undefined && (!('ids' in selection) || selection.ids.includes(shown))) go('takes');
  const { trashed } = await studio.takes.trashMany({ selection });
  takeSelection.clear();
  if (trashed.length === 0) return;
  recordTrashed(trashed);
  offerUndo('takes', words()('list.trashed', { count: trashed.length }), undoLast);
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
  recordTrashed([id]);
  offerUndo('takes', words()('trashed', { name }), undoLast);
}

function recordTrashed(ids: string[]): void {
  recordAction({
    async undo() {
      const { restored } = await studio.takes.restoreMany({ ids });
      // Erased since.
      if (restored === 0)
        throw new StudioFailure({ code: 'not_found', message: '', hint: '', retryable: false });
      const [only] = ids;
      if (ids.length === 1 && only !== undefined) showTake(only);
    },
    redo: () => trashAgain(ids),
  });
}

async function trashAgain(ids: string[]): Promise<void> {
  const [shown] = parseRoute(window.location.hash).rest;
  if (shown !== undefined && ids.includes(shown)) go('takes');
  await studio.takes.trashMany({ selection: { ids } });
}

/** New takes that were made of others: undone, they are in the trash. */
export function recordMade(ids: string[], of: string): void {
  recordAction({
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
  if (ids[0] !== undefined) recordMade([take.id], ids[0]);
  go('takes', take.id);
  notify({
    level: 'success',
    title: words()('list.joined', { name: take.name, count: ids.length }),
    text: '',
  });
}
