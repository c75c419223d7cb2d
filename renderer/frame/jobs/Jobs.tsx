import { Button, Popover, Progress, Tooltip, UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconStack2, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { clearOutcomes, dropOutcome, jobsOpen, type Outcome, outcomes } from '../../base/jobs.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { useKeyNames, withKey } from '../../base/shortcuts/shortcuts.ts';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { ToolButton } from '../../ui/ToolButton.tsx';
import status from '../StatusLine.module.css';
import { JobRow, Row } from './JobRow.tsx';
import classes from './Jobs.module.css';
import { type JobEntry, useJobEntries } from './job-entries.ts';

/** Running work, what failed and what was written, in the status bar: a summary that opens the list. */
export function Jobs() {
  const { t } = useTranslation(['app', 'portraits']);
  const opened = jobsOpen.use();
  const keyOf = useKeyNames();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!opened) return;
    // The row that had the focus may be gone: Escape closes all the same, and the focus returns.
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      jobsOpen.set(false);
      button.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [opened]);
  const running = useJobEntries();
  const over = outcomes.use();
  const overview = useBatchOverview().data;
  const failedHeads = overview?.jobs.failed ?? 0;
  const failed = failedHeads + over.filter((one) => one.failed).length;
  const isPaused = overview !== undefined && overview.open > 0 && overview.paused;
  const [only] = running;
  const summary =
    only && running.length === 1
      ? [only.title, only.figure].filter(Boolean).join(' · ')
      : only
        ? t('jobs.count', { count: running.length })
        : t('jobs.none');
  const first = running.find(({ share }) => share !== null);
  return (
    <Popover
      opened={opened}
      onChange={jobsOpen.set}
      position="top-start"
      width={400}
      offset={6}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
      shadow="md"
    >
      <Popover.Target>
        <Tooltip label={withKey(t('jobs.open'), keyOf('studio.jobs'))} disabled={opened}>
          <UnstyledButton
            ref={button}
            className={`${status.part} ${classes.summary}`}
            data-open={opened || undefined}
            onClick={() => jobsOpen.set(!opened)}
          >
            <IconStack2 size={15} stroke={1.6} aria-hidden />
            <span className={running.length === 0 ? status.quiet : undefined}>{summary}</span>
            {first && (
              <Progress
                className={classes.small ?? ''}
                size={4}
                value={100 * (first.share ?? 0)}
                color={first.paused ? 'ochre' : 'patina'}
                aria-hidden
              />
            )}
            {isPaused && <span className={status.warn}>{t('portraits:queue.paused')}</span>}
            {failed > 0 && (
              <span className={classes.failed}>
                <i aria-hidden /> {t('jobs.failed', { count: failed })}
              </span>
            )}
          </UnstyledButton>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.popover ?? ''} aria-label={t('jobs.title')}>
        <List running={running} over={over} failedHeads={failedHeads} />
      </Popover.Dropdown>
    </Popover>
  );
}

function List(props: { running: JobEntry[]; over: readonly Outcome[]; failedHeads: number }) {
  const { t } = useTranslation(['app', 'portraits']);
  const { running, over, failedHeads } = props;
  const isEmpty = running.length + over.length + failedHeads === 0;
  return (
    <>
      <header className={classes.head}>
        {/* What the focus begins with where nothing can be done. */}
        <h2 tabIndex={-1} data-autofocus>
          {t('jobs.title')}
        </h2>
        {over.length > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={clearOutcomes}>
            {t('jobs.clear')}
          </Button>
        )}
      </header>
      {isEmpty && <p className={classes.empty}>{t('jobs.emptyText')}</p>}
      <ul className={classes.list}>
        {running.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
        {failedHeads > 0 && (
          <Row
            picture={<IconAlertCircle size={18} stroke={1.6} />}
            tone="bad"
            title={t('portraits:queue.failedCount', { count: failedHeads })}
            detail=""
          >
            <Button variant="default" size="compact-sm" onClick={showFailed}>
              {t('actions.show')}
            </Button>
          </Row>
        )}
        {over.map((outcome) => (
          <OutcomeRow key={outcome.id} outcome={outcome} />
        ))}
      </ul>
    </>
  );
}

const showFailed = (): void =>
  attempt(async () => {
    const { filterBoard } = await import('../../portraits/board/board-list.ts');
    filterBoard({ state: 'needs', reason: undefined, text: undefined, sex: undefined, folder: undefined });
    jobsOpen.set(false);
    go('portraits');
  });

function OutcomeRow({ outcome: { id, failed, title, text, action } }: { outcome: Outcome }) {
  const { t } = useTranslation();
  const Icon = failed ? IconAlertCircle : IconCheck;
  return (
    <Row picture={<Icon size={18} stroke={1.6} />} tone={failed ? 'bad' : 'good'} title={title} detail={text}>
      {action && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            jobsOpen.set(false);
            action.act();
          }}
        >
          {action.label}
        </Button>
      )}
      <ToolButton
        label={t('jobs.forget', { job: title })}
        icon={IconX}
        iconSize={16}
        onClick={() => dropOutcome(id)}
      />
    </Row>
  );
}
