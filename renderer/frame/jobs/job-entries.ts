/** All running work in one list: heads, photo checks, films, takes, analyses, requests of other programs. */
import { useIsFetching } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AnalysisProgress, BatchOverview } from '#contract';
import { usePageJobs } from '../../base/jobs.ts';
import { attempt } from '../../base/notices.tsx';
import { address, go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import {
  headPreviewsKey,
  useAnalyses,
  useBatchOverview,
  useEngine,
  useImageSubmission,
} from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { useDuration } from '../../portraits/queue/duration.ts';
import { headsOfBatch } from '../../portraits/queue/heads-of-batch.ts';

export type JobKind = 'heads' | 'checks' | 'intake' | 'images' | 'film' | 'take' | 'analysis' | 'others';

export interface JobEntry {
  id: string;
  kind: JobKind;
  title: string;
  /** Its current stage, if it is known. */
  detail?: string;
  /** How far: “9 of 13”. */
  figure?: string;
  /** How long still. */
  left?: string;
  /** 0..1; null: unknown. */
  share: number | null;
  analysis?: AnalysisProgress;
  paused?: boolean;
  onPause?: () => void;
  onCancel?: () => void;
  /** To where there is more of it. */
  href?: string;
}

/** Asks where a server may bill what it has got: the board has the question. */
const cancelHeads = ({ openAtServers }: BatchOverview): void =>
  attempt(async () => {
    const { cancelAll } = await import('../../portraits/board/tile-orders.ts');
    if (openAtServers > 0) go('portraits');
    cancelAll();
  });

/** Work of the batch room: heads, checks, photos that are added, images that are sent. */
function useBatchJobs(): JobEntry[] {
  const { t } = useTranslation(['app', 'portraits']);
  const figures = useFigures();
  const duration = useDuration();
  const overview = useBatchOverview().data;
  const images = useImageSubmission();
  const jobs: JobEntry[] = [];
  const of = (done: number, total: number): string =>
    t('portraits:queue.of', { finished: figures.number(done), total: figures.number(total) });
  if (overview && overview.open > 0) {
    const { paused, secondsLeft, batch } = overview;
    const { over, count } = headsOfBatch(overview);
    jobs.push({
      id: 'heads',
      kind: 'heads',
      title: t('portraits:queue.running'),
      figure: of(over, count),
      ...(!paused && secondsLeft !== null && { left: duration(secondsLeft) }),
      share: batch.share,
      paused,
      onPause: () => attempt(() => (paused ? studio.batch.resume() : studio.batch.pause())),
      onCancel: () => cancelHeads(overview),
    });
  }
  const intake = overview?.intake;
  if (intake?.state === 'running')
    jobs.push({
      id: 'intake',
      kind: 'intake',
      title: t('jobs.intake'),
      figure: of(intake.added, intake.found),
      share: intake.found > 0 ? intake.added / intake.found : null,
      onCancel: () => attempt(() => studio.batch.cancelImport({ id: intake.id })),
    });
  if (overview && overview.board.checking > 0) {
    const total = Object.values(overview.board).reduce((sum, count) => sum + count, 0);
    const done = total - overview.board.checking;
    jobs.push({
      id: 'checks',
      kind: 'checks',
      title: t('jobs.checks'),
      figure: of(done, total),
      share: done / total,
    });
  }
  if (images)
    jobs.push({
      id: 'images',
      kind: 'images',
      title: t('jobs.images'),
      figure: of(images.submitted + images.failed, images.total),
      share: (images.submitted + images.failed) / images.total,
      onCancel: () => attempt(() => studio.batch.cancelImages()),
    });
  return jobs;
}

export function useJobEntries(): JobEntry[] {
  const { t } = useTranslation(['app', 'takes']);
  const duration = useDuration();
  const batch = useBatchJobs();
  const pageJobs = usePageJobs();
  const analyses = useAnalyses();
  const engine = useEngine().data;
  const open = useBatchOverview().data?.open ?? 0;
  const previews = useIsFetching({ queryKey: headPreviewsKey });
  const others = Math.max(0, (engine?.queued ?? 0) + (engine?.running ?? 0) - open - previews);
  return [
    ...batch,
    ...pageJobs.map(
      ({ kind, name, share, secondsLeft, waiting, cancel }): JobEntry => ({
        id: kind,
        kind,
        title: kind === 'film' ? t('takes:film.making', { name }) : t('takes:making', { name }),
        ...(waiting > 0 && { detail: t('jobs.waiting', { count: waiting }) }),
        ...(secondsLeft !== null && { left: duration(secondsLeft) }),
        share,
        onCancel: cancel,
      }),
    ),
    ...analyses.map(
      (analysis): JobEntry => ({
        id: `analysis-${analysis.id}`,
        kind: 'analysis',
        title: t('jobs.analysis'),
        detail: t(`takes:speech.stages.${analysis.stage}`),
        share: analysis.stage === 'waiting' ? null : analysis.share,
        analysis,
        onCancel: () => attempt(() => studio.takes.stopAnalysis({ id: analysis.id })),
      }),
    ),
    ...(others > 0
      ? [
          {
            id: 'others',
            kind: 'others' as const,
            title: t('jobs.others'),
            figure: t('jobs.requests', { count: others }),
            share: null,
            href: address('settings', 'engine'),
          },
        ]
      : []),
  ];
}
