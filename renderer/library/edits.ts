/** Edits of models. Every change here can be undone, and offers to; where nothing changed there is none to undo. */
import i18next from 'i18next';
import type { CallInput, ErasureReceipt } from '#contract';
import { attempt, notify, offerUndo, withdrawUndo } from '../base/notices.tsx';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { download } from '../ui/download.ts';
import { type ModelSelection, modelSelection } from './model-list.ts';

export type ModelChanges = CallInput<'library', 'edit'>['changes'];

const words = () => i18next.getFixedT(null, 'library');

export function undo(): void {
  withdrawUndo('library');
  attempt(async () => {
    const { undone } = await studio.library.undo();
    notify({ level: 'info', title: undone ? words()('undone') : words()('nothingToUndo'), text: '' });
  });
}

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

/** The result of the last erasure, until it was read. */
export const erasureReceipt = createStore<ErasureReceipt | null>(null);

export async function erase(selection: ModelSelection, takes: boolean): Promise<void> {
  const receipt = await studio.library.erase({ selection, takes });
  modelSelection.clear();
  erasureReceipt.set(receipt);
}

export async function saveRecords(selection: ModelSelection, format: 'csv' | 'json'): Promise<void> {
  download(await studio.library.exportRecords({ selection, format }));
}
