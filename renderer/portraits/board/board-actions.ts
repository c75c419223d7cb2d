import {
  IconArchive,
  IconArrowDown,
  IconArrowUp,
  IconArrowUpCircle,
  IconBox,
  IconCrop,
  IconDownload,
  IconEye,
  IconMicrophone,
  IconPencil,
  IconPhotoEdit,
  IconPhotoScan,
  IconPlayerPause,
  IconPlayerPlay,
  IconQuestionMark,
  IconRefresh,
  IconScissors,
  IconTrash,
  IconUsersPlus,
  IconX,
} from '@tabler/icons-react';
import type { BatchOverview, BoardTile, Job } from '#contract';
import { boardStates } from '#contract/constants.ts';
import type { Action } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { studio } from '../../base/studio.ts';
import { download } from '../../ui/download.ts';
import { samePerson, separate } from '../people/people-orders.ts';
import { isFree, isOpen, isOver, owedOf } from '../queue/job-state.ts';
import { markActions } from '../tray/tagging.ts';
import { filterBoard, showAll } from './board-list.ts';
import { canCrop, headOf } from './tile-appearance.ts';
import {
  archive,
  ask,
  bringBack,
  cancelAll,
  cancelJobs,
  crop,
  editOutline,
  makeAgain,
  moveInLine,
  openHead,
  orderAnew,
  removeTiles,
  removeUnusable,
  replacePhoto,
  retryJobs,
  reviewFrom,
  speakWith,
} from './tile-orders.ts';

/** Tiles that the actions apply to: the selected ones. */
export interface TilesAt {
  tiles: readonly BoardTile[];
}

type Appearance = Pick<Action, 'id' | 'words' | 'icon' | 'keys' | 'yields'>;

/** An action on one tile alone. */
const ofOne = (
  appearance: Appearance,
  can: (tile: BoardTile) => boolean,
  run: (tile: BoardTile) => void,
): Action<TilesAt> => ({
  ...appearance,
  applies: ({ tiles: [tile, ...others] }) => tile !== undefined && others.length === 0 && can(tile),
  run: ({ tiles: [tile] }) => tile && run(tile),
});
const ofJob = (
  appearance: Appearance,
  can: (job: Job) => boolean,
  run: (job: Job, tile: BoardTile) => void,
): Action<TilesAt> =>
  ofOne(
    appearance,
    ({ job }) => job !== null && can(job),
    (tile) => tile.job && run(tile.job, tile),
  );

const jobsOf = (tiles: readonly BoardTile[], of: (job: Job) => boolean): Job[] =>
  tiles.flatMap(({ job }) => (job && of(job) ? [job] : []));
const idsOf = (jobs: readonly Job[]): string[] => jobs.map(({ id }) => id);
const isUncertain = ({ state }: Job): boolean => state === 'uncertain';
const isStoppable = (job: Job): boolean => isOpen(job) && !isUncertain(job);
/** Trying again only fetches what was made. */
const isFetched = (job: Job): boolean => ['made', 'gone'].includes(owedOf(job) ?? '');
const isAfterAll = (job: Job): boolean => job.state === 'cancelled' && !isFetched(job);
const isGone = (job: Job): boolean => isOver(job) && job.orderState === 'gone';
const isEditable = ({ photo, job }: BoardTile): boolean => photo !== null && job === null;
const isWaiting = ({ state }: Job): boolean => state === 'queued';
const canLeave = ({ job, state }: BoardTile): boolean => state !== 'making' && (!job || !isOpen(job));
// The grid itself knows Enter for the tile that the cursor is on.
const yields = (): boolean => true;

/** Actions on the selected tiles. */
export const tileActions: readonly Action<TilesAt>[] = [
  ofOne(
    { ...shortcut('tiles.speak'), icon: IconMicrophone },
    (tile) => headOf(tile) !== null,
    (tile) => speakWith(headOf(tile)!),
  ),
  ofOne(
    { ...shortcut('jobs.open'), icon: IconBox, yields },
    (tile) => headOf(tile) !== null,
    (tile) => openHead(headOf(tile)!),
  ),
  ofOne(
    { id: 'tiles.again', words: 'portraits:board.again', icon: IconRefresh },
    (tile) => headOf(tile) !== null,
    (tile) => makeAgain(headOf(tile)!),
  ),
  ofOne({ ...shortcut('tiles.review'), icon: IconEye, yields }, isEditable, ({ id }) => reviewFrom(id)),
  ofOne({ ...shortcut('tiles.crop'), icon: IconCrop }, canCrop, crop),
  ofOne(
    { id: 'tiles.outline', words: 'portraits:outline.correct', icon: IconScissors },
    (tile) => isEditable(tile) && tile.photo?.check !== 'pending' && tile.photo?.check !== 'blocked',
    editOutline,
  ),
  ofOne(
    { id: 'tiles.another', words: 'portraits:board.remedies.another', icon: IconPhotoEdit },
    ({ photo, job }) => photo !== null && (!job || isOver(job)),
    replacePhoto,
  ),
  {
    ...shortcut('jobs.settle'),
    icon: IconQuestionMark,
    yields,
    applies: ({ tiles }) => jobsOf(tiles, isUncertain).length > 0,
    run: ({ tiles }) => ask({ kind: 'settle', ids: idsOf(jobsOf(tiles, isUncertain)) }),
  },
  {
    ...shortcut('jobs.retry'),
    icon: IconRefresh,
    applies: ({ tiles }) =>
      jobsOf(tiles, isOver).length > 0 &&
      !(tiles.length === 1 && jobsOf(tiles, (job) => isFetched(job) || isAfterAll(job)).length > 0),
    run: ({ tiles }) => retryJobs(idsOf(jobsOf(tiles, isOver))),
  },
  ofJob({ ...shortcut('jobs.afterAll'), icon: IconRefresh }, isAfterAll, ({ id }) => retryJobs([id])),
  ofJob(
    { ...shortcut('jobs.fetch'), icon: IconRefresh },
    (job) => isOver(job) && isFetched(job),
    ({ id }) => retryJobs([id]),
  ),
  ofJob(
    { id: 'jobs.anew', words: 'portraits:queue.anew', icon: IconRefresh },
    (job) => isGone(job) && !isFree(job),
    (job) => ask({ kind: 'anew', job }),
  ),
  ofJob(
    { id: 'jobs.anewHere', words: 'portraits:queue.anewHere', icon: IconRefresh },
    (job) => isGone(job) && isFree(job),
    ({ id }) => attempt(() => orderAnew(id)),
  ),
  ofJob({ id: 'jobs.toPhoto', words: 'portraits:queue.toPhoto', icon: IconPhotoEdit }, isOver, (_, tile) =>
    bringBack(tile),
  ),
  ofJob(
    { id: 'jobs.next', words: 'portraits:board.makeNext', icon: IconArrowUpCircle },
    isWaiting,
    (_, tile) => moveInLine(tile, 'first'),
  ),
  ofJob({ ...shortcut('jobs.up'), icon: IconArrowUp }, isWaiting, (_, tile) => moveInLine(tile, 'up')),
  ofJob({ ...shortcut('jobs.down'), icon: IconArrowDown }, isWaiting, (_, tile) => moveInLine(tile, 'down')),
  {
    ...shortcut('jobs.cancel'),
    icon: IconX,
    applies: ({ tiles }) => jobsOf(tiles, isStoppable).length > 0,
    run: ({ tiles }) => cancelJobs(idsOf(jobsOf(tiles, isStoppable))),
  },
  {
    id: 'tiles.archive',
    words: 'portraits:board.archive',
    icon: IconArchive,
    applies: ({ tiles }) => tiles.some(({ state }) => state === 'done'),
    run: ({ tiles }) => archive(tiles.filter(({ state }) => state === 'done').map(({ id }) => id)),
  },
  {
    ...shortcut('tiles.remove'),
    icon: IconTrash,
    applies: ({ tiles }) => tiles.some(canLeave),
    run: ({ tiles }) => removeTiles(tiles.filter(canLeave).map(({ id }) => id)),
  },
];

/** Where a button or a field has the focus, letters and digits are left to it. */
const yieldsOffGrid = (target: EventTarget | null): boolean =>
  target !== document.body && !(target instanceof Element && target.closest('[role="grid"]'));

/** Actions on the selected photos. They need the ids alone: most tiles of a large selection aren't loaded. */
const photoActions: readonly Action<{ ids: string[] }>[] = [
  {
    ...shortcut('photos.samePerson'),
    icon: IconUsersPlus,
    run: (selection) => samePerson(selection),
  },
  { ...shortcut('photos.separate'), run: (selection) => separate(selection) },
  {
    ...shortcut('photos.rename'),
    icon: IconPencil,
    applies: ({ ids }) => ids.length > 1,
    run: () => ask({ kind: 'rename' }),
  },
];
export const chosenActions = photoActions.map((action) => ({ ...action, yields: yieldsOffGrid }));
export const chosenMarks = markActions.map((action) => ({ ...action, yields: yieldsOffGrid }));

/** The board as a whole. */
export interface WholeBoard {
  overview: BatchOverview | undefined;
  /** Heads that can be made now. */
  heads: number;
  make: () => void;
}

const has =
  (state: BoardTile['state']) =>
  ({ overview }: WholeBoard): boolean =>
    (overview?.board[state] ?? 0) > 0;

/** Actions on the board as a whole. */
export const boardActions: readonly Action<WholeBoard>[] = [
  {
    id: 'board.make',
    words: 'portraits:start.none',
    icon: IconPhotoScan,
    applies: ({ heads }) => heads > 0,
    run: ({ make }) => make(),
  },
  {
    id: 'board.review',
    words: 'portraits:review.open',
    icon: IconEye,
    applies: ({ overview }) => (overview?.photos ?? 0) > 0,
    run: () => reviewFrom('0'),
  },
  {
    id: 'board.pause',
    words: 'portraits:queue.pause',
    icon: IconPlayerPause,
    applies: ({ overview }) => overview?.paused === false && overview.open > 0,
    run: () => attempt(() => studio.batch.pause()),
  },
  {
    id: 'board.resume',
    words: 'portraits:board.goOn',
    icon: IconPlayerPlay,
    applies: ({ overview }) => overview?.paused === true,
    run: () => attempt(() => studio.batch.resume()),
  },
  {
    id: 'board.cancelAll',
    words: 'portraits:queue.cancelAll',
    icon: IconX,
    applies: ({ overview }) => (overview?.open ?? 0) > 0,
    run: cancelAll,
  },
  {
    id: 'board.archive',
    words: 'portraits:board.archiveDone',
    icon: IconArchive,
    applies: has('done'),
    run: () => archive(null),
  },
  {
    id: 'board.removeUnusable',
    words: 'portraits:board.removeUnusable',
    icon: IconTrash,
    applies: has('unusable'),
    run: removeUnusable,
  },
  {
    id: 'board.report',
    words: 'portraits:queue.report',
    icon: IconDownload,
    applies: ({ overview }) => Object.values(overview?.jobs ?? {}).some((count) => count > 0),
    run: () => attempt(async () => download(await studio.batch.report())),
  },
  { ...shortcut('board.all'), run: showAll },
  ...boardStates
    .filter((state) => state !== 'checking')
    .map(
      (state): Action<WholeBoard> => ({
        ...shortcut(`board.show.${state}`),
        run: () => {
          filterBoard({ state, reason: undefined });
          go('portraits');
        },
      }),
    ),
];
