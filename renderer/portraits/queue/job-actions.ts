import {
  IconArrowDown,
  IconArrowUp,
  IconBox,
  IconPhotoEdit,
  IconQuestionMark,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import type { Job } from '#contract';
import type { Action } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { jobList } from './job-list.ts';
import { bringBack, cancelJobs, moveJob, orderAnew, retryJobs } from './job-orders.ts';
import { isFree, isOpen, isOver, owedOf } from './job-state.ts';

/** Jobs that the actions apply to, and their dialogs. */
export interface JobsAt {
  jobs: readonly Job[];
  settle: (ids: string[]) => void;
  /** Asks before a head is ordered again. */
  askAnew: (job: Job) => void;
}

type Does = (job: Job, at: JobsAt) => void;

/** An action on one job alone. */
const ofOne = (
  id: string,
  appearance: Pick<Action, 'words' | 'icon' | 'keys'>,
  can: (job: Job) => boolean,
  run: Does,
): Action<JobsAt> => ({
  id: `jobs.${id}`,
  ...appearance,
  applies: ({ jobs: [job, ...others] }) => job !== undefined && others.length === 0 && can(job),
  run: (at) => {
    const [job] = at.jobs;
    if (job) run(job, at);
  },
});

const idsOf = (jobs: readonly Job[], of: (job: Job) => boolean): string[] =>
  jobs.filter(of).map(({ id }) => id);
const isUncertain = ({ state }: Job): boolean => state === 'uncertain';
const isStoppable = (job: Job): boolean => isOpen(job) && !isUncertain(job);
/** Trying again only fetches what was made. */
const isFetched = (job: Job): boolean => ['made', 'gone'].includes(owedOf(job) ?? '');
const isAfterAll = (job: Job): boolean => job.state === 'cancelled' && !isFetched(job);
const isGone = (job: Job): boolean => isOver(job) && job.standing === 'gone';

/** Actions on the selected jobs of the queue. */
export const jobActions: readonly Action<JobsAt>[] = [
  ofOne(
    'open',
    { words: 'portraits:queue.open', icon: IconBox, keys: ['Enter'] },
    ({ state, modelId }) => state === 'done' && Boolean(modelId),
    ({ modelId }) => modelId && go('library', 'model', modelId),
  ),
  {
    id: 'jobs.settle',
    words: 'portraits:settle.short',
    icon: IconQuestionMark,
    keys: ['Enter'],
    applies: ({ jobs }) => jobs.some(isUncertain),
    run: ({ jobs, settle }) => settle(idsOf(jobs, isUncertain)),
  },
  {
    id: 'jobs.retry',
    words: 'portraits:queue.retry',
    icon: IconRefresh,
    keys: ['R'],
    applies: ({ jobs }) =>
      jobs.some(isOver) && !(jobs.length === 1 && jobs.some((job) => isFetched(job) || isAfterAll(job))),
    run: ({ jobs }) => retryJobs(idsOf(jobs, isOver)),
  },
  ofOne(
    'afterAll',
    { words: 'portraits:queue.afterAll', icon: IconRefresh, keys: ['R'] },
    isAfterAll,
    ({ id }) => retryJobs([id]),
  ),
  ofOne(
    'fetch',
    { words: 'portraits:queue.fetch', icon: IconRefresh, keys: ['R'] },
    (job) => isOver(job) && isFetched(job),
    ({ id }) => retryJobs([id]),
  ),
  ofOne(
    'anew',
    { words: 'portraits:queue.anew', icon: IconRefresh },
    (job) => isGone(job) && !isFree(job),
    (job, { askAnew }) => askAnew(job),
  ),
  ofOne(
    'anewHere',
    { words: 'portraits:queue.anewHere', icon: IconRefresh },
    (job) => isGone(job) && isFree(job),
    ({ id }) => attempt(() => orderAnew(id)),
  ),
  ofOne('toPhoto', { words: 'portraits:queue.toPhoto', icon: IconPhotoEdit }, isOver, ({ id }) =>
    bringBack(id),
  ),
  ofOne(
    'up',
    { words: 'portraits:queue.up', icon: IconArrowUp, keys: ['Alt+ArrowUp'] },
    ({ state }) => state === 'queued',
    ({ id }) => moveJob(jobList.indexOf(id), -1),
  ),
  ofOne(
    'down',
    { words: 'portraits:queue.down', icon: IconArrowDown, keys: ['Alt+ArrowDown'] },
    ({ state }) => state === 'queued',
    ({ id }) => moveJob(jobList.indexOf(id), 1),
  ),
  {
    id: 'jobs.cancel',
    words: 'portraits:queue.cancel',
    icon: IconX,
    keys: ['Delete'],
    applies: ({ jobs }) => jobs.some(isStoppable),
    run: ({ jobs }) => attempt(() => cancelJobs(idsOf(jobs, isStoppable))),
  },
];
