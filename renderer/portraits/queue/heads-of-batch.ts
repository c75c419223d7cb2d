import type { BatchOverview } from '#contract';

/** Heads of the batch that are over, of those that were not cancelled. */
export function headsOfBatch({ batch: { total, finished, done, failed } }: Pick<BatchOverview, 'batch'>): {
  over: number;
  count: number;
} {
  const cancelled = finished - done - failed;
  return { over: done + failed, count: total - cancelled };
}
