/** The queue's jobs that are shown now, and which of them are chosen. */
import type { Job, JobState } from '#contract';
import { studio } from '../../base/studio.ts';
import { LongList } from '../../ui/lists/long-list.ts';
import { Selection } from '../../ui/lists/selection.ts';

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
  (list) =>
    studio.batch.onChanged(({ jobs, removedJobs, stale }) => {
      // One whose state the filter doesn't let through any more leaves the list.
      const states = statesOf(list.listed.query);
      const leaves = states.length > 0 && jobs.some(({ state }) => !states.includes(state));
      list.patch(jobs, removedJobs, stale || leaves);
    }),
);
export const jobSelection = new Selection(jobList);

export function filterJobs(filter: JobFilter): void {
  jobSelection.restart();
  jobList.find(filter);
}
