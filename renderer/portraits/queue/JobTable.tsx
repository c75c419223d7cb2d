import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconRefresh, IconX } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import i18next from 'i18next';
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { oneAfterAnother } from '#sentences';
import { assetUrl } from '../../base/asset-url.ts';
import { attempt, tell } from '../../base/notices.tsx';
import { address, go } from '../../base/route.ts';
import { worded } from '../../base/sentence-text.ts';
import { studio } from '../../base/studio.ts';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import type { Listed } from '../../ui/lists/long-list.ts';
import { isChosen, useSelection } from '../../ui/lists/selection.ts';
import { StateDot, type Tone } from '../../ui/StateDot.tsx';
import { useDuration } from './duration.ts';
import { useHeldState } from './held-words.ts';
import { type JobFilter, jobList, jobSelection, openStates } from './job-list.ts';
import classes from './Queue.module.css';

const rowHeight = 58; // pixels; also in the style sheet
const tones: Record<Job['state'], Tone> = {
  queued: 'idle',
  checking: 'busy',
  submitting: 'busy',
  waiting: 'busy',
  downloading: 'busy',
  done: 'good',
  failed: 'bad',
  cancelled: 'idle',
  uncertain: 'warn',
};
const isOpen = ({ state }: Job): boolean => openStates.includes(state);

const cancel = (ids: string[]): void =>
  attempt(async () => {
    const { cancelled } = await studio.batch.cancel({ ids });
    tell({ level: 'info', title: i18next.t('portraits:queue.cancelled', { count: cancelled }), text: '' });
  });
const retry = (ids: string[]): void => attempt(() => studio.batch.retry({ ids }));
const putBefore = (ids: string[], before: string | null): void =>
  attempt(() => studio.batch.reorder({ ids, before }));

/** The jobs in the order in which they run. Drag, or Alt with arrows, puts a queued one elsewhere. */
export function JobTable(props: { listed: Listed<Job, JobFilter>; onSettle: (ids: string[]) => void }) {
  const { t } = useTranslation('portraits');
  const { listed } = props;
  const chosen = useSelection(jobSelection);
  const scroller = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<string>();
  const total = listed.total ?? 0;
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= 0) jobList.look(first, last);
  }, [first, last]);
  const { shown } = listed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter begins at its top
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [shown]);

  /** Only what waits can wait elsewhere. */
  const move = (index: number, by: number): void => {
    const job = listed.at(index);
    const beside = listed.at(by < 0 ? index - 1 : index + 2);
    if (job?.state !== 'queued') return;
    if (by < 0 && beside?.state !== 'queued') return;
    if (by > 0 && listed.at(index + 1) === undefined) return;
    putBefore([job.id], beside?.id ?? null);
    jobSelection.moveTo(index + by);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return; // a button in a row
    const { cursor } = chosen;
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      move(cursor, event.key === 'ArrowUp' ? -1 : 1);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowHeight) - 1);
    const seen = jobSelection.key(event, { total, columns: 1, page });
    if (seen !== undefined) {
      if (seen >= 0) rows.scrollToIndex(seen);
      return;
    }
    const job = listed.at(cursor);
    const those = [...chosen.ids];
    if (event.key === 'Enter' && job?.modelId) go('library', 'model', job.modelId);
    else if (event.key === 'Enter' && job?.state === 'uncertain') props.onSettle([job.id]);
    else if (event.key === 'Delete' && those.length > 0) cancel(those);
    else if (event.key.toLowerCase() === 'r' && those.length > 0 && !event.ctrlKey && !event.metaKey)
      retry(those);
    else return;
    event.preventDefault();
  };
  const onDrop = (event: DragEvent, before: Job): void => {
    const id = event.dataTransfer.getData('application/x-likeness-job');
    setOver(undefined);
    if (!id || id === before.id) return;
    event.preventDefault();
    event.stopPropagation();
    putBefore(chosen.ids.has(id) ? [...chosen.ids] : [id], before.id);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label={t('queue.table')}
      aria-rowcount={total}
      aria-multiselectable="true"
      aria-activedescendant={
        chosen.cursor >= first && chosen.cursor <= last && listed.at(chosen.cursor)
          ? `job-${listed.at(chosen.cursor)?.id}`
          : undefined
      }
      tabIndex={0}
      onKeyDown={onKey}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      <div role="rowgroup" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const job = listed.at(index);
          if (!job) return null;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
            // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid's keys do the same
            <div
              key={job.id}
              id={`job-${job.id}`}
              role="row"
              aria-rowindex={index + 1}
              aria-selected={isChosen(chosen, job.id)}
              data-active={index === chosen.cursor || undefined}
              data-over={over === job.id || undefined}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
              draggable={job.state === 'queued'}
              onDragStart={(event) => {
                event.dataTransfer.setData('application/x-likeness-job', job.id);
                event.dataTransfer.effectAllowed = 'move';
              }}
              onDragOver={(event) => {
                if (
                  job.state !== 'queued' ||
                  !event.dataTransfer.types.includes('application/x-likeness-job')
                )
                  return;
                event.preventDefault();
                setOver(job.id);
              }}
              onDragLeave={() => setOver(undefined)}
              onDrop={(event) => onDrop(event, job)}
              onClick={(event) => jobSelection.click(event, index, total)}
            >
              <Row job={job} index={index} onMove={move} onSettle={props.onSettle} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Row(props: {
  job: Job;
  index: number;
  onMove: (index: number, by: number) => void;
  onSettle: (ids: string[]) => void;
}) {
  const { t } = useTranslation('portraits');
  const { t: frame, i18n } = useTranslation();
  const duration = useDuration();
  const { job, index } = props;
  const heldState = useHeldState(job);
  const { id, state, secondsLeft, message, hint, code } = job;
  const told = worded(oneAfterAnother(message, hint));
  const { standing } = job;
  const owed = state !== 'done' && (standing === 'made' || standing === 'gone' || standing === 'doubt');
  const isOver = state === 'failed' || state === 'cancelled';
  const inShort = [code && frame(`failure.${code}`), owed && isOver && t(`standings.${standing}`)]
    .filter(Boolean)
    .join(' · ');
  // A row of an earlier version has its reason in English only: elsewhere the kind of failure stands for it.
  const isForeign = typeof message === 'string' && !i18n.language.startsWith('en');
  const reason = code && (isForeign || told === '') ? inShort : told;
  const [anew, setAnew] = useState(false);
  const running = isOpen(job) && state !== 'queued' && state !== 'uncertain';
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus */}
      <div role="gridcell" className={classes.photo}>
        <img src={assetUrl(job.photoId, 'photo-small')} alt="" draggable={false} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus */}
      <div role="gridcell">
        <span className={classes.name}>{job.name || job.fileName}</span>
        <span className={classes.quiet}>
          {[
            t(job.sex),
            job.eyelidType && t(job.eyelidType),
            job.profileId === builtInProfileId ? frame('builtIn') : job.profileName,
          ]
            .filter(Boolean)
            .join(' · ')}
          {job.remoteModelId !== '' && (
            <span className={classes.remoteId} title={t('queue.remoteId', { id: job.remoteModelId })}>
              {' · '}
              {job.remoteModelId}
            </span>
          )}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus */}
      <div role="gridcell">
        <span className={classes.stage}>
          <StateDot tone={heldState ? 'warn' : job.inLine ? 'idle' : tones[state]} />{' '}
          {heldState ??
            (job.stage ? t(`stages.${job.stage}`) : t(job.inLine ? 'states.queued' : `states.${state}`))}
          {running && secondsLeft !== null && <span className={classes.quiet}>{duration(secondsLeft)}</span>}
        </span>
        {running && !job.inLine && (
          <div className={classes.bar} aria-hidden="true">
            <span style={{ transform: `scaleX(${job.progress})` }} />
          </div>
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus */}
      <div role="gridcell">
        <span
          className={classes.message}
          data-tone={state === 'failed' ? 'bad' : state === 'uncertain' ? 'warn' : undefined}
          title={told}
        >
          {reason}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons have the focus */}
      <div role="gridcell" className={classes.actions}>
        {state === 'queued' && (
          <>
            <Tool label={t('queue.up')} onClick={() => props.onMove(index, -1)}>
              <IconArrowUp size={15} />
            </Tool>
            <Tool label={t('queue.down')} onClick={() => props.onMove(index, 1)}>
              <IconArrowDown size={15} />
            </Tool>
          </>
        )}
        {state === 'done' && job.modelId && (
          <Button
            component="a"
            href={address('library', 'model', job.modelId)}
            variant="subtle"
            color="gray"
            size="compact-sm"
          >
            {t('queue.open')}
          </Button>
        )}
        {isOver && standing === 'gone' && (
          <Button variant="default" size="compact-sm" onClick={() => setAnew(true)}>
            {t('queue.anew')}
          </Button>
        )}
        {(state === 'failed' || (state === 'cancelled' && owed)) && (
          <Tool
            label={owed && standing !== 'doubt' ? t('queue.fetch') : t('queue.retry')}
            onClick={() => retry([id])}
          >
            <IconRefresh size={15} />
          </Tool>
        )}
        <Confirm
          opened={anew}
          title={t('queue.anewTitle')}
          text={t('queue.anewText', { id: job.remoteModelId })}
          action={t('queue.anewAction')}
          onConfirm={() => studio.batch.retry({ ids: [id], anew: true })}
          onClose={() => setAnew(false)}
        />
        {state === 'uncertain' && (
          <Button variant="default" size="compact-sm" onClick={() => props.onSettle([id])}>
            {t('settle.short')}
          </Button>
        )}
        {isOpen(job) && state !== 'uncertain' && (
          <Tool label={t('queue.cancel')} onClick={() => cancel([id])}>
            <IconX size={15} />
          </Tool>
        )}
      </div>
    </>
  );
}

function Tool(props: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        size={26}
        aria-label={props.label}
        onClick={(event) => {
          event.stopPropagation();
          props.onClick();
        }}
      >
        {props.children}
      </ActionIcon>
    </Tooltip>
  );
}
