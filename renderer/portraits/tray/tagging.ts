/** Sets fields of photos, with undo. */
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import i18next from 'i18next';
import type { CallInput } from '#contract';
import { photoSteps } from '#contract/constants.ts';
import type { Action } from '../../base/actions.ts';
import { attempt, notify, offerUndo, withdrawUndo } from '../../base/notices.tsx';
import { PageHistory, readStep } from '../../base/page-history.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { studio } from '../../base/studio.ts';
import type { PhotoSelection } from '../board/board-list.ts';

export type PhotoWords = CallInput<'batch', 'tag'>['set'];

const words = () => i18next.getFixedT(null, 'portraits');

/** Main's name of a step, in words. */
function labelOf(name: string): string {
  const { step, count } = readStep(name, photoSteps);
  return words()(`undoSteps.${step}`, { count });
}

/** Main keeps all steps. */
const history = new PageHistory('portraits', {
  async undo() {
    const { undone } = await studio.batch.undo();
    return undone ? labelOf(undone) : null;
  },
  async redo() {
    const { redone, refused } = await studio.batch.redo();
    return redone ? { label: labelOf(redone), isRefused: refused } : null;
  },
});

export const undo = (): void => history.undo();

export const photoHistory: readonly Action<undefined>[] = [
  { ...shortcut('photos.undo'), icon: IconArrowBackUp, run: undo },
  { ...shortcut('photos.redo'), icon: IconArrowForwardUp, run: () => history.redo() },
];

/** Sets the sex or the eyelid of photos by key. */
export const markActions: readonly Action<(set: PhotoWords) => void>[] = [
  { ...shortcut('photos.female'), run: (set) => set({ sex: 'female' }) },
  { ...shortcut('photos.male'), run: (set) => set({ sex: 'male' }) },
  { ...shortcut('photos.single'), run: (set) => set({ eyelidType: 'single' }) },
  { ...shortcut('photos.double'), run: (set) => set({ eyelidType: 'double' }) },
  { ...shortcut('photos.noEyelid'), run: (set) => set({ eyelidType: null }) },
];

/** Sets the same value for all of these. For several photos it is reported, with undo. */
export async function tagged(selection: PhotoSelection, set: PhotoWords): Promise<void> {
  const { changed } = await studio.batch.tag({ selection, set });
  if (changed === 0) return;
  withdrawUndo('portraits');
  if (changed > 1) offerUndo('portraits', words()('tagged', { count: changed }), undo);
}

export const tag = (selection: PhotoSelection, set: PhotoWords): void =>
  attempt(() => tagged(selection, set));

export function tagByFolder(selection: PhotoSelection): void {
  attempt(async () => {
    const { female, male, unclear, changed } = await studio.batch.tagByFolder({ selection });
    const t = words();
    const text = [
      t('byFolderCounts', { female, male }),
      unclear > 0 ? t('byFolderUnclear', { count: unclear }) : '',
    ].join(' ');
    if (changed > 0) offerUndo('portraits', t('byFolderDone', { count: changed }), undo, text);
    else notify({ level: 'info', title: t('unchanged'), text });
  });
}
