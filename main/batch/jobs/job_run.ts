import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Message, t, translate } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { databaseFailure, storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import type { PhotoUse } from '@likeness/proto/heads/person_photos.ts';
import { builtInProfileId } from '#contract';
import { stopping } from '../photos/photo_findings.ts';
import type { PhotoRow } from '../photos/photo_row.ts';
import type { BatchProfile, ModelService } from '../ports.ts';
import { headRequest } from './head_request.ts';
import { type HoldReason, type JobContext, overriddenIn, Stop } from './job_context.ts';
import { fetchModel } from './job_download.ts';
import { failedBy, holdReasonOf, isUncertain, retryOf } from './job_failures.ts';
import { ask, type Trouble } from './job_question.ts';
import type { JobChanges, JobRow } from './job_row.ts';
import { orderWords } from './order_words.ts';
import { firstPause } from './polling.ts';
import { type PhotoToSend, partToSend } from './sent_photo.ts';

/** Attempts of one submission while the server refuses it temporarily. */
const maxRefusals = 4;

/**
 * Runs a job from its current state to its end, one transition at a time.
 *
 * @returns Why it must wait; null if it ended (or stays unchanged because the studio closes).
 * @throws unexpected internal errors
 */
export async function runJob(
  start: JobRow,
  context: JobContext,
  signal: AbortSignal,
): Promise<HoldReason | null> {
  let job = start;
  let link = '';
  let broken = 0;
  const trouble: Trouble = { since: null, unknown: 0 };
  try {
    for (;;) {
      switch (job.state) {
        case 'queued': {
          job = await context.move(job, 'checking', { message: '', hint: '', code: null });
          break;
        }
        case 'checking': {
          const result = await submit(job, context, signal);
          if ('reason' in result) return result;
          job = result;
          break;
        }
        case 'waiting': {
          const asked = await ask(job, trouble, context, signal);
          job = asked.job;
          link = asked.link;
          break;
        }
        case 'downloading': {
          const fetched = await fetchModel(job, link, broken, context, signal);
          job = fetched.job;
          link = '';
          broken = fetched.broken;
          break;
        }
        default:
          return null;
      }
    }
  } catch (error) {
    const stop = signal.reason instanceof Stop ? signal.reason : null;
    if (stop === null) throw error;
    if (stop.why === 'closing') return null;
    // The running transition may have completed; read the row.
    const now = error instanceof StoppedAt ? error.job : job;
    await context.move(now, 'cancelled', {
      // `send` has handled submissions that the server may have received.
      orderState: now.state === 'submitting' ? 'none' : now.orderState,
      message: now.attempts > 0 && now.remoteModelId !== '' ? orderWords(now).cancelledAfterSubmit : '',
      hint: '',
      code: 'cancelled',
    });
    await context.modelStore.discard(now.libraryId, now.modelId).catch(() => undefined);
    return null;
  }
}

/** Carries the job's latest state at the abort, which may be newer than the runner's. */
class StoppedAt extends Error {
  readonly job: JobRow;
  constructor(job: JobRow, cause: unknown) {
    super('stopped', { cause });
    this.job = job;
  }
}

async function submit(job: JobRow, around: JobContext, signal: AbortSignal): Promise<JobRow | HoldReason> {
  const { profiles, clock, move } = around;
  const fail = (message: Message, hint: Message, code: JobRow['code'] = 'invalid_input'): Promise<JobRow> =>
    move(job, 'failed', { message, hint, code });
  const backToQueue = async (reason: HoldReason): Promise<HoldReason> => {
    await move(job, 'queued', { message: reason.reason });
    return reason;
  };

  const photo = around.photo(job.photoId);
  if (!photo) return fail(t('batch.photo_unknown'), t('batch.add_again'), 'not_found');
  const bytes = await unchanged(job.fileName, photo);
  if (!(bytes instanceof Uint8Array)) return move(job, 'failed', bytes);
  const others: PhotoToSend[] = [];
  for (const { photoId, fileName, crop } of job.others) {
    const other = around.photo(photoId);
    if (!other) return fail(t('batch.photo_unknown'), t('batch.add_again'), 'not_found');
    const read = await unchanged(fileName, other);
    if (!(read instanceof Uint8Array)) return move(job, 'failed', read);
    others.push({ bytes: read, fileName, crop });
  }
  if (photo.check === 'pending') {
    const [blocking] = stopping(await around.check(photo), job.anyway);
    if (blocking) return fail(blocking.message, t('batch.other_photo'));
  }

  let profile: BatchProfile;
  let service: ModelService;
  let sent: UploadFile;
  let sentOthers: UploadFile[];
  let isProtected: boolean;
  try {
    sent = await partToSend({ bytes, fileName: job.fileName, crop: job.crop }, around, signal);
    sentOthers = [];
    for (const other of others) sentOthers.push(await partToSend(other, around, signal));
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = holdReasonOf(error);
    if (reason) return backToQueue(reason);
    const isCropped = [job, ...job.others].some(({ crop }) => crop !== null);
    return isCropped
      ? fail(t('batch.crop_failed', { problem: messageOf(error) }), t('batch.send_whole'))
      : fail(messageOf(error), t('batch.other_photo'));
  }
  try {
    profile = await profiles.profile(job.profileId);
    service = await profiles.service(job.profileId);
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = holdReasonOf(error);
    return reason ? backToQueue(reason) : failedBy(error, job, move);
  }
  try {
    isProtected = (await service.extensions({ signal, sure: true })).idempotencyKey;
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    // Whether the server supports the key is unknown, so the order is not sent: ask again first.
    return backToQueue(holdReasonOf(error, true) ?? retryOf(error));
  }
  if (job.orderState === 'unknown' && !isProtected) {
    return move(job, 'uncertain', {
      code: 'upstream_broken',
      message: t('batch.protection_gone'),
      hint: lookThere,
    });
  }

  let turn: () => void;
  try {
    turn = await service.turn({ signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    return backToQueue(holdReasonOf(error) ?? retryOf(error));
  }
  try {
    signal.throwIfAborted();
    if (around.paused())
      return await backToQueue({ reason: '', code: 'cancelled', needsPerson: false, pause: 0 });
    const submitted = await move(job, 'submitting', {
      protected: isProtected,
      orderState: 'unknown',
      attempts: job.attempts + 1,
      submittedAt: clock.now(),
    });
    return await send(submitted, { file: sent, others: sentOthers, service, profile, turn }, around, signal);
  } finally {
    turn();
  }
}

/** Returns the bytes of a photo that is unchanged; otherwise why the job fails. */
async function unchanged(fileName: string, { path, sha256 }: PhotoRow): Promise<Uint8Array | JobChanges> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') {
      return {
        message: t('batch.photo_moved', { fileName }),
        hint: t('batch.put_back'),
        code: 'not_found',
      };
    }
    const failure = storageFailure(error, path);
    const hint = failure instanceof Failure ? failure.advice : '';
    return { message: messageOf(failure), hint, code: 'storage' };
  }
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  return {
    message: t('batch.photo_changed', { fileName }),
    hint: t('batch.add_as_it_is'),
    code: 'conflict',
  };
}

/** The data of an order besides its job. */
interface Order {
  file: UploadFile;
  /** Additional photos of the person. */
  others: readonly UploadFile[];
  service: ModelService;
  profile: BatchProfile;
  /** Ends the turn in which the order is sent. */
  turn: () => void;
}

async function send(
  job: JobRow,
  { file, others, service, profile, turn }: Order,
  around: JobContext,
  signal: AbortSignal,
): Promise<JobRow | HoldReason> {
  const { clock, move } = around;
  try {
    const anyway = overriddenIn(job, around).length > 0;
    const { modelId, waitSeconds, leftOut } = await service.generateModel(
      { ...headRequest({ ...job, file, others, anyway }), idempotencyKey: job.idempotencyKey },
      { signal, protectedOnly: job.protected, turn },
    );
    const pause = firstPause(waitSeconds, profile.polling);
    around.wentThrough(job.profileId, 'order');
    return await move(job, 'waiting', {
      remoteModelId: modelId,
      orderState: 'made',
      photoUses: leftOut === undefined ? null : onlyFront(job),
      pollSeconds: pause,
      nextPollAt: Math.round(clock.now() + pause * 1000),
      message: '',
    });
  } catch (thrown) {
    // A database that can't be read (the journal) fails before the order is sent.
    const error = databaseFailure(thrown);
    const uncertain = isUncertain(error);
    if (signal.aborted) {
      // When the studio closes, the job stays `submitting`, and the next start handles it.
      if (signal.reason instanceof Stop && signal.reason.why === 'cancelled' && uncertain) {
        // With its idempotency key it can be sent again; without one, only the user can decide.
        return move(job, job.protected ? 'cancelled' : 'uncertain', {
          code: 'cancelled',
          message: orderWords(job).cancelledWhileSent,
          hint: job.profileId === builtInProfileId ? '' : lookThere,
        });
      }
      throw new StoppedAt(job, error);
    }
    if (!(error instanceof Failure)) throw error;
    if (uncertain && !job.protected) {
      return move(job, 'uncertain', { code: error.code, message: error.userMessage, hint: error.advice });
    }
    const orderState = uncertain ? 'unknown' : 'none';
    const blocked = uncertain ? { ...retryOf(error), pause: null } : holdReasonOf(error);
    const again = blocked ?? (error.retryable && job.attempts < maxRefusals ? retryOf(error) : null);
    if (!again) return failedBy(error, job, move, { orderState });
    // An attempt that never reached the server doesn't count.
    const attempts = blocked && !uncertain ? job.attempts - 1 : job.attempts;
    await move(job, 'queued', { message: error.userMessage, attempts, orderState });
    return again;
  }
}

/** Returns the use of a job's photos for servers that support only one photo per person. */
const onlyFront = ({ others }: JobRow): PhotoUse[] => {
  const message = t('photo.server_takes_one');
  const reason = { en: translate(message, 'en'), zh: translate(message, 'zh-CN') };
  const left = { used: false, reason, view: '', yaw: null };
  return [{ used: true, reason: null, view: '', yaw: null }, ...others.map(() => left)];
};

const lookThere = t('batch.look_in_account');
