import { RingProgress, VisuallyHidden } from '@mantine/core';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take, TakeQuery } from '#contract';
import { go } from '../../base/route.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { takesArrows } from '../../ui/key-takers.ts';
import { useListWindow } from '../../ui/lists/list-window.ts';
import type { Listed } from '../../ui/lists/long-list.ts';
import { isChosen, useSelection } from '../../ui/lists/selection.ts';
import { VirtualTable } from '../../ui/lists/VirtualTable.tsx';
import { useVirtualRows } from '../../ui/lists/virtual-rows.ts';
import type { KeyPress } from '../../ui/page-keys.ts';
import { faceQuery, isAnalysing, useTakeAnalysis } from '../speech/take-analysis.ts';
import classes from './TakeList.module.css';
import { useTakeMenu } from './TakeMenu.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { takeList, takeSelection } from './take-list.ts';

/** Pixels: with names, and of thumbnails alone. */
const rowHeights = { full: 66, strip: 58 };
const columns = ['take'] as const;

/** Milliseconds that a key rests on a take before it is opened: whoever runs through the list opens none. */
const rest = 90;

/** Milliseconds that the pointer rests on a take before its face is fetched, and seconds of the longest of those. */
const ahead = { rest: 80, longest: 1800 };

/** The takes that were found, of which those on the screen are drawn. */
export function TakeRows(props: {
  listed: Listed<Take, TakeQuery>;
  shown: string | undefined;
  /** Thumbnails alone. */
  isStrip: boolean;
}) {
  const { t } = useTranslation('takes');
  const { listed, shown, isStrip } = props;
  const chosen = useSelection(takeSelection);
  const total = listed.total ?? 0;
  const rows = useVirtualRows({ total, rowHeight: isStrip ? rowHeights.strip : rowHeights.full });
  useListWindow(takeList, listed, [rows.first, rows.last], rows.scroller);
  const open = useOpenSoon();
  const fetchAhead = useFetchedAhead();
  useFollow(shown, listed, rows.show);
  const { menu, onMenu } = useTakeMenu(total);

  const onKey = (event: KeyPress): number | undefined => {
    // Space plays and arrows aside seek; with Ctrl, Space chooses.
    const isCommand = event.ctrlKey || event.metaKey;
    if ((event.key === ' ' && !isCommand) || ['ArrowLeft', 'ArrowRight'].includes(event.key))
      return undefined;
    const seen = takeSelection.key(event, { total, columns: 1, page: rows.pageSize() });
    const { all, ids, cursor } = takeSelection.chosen;
    const take = !all && ids.size === 1 ? listed.at(cursor) : undefined;
    if (take && seen !== undefined && ids.has(take.id)) open(take.id);
    return seen;
  };
  useArrowsAnywhere((event) => {
    const seen = onKey(event);
    if (seen !== undefined && seen >= 0) rows.show(seen);
  });

  return (
    <>
      <VirtualTable
        rows={rows}
        label={t('list.label')}
        className={classes.rows}
        line={classes.line}
        columns={columns}
        at={listed.at}
        idOf={({ id }) => `take-${id}`}
        cells={(take) => ({ take: <TakeCell take={take} isStrip={isStrip} /> })}
        isSelected={({ id }) => isChosen(chosen, id)}
        multiselectable
        cursor={chosen.cursor}
        rowProps={(take, index) => ({
          'data-take': take.id,
          'aria-current': take.id === shown ? 'true' : undefined,
          'data-strip': isStrip || undefined,
          title: isStrip ? take.name : undefined,
          onPointerEnter: () => take.id !== shown && fetchAhead(take),
          onPointerLeave: () => fetchAhead(null),
          onClick: (event) => {
            takeSelection.click(event, index, total);
            if (!event.shiftKey && !event.ctrlKey && !event.metaKey) go('takes', take.id);
          },
        })}
        onKey={onKey}
        onMenu={onMenu}
      />
      {menu}
    </>
  );
}

const TakeCell = memo(function TakeCell({ take, isStrip }: { take: Take; isStrip: boolean }) {
  const { t } = useTranslation(['takes', 'library']);
  const figures = useFigures();
  const analysis = useTakeAnalysis(take.id);
  const isBusy = isAnalysing(analysis);
  const stage = analysis && isBusy ? t(`takes:speech.stages.${analysis.stage}`) : '';
  const hasFailed = !isBusy && take.fullPass === 'failed';
  const thumbnail = (
    <Thumbnail take={take}>
      {analysis && isBusy && (
        <RingProgress
          aria-hidden
          className={classes.ring ?? ''}
          size={38}
          thickness={3}
          roundCaps
          sections={[{ value: analysis.share * 100, color: 'patina' }]}
          label={<span className={classes.share}>{Math.round(analysis.share * 100)}</span>}
        />
      )}
    </Thumbnail>
  );
  if (isStrip)
    return (
      <>
        {thumbnail}
        <VisuallyHidden>{[take.name, stage].filter(Boolean).join(', ')}</VisuallyHidden>
      </>
    );
  return (
    <>
      {thumbnail}
      <span className={classes.words}>
        <span className={classes.name}>{take.name}</span>
        <span className={classes.quiet} data-bad={hasFailed || take.damaged !== '' || undefined}>
          {take.damaged
            ? t('takes:unreadable')
            : stage ||
              (hasFailed
                ? t('takes:speech.failed')
                : `${figures.seconds(take.seconds)} · ${figures.timeOrDate(take.createdAt)}`)}
        </span>
        <span className={classes.quiet}>
          {take.rating > 0 && (
            <span
              className={classes.stars}
              role="img"
              aria-label={t('library:stars', { count: take.rating })}
            >
              {'★'.repeat(take.rating)}
            </span>
          )}
          {take.tags.join(' · ')}
        </span>
      </span>
    </>
  );
});

/** Opens a take once the keyboard rests on it. */
function useOpenSoon(): (id: string) => void {
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(due.current), []);
  return (id) => {
    clearTimeout(due.current);
    due.current = setTimeout(() => go('takes', id), rest);
  };
}

/** Fetches the face of a take that the pointer rests on: whoever clicks it has most of it. Null: it has gone on. */
function useFetchedAhead(): (take: Take | null) => void {
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(due.current), []);
  return (take) => {
    clearTimeout(due.current);
    if (!take || take.damaged || take.seconds > ahead.longest) return;
    due.current = setTimeout(() => void queryClient.prefetchQuery(faceQuery(take)), ahead.rest);
  };
}

/** Selects a take that was opened from elsewhere, and scrolls to it once it is known. */
function useFollow(
  shown: string | undefined,
  listed: Listed<Take, TakeQuery>,
  show: (index: number) => void,
): void {
  const followed = useRef<string>(undefined);
  const latest = useRef(show);
  latest.current = show;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `at` is new with each answer: what was not here may be now
  useEffect(() => {
    if (shown === undefined || followed.current === shown) return;
    const { all, ids } = takeSelection.chosen;
    const index = takeList.indexOf(shown);
    if (index < 0) return;
    followed.current = shown;
    if (all || ids.size > 1 || ids.has(shown)) return;
    takeSelection.only(index);
    latest.current(index);
  }, [shown, listed.at]);
}

/** Arrows up and down go through the takes, wherever on the page the focus is. */
function useArrowsAnywhere(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!['ArrowUp', 'ArrowDown'].includes(event.key) || event.defaultPrevented) return;
      if (!takesArrows(event.target)) latest.current(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
