/** Edits of models. Every change here can be undone, and offers to; where nothing changed there is none to undo. */
import i18next from 'i18next';
import type { CallInput, ErasureReceipt } from '#contract';
import { headSteps } from '#contract/constants.ts';
import { notify, offerUndo, withdrawUndo } from '../base/notices.tsx';
import { PageHistory, readStep } from '../base/page-history.ts';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { download } from '../ui/download.ts';
import { type ModelSelection, modelSelection } from './model-list.ts';

export type ModelChanges = CallInput<'library', 'edit'>['changes'];

const words = () => i18next.getFixedT(null, 'library');

/** Main's name of a step, in words. */
function labelOf(name: string): string {
  const { step, count } = readStep(name, headSteps);
  return words()(`undoSteps.${step}`, { count });
}

/** Main keeps the steps on heads; here are those on poses, and on looks that are not made yet. */
export const libraryHistory = new PageHistory('library', {
  lastStep: async () => (await studio.library.lastStep()).step,
  async undo(after) {
    const { undone } = await studio.library.undo({ after });
    return undone ? labelOf(undone) : null;
  },
  async redo() {
    const { redone } = await studio.library.redo();
    return redone ? { label: labelOf(redone) } : null;
  },
});

export const undo = (): void => libraryHistory.undo();

/** @param collection - Name of the collection, if they were put into it from elsewhere. */
export async function edit(
  selection: ModelSelection,
  changes: ModelChanges,
  collection?: string,
): Promise<void> {
  const { changed } = await studio.library.edit({ selection, changes });
  const several = !('ids' in selection) || selection.ids.length > 1;
  if (changed === 0) {
    const title =
      collection === undefined ? words()('unchanged') : words()('inAlready', { name: collection });
    if (several || collection !== undefined) notify({ level: 'info', title, text: '' });
    return;
  }
  withdrawUndo('library');
  if (collection !== undefined)
    offerUndo('library', words()('collected', { count: changed, name: collection }), undo);
  // A single model's change is visible; for many, report how many there were.
  else if (several) offerUndo('library', words()('edited', { count: changed }), undo);
}

export async function trash(selection: ModelSelection): Promise<void> {
  const { trashed } = await studio.library.trash({ selection });
  modelSelection.clear();
  if (trashed > 0) offerUndo('library', words()('trashed', { count: trashed }), undo);
}

export async function restore(selection: ModelSelection): Promise<void> {
  const { restored } = await studio.library.restore({ selection });
  modelSelection.clear();
  if (restored > 0) offerUndo('library', words()('restored', { count: restored }), undo);
}

/** Deletes a collection, a saved search or a version, and offers to bring it back. */
export async function removed(work: Promise<unknown>, name: string): Promise<void> {
  await work;
  offerUndo('library', words()('removed', { name }), undo);
}

/** The result of the last erasure, until it was read. */
export const erasureReceipt = createStore<ErasureReceipt | null>(null);

export async function erase(selection: ModelSelection, takes: boolean): Promise<void> {
  const receipt = await studio.library.erase({ selection, takes });
  modelSelection.clear();
  for (const id of receipt.ids) libraryHistory.forgetAll(id);
  erasureReceipt.set(receipt);
}

export async function saveRecords(selection: ModelSelection, format: 'csv' | 'json'): Promise<void> {
  download(await studio.library.exportRecords({ selection, format }));
}
