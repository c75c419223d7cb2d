/** Cells of a job in the queue's table. */

import { joinMessages } from '@likeness/messages';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPhotoEdit, IconRefresh, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt } from '../../base/notices.tsx';
import { address } from '../../base/route.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { StateDot, type Tone } from '../../ui/StateDot.tsx';
import { PhotoPicture } from '../PhotoPicture.tsx';
import { useDuration } from './duration.ts';
import { useHoldState } from './hold-reason.ts';
import classes from './JobTable.module.css';
import { bringBack, cancelJobs, moveJob, orderAnew, retryJobs } from './job-orders.ts';
import { isFree, isOpen, isOver, owedOf } from './job-state.ts';

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

export function JobPhoto({ job }: { job: Job }) {
  return (
    <div className={classes.photo}>
      <PhotoPicture id={job.photoId} />
    </div>
  );
}

export function JobName({ job }: { job: Job }) {
  const { t } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  return (
    <>
      <span className={classes.name}>{job.name || job.fileName}</span>
      <span className={classes.quiet}>
        {[
          job.photos > 1 &&
            (job.photoUses
              ? t('people.usedOf', {
                  used: job.photoUses.filter(({ used }) => used).length,
                  count: job.photos,
                })
              : t('people.count', { count: job.photos })),
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
    </>
  );
}

/** Current step of a job, its progress and its remaining time. */
export function JobProgress({ job }: { job: Job }) {
  const { t } = useTranslation('portraits');
  const duration = useDuration();
  const holdState = useHoldState(job);
  const { state, stage, inLine, secondsLeft } = job;
  const running = isOpen(job) && state !== 'queued' && state !== 'uncertain';
  return (
    <>
      <span className={classes.stage}>
        <StateDot tone={holdState ? 'warn' : inLine ? 'idle' : tones[state]} />{' '}
        {holdState ?? (stage ? t(`stages.${stage}`) : t(inLine ? 'states.queued' : `states.${state}`))}
        {running && secondsLeft !== null && <span className={classes.quiet}>{duration(secondsLeft)}</span>}
      </span>
      {running && !inLine && (
        <div className={classes.bar} aria-hidden="true">
          <span style={{ transform: `scaleX(${job.progress})` }} />
        </div>
      )}
    </>
  );
}

/** Why it went wrong. */
export function JobReason({ job }: { job: Job }) {
  const { t } = useTranslation('portraits');
  const { t: frame, i18n } = useTranslation();
  const { state, message, hint, code } = job;
  const text = worded(joinMessages(message, hint));
  const owed = owedOf(job);
  const orderStatus = owed && (isFree(job) ? t(`orderStatusesHere.${owed}`) : t(`orderStatuses.${owed}`));
  const inShort = [code && frame(`failure.${code}`), isOver(job) && orderStatus].filter(Boolean).join(' · ');
  // A row of an earlier version has its reason in English only: elsewhere the kind of failure stands for it.
  const isForeign = typeof message === 'string' && !i18n.language.startsWith('en');
  return (
    <span
      className={classes.message}
      data-tone={state === 'failed' ? 'bad' : state === 'uncertain' ? 'warn' : undefined}
      title={text}
    >
      {code && (isForeign || text === '') ? inShort : text}
    </span>
  );
}

/** Actions for a job in its current state. */
export function JobTools(props: { job: Job; index: number; onSettle: (ids: string[]) => void }) {
  const { t } = useTranslation('portraits');
  const { job, index } = props;
  const { id, state } = job;
  const owed = owedOf(job);
  return (
    <div className={classes.actions}>
      {state === 'queued' && (
        <>
          <Tool label={t('queue.up')} onClick={() => moveJob(index, -1)}>
            <IconArrowUp size={15} />
          </Tool>
          <Tool label={t('queue.down')} onClick={() => moveJob(index, 1)}>
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
      <OrderAnew job={job} />
      {isOver(job) && (
        <>
          <Tool label={t('queue.toPhoto')} onClick={() => bringBack(id)}>
            <IconPhotoEdit size={15} />
          </Tool>
          <Tool
            label={
              owed && owed !== 'doubt'
                ? t('queue.fetch')
                : state === 'cancelled'
                  ? t('queue.afterAll')
                  : t('queue.retry')
            }
            onClick={() => retryJobs([id])}
          >
            <IconRefresh size={15} />
          </Tool>
        </>
      )}
      {state === 'uncertain' && (
        <Button variant="default" size="compact-sm" onClick={() => props.onSettle([id])}>
          {t('settle.short')}
        </Button>
      )}
      {isOpen(job) && state !== 'uncertain' && (
        <Tool label={t('queue.cancel')} onClick={() => attempt(() => cancelJobs([id]))}>
          <IconX size={15} />
        </Tool>
      )}
    </div>
  );
}

/** Orders a head again that the server made and no longer has: it may be billed again, so it asks first. */
function OrderAnew({ job }: { job: Job }) {
  const { t } = useTranslation('portraits');
  const [asking, setAsking] = useState(false);
  return (
    <>
      {isOver(job) && job.standing === 'gone' && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => (isFree(job) ? attempt(() => orderAnew(job.id)) : setAsking(true))}
        >
          {isFree(job) ? t('queue.anewHere') : t('queue.anew')}
        </Button>
      )}
      <ConfirmAnew job={asking ? job : undefined} onClose={() => setAsking(false)} />
    </>
  );
}

/** Asks whether a head shall be ordered again. */
export function ConfirmAnew(props: { job: Job | undefined; onClose: () => void }) {
  const { t } = useTranslation('portraits');
  const { job, onClose } = props;
  return (
    <Confirm
      opened={job !== undefined}
      title={t('queue.anewTitle')}
      text={t('queue.anewText', { id: job?.remoteModelId ?? '' })}
      action={t('queue.anewAction')}
      onConfirm={async () => job && orderAnew(job.id)}
      onClose={onClose}
    />
  );
}

function Tool(props: { label: string; onClick: () => void; children: ReactNode }) {
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
