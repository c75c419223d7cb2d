/** The queue's jobs that are shown now, and which of them are chosen. */
import type { Job, JobState } from '#contract';
import { studio } from '../app/studio.ts';
import { LongList } from '../ui/long-list.ts';
import { Selection } from '../ui/selection.ts';

export const jobFilters = ['all', 'open', 'uncertain', 'failed', 'done', 'cancelled'] as const;
export type JobFilter = (typeof jobFilters)[number];

export const openStates: readonly JobState[] = [
  'queued',
  'checking',
  'submitting',
  'waiting',
  'downloading',
  'uncertain',
];
/** States that a filter lets through; none named: all. */
export const statesOf = (filter: JobFilter): JobState[] =>
  filter === 'all' ? [] : filter === 'open' ? [...openStates] : [filter];

export const jobList = new LongList<Job, JobFilter>(
  async (filter, offset, limit) => {
    const { jobs, total } = await studio.batch.jobs({ states: statesOf(filter), offset, limit });
    return { items: jobs, total };
  },
  'all',
  (list) => studio.batch.onChanged(({ jobs, removedJobs, stale }) => list.patch(jobs, removedJobs, stale)),
);
export const jobSelection = new Selection(jobList);

export function filterJobs(filter: JobFilter): void {
  jobSelection.restart();
  jobList.find(filter);
}

/** Share of its way that a job has come, 0..1: what is known of each stage, the rest by how stages usually divide. */
export function progressOf({ state, fraction }: Job): number {
  const reached: Record<JobState, number> = {
    queued: 0,
    checking: 0.08,
    submitting: 0.18,
    waiting: 0.45,
    downloading: 0.75,
    done: 1,
    failed: 1,
    cancelled: 1,
    uncertain: 0.3,
  };
  return state === 'downloading' && fraction !== null ? 0.75 + 0.24 * fraction : reached[state];
}
