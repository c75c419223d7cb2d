/** Actions on tiles, started by a button, a key or a menu. */
import i18next from 'i18next';
import type { BatchOverview, BoardTile, Job } from '#contract';
import { rememberViewedHead } from '../../base/last-viewed-head.ts';
import { attempt, notify, offer, offerUndo, withdrawUndo } from '../../base/notices.tsx';
import { unlockOpen } from '../../base/overlays.ts';
import { go } from '../../base/route.ts';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { isFree } from '../queue/job-state.ts';
import { addAndWait, chooseFile } from '../tray/pick.tsx';
import { tagged, undo } from '../tray/tagging.ts';
import { beginReview, boardSelection, showAll } from './board-list.ts';
import type { Remedy } from './tile-appearance.ts';

const words = () => i18next.getFixedT(null, 'portraits');

const overviewNow = (): BatchOverview | undefined => queryClient.getQueryData(['batch', 'overview']);

/** A question about tiles that is open now. */
type Question =
  | { kind: 'settle'; ids: string[] }
  | { kind: 'anew'; job: Job }
  | { kind: 'cancelAll' }
  | { kind: 'forget'; count: number }
  | { kind: 'rename' | 'tags' };
export const question = createStore<Question | undefined>(undefined);
export const ask = (asked: Question): void => question.set(asked);
export const closeQuestion = (): void => question.set(undefined);

export const openHead = (id: string): void => go('library', 'model', id);
export const makeAgain = (id: string): void => go('library', 'model', id, 'again');

export function speakWith(headId: string): void {
  rememberViewedHead(headId);
  go('live');
}

/** Speaks with the head that was made last. */
export const speakWithNewest = (): void =>
  attempt(async () => {
    const { ids } = await studio.batch.board({ filter: { state: 'done' } });
    const made = (await tilesOf(ids)).flatMap(({ job }) => (job?.modelId ? [job] : []));
    const [newest] = made.sort((a, b) => b.changedAt - a.changedAt);
    if (newest?.modelId) speakWith(newest.modelId);
  });

const pageSize = 500;
/** Tiles by their ids, wherever they are. */
export async function tilesOf(ids: readonly string[]): Promise<BoardTile[]> {
  const tiles: BoardTile[] = [];
  for (let at = 0; at < ids.length; at += pageSize)
    tiles.push(...(await studio.batch.tiles({ ids: ids.slice(at, at + pageSize) })).tiles);
  return tiles;
}

/** @param ids - Of jobs. Null: all that are open. */
export async function cancelNow(ids: string[] | null): Promise<void> {
  const { cancelled, back } = await studio.batch.cancel({ ids });
  if (cancelled === 0) return;
  const title = words()('queue.cancelled', { count: cancelled });
  if (back > 0) offerUndo('portraits', title, undo, words()('queue.back', { count: back }));
  else notify({ level: 'info', title, text: '' });
}
export const cancelJobs = (ids: string[] | null): void => attempt(() => cancelNow(ids));

/** Cancels everything; asks only where a server may bill what it has got. */
export function cancelAll(): void {
  if (overviewNow()?.openAtServers) ask({ kind: 'cancelAll' });
  else cancelJobs(null);
}

export const retryJobs = (ids: string[]): void => attempt(() => studio.batch.retry({ ids }));

/** Orders a head once more that a server made and no longer has: that may be billed again. */
export const orderAnew = (id: string): Promise<unknown> => studio.batch.retry({ ids: [id], anew: true });

/** Puts a waiting job first in line, or one earlier or later. */
export const moveInLine = ({ job }: BoardTile, where: 'first' | 'up' | 'down'): void =>
  attempt(async () => {
    if (!job) return;
    const { jobs } = await studio.batch.jobs({ states: ['queued'], offset: 0, limit: pageSize });
    const at = jobs.findIndex(({ id }) => id === job.id);
    const before = where === 'first' ? 0 : at + (where === 'up' ? -1 : 2);
    if (before < 0 || (at < 0 && where !== 'first')) return;
    withdrawUndo('portraits');
    await studio.batch.reorder({ ids: [job.id], before: jobs[before]?.id ?? null });
  });

export const removeTiles = (ids: string[]): void =>
  attempt(async () => {
    if (ids.length === 0) return;
    const { removed, kept } = await studio.batch.remove({ ids });
    boardSelection.clear();
    const t = words();
    const text = kept > 0 ? t('board.kept', { count: kept }) : undefined;
    if (removed > 0) offerUndo('portraits', t('removed', { count: removed }), undo, text);
    else if (text) notify({ level: 'info', title: text, text: '' });
  });

/** @param ids - Of tiles; null: all that are done. */
export const archive = (ids: string[] | null): void =>
  attempt(async () => {
    const { archived } = await studio.batch.archive({ ids });
    if (archived === 0) return;
    boardSelection.clear();
    const t = words();
    offerUndo('portraits', t('board.archived', { count: archived }), undo, t('queue.clearedText'));
  });

export const removeUnusable = (): void =>
  attempt(async () => removeTiles((await studio.batch.board({ filter: { state: 'unusable' } })).ids));

/** Opens a photo large, among those that the board shows. */
export function reviewFrom(id: string, ...rest: string[]): void {
  beginReview(id);
  go('portraits', 'review', id, ...rest);
}

/** Runs what edits a photo; one that failed comes back into the list first. */
const withPhoto = ({ id, job }: BoardTile, then: () => void): void => {
  if (!job) then();
  else
    attempt(async () => {
      const { photoIds } = await studio.batch.bringBack({ ids: [job.id] });
      if (photoIds.includes(id)) then();
    });
};

/** Shows the photo of a job that failed or was cancelled, to be corrected. */
export const bringBack = (tile: BoardTile): void =>
  withPhoto(tile, () => {
    showAll();
    reviewFrom(tile.id);
  });

export const crop = (tile: BoardTile): void =>
  withPhoto(tile, () => {
    if (tile.job) showAll();
    reviewFrom(tile.id, 'crop');
  });

export const editOutline = (tile: BoardTile): void =>
  withPhoto(tile, () => go('portraits', 'outline', tile.id));

/** Takes another photo of the same person in the place of one: name, sex, eyelid and tags stay. */
export const replacePhoto = ({ id, photo }: BoardTile): void =>
  attempt(async () => {
    const file = await chooseFile();
    if (!file || !photo) return;
    const before = new Set((await studio.batch.board({ filter: {} })).ids);
    await addAndWait([file]);
    const { ids } = await studio.batch.board({ filter: {} });
    const added = ids.find((one) => !before.has(one));
    if (!added) {
      notify({ level: 'info', title: words()('board.sameFile'), text: '' });
      return;
    }
    const { name, sex, eyelidType, tags } = photo;
    await tagged({ ids: [added] }, { ...(name ? { name } : {}), sex, eyelidType, tags });
    await studio.batch.remove({ ids: [id] });
    offerUndo('portraits', words()('board.replaced', { name: name || photo.fileName }), undo);
  });

const mends: Readonly<Record<Remedy, (tile: BoardTile) => void>> = {
  crop,
  outline: editOutline,
  another: replacePhoto,
  settle: ({ job }) => job && ask({ kind: 'settle', ids: [job.id] }),
  key({ job }) {
    if (overviewNow()?.holdCode === 'locked') unlockOpen.set(true);
    else if (job) go('settings', 'connections', job.profileId);
  },
  retry({ job }) {
    if (!job) return;
    if (job.orderState !== 'gone') retryJobs([job.id]);
    else if (isFree(job)) attempt(() => orderAnew(job.id));
    else ask({ kind: 'anew', job });
  },
};

export const mend = (tile: BoardTile, remedy: Remedy): void => mends[remedy](tile);

/** Says that heads are on their way; while the queue is paused, that they wait, with the way on. */
export function notifyQueued(count: number): void {
  const t = words();
  if (overviewNow()?.paused)
    offer({ level: 'warning', title: t('board.waitPaused', { count }) }, t('board.goOn'), () =>
      attempt(() => studio.batch.resume()),
    );
  else notify({ level: 'success', title: t('start.queued', { count }), text: '' });
}
