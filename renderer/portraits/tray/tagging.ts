/** Sets fields of photos, with undo. */
import { IconArrowBackUp } from '@tabler/icons-react';
import i18next from 'i18next';
import type { CallInput } from '#contract';
import type { Action } from '../../base/actions.ts';
import { attempt, notify, offerUndo, withdrawUndo } from '../../base/notices.tsx';
import { PageHistory, readStep } from '../../base/page-history.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { studio } from '../../base/studio.ts';
import type { PhotoSelection } from '../board/board-list.ts';

export type PhotoWords = CallInput<'batch', 'tag'>['set'];

const words = () => i18next.getFixedT(null, 'portraits');

const steps = [
  'tag',
  'tag by folder',
  'manifest',
  'rename',
  'reopen',
  'remove',
  'archive',
  'cancel',
  'reorder',
  'same person',
  'separate',
  'front photo',
] as const;

/** Main keeps all steps. */
const history = new PageHistory('portraits', {
  async undo() {
    const { undone } = await studio.batch.undo();
    if (!undone) return null;
    const { what, count } = readStep(undone);
    const step = steps.find((one) => one === what);
    return step ? words()(`undoSteps.${step}`, { count }) : words()('undoSteps.other');
  },
});

export const undo = (): void => history.undo();

export const photoHistory: readonly Action<undefined>[] = [
  { ...shortcut('photos.undo'), icon: IconArrowBackUp, run: undo },
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
