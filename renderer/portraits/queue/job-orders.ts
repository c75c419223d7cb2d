/** What is ordered of jobs, from a row or by a key. */
import i18next from 'i18next';
import type { Job } from '#contract';
import { attempt, tell } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { jobList, jobSelection } from './job-list.ts';

export const cancelJobs = (ids: string[]): void =>
  attempt(async () => {
    const { cancelled } = await studio.batch.cancel({ ids });
    tell({ level: 'info', title: i18next.t('portraits:queue.cancelled', { count: cancelled }), text: '' });
  });

export const retryJobs = (ids: string[]): void => attempt(() => studio.batch.retry({ ids }));

export const putBefore = (ids: string[], before: string | null): void =>
  attempt(() => studio.batch.reorder({ ids, before }));

/** Moves a job up or down by one. Only what waits can wait elsewhere. */
export function moveJob(index: number, by: number): void {
  const job: Job | undefined = jobList.at(index);
  const beside = jobList.at(by < 0 ? index - 1 : index + 2);
  if (job?.state !== 'queued') return;
  if (by < 0 && beside?.state !== 'queued') return;
  if (by > 0 && jobList.at(index + 1) === undefined) return;
  putBefore([job.id], beside?.id ?? null);
  jobSelection.moveTo(index + by);
}
