import { Button, Progress } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { BatchOverview } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { useDuration } from './duration.ts';
import { useHoldReason } from './hold-reason.ts';
import { useRunState, useWaitsForLive } from './live-hold.ts';
import classes from './RunStrip.module.css';

/** The queue in one line, while there is something in it: how far, how long, and the brake. */
export function RunStrip() {
  const { data } = useBatchOverview();
  if (!data || data.open === 0) return null;
  return <Strip overview={data} />;
}

function Strip({ overview }: { overview: BatchOverview }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const duration = useDuration();
  const waitsForLive = useWaitsForLive(overview);
  const runState = useRunState(overview);
  const reason = useHoldReason(overview);
  const { batch, paused, holdReason, secondsLeft, jobs } = overview;
  return (
    <div className={classes.strip} role="status">
      <span className={classes.label}>{reason || runState}</span>
      <Progress
        className={classes.progress ?? ''}
        size="sm"
        value={100 * batch.share}
        color={paused || holdReason || waitsForLive ? 'ochre' : 'patina'}
        aria-label={t('queue.progress')}
      />
      <span className="figures">
        {figures.number(batch.finished)} / {figures.number(batch.total)}
      </span>
      {secondsLeft !== null && !paused && <span>{t('queue.left', { time: duration(secondsLeft) })}</span>}
      {jobs.uncertain > 0 && (
        <span className={classes.warn}>{t('queue.uncertain', { count: jobs.uncertain })}</span>
      )}
      <span className={classes.space} />
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={paused ? <IconPlayerPlayFilled size={13} /> : <IconPlayerPauseFilled size={13} />}
        onClick={() => attempt(() => (paused ? studio.batch.resume() : studio.batch.pause()))}
      >
        {paused ? t('queue.resume') : t('queue.pause')}
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => go('portraits', 'queue')}>
        {t('queue.show')}
      </Button>
    </div>
  );
}
