import type { Handlers } from '#contract';
import type { Batch } from '../batch.ts';
import { reportJobs } from './job_report.ts';

/** Implements the calls about jobs: ordering heads, the queue and results. */
export const jobCalls = (batch: Batch) => {
  const { jobs, orders, modelStore } = batch;
  return {
    async start({ selection, profileId, libraryId, again }) {
      const isKnown = libraryId !== undefined && modelStore.knows(libraryId);
      const order = { profileId, libraryId: isKnown ? libraryId : modelStore.defaultLibraryId(), again };
      const { queued, left } = await orders.start(selection, order);
      return { queued: queued.length, left };
    },
    forecast: ({ selection, ...order }) => orders.forecast(selection, order),
    jobs({ offset, limit, states }) {
      const page = jobs.page(states, offset, limit);
      return { jobs: page.jobs.map((job) => batch.shownJob(job)), total: page.total };
    },
    pause() {
      batch.pause(true);
      return undefined;
    },
    resume() {
      batch.pause(false);
      return undefined;
    },
    cancel: ({ ids }) => orders.cancel(ids),
    bringBack: ({ ids }) => ({ photoIds: orders.bringBack(ids) }),
    reorder({ ids, before }) {
      orders.reorder(ids, before);
      return undefined;
    },
    retry: async ({ ids, ...to }) => ({ retried: await orders.retry(ids, to) }),
    resolveUncertain({ ids, answer, remoteModelId }) {
      orders.resolveUncertain(ids, answer, remoteModelId);
      return undefined;
    },
    clearFinished: ({ owed }) => orders.clearFinished(owed),
    report() {
      const day = new Date(batch.clock.now()).toISOString().slice(0, 10);
      const text = reportJobs(jobs.page([], 0, -1).jobs);
      return { fileName: `likeness-batch-${day}.csv`, mediaType: 'text/csv', text };
    },
  } satisfies Partial<Handlers['batch']>;
};
