import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { ModelService } from '../ports.ts';
import type { JobContext } from './job_context.ts';
import { blockReasonOf, failedBy, refusalOf, retryOf } from './job_failures.ts';
import type { JobChanges, JobRow } from './job_row.ts';
import { orderWords } from './order_words.ts';
import { nextPause, untilQuestion } from './polling.ts';

/**
 * How often in a row a server must report an unknown model before the job fails: the first polls may come too
 * early.
 */
const timesUnknown = 3;
/** Maximum polling intervals during a problem, seconds. */
const longestTroubled = 60;
const longestRefused = 300;

/** Errors so far in the answers for a paid model. */
export interface Trouble {
  /** When the answers became invalid (monotonic clock); null if the last one was valid. */
  since: number | null;
  /** How often in a row the server reported an unknown model. */
  unknown: number;
}

/**
 * Polls a paid model until it is ready, has failed (`status` 4), or the server repeatedly does not know it.
 * Otherwise the id is kept and polling continues: without limit for server or network errors, until the user
 * acts on a key or account problem, and for a limited time if the answers are invalid. Then the job fails
 * with its id, and a retry resumes polling.
 */
export async function ask(
  job: JobRow,
  trouble: Trouble,
  around: JobContext,
  signal: AbortSignal,
): Promise<{ job: JobRow; link: string }> {
  const { profiles, clock, random, move } = around;
  let polling = { least: 1, most: 30 };
  const askAgain = async (
    message: Message,
    longest: number,
    atLeast: number,
  ): Promise<{ job: JobRow; link: string }> => {
    const max = Math.max(polling.most, longest);
    const next = Math.max(atLeast, nextPause(job.pollSeconds, { least: polling.least, most: max }, random()));
    const nextPollAt = Math.round(clock.now() + next * 1000);
    return { job: await move(job, 'waiting', { pollSeconds: next, nextPollAt, message }), link: '' };
  };
  const fail = async (changes: JobChanges): Promise<{ job: JobRow; link: string }> => ({
    job: await move(job, 'failed', changes),
    link: '',
  });
  try {
    ({ polling } = await profiles.profile(job.profileId));
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure) || error.code === 'storage') throw error;
    return { job: await failedBy(error, job, move), link: '' };
  }
  try {
    const max = Math.max(polling.most, job.pollSeconds);
    const pause = untilQuestion(job.nextPollAt, clock.now(), { least: polling.least, most: max });
    if (pause > 0) await around.sleepUntilAsked(job, pause, signal);
    const service = await profiles.service(job.profileId);
    const model = await service.getModel(job.remoteModelId, { signal });
    around.wentThrough(job.profileId, 'question');
    trouble.since = null;
    trouble.unknown = 0;
    around.onStage(job, model.stage ?? null);
    if (model.state === 'ready')
      return {
        job: await move(job, 'downloading', { message: '', ...usesOf(model, job) }),
        link: model.downloadLink,
      };
    if (model.state === 'failed') {
      // Polling again would give the same answer: a retry makes a new order.
      return await fail({
        orderState: 'ended',
        code: 'upstream_refused',
        // The server's text is shown as the original beside our message.
        message:
          typeof model.failMessage === 'string'
            ? t('batch.server_failed', { words: model.failMessage })
            : model.failMessage,
        hint: '',
      });
    }
    // With model events, polling is rare; it only covers a lost event.
    return await askAgain('', 0, around.hears(job) ? polling.most : 0);
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    const blockReason = blockReasonOf(error, true);
    if (blockReason) {
      trouble.since = null;
      trouble.unknown = 0;
      around.waitingFor(job.profileId, blockReason);
      return await askAgain(error.userMessage, blockReason.needsPerson ? longestRefused : longestTroubled, 0);
    }
    if (refusalOf(error) === 'unknown_model') {
      trouble.unknown += 1;
      if (trouble.unknown >= timesUnknown) {
        const hint = orderWords(job).unknown(job.remoteModelId);
        return await fail({ orderState: 'gone', code: 'not_found', message: error.userMessage, hint });
      }
      return await askAgain(error.userMessage, longestTroubled, 0);
    }
    // Until a poll succeeds, all jobs of the connection wait: report why.
    const { pause, ...reason } = retryOf(error);
    around.waitingFor(job.profileId, reason);
    if (error.retryable) {
      return await askAgain(error.userMessage, longestTroubled, (pause ?? 0) / 1000);
    }
    const now = clock.elapsed();
    trouble.since ??= now;
    if (now - trouble.since >= around.patience) return { job: await failedBy(error, job, move), link: '' };
    return await askAgain(error.userMessage, longestTroubled, 0);
  }
}

/** Returns how the server used each photo, if it reports all of them. */
const usesOf = (
  { photos }: Awaited<ReturnType<ModelService['getModel']>>,
  { others }: JobRow,
): Pick<JobChanges, 'photoUses'> =>
  photos && others.length > 0 && photos.length === 1 + others.length ? { photoUses: photos } : {};
