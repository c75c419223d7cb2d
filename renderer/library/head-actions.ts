/** Actions on heads: those selected in the list, or the one whose page is open. */
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconColumns2,
  IconDownload,
  IconEye,
  IconFlag,
  IconFlagOff,
  IconFolderOpen,
  IconMicrophone,
  IconPencil,
  IconPhotoScan,
  IconRestore,
  IconScissors,
  IconShieldCheck,
  IconStar,
  IconTable,
  IconTag,
  IconThumbDown,
  IconTrash,
  IconTrashX,
} from '@tabler/icons-react';
import type { ModelCard } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import type { Action } from '../base/actions.ts';
import { attempt } from '../base/notices.tsx';
import { go } from '../base/route.ts';
import { shortcut } from '../base/shortcuts/shortcut-table.ts';
import { studio } from '../base/studio.ts';
import { changeLive } from '../live/live-settings.ts';
import { edit, libraryHistory, restore, saveRecords, trash, undo } from './edits.ts';
import type { ModelSelection } from './model-list.ts';

export type HeadDialog = 'rename' | 'export' | 'tags' | 'consent' | 'erase' | 'makeAgain';
/** Most heads that can be compared side by side. */
export const maxCompared = 4;

export interface HeadsAt {
  selection: ModelSelection;
  count: number;
  /** Those of them that are known here; all of them where there are no more than `mostCompared`. */
  heads: readonly ModelCard[];
  inTrash: boolean;
  /** True on the page of one head, which has fields instead of dialogs for some actions. */
  onPage: boolean;
  ask(dialog: HeadDialog): void;
}

/** One head, whose page is open. Its dialogs are none of the list’s. */
export const headsOnPage = (head: ModelCard, ask: HeadsAt['ask'] = () => undefined): HeadsAt => ({
  selection: { ids: [head.id] },
  count: 1,
  heads: [head],
  inTrash: head.trashedAt !== null,
  onPage: true,
  ask,
});

const some = ({ count, inTrash }: HeadsAt): boolean => count > 0 && !inTrash;
const trashed = ({ count, inTrash }: HeadsAt): boolean => count > 0 && inTrash;
const several = (at: HeadsAt): boolean => some(at) && !at.onPage;
/** The only one, where there is only one. */
const one = ({ count, heads }: HeadsAt): ModelCard | undefined => (count === 1 ? heads[0] : undefined);
const canBeSeen = ({ state }: ModelCard): boolean => state === 'ok' || state === 'broken_record';
const oneSeen = (at: HeadsAt): boolean => {
  const head = one(at);
  return head !== undefined && some(at) && canBeSeen(head);
};
const oneWithPhoto = (at: HeadsAt): boolean => some(at) && one(at)?.hasPortrait === true;

/** Puts the photo of a head back into the tray, with its settings. */
const reopen = (modelId: string, then: (photoId: string) => void): void =>
  attempt(async () => {
    const { photoId } = await studio.batch.reopen({ modelId });
    then(photoId);
  });

export const headActions: readonly Action<HeadsAt>[] = [
  {
    ...shortcut('heads.open'),
    icon: IconEye,
    applies: (at) => one(at) !== undefined && !at.onPage,
    // The list itself knows Enter for the one that the cursor is on.
    yields: () => true,
    run: (at) => go('library', 'model', one(at)!.id),
  },
  {
    ...shortcut('heads.compare'),
    icon: IconColumns2,
    applies: (at) => several(at) && at.count >= 2 && at.count <= maxCompared && at.heads.every(canBeSeen),
    run: ({ heads }) => go('library', 'compare', ...heads.map(({ id }) => id)),
  },
  {
    ...shortcut('heads.speak'),
    icon: IconMicrophone,
    applies: oneSeen,
    run: (at) => {
      changeLive({ modelId: one(at)!.id });
      go('live');
    },
  },
  {
    id: 'heads.makeAgain',
    words: 'library:act.makeAgain',
    icon: IconPhotoScan,
    // Of several, those without a photo are told of afterwards.
    applies: (at) => several(at) || oneWithPhoto(at),
    run: ({ ask }) => ask('makeAgain'),
  },
  {
    id: 'heads.outline',
    words: 'portraits:outline.correct',
    icon: IconScissors,
    applies: (at) => oneWithPhoto(at) && one(at)!.profileId === builtInProfileId,
    run: (at) => reopen(one(at)!.id, (photoId) => go('portraits', 'outline', photoId)),
  },
  ...([5, 4, 3, 2, 1, 0] as const).map(
    (rating): Action<HeadsAt> => ({
      ...shortcut(`heads.rate.${rating}`),
      icon: IconStar,
      // On the page of a head 0 shows all of it.
      applies: rating === 0 ? several : some,
      run: ({ selection }) => attempt(() => edit(selection, { rating })),
    }),
  ),
  {
    ...shortcut('heads.pick'),
    icon: IconFlag,
    applies: some,
    run: ({ selection }) => attempt(() => edit(selection, { flag: 'pick' })),
  },
  {
    ...shortcut('heads.reject'),
    icon: IconThumbDown,
    applies: some,
    run: ({ selection }) => attempt(() => edit(selection, { flag: 'reject' })),
  },
  {
    ...shortcut('heads.unflag'),
    icon: IconFlagOff,
    applies: some,
    run: ({ selection }) => attempt(() => edit(selection, { flag: null })),
  },
  {
    id: 'heads.tags',
    words: 'library:bulk.tags',
    icon: IconTag,
    applies: several,
    run: ({ ask }) => ask('tags'),
  },
  {
    ...shortcut('heads.rename'),
    icon: IconPencil,
    applies: several,
    run: ({ ask }) => ask('rename'),
  },
  {
    id: 'heads.consent',
    words: 'library:bulk.consent',
    icon: IconShieldCheck,
    applies: several,
    run: ({ ask }) => ask('consent'),
  },
  {
    ...shortcut('heads.export'),
    icon: IconDownload,
    applies: (at) => some(at) && (!at.onPage || one(at)?.state === 'ok'),
    run: ({ ask }) => ask('export'),
  },
  {
    id: 'heads.exportCsv',
    words: 'library:bulk.exportCsv',
    icon: IconTable,
    applies: several,
    run: ({ selection }) => attempt(() => saveRecords(selection, 'csv')),
  },
  {
    id: 'heads.exportJson',
    words: 'library:bulk.exportJson',
    icon: IconTable,
    applies: several,
    run: ({ selection }) => attempt(() => saveRecords(selection, 'json')),
  },
  {
    id: 'heads.reveal',
    words: 'library:reveal',
    icon: IconFolderOpen,
    applies: (at) => one(at) !== undefined,
    run: (at) => attempt(() => studio.library.reveal({ id: one(at)!.id })),
  },
  {
    ...shortcut('heads.trash'),
    icon: IconTrash,
    applies: some,
    run: ({ selection, onPage }) =>
      attempt(async () => {
        await trash(selection);
        if (onPage) go('library');
      }),
  },
  {
    id: 'heads.restore',
    words: 'library:bulk.restore',
    icon: IconRestore,
    applies: trashed,
    run: ({ selection }) => attempt(() => restore(selection)),
  },
  {
    ...shortcut('heads.erase'),
    icon: IconTrashX,
    applies: trashed,
    run: ({ ask }) => ask('erase'),
  },
  {
    // Without a key: on the page of a head Delete moves it to the trash.
    id: 'heads.eraseAtOnce',
    words: 'library:page.erase',
    icon: IconTrashX,
    applies: (at) => some(at) && at.onPage,
    run: ({ ask }) => ask('erase'),
  },
  {
    ...shortcut('heads.undo'),
    icon: IconArrowBackUp,
    run: undo,
  },
  {
    ...shortcut('heads.redo'),
    icon: IconArrowForwardUp,
    run: () => libraryHistory.redo(),
  },
];

/** The page of one head among those that it was opened from. */
export interface PageAt {
  previous: string | undefined;
  next: string | undefined;
}

export const pageActions: readonly Action<PageAt>[] = [
  {
    ...shortcut('page.previous'),
    icon: IconChevronLeft,
    repeats: true,
    applies: ({ previous }) => previous !== undefined,
    run: ({ previous }) => go('library', 'model', previous!),
  },
  {
    ...shortcut('page.next'),
    icon: IconChevronRight,
    repeats: true,
    applies: ({ next }) => next !== undefined,
    run: ({ next }) => go('library', 'model', next!),
  },
  {
    ...shortcut('page.back'),
    icon: IconArrowLeft,
    // Escape leaves full screen first; the browser does that.
    applies: () => !document.fullscreenElement,
    run: () => go('library'),
  },
];
