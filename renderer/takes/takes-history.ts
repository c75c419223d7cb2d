/** The undo history of the takes page: actions on takes and edits within each take, in one order. */
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import i18next from 'i18next';
import { type Action, useActions } from '../base/actions.ts';
import { type DoneAction, PageHistory } from '../base/page-history.ts';
import { go, parseRoute } from '../base/route.ts';
import { shortcut } from '../base/shortcuts/shortcut-table.ts';
import { createStore } from '../base/store.ts';

export const takesHistory = new PageHistory('takes');

/** Undo and redo of the open take's own edits, from before the page was loaded. */
export interface OpenEdits extends DoneAction {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export const openEdits = createStore<OpenEdits | null>(null);

/** Something that was done within a take: undoing it shows the take. */
export const inTake = (id: string, { label, undo, redo }: DoneAction): DoneAction => {
  const shown = (work: () => Promise<unknown>) => (): Promise<unknown> => {
    showTake(id);
    return work();
  };
  return { label, undo: shown(undo), redo: shown(redo) };
};

export function showTake(id: string): void {
  if (parseRoute(window.location.hash).rest[0] !== id) go('takes', id);
}

/** Fields of a take that are set by themselves. */
export type TakeField = 'name' | 'notes' | 'rating' | 'tags' | 'script' | 'shownFace' | 'dials' | 'noise';

/** Sets a field of a take if it differs; undo restores the previous value. */
export async function changeTake<T>(
  id: string,
  field: TakeField,
  before: T,
  after: T,
  set: (value: T) => Promise<unknown>,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await set(after);
  const label = i18next.t(`takes:done.fields.${field}`);
  takesHistory.record(inTake(id, { label, undo: () => set(before), redo: () => set(after) }));
}

export function undoLast(): void {
  const edits = openEdits.get();
  takesHistory.undo(edits?.canUndo ? edits : undefined);
}

export function redoLast(): void {
  const edits = openEdits.get();
  takesHistory.redo(edits?.canRedo ? edits : undefined);
}

const canUndo = (): boolean => takesHistory.state.get().done.length > 0 || openEdits.get()?.canUndo === true;

function canRedo(): boolean {
  const { undone, isFresh } = takesHistory.state.get();
  return undone.length > 0 || (isFresh && openEdits.get()?.canRedo === true);
}

/** Whether there is something to undo, and to redo, among the takes; and what it is, if that is known. */
export function useTakesHistory(): { canUndo: boolean; canRedo: boolean; last?: string; next?: string } {
  const { done, undone } = takesHistory.state.use();
  openEdits.use();
  const [last, next] = [done.at(-1)?.label, undone.at(-1)?.action?.label];
  return {
    canUndo: canUndo(),
    canRedo: canRedo(),
    ...(last !== undefined && { last }),
    ...(next !== undefined && { next }),
  };
}

const historyActions: readonly Action<undefined>[] = [
  {
    ...shortcut('takes.undo'),
    icon: IconArrowBackUp,
    repeats: true,
    applies: canUndo,
    run: undoLast,
  },
  {
    ...shortcut('takes.redo'),
    icon: IconArrowForwardUp,
    repeats: true,
    applies: canRedo,
    run: redoLast,
  },
];

export const useHistoryActions = (): void => useActions('pages.takes', historyActions, undefined);
