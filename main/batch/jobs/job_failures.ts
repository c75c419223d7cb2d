import { joinMessages } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { StudioErrorCode } from '#contract';
import type { BlockReason, HoldReason, JobContext } from './job_context.ts';
import type { JobChanges, JobRow } from './job_row.ts';
import { orderWords } from './order_words.ts';

/** Errors that do not concern this photo: the whole profile waits. True: until the user acts. */
const holding: ReadonlyMap<StudioErrorCode, boolean> = new Map([
  ['unreachable', false],
  ['timeout', false],
  ['locked', true],
  ['key_missing', true],
  ['cap_reached', true],
  // The journal can't be written, so no paid request is sent.
  ['storage', false],
]);

/** @param changes - Fields to set besides the error's message. A model id is never removed here. */
export function failedBy(
  error: unknown,
  job: JobRow,
  move: JobContext['move'],
  changes: JobChanges = {},
): Promise<JobRow> {
  if (!(error instanceof Failure)) throw error;
  const paid = job.orderState === 'made' ? orderWords(job).made(job.remoteModelId) : '';
  const hint = joinMessages(error.advice, paid);
  return move(job, 'failed', { ...changes, code: error.code, message: error.userMessage, hint });
}

export const isUncertain = (error: unknown): boolean =>
  error instanceof Error && 'uncertain' in error && error.uncertain === true;

export const refusalOf = (error: Failure): unknown => ('refusal' in error ? error.refusal : null);

/**
 * Returns what an error blocks besides this photo; null if it may concern this photo alone.
 *
 * @param ofConnection - The call contained nothing of the photo, so an invalid input means invalid connection
 * settings.
 */
export function blockReasonOf(error: Failure, ofConnection = false): BlockReason | null {
  const { code, userMessage, advice } = error;
  const ofSettings = refusalOf(error) === 'access' || (ofConnection && code === 'invalid_input');
  const needsPerson = ofSettings || error.needsPerson || holding.get(code);
  return needsPerson === undefined ? null : { reason: joinMessages(userMessage, advice), code, needsPerson };
}

export function holdReasonOf(error: unknown, ofConnection = false): HoldReason | null {
  const blockReason = error instanceof Failure ? blockReasonOf(error, ofConnection) : null;
  return blockReason && { ...blockReason, pause: null };
}

export function retryOf(error: Failure): HoldReason {
  const { code, userMessage, advice } = error;
  const pause = 'retryAfter' in error && typeof error.retryAfter === 'number' ? error.retryAfter : null;
  return { reason: joinMessages(userMessage, advice), code, needsPerson: false, pause };
}
