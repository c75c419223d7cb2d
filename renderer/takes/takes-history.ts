/** The undo history of the takes page: actions on takes and edits within each take, in one order. */
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { type Action, useActions } from '../base/actions.ts';
import { withdrawUndo } from '../base/notices.tsx';
import { type DoneAction, PageHistory } from '../base/page-history.ts';
import { go, parseRoute } from '../base/route.ts';
import { shortcut } from '../base/shortcuts/shortcut-table.ts';
import { createStore } from '../base/store.ts';

const history = new PageHistory();

/** Undo and redo of the open take's own edits, from before the page was loaded. */
export interface OpenEdits extends DoneAction {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export const openEdits = createStore<OpenEdits | null>(null);

/** @returns forgets it: it was refused */
export function recordAction(action: DoneAction): () => void {
  withdrawUndo('takes');
  return history.record(action);
}

/** Something that was done within a take: undoing it shows the take. */
export const recordInTake = (id: string, { undo, redo }: DoneAction): (() => void) =>
  recordAction({ undo: () => shown(id, undo), redo: () => shown(id, redo) });

function shown(id: string, work: () => Promise<unknown>): Promise<unknown> {
  showTake(id);
  return work();
}

export function showTake(id: string): void {
  if (parseRoute(window.location.hash).rest[0] !== id) go('takes', id);
}

/** Sets a field of a take if it differs; undo restores the previous value. */
export async function changeTake<T>(
  id: string,
  before: T,
  after: T,
  set: (value: T) => Promise<unknown>,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await set(after);
  recordInTake(id, { undo: () => set(before), redo: () => set(after) });
}

export function undoLast(): void {
  withdrawUndo('takes');
  const edits = openEdits.get();
  history.undo(edits?.canUndo ? edits : undefined);
}

export function redoLast(): void {
  withdrawUndo('takes');
  const edits = openEdits.get();
  history.redo(edits?.canRedo ? edits : undefined);
}

const canUndo = (): boolean => history.state.get().done.length > 0 || openEdits.get()?.canUndo === true;

function canRedo(): boolean {
  const { undone, isFresh } = history.state.get();
  return undone.length > 0 || (isFresh && openEdits.get()?.canRedo === true);
}

/** Whether there is something to undo, and to redo, among the takes. */
export function useTakesHistory(): { canUndo: boolean; canRedo: boolean } {
  history.state.use();
  openEdits.use();
  return { canUndo: canUndo(), canRedo: canRedo() };
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
