import { joinMessages } from '@likeness/messages';
import { Button, RingProgress } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Job } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { isOpen } from '../../portraits/queue/job-state.ts';
import classes from './Look.module.css';

/** At the top of the stage: how far the new version is, or why there is none. The head stays usable. */
export function MakingOnStage({ job, onForget }: { job: Job | undefined; onForget: () => void }) {
  const { t } = useTranslation(['library', 'app', 'portraits']);
  const figures = useFigures();
  if (!job) return null;
  if (job.state === 'failed')
    return (
      <div className={classes.onStage} role="alert">
        <IconAlertCircle size={20} className={classes.bad} aria-hidden />
        <span>
          <b>{t('headLook.failed')}</b> {worded(joinMessages(job.message, job.hint))}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => attempt(() => studio.batch.retry({ ids: [job.id] }))}
        >
          {t('app:actions.retry')}
        </Button>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onForget}>
          {t('app:actions.close')}
        </Button>
      </div>
    );
  if (!isOpen(job)) return null;
  const stage = t(job.stage ? `portraits:stages.${job.stage}` : `portraits:states.${job.state}`);
  return (
    <div className={classes.onStage} role="status">
      <RingProgress
        size={36}
        thickness={3}
        sections={[{ value: 100 * job.progress, color: 'patina' }]}
        label={<span className={classes.percent}>{Math.round(100 * job.progress)}</span>}
        aria-hidden
      />
      <span>
        {stage}
        {job.secondsLeft !== null && job.secondsLeft >= 1 && (
          <span className={classes.quiet}> · {figures.seconds(Math.round(job.secondsLeft))}</span>
        )}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => attempt(() => studio.batch.cancel({ ids: [job.id] }))}
      >
        {t('app:actions.cancel')}
      </Button>
    </div>
  );
}
