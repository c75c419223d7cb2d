import { Button, Group, Menu, Progress, SegmentedControl } from '@mantine/core';
import {
  IconChevronDown,
  IconDownload,
  IconPhotoScan,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconRefresh,
  IconStack2,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchOverview, Profile } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt, notify } from '../../base/notices.tsx';
import { address, go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useBatchOverview, useProfiles } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { download } from '../../ui/download.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListFailure } from '../../ui/lists/ListFailure.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { remember, useRemembered } from '../batch-state.ts';
import { PortraitsTabs } from '../PortraitsTabs.tsx';
import { useDuration } from './duration.ts';
import { attemptAt } from './enter-key.ts';
import { useHoldReason } from './hold-reason.ts';
import { JobTable } from './JobTable.tsx';
import { filterJobs, type JobFilter, jobFilters, jobList, statesOf } from './job-list.ts';
import { backText, cancelJobs } from './job-orders.ts';
import { useRunState, useWaitsForLive } from './live-hold.ts';
import classes from './Queue.module.css';
import { SettleDialog } from './SettleDialog.tsx';

const saveReport = (): void => attempt(async () => download(await studio.batch.report()));

/** The queue: state, progress, remaining time and actions of each job. */
export function Queue() {
  const { t } = useTranslation(['portraits', 'app']);
  const figures = useFigures();
  const overview = useBatchOverview().data;
  const listed = useLongList(jobList);
  const { total, failure, query } = listed;
  const [settling, setSettling] = useState<string[]>();
  const [cancelling, setCancelling] = useState(false);
  const [forgetting, setForgetting] = useState(0);
  /** Undefined until it is known: the queue may not look empty before. */
  const count = overview ? Object.values(overview.jobs).reduce((sum, one) => sum + one, 0) : total;
  const over = overview ? overview.jobs.done + overview.jobs.failed + overview.jobs.cancelled : 0;

  return (
    <>
      <PageHeader title={t('app:pages.portraits')} note={<PortraitsTabs current="queue" />}>
        {count !== undefined && count > 0 && (
          <>
            {over > 0 && (
              <Button
                variant="subtle"
                color="gray"
                onClick={() =>
                  attempt(async () => {
                    const { cleared, kept, back } = await studio.batch.clearFinished({ owed: false });
                    remember({ finished: undefined });
                    setForgetting(kept);
                    if (cleared === 0) return;
                    notify({
                      level: 'info',
                      title: t('queue.cleared', { count: cleared }),
                      text: `${t('queue.clearedText')} ${backText(back)}`.trim(),
                    });
                  })
                }
              >
                {t('queue.clear')}
              </Button>
            )}
            <Button variant="default" leftSection={<IconDownload size={15} />} onClick={saveReport}>
              {t('queue.report')}
            </Button>
            {overview && overview.jobs.failed > 0 && <RetryFailed count={overview.jobs.failed} />}
            {overview && overview.open > 0 && (
              <>
                <Button variant="default" onClick={() => setCancelling(true)}>
                  {t('queue.cancelAll')}
                </Button>
                <Button
                  leftSection={
                    overview.paused ? <IconPlayerPlayFilled size={14} /> : <IconPlayerPauseFilled size={14} />
                  }
                  onClick={() =>
                    attempt(() => (overview.paused ? studio.batch.resume() : studio.batch.pause()))
                  }
                >
                  {overview.paused ? t('queue.resume') : t('queue.pause')}
                </Button>
              </>
            )}
          </>
        )}
      </PageHeader>
      {count === undefined ? (
        failure && (
          <div className={classes.callout}>
            <ListFailure failure={failure} onRetry={() => jobList.refresh()} />
          </div>
        )
      ) : count === 0 ? (
        <EmptyState
          icon={<IconStack2 size={46} stroke={1.1} />}
          title={t('queue.emptyTitle')}
          text={t('queue.emptyText')}
        >
          <Button leftSection={<IconPhotoScan size={16} />} onClick={() => go('portraits')}>
            {t('queue.toPhotos')}
          </Button>
        </EmptyState>
      ) : (
        <>
          {overview && <QueueStatus overview={overview} onSettle={setSettling} />}
          <div className={classes.filters}>
            <SegmentedControl
              aria-label={t('queue.filter')}
              value={query}
              data={jobFilters
                .filter((filter) => filter === query || sumOf(overview, filter) > 0 || filter === 'all')
                .map((value) => ({
                  value,
                  label: `${t(`queue.filters.${value}`)} ${figures.number(sumOf(overview, value))}`,
                }))}
              onChange={(filter) => filterJobs(filter as JobFilter)}
            />
          </div>
          {failure && (
            <div className={classes.callout}>
              <Callout tone="bad" title={failure.message}>
                {failure.hint}
              </Callout>
            </div>
          )}
          <JobTable listed={listed} onSettle={setSettling} />
        </>
      )}
      <Confirm
        opened={forgetting > 0}
        title={t('queue.forgetTitle', { count: forgetting })}
        text={t('queue.forgetText')}
        action={t('queue.forget')}
        onConfirm={() => studio.batch.clearFinished({ owed: true })}
        onClose={() => setForgetting(0)}
      />
      {settling && <SettleDialog ids={settling} onClose={() => setSettling(undefined)} />}
      <Confirm
        opened={cancelling}
        title={t('queue.cancelTitle', { count: overview?.open ?? 0 })}
        text={overview?.openAtServers ? t('queue.cancelText') : t('queue.cancelTextHere')}
        action={t('queue.cancelAction', { count: overview?.open ?? 0 })}
        keep={t('queue.cancelKeep')}
        onConfirm={() => cancelJobs(null)}
        onClose={() => setCancelling(false)}
      />
    </>
  );
}

function sumOf(overview: BatchOverview | undefined, filter: JobFilter): number {
  if (!overview) return 0;
  const states = statesOf(filter);
  return Object.entries(overview.jobs)
    .filter(([state]) => states.length === 0 || states.includes(state as (typeof states)[number]))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** The batch as a whole: its bar, its time, what holds it up, and how it ended. */
function QueueStatus({ overview, onSettle }: { overview: BatchOverview; onSettle: (ids: string[]) => void }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const duration = useDuration();
  const { finished } = useRemembered();
  const { batch, open, paused, holdReason, holdProfileId, secondsLeft, jobs } = overview;
  const reason = useHoldReason(overview);
  const waitsForLive = useWaitsForLive(overview);
  const runState = useRunState(overview);
  // Of the last batch: the list also holds those before it.
  const made = finished?.done ?? batch.done;
  const failed = finished?.failed ?? batch.failed;
  return (
    <div className={classes.standing}>
      {open > 0 && (
        <div className={classes.run}>
          <div className={classes.line}>
            <span className={classes.state}>{runState}</span>
            <span className="figures">
              {t('queue.of', {
                finished: figures.number(batch.finished),
                total: figures.number(batch.total),
              })}
            </span>
            <span className={classes.time}>
              {secondsLeft !== null && !paused ? t('queue.left', { time: duration(secondsLeft) }) : ''}
            </span>
          </div>
          <Progress
            value={100 * batch.share}
            color={paused || holdReason || waitsForLive ? 'ochre' : 'patina'}
            aria-label={t('queue.progress')}
          />
        </div>
      )}
      {holdReason && (
        <Callout
          tone="warn"
          title={t('queue.onHold')}
          action={<HoldActions profileId={holdProfileId} needsKey={overview.holdCode === 'key_missing'} />}
        >
          {reason}
        </Callout>
      )}
      {jobs.uncertain > 0 && (
        <Callout
          tone="warn"
          title={t('queue.uncertain', { count: jobs.uncertain })}
          action={
            <Button
              variant="default"
              onClick={() =>
                attempt(async () => {
                  const { jobs: found } = await studio.batch.jobs({
                    states: ['uncertain'],
                    offset: 0,
                    limit: 500,
                  });
                  onSettle(found.map(({ id }) => id));
                })
              }
            >
              {t('settle.open')}
            </Button>
          }
        >
          {t('queue.uncertainText')}
        </Callout>
      )}
      {open === 0 && (finished || jobs.done + jobs.failed > 0) && (
        <Callout
          tone={failed > 0 ? 'warn' : made > 0 ? 'good' : 'info'}
          title={
            made === 0
              ? t('queue.noneMade')
              : finished
                ? t('queue.finished', { count: made, time: duration(finished.seconds) })
                : t('queue.finishedBefore', { count: made })
          }
          action={
            made > 0 && (
              <Button variant="default" onClick={() => go('library')}>
                {t('queue.toLibrary')}
              </Button>
            )
          }
        >
          {failed > 0 && (
            <>
              {t('queue.failedCount', { count: failed })}{' '}
              <a
                href={address('portraits', 'queue')}
                onClick={(event) => {
                  event.preventDefault();
                  filterJobs('failed');
                }}
              >
                {t('queue.showFailed')}
              </a>
            </>
          )}
        </Callout>
      )}
    </div>
  );
}

/** Actions while the queue is blocked. */
function HoldActions({ profileId, needsKey }: { profileId: string | null; needsKey: boolean }) {
  const { t } = useTranslation('portraits');
  return (
    <Group gap="xs" wrap="nowrap">
      {profileId !== null && profileId !== builtInProfileId && (
        <Button
          component="a"
          href={address('settings', 'connections', profileId)}
          variant="subtle"
          color="gray"
        >
          {needsKey ? t('start.enterKey') : t('queue.toConnection')}
        </Button>
      )}
      <Button variant="default" onClick={() => attempt(() => studio.batch.resume())}>
        {t('queue.tryNow')}
      </Button>
    </Group>
  );
}

function RetryFailed({ count }: { count: number }) {
  const { t } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const [opened, setOpened] = useState(false);
  const failed = useQuery({
    queryKey: ['batch', 'failed', count],
    queryFn: () => studio.batch.jobs({ states: ['failed'], offset: 0, limit: 500 }),
    enabled: opened,
  }).data?.jobs;
  /** The only connection that all of them failed at: it is the same one, and no other. */
  const same = failed && new Set(failed.map(({ profileId }) => profileId)).size === 1 ? failed[0] : undefined;
  const profiles = (useProfiles().data ?? []).filter(
    ({ id, builtIn, groupBUrl }) => (builtIn || groupBUrl !== '') && id !== same?.profileId,
  );
  const priceOf = ({ builtIn, prices: { perModel, currency } }: Profile): string =>
    builtIn
      ? t('queue.free')
      : perModel > 0
        ? t('queue.each', { price: figures.money(perModel, currency) })
        : t('queue.billed');
  const retry = (profileId?: string): void =>
    attemptAt(profileId ?? '', async () => {
      const { retried } = await studio.batch.retry({ ids: null, ...(profileId ? { profileId } : {}) });
      notify({ level: 'info', title: t('queue.retried', { count: retried }), text: '' });
    });
  return (
    <Menu position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconRefresh size={15} />}
          rightSection={<IconChevronDown size={13} />}
        >
          {t('queue.retryFailed', { count })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => retry()}>{t('queue.retrySame')}</Menu.Item>
        {profiles.length > 0 && <Menu.Label>{t('queue.retryWith')}</Menu.Label>}
        {profiles.map((profile) => (
          <Menu.Item key={profile.id} onClick={() => retry(profile.id)}>
            {t('queue.holdBy', { connection: profileName(frame, profile), reason: priceOf(profile) })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
