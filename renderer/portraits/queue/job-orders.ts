/** Commands for jobs, from a row or a key. */
import i18next from 'i18next';
import type { Job } from '#contract';
import { attempt, notify } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { clearFilter } from '../tray/TrayFilters.tsx';
import { jobList, jobSelection } from './job-list.ts';

/** @param ids - Null: all that are open. */
export async function cancelJobs(ids: string[] | null): Promise<void> {
  const { cancelled, back } = await studio.batch.cancel({ ids });
  if (cancelled === 0) return;
  notify({
    level: 'info',
    title: i18next.t('portraits:queue.cancelled', { count: cancelled }),
    text: backText(back),
  });
}

/** Says where photos are that came back into the tray; empty: none did. */
export const backText = (count: number): string =>
  count > 0 ? i18next.t('portraits:queue.back', { count }) : '';

/** Shows the photo of a job that failed or was cancelled, in the tray again: to be cropped, corrected, made. */
export const bringBack = (id: string): void =>
  attempt(async () => {
    const { photoIds } = await studio.batch.bringBack({ ids: [id] });
    const [photoId] = photoIds;
    if (photoId === undefined) return;
    clearFilter();
    go('portraits', 'review', photoId);
  });

export const retryJobs = (ids: string[]): void => attempt(() => studio.batch.retry({ ids }));

/** Orders a head once more that a server made and no longer has: that may be billed again. */
export const orderAnew = (id: string): Promise<unknown> => studio.batch.retry({ ids: [id], anew: true });

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
