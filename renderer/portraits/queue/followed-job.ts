import { useEffect, useRef, useState } from 'react';
import type { Job, JobState } from '#contract';
import { studio } from '../../base/studio.ts';

/**
 * The newest job that matches, as the queue changes.
 *
 * @param states - Of the jobs among which it is at first.
 * @param key - Another one begins anew.
 */
export function useFollowedJob(
  states: readonly JobState[],
  key: string,
  matches: (job: Job) => boolean,
): { job: Job | undefined; forget: () => void } {
  const [job, setJob] = useState<Job>();
  const search = useRef({ states, matches });
  search.current = { states, matches };
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew with another key
  useEffect(() => {
    let isOver = false;
    const end = studio.batch.onChanged(({ jobs }) => {
      const newest = jobs.findLast(search.current.matches);
      if (newest) setJob(newest);
    });
    studio.batch
      .jobs({ states: [...search.current.states], offset: 0, limit: 500 })
      .then(({ jobs }) => {
        const found = jobs.find(search.current.matches);
        if (found && !isOver) setJob((now) => now ?? found);
      })
      .catch(() => undefined); // the next event says it
    return () => {
      isOver = true;
      end();
    };
  }, [key]);
  return { job, forget: () => setJob(undefined) };
}
