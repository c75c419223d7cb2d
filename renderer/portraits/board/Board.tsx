import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchOverview, BoardTile } from '#contract';
import { useActions } from '../../base/actions.ts';
import { notify, offer } from '../../base/notices.tsx';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { ContextMenu, type MenuPoint } from '../../ui/ContextMenu.tsx';
import { useFocusedList } from '../../ui/lists/focused-list.ts';
import { ListFailure } from '../../ui/lists/ListFailure.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PictureGrid } from '../../ui/lists/PictureGrid.tsx';
import { rowMenuPoint } from '../../ui/lists/row-menu.ts';
import { howMany, useSelection } from '../../ui/lists/selection.ts';
import { useSelectAllKey } from '../../ui/page-keys.ts';
import { useRemembered } from '../batch-state.ts';
import { useDuration } from '../queue/duration.ts';
import { useFindingWords } from '../tray/finding-words.ts';
import { IntakeNote } from '../tray/IntakeNote.tsx';
import type { Manifest } from '../tray/manifest.ts';
import { photoHistory, tag } from '../tray/tagging.ts';
import { ActionBar } from './ActionBar.tsx';
import classes from './Board.module.css';
import { BoardHeader, ManifestInput, type Pickers } from './BoardHeader.tsx';
import { NextPane, useReasons } from './BoardPane.tsx';
import { BoardQuestions } from './BoardQuestions.tsx';
import { boardActions, chosenActions, chosenMarks, tileActions } from './board-actions.ts';
import {
  boardList,
  boardSelection,
  boardView,
  chosenIds,
  countTiles,
  type Filter,
  filterBoard,
  scrolled,
  showAll,
} from './board-list.ts';
import { NoPhotos, NothingFound } from './EmptyBoard.tsx';
import { useHeads, useMake, useTarget } from './make.ts';
import { type BoardWidth, StatesRow } from './StatesRow.tsx';
import { Tile, tileHeight } from './Tile.tsx';
import { TileInspector } from './TileInspector.tsx';
import { type BoardNow, BoardTime, headOf, useTileAppearance } from './tile-appearance.ts';
import { ask, openHead, removeUnusable, reviewFrom, speakWithNewest } from './tile-orders.ts';

/** Pixels of the board from which on there is room for all of it; below the second hardly any. */
const rooms = { wide: 1110, middle: 800 };

/** Photos, heads under work and made ones: one board from the folder to the heads. */
export function Board(pickers: Pickers) {
  const overview = useBatchOverview().data;
  const listed = useLongList(boardList);
  const [read, setRead] = useState<Manifest>();
  const manifest = useRef<HTMLInputElement>(null);
  const { ref, width } = useElementSize();
  const room: BoardWidth =
    width === 0 || width >= rooms.wide ? 'wide' : width >= rooms.middle ? 'middle' : 'small';
  const chosen = useSelection(boardSelection);
  const { total, failure, query } = listed;
  const onBoard = overview && countTiles(overview);
  const isEmpty = onBoard === 0 || (onBoard === undefined && total === 0 && Object.keys(query).length === 0);
  const count = howMany(chosen, total ?? 0);
  useFilterThatGoes(query, total, onBoard ?? 0);
  useFinishedCard();
  return (
    <div ref={ref} className={classes.board} data-room={room}>
      <BoardHeader
        {...pickers}
        isEmpty={isEmpty}
        isNarrow={room !== 'wide'}
        isSelecting={count > 1}
        manifest={manifest}
      />
      <ManifestInput input={manifest} onRead={setRead} />
      {failure && total === undefined ? (
        <div className={classes.callout}>
          <ListFailure failure={failure} onRetry={() => boardList.refresh()} />
        </div>
      ) : isEmpty ? (
        <NoPhotos {...pickers} />
      ) : (
        overview && (
          <Filled overview={overview} room={room} manifest={read} onManifestRead={() => setRead(undefined)} />
        )
      )}
      <BoardQuestions />
    </div>
  );
}

/** Says how a batch ended, with the way to speak with what was made. */
function useFinishedCard(): void {
  const { t } = useTranslation('portraits');
  const duration = useDuration();
  const { finished } = useRemembered();
  const reported = useRef(finished);
  useEffect(() => {
    if (finished === undefined || finished === reported.current) return;
    reported.current = finished;
    const { done, failed, seconds } = finished;
    if (done > 0)
      offer(
        {
          level: failed > 0 ? 'warning' : 'success',
          title: t('queue.finished', { count: done, time: duration(seconds) }),
          text: failed > 0 ? t('queue.failedCount', { count: failed }) : undefined,
        },
        t('board.speakNewest'),
        speakWithNewest,
      );
    else if (failed > 0)
      notify({
        level: 'warning',
        title: t('queue.noneMade'),
        text: t('queue.failedCount', { count: failed }),
      });
  }, [finished, t, duration]);
}

/** When a filter matches nothing any more, shows all tiles and a notice. */
function useFilterThatGoes({ state, text }: Filter, total: number | undefined, onBoard: number): void {
  const { t } = useTranslation('portraits');
  const { loading, shown } = useLongList(boardList);
  const isGone =
    total === 0 &&
    onBoard > 0 &&
    state !== undefined &&
    !text &&
    !loading &&
    shown === boardList.listed.query;
  // A state that was empty when it was chosen says so; one that was emptied leads back.
  const had = useRef(false);
  useEffect(() => {
    if (total && state) had.current = true;
    if (!isGone || !had.current) return;
    had.current = false;
    showAll();
    notify({ level: 'info', title: t('board.nothingLeft'), text: '' });
  }, [isGone, total, state, t]);
}

function Filled(props: {
  overview: BatchOverview;
  room: BoardWidth;
  manifest: Manifest | undefined;
  onManifestRead: () => void;
}) {
  const { t } = useTranslation('portraits');
  const { overview, room } = props;
  const listed = useLongList(boardList);
  const chosen = useSelection(boardSelection);
  const view = boardView.use();
  const hasPane = room === 'wide' ? view.pane : view.drawer;
  const { total, query } = listed;
  const around = useFocusedList((total ?? 0) > 0);
  const ids = chosenIds(chosen);
  const tiles = ids.flatMap((id) => listed.at(boardList.indexOf(id)) ?? []);
  useBoardKeys(ids, tiles);
  const [menu, setMenu] = useState<MenuPoint>();
  const now = useBoardNow(overview.paused, overview.holdCode === 'locked');
  const appearance = useTileAppearance();
  const nameOf = useCallback(
    (tile: BoardTile, index: number): string => {
      const { name, all } = appearance(tile, now);
      return t('board.tile', { name, what: all, at: index + 1, total: total ?? 0 });
    },
    [appearance, now, total, t],
  );
  // The only photo is the one that is meant: what was found on it, and what it still needs, are said at once.
  const only = total === 1 && Object.keys(query).length === 0 ? listed.at(0)?.id : undefined;
  useEffect(() => {
    if (!only) return;
    boardSelection.only(0);
    // With others beside it, the pane says again what comes next.
    return () => {
      const { ids } = boardSelection.chosen;
      if (ids.size === 1 && ids.has(only)) boardSelection.clear();
    };
  }, [only]);
  const [tile, ...others] = tiles;
  const isOne = ids.length === 1 && tile && others.length === 0;
  const label = isOne
    ? appearance(tile, now).name
    : ids.length > 1
      ? t('selected', { count: ids.length })
      : t('board.whatNext');
  return (
    <>
      <StatesRow overview={overview} filter={query} room={room} />
      {query.state === 'unusable' && <Unusable overview={overview} filter={query} />}
      <div className={classes.columns} data-pane={hasPane || undefined}>
        <BoardTime value={now}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the key of the menu opens it, too */}
          <div
            ref={around}
            className={classes.grid}
            data-notice-area
            onContextMenu={(event: MouseEvent<HTMLElement>) =>
              setMenu(rowMenuPoint(event, boardList, boardSelection, ['option-']))
            }
          >
            {!hasPane && <IntakeNote />}
            {total === 0 ? (
              <NothingFound />
            ) : (
              <PictureGrid
                list={boardList}
                listed={listed}
                selection={boardSelection}
                label={t('grid')}
                least={view.tile}
                heightOf={tileHeight}
                cell={Tile}
                scrolled={scrolled}
                onOpen={openTile}
                nameOf={nameOf}
              />
            )}
            {ids.length > 1 && <ActionBar ids={ids} tiles={tiles} isNarrow={room !== 'wide'} />}
          </div>
        </BoardTime>
        {hasPane && (
          <aside className={classes.pane} aria-label={label}>
            <IntakeNote />
            {isOne ? (
              <TileInspector key={tile.id} tile={tile} now={now} />
            ) : (
              <NextPane overview={overview} manifest={props.manifest} onManifestRead={props.onManifestRead} />
            )}
          </aside>
        )}
      </div>
      <ContextMenu
        at={menu}
        label={isOne ? t('queue.menu', { name: label }) : t('board.selected', { count: ids.length })}
        onClose={() => setMenu(undefined)}
      >
        <ActionItems
          table={tileActions}
          at={{ tiles }}
          groups={[
            [
              'tiles.speak',
              'jobs.open',
              'tiles.again',
              'tiles.review',
              'tiles.crop',
              'tiles.outline',
              'tiles.another',
            ],
            [
              'jobs.settle',
              'jobs.retry',
              'jobs.afterAll',
              'jobs.fetch',
              'jobs.anew',
              'jobs.anewHere',
              'jobs.toPhoto',
            ],
            ['jobs.next', 'jobs.up', 'jobs.down'],
            ['jobs.cancel', 'tiles.archive', 'tiles.remove'],
          ]}
        />
      </ContextMenu>
    </>
  );
}

/** Enter or a double click opens a head, answers a question or reviews a photo. */
function openTile(_index: number, tile: BoardTile): void {
  const head = headOf(tile);
  const { job, photo, id } = tile;
  if (head) openHead(head);
  else if (job?.state === 'uncertain') ask({ kind: 'settle', ids: [job.id] });
  else if (photo && !job) reviewFrom(id);
}

/** The moment, for all tiles at once: a tile is drawn anew only if it changes. */
function useBoardNow(paused: boolean, locked: boolean): BoardNow {
  const [time, setTime] = useState(Date.now);
  useEffect(() => {
    const tick = setInterval(() => setTime(Date.now()), 30_000);
    return () => clearInterval(tick);
  }, []);
  return useMemo(() => ({ paused, locked, time }), [paused, locked, time]);
}

/** Keys of the board, for the selected tiles and for all. */
function useBoardKeys(ids: string[], tiles: readonly BoardTile[]): void {
  const overview = useBatchOverview().data;
  const target = useTarget();
  const { make } = useMake(target);
  const everything = { filter: {} };
  const heads = useHeads(target, everything)?.heads ?? 0;
  useSelectAllKey(
    () => boardSelection.everything(),
    () => boardSelection.clear(),
  );
  useActions('pages.portraits', chosenMarks, ids.length > 0 ? (set) => tag({ ids }, set) : null);
  useActions('pages.portraits', chosenActions, ids.length > 0 ? { ids } : null);
  useActions('pages.portraits', boardActions, { overview, heads, make: () => make(everything) });
  useActions('pages.portraits', photoHistory, undefined);
  useActions('pages.portraits', tileActions, tiles.length > 0 ? { tiles } : null);
}

/** Above what can't be used: why, in how many cases, and the way to be rid of it. */
function Unusable({ overview, filter }: { overview: BatchOverview; filter: Filter }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const finding = useFindingWords();
  const reasons = useReasons(overview).filter(({ state }) => state === 'unusable');
  const total = countTiles(overview);
  const count = overview.board.unusable;
  return (
    <div className={classes.note}>
      <b>{t('board.unusableOf', { count, shown: figures.number(count), total: figures.number(total) })}</b>
      <div className={classes.chips}>
        {reasons.map(({ reason, count: of }) => (
          <button
            key={reason}
            type="button"
            className={classes.chip}
            aria-pressed={filter.reason === reason}
            onClick={() => filterBoard({ reason: filter.reason === reason ? undefined : reason })}
          >
            {finding.name({
              code: reason as Parameters<typeof finding.name>[0]['code'],
              severity: 'blocking',
            })}{' '}
            <em>{figures.number(of)}</em>
          </button>
        ))}
      </div>
      {count > 0 && (
        <Button variant="default" leftSection={<IconTrash size={15} />} onClick={removeUnusable}>
          {t('board.removeThese', { count })}
        </Button>
      )}
    </div>
  );
}
