import { editLimits } from '@likeness/proto/takes/edits/edit_limits.ts';
import { IconArrowMerge, IconStar, IconTag, IconTrash } from '@tabler/icons-react';
import type { TakeSelection } from '#contract';
import type { Action } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { markTakes, trashTakes } from './take-marks.ts';

/** The target of actions on takes. */
export interface TakesAt {
  selection: TakeSelection;
  count: number;
  /** Opens a dialog on them. */
  ask: (dialog: TakesDialog) => void;
}

export type TakesDialog = 'tags' | 'join';

const rates = ([0, 1, 2, 3, 4, 5] as const).map(
  (rating): Action<TakesAt> => ({
    ...shortcut(`takes.rate.${rating}`),
    icon: IconStar,
    run: ({ selection }) => attempt(() => markTakes(selection, { rating })),
  }),
);

/** Actions for the selected takes, one or many. */
export const takeListActions: readonly Action<TakesAt>[] = [
  ...rates,
  {
    ...shortcut('takes.tags'),
    icon: IconTag,
    run: ({ ask }) => ask('tags'),
  },
  {
    id: 'takes.join',
    words: 'takes:list.join',
    icon: IconArrowMerge,
    // Of everything that was found nobody knows the order.
    applies: ({ selection, count }) => 'ids' in selection && count > 1 && count <= editLimits.joined,
    run: ({ ask }) => ask('join'),
  },
  {
    ...shortcut('takes.trash'),
    icon: IconTrash,
    // One that is shown has its own.
    applies: ({ count }) => count > 1,
    run: ({ selection }) => attempt(() => trashTakes(selection)),
  },
];
