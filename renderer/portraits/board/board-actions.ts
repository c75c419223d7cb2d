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
  IconPhotoEdit,
  IconPhotoScan,
  IconPlayerPause,
  IconPlayerPlay,
  IconQuestionMark,
  IconRefresh,
  IconScissors,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import type { BatchOverview, BoardTile, Job } from '#contract';
import { boardStates } from '#contract/constants.ts';
import type { Action } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { download } from '../../ui/download.ts';
import { isFree, isOpen, isOver, owedOf } from '../queue/job-state.ts';
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

/** An action on one tile alone. */
const ofOne = (
  id: string,
  appearance: Pick<Action, 'words' | 'icon' | 'keys' | 'yields'>,
  can: (tile: BoardTile) => boolean,
  run: (tile: BoardTile) => void,
): Action<TilesAt> => ({
  id,
  ...appearance,
  applies: ({ tiles: [tile, ...others] }) => tile !== undefined && others.length === 0 && can(tile),
  run: ({ tiles: [tile] }) => tile && run(tile),
});
const ofJob = (
  id: string,
  appearance: Pick<Action, 'words' | 'icon' | 'keys' | 'yields'>,
  can: (job: Job) => boolean,
  run: (job: Job, tile: BoardTile) => void,
): Action<TilesAt> =>
  ofOne(
    `jobs.${id}`,
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
const isGone = (job: Job): boolean => isOver(job) && job.standing === 'gone';
const isEditable = ({ photo, job }: BoardTile): boolean => photo !== null && job === null;
const isWaiting = ({ state }: Job): boolean => state === 'queued';
const canLeave = ({ job, state }: BoardTile): boolean => state !== 'making' && (!job || !isOpen(job));
// The grid itself knows Enter for the tile that the cursor is on.
const yields = (): boolean => true;

/** Actions on the selected tiles. */
export const tileActions: readonly Action<TilesAt>[] = [
  ofOne(
    'tiles.speak',
    { words: 'portraits:board.speak', icon: IconMicrophone, keys: ['K'] },
    (tile) => headOf(tile) !== null,
    (tile) => speakWith(headOf(tile)!),
  ),
  ofOne(
    'jobs.open',
    { words: 'portraits:queue.open', icon: IconBox, keys: ['Enter'], yields },
    (tile) => headOf(tile) !== null,
    (tile) => openHead(headOf(tile)!),
  ),
  ofOne(
    'tiles.again',
    { words: 'portraits:board.again', icon: IconRefresh },
    (tile) => headOf(tile) !== null,
    (tile) => makeAgain(headOf(tile)!),
  ),
  ofOne(
    'tiles.review',
    { words: 'portraits:review.open', icon: IconEye, keys: ['Enter'], yields },
    isEditable,
    ({ id }) => reviewFrom(id),
  ),
  ofOne('tiles.crop', { words: 'portraits:crop.open', icon: IconCrop, keys: ['C'] }, canCrop, crop),
  ofOne(
    'tiles.outline',
    { words: 'portraits:outline.correct', icon: IconScissors },
    (tile) => isEditable(tile) && tile.photo?.check !== 'pending' && tile.photo?.check !== 'blocked',
    editOutline,
  ),
  ofOne(
    'tiles.another',
    { words: 'portraits:board.remedies.another', icon: IconPhotoEdit },
    ({ photo, job }) => photo !== null && (!job || isOver(job)),
    replacePhoto,
  ),
  {
    id: 'jobs.settle',
    words: 'portraits:settle.short',
    icon: IconQuestionMark,
    keys: ['Enter'],
    yields,
    applies: ({ tiles }) => jobsOf(tiles, isUncertain).length > 0,
    run: ({ tiles }) => ask({ kind: 'settle', ids: idsOf(jobsOf(tiles, isUncertain)) }),
  },
  {
    id: 'jobs.retry',
    words: 'portraits:queue.retry',
    icon: IconRefresh,
    keys: ['R'],
    applies: ({ tiles }) =>
      jobsOf(tiles, isOver).length > 0 &&
      !(tiles.length === 1 && jobsOf(tiles, (job) => isFetched(job) || isAfterAll(job)).length > 0),
    run: ({ tiles }) => retryJobs(idsOf(jobsOf(tiles, isOver))),
  },
  ofJob(
    'afterAll',
    { words: 'portraits:queue.afterAll', icon: IconRefresh, keys: ['R'] },
    isAfterAll,
    ({ id }) => retryJobs([id]),
  ),
  ofJob(
    'fetch',
    { words: 'portraits:queue.fetch', icon: IconRefresh, keys: ['R'] },
    (job) => isOver(job) && isFetched(job),
    ({ id }) => retryJobs([id]),
  ),
  ofJob(
    'anew',
    { words: 'portraits:queue.anew', icon: IconRefresh },
    (job) => isGone(job) && !isFree(job),
    (job) => ask({ kind: 'anew', job }),
  ),
  ofJob(
    'anewHere',
    { words: 'portraits:queue.anewHere', icon: IconRefresh },
    (job) => isGone(job) && isFree(job),
    ({ id }) => attempt(() => orderAnew(id)),
  ),
  ofJob('toPhoto', { words: 'portraits:queue.toPhoto', icon: IconPhotoEdit }, isOver, (_, tile) =>
    bringBack(tile),
  ),
  ofJob('next', { words: 'portraits:board.makeNext', icon: IconArrowUpCircle }, isWaiting, (_, tile) =>
    moveInLine(tile, 'first'),
  ),
  ofJob(
    'up',
    { words: 'portraits:queue.up', icon: IconArrowUp, keys: ['Alt+ArrowUp'] },
    isWaiting,
    (_, tile) => moveInLine(tile, 'up'),
  ),
  ofJob(
    'down',
    { words: 'portraits:queue.down', icon: IconArrowDown, keys: ['Alt+ArrowDown'] },
    isWaiting,
    (_, tile) => moveInLine(tile, 'down'),
  ),
  {
    id: 'jobs.cancel',
    words: 'portraits:board.cancel',
    icon: IconX,
    keys: ['Delete'],
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
    id: 'tiles.remove',
    words: 'portraits:remove',
    icon: IconTrash,
    keys: ['Delete', 'Backspace'],
    applies: ({ tiles }) => tiles.some(canLeave),
    run: ({ tiles }) => removeTiles(tiles.filter(canLeave).map(({ id }) => id)),
  },
];

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
  { id: 'board.all', words: 'portraits:board.all', keys: ['Alt+1'], run: showAll },
  ...boardStates
    .filter((state) => state !== 'checking')
    .map(
      (state, at): Action<WholeBoard> => ({
        id: `board.show.${state}`,
        of: 'portraits:board.show',
        words: `portraits:board.states.${state}`,
        keys: [`Alt+${at + 2}`],
        run: () => {
          filterBoard({ state, reason: undefined });
          go('portraits');
        },
      }),
    ),
];
