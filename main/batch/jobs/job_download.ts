import { existsSync } from 'node:fs';
import { backoffPause } from '@likeness/node-kit/backoff.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { correctionsFor } from '../photos/corrections.ts';
import { optionsFor } from '../photos/head_choices.ts';
import { type JobContext, overriddenIn } from './job_context.ts';
import { blockReasonOf, failedBy, retryOf } from './job_failures.ts';
import type { JobRow } from './job_row.ts';

/** Milliseconds before a download is retried: first and maximum. */
const downloadBackoff = { first: 500, longest: 30_000 };

/** Consecutive interrupted downloads before the job fails; a retry costs nothing. */
const maxBrokenDownloads = 8;

export async function fetchModel(
  job: JobRow,
  link: string,
  broken: number,
  around: JobContext,
  signal: AbortSignal,
): Promise<{ job: JobRow; broken: number }> {
  const { profiles, modelStore, clock, move } = around;
  try {
    const profile = await profiles.profile(job.profileId);
    if (!(await modelStore.has(job.libraryId, job.modelId, job.name, job.replaces))) {
      const target = await modelStore.prepare(job.libraryId, job.modelId);
      let sha256 = '';
      // A download gets its final name only when it is complete.
      if (!existsSync(target)) {
        // A link may have expired: the server is asked for a new one.
        if (link === '') return { job: await move(job, 'waiting', { nextPollAt: null }), broken };
        const service = await profiles.service(job.profileId);
        const onProgress = (received: number, total: number | null): void =>
          around.onProgress(job, total ? Math.min(1, received / total) : null);
        ({ sha256 } = await service.download(link, target, { onProgress, signal }));
      }
      const doneAt = clock.now();
      const photo = around.photo(job.photoId);
      await modelStore.finish(job.libraryId, {
        id: job.modelId,
        name: job.name,
        fileName: job.fileName,
        photo: { path: photo?.path ?? '', sha256: photo?.sha256 ?? '' },
        others: job.others.map(({ photoId, fileName, crop }) => {
          const other = around.photo(photoId);
          return { path: other?.path ?? '', sha256: other?.sha256 ?? '', fileName, crop };
        }),
        photoUses: job.photoUses,
        parameters: {
          sex: job.sex,
          eyelidType: job.eyelidType,
          crop: job.crop,
          corrections: correctionsFor(job.profileId, job.corrections),
          options: optionsFor(job.profileId, job.options),
        },
        overridden: overriddenIn(job, around),
        profile: { id: job.profileId, name: job.profileName },
        remoteModelId: job.remoteModelId,
        timings: {
          submittedAt: job.submittedAt,
          doneAt,
          seconds:
            around.secondsMade() ??
            (job.submittedAt === null ? null : Math.max(0, doneAt - job.submittedAt) / 1000),
        },
        cost: profile.prices.perModel,
        currency: profile.prices.currency,
        tags: job.tags,
        replaces: job.replaces,
        sha256,
      });
    }
    around.wentThrough(job.profileId, 'question');
    return {
      job: await move(job, 'done', { doneAt: clock.now(), message: '', hint: '', code: null }),
      broken: 0,
    };
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    if (error.code === 'storage') {
      // A full or removed disk: nothing is lost; the download continues when there is space.
      around.waitingFor(job.profileId, { ...retryOf(error), needsPerson: false });
      await around.sleep(5000, signal);
      return { job, broken };
    }
    const blockReason = blockReasonOf(error);
    // An invalid head, or a refused link: a new link may work.
    const mayPass = error.retryable || error.code === 'upstream_refused' || error.code === 'upstream_broken';
    if (!blockReason && (!mayPass || broken + 1 >= maxBrokenDownloads)) {
      return { job: await failedBy(error, job, move), broken };
    }
    if (blockReason) around.waitingFor(job.profileId, blockReason);
    await around.sleep(backoffPause(broken + 1, downloadBackoff), signal);
    // Network errors do not count: the network may be down for minutes.
    return { job, broken: blockReason ? Math.min(broken + 1, 5) : broken + 1 };
  }
}
