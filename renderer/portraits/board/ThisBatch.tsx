import { Button, Progress } from '@mantine/core';
import { IconMicrophone, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { BatchOverview } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt } from '../../base/notices.tsx';
import { address } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useRemembered } from '../batch-state.ts';
import { useDuration } from '../queue/duration.ts';
import { headsOfBatch } from '../queue/heads-of-batch.ts';
import { useHoldReason } from '../queue/hold-reason.ts';
import { useRunState } from '../queue/live-hold.ts';
import classes from './BoardPane.module.css';
import { PanePart } from './PanePart.tsx';
import { archive, cancelAll, speakWithNewest } from './tile-orders.ts';

/** The batch as a whole: how far, what holds it up, and how it ended. */
export function ThisBatch({ overview }: { overview: BatchOverview }) {
  const { t } = useTranslation('portraits');
  const duration = useDuration();
  const { finished } = useRemembered();
  const { batch, open, paused, secondsLeft, board } = overview;
  const made = finished?.done ?? batch.done;
  const failed = finished?.failed ?? batch.failed;
  if (open === 0 && board.done === 0 && made + failed === 0) return null;
  return (
    <PanePart
      title={t('board.thisBatch')}
      aside={
        open > 0
          ? paused
            ? t('queue.paused')
            : secondsLeft !== null && t('queue.left', { time: duration(secondsLeft) })
          : finished && duration(finished.seconds)
      }
    >
      <HowFar overview={overview} />
      <Blocked overview={overview} />
      <div className={classes.row}>
        {paused && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlayerPlay size={15} />}
            onClick={() => attempt(() => studio.batch.resume())}
          >
            {t('board.goOn')}
          </Button>
        )}
        {board.done > 0 && !paused && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconMicrophone size={15} />}
            onClick={speakWithNewest}
          >
            {t('board.speakNewest')}
          </Button>
        )}
        {open > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={cancelAll}>
            {t('board.cancelCount', { count: open })}
          </Button>
        )}
        {open === 0 && board.done > 0 && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => archive(null)}>
            {t('board.archiveDone')}
          </Button>
        )}
      </div>
    </PanePart>
  );
}

/** How far the batch is, or how it ended. */
function HowFar({ overview }: { overview: BatchOverview }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const { finished } = useRemembered();
  const runState = useRunState(overview);
  const heads = headsOfBatch(overview);
  const { batch, open, paused, holdReason } = overview;
  const made = finished?.done ?? batch.done;
  const failed = finished?.failed ?? batch.failed;
  return (
    <>
      {open > 0 ? (
        <>
          <p>
            {t('board.batchOf', { done: figures.number(heads.over), count: heads.count })}
            {runState && !paused && <span className={classes.quiet}> · {runState}</span>}
          </p>
          <Progress
            value={100 * batch.share}
            size="sm"
            color={paused || holdReason ? 'ochre' : 'patina'}
            aria-hidden
          />
        </>
      ) : (
        made + failed > 0 && (
          <>
            <p role="status">
              {made > 0 ? t('queue.finishedBefore', { count: made }) : t('queue.noneMade')}
              {failed > 0 && (
                <span className={classes.quiet}> · {t('queue.failedCount', { count: failed })}</span>
              )}
            </p>
            <Progress value={100} size="sm" color={failed > 0 ? 'ochre' : 'moss'} aria-hidden />
          </>
        )
      )}
    </>
  );
}

/** Why the batch waits, with a remedy. */
function Blocked({ overview }: { overview: BatchOverview }) {
  const { t } = useTranslation('portraits');
  const { holdReason, holdProfileId } = overview;
  const reason = useHoldReason(overview);
  if (!holdReason) return null;
  return (
    <Callout tone="warn" title={t('queue.onHold')}>
      <p>{reason}</p>
      <div className={classes.row}>
        {holdProfileId !== null && holdProfileId !== builtInProfileId && (
          <Button
            component="a"
            href={address('settings', 'connections', holdProfileId)}
            variant="subtle"
            color="gray"
            size="compact-sm"
          >
            {overview.holdCode === 'key_missing' ? t('start.enterKey') : t('queue.toConnection')}
          </Button>
        )}
        <Button variant="default" size="compact-sm" onClick={() => attempt(() => studio.batch.resume())}>
          {t('queue.tryNow')}
        </Button>
      </div>
    </Callout>
  );
}
