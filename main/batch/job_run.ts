import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { JobState } from '#contract';
import { Failure } from '../failure.ts';
import { fileErrorCode, storageFailure } from '../storage/storage_failure.ts';
import { correctionsFor, withinCrop } from './corrections.ts';
import type { Crop, JobChanges, JobRow } from './job_store.ts';
import type { PhotoCheck, PhotoRow } from './photo_tray.ts';
import { firstPause, nextPause, untilQuestion } from './polling.ts';
import type { BatchProfile, Clock, ModelService, Profiles, Shelf } from './ports.ts';

/** Why a job that was under way ends: the person cancelled it, or the studio closes. */
export class Stop extends Error {
  readonly why: 'cancelled' | 'closing';
  constructor(why: 'cancelled' | 'closing') {
    super(why);
    this.why = why;
  }
}

export interface JobSurroundings {
  profiles: Profiles;
  shelf: Shelf;
  clock: Clock;
  /** 0 ≤ value < 1. */
  random: () => number;
  /** One transition on disk; waits while the disk refuses. */
  move(job: JobRow, to: JobState, changes?: JobChanges): Promise<JobRow>;
  photo(id: string): PhotoRow | null;
  /** Checks a photo that nobody has looked at yet. */
  check(photo: PhotoRow): Promise<PhotoCheck['findings']>;
  /** A place to send from, one for each request that the profile allows at once; call what it gives to leave. */
  enter(profile: BatchProfile, signal: AbortSignal): Promise<() => void>;
  /** True while nothing new may be sent. */
  paused(): boolean;
  /** Downloaded so far, 0..1; null where that is not known. */
  onProgress(job: JobRow, fraction: number | null): void;
  /** Tells the person what everything waits for; empty: it goes on. */
  waitingFor(profileId: string, reason: string): void;
}

/** A job that can't go on now through no fault of its own: it is queued again, and its profile pauses. */
export interface Held {
  reason: string;
  /** Milliseconds to wait; null: as the queue thinks fit. */
  pause: number | null;
}

/** Tries of one submit that a server turns away without saying no for good. */
const mostTurnedAway = 4;
/** Downloads in a row that break off before the job is given up; it can be retried without paying again. */
const mostBrokenDownloads = 8;

/** Errors that say nothing about this photo: everything of the profile waits. */
const holding: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'locked',
  'key_missing',
  'cap_reached',
  // The journal can't be written, so nothing that costs money is sent.
  'storage',
]);

/**
 * Takes a job from where it is to where it ends, one transition after the other.
 *
 * @returns Null where it ended (or stays as it is because the studio closes), else why it must wait.
 * @throws what is a defect.
 */
export async function runJob(
  start: JobRow,
  surroundings: JobSurroundings,
  signal: AbortSignal,
): Promise<Held | null> {
  let job = start;
  let link = '';
  let broken = 0;
  try {
    for (;;) {
      switch (job.state) {
        case 'queued': {
          job = await surroundings.move(job, 'checking', { message: '', hint: '', code: null });
          break;
        }
        case 'checking': {
          const result = await submit(job, surroundings, signal);
          if ('reason' in result) return result;
          job = result;
          break;
        }
        case 'waiting': {
          const asked = await ask(job, surroundings, signal);
          job = asked.job;
          link = asked.link;
          break;
        }
        case 'downloading': {
          const fetched = await fetchModel(job, link, broken, surroundings, signal);
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
    // The transition that was under way may have come to its end; the row knows.
    const now = error instanceof StoppedAt ? error.job : job;
    await surroundings.move(now, 'cancelled', {
      message:
        now.attempts > 0 && now.remoteModelId !== ''
          ? 'Cancelled after it was submitted; it stays billed.'
          : '',
      hint: '',
      code: 'cancelled',
    });
    await surroundings.shelf.discard(now.libraryId, now.modelId).catch(() => undefined);
    return null;
  }
}

/** Carries the job as it was when the stop came, where that is later than the runner knows. */
class StoppedAt extends Error {
  readonly job: JobRow;
  constructor(job: JobRow, cause: unknown) {
    super('stopped', { cause });
    this.job = job;
  }
}

async function submit(job: JobRow, around: JobSurroundings, signal: AbortSignal): Promise<JobRow | Held> {
  const { profiles, clock, move } = around;
  const fail = (message: string, hint: string, code: JobRow['code'] = 'invalid_input'): Promise<JobRow> =>
    move(job, 'failed', { message, hint, code });
  const backToQueue = async (held: Held): Promise<Held> => {
    await move(job, 'queued', { message: held.reason });
    return held;
  };

  const photo = around.photo(job.photoId);
  if (!photo) return fail('The photo is no longer known.', 'Add it again.', 'not_found');
  let bytes: Uint8Array;
  try {
    bytes = await readFile(photo.path);
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT') {
      const failure = storageFailure(error, photo.path);
      return fail(failure instanceof Error ? failure.message : String(failure), hintOf(failure), 'storage');
    }
    return fail(
      `“${job.fileName}” is no longer where it was.`,
      'Put it back and retry, or add it again.',
      'not_found',
    );
  }
  if (createHash('sha256').update(bytes).digest('hex') !== photo.sha256) {
    return fail(
      `“${job.fileName}” was changed after it was queued.`,
      'Add it again to send it as it is now.',
      'conflict',
    );
  }
  if (photo.check === 'pending') {
    const blocking = (await around.check(photo)).find(({ severity }) => severity === 'blocking');
    if (blocking) return fail(blocking.message, 'Use another photo, or crop this one.');
  }

  let profile: BatchProfile;
  let service: ModelService;
  let sent: Uint8Array;
  let isProtected: boolean;
  try {
    sent = job.crop ? await cropped(bytes, job.crop) : bytes;
  } catch (error) {
    return fail(
      `The photo can't be cropped: ${error instanceof Error ? error.message : String(error)}.`,
      'Send it whole.',
    );
  }
  try {
    profile = await profiles.profile(job.profileId);
    service = await profiles.service(job.profileId);
    isProtected = (await service.extensions({ signal })).idempotencyKey;
  } catch (error) {
    if (signal.aborted) throw error;
    const held = heldBy(error);
    return held ? backToQueue(held) : failedBy(error, job, move);
  }

  const leave = await around.enter(profile, signal);
  try {
    if (around.paused()) return await backToQueue({ reason: '', pause: 0 });
    const submitted = await move(job, 'submitting', {
      protected: isProtected,
      attempts: job.attempts + 1,
      submittedAt: clock.now(),
    });
    return await send(submitted, sent, service, profile, around, signal);
  } finally {
    leave();
  }
}

async function send(
  job: JobRow,
  bytes: Uint8Array,
  service: ModelService,
  profile: BatchProfile,
  around: JobSurroundings,
  signal: AbortSignal,
): Promise<JobRow | Held> {
  const { clock, move } = around;
  try {
    const corrections = correctionsFor(job.profileId, job.corrections);
    const { modelId, waitSeconds } = await service.generateModel(
      {
        file: { bytes, name: job.crop ? job.fileName.replace(/\.[^.]*$/, '.jpg') : job.fileName },
        sex: job.sex,
        ...(job.eyelidType ? { eyelidType: job.eyelidType } : {}),
        ...(corrections ? { corrections: withinCrop(corrections, job.crop) } : {}),
        idempotencyKey: job.idempotencyKey,
      },
      { signal },
    );
    const pause = firstPause(waitSeconds, profile.polling);
    around.waitingFor(job.profileId, '');
    return await move(job, 'waiting', {
      remoteModelId: modelId,
      pollSeconds: pause,
      nextPollAt: Math.round(clock.now() + pause * 1000),
      message: '',
    });
  } catch (error) {
    const uncertain = isUncertain(error);
    if (signal.aborted) {
      // When the studio closes, the job stays `submitting`: the next start knows what that means.
      if (signal.reason instanceof Stop && signal.reason.why === 'cancelled' && uncertain) {
        return move(job, 'cancelled', {
          code: 'cancelled',
          message: 'Cancelled while it was being sent; the server may have received it, and may bill it.',
          hint: 'Look in your account there.',
        });
      }
      throw new StoppedAt(job, error);
    }
    if (!(error instanceof Failure)) throw error;
    if (uncertain && !job.protected) {
      return move(job, 'uncertain', { code: error.code, message: error.message, hint: error.hint });
    }
    const held = uncertain ? { reason: error.message, pause: null } : heldBy(error);
    const again = held ?? (error.retryable && job.attempts < mostTurnedAway ? retryOf(error) : null);
    if (!again) return failedBy(error, job, move);
    // A try that the server never saw is none: it must not use up those that a busy server gets.
    const attempts = held && !uncertain ? job.attempts - 1 : job.attempts;
    await move(job, 'queued', { message: error.message, attempts });
    return again;
  }
}

async function ask(
  job: JobRow,
  around: JobSurroundings,
  signal: AbortSignal,
): Promise<{ job: JobRow; link: string }> {
  const { profiles, clock, random, move } = around;
  let polling = { least: 1, most: 30 };
  try {
    ({ polling } = await profiles.profile(job.profileId));
    const pause = untilQuestion(job.nextPollAt, clock.now(), polling);
    if (pause > 0) await clock.wait(pause, signal);
    const service = await profiles.service(job.profileId);
    const model = await service.getModel(job.remoteModelId, { signal });
    around.waitingFor(job.profileId, '');
    if (model.state === 'ready')
      return { job: await move(job, 'downloading', { message: '' }), link: model.downloadLink };
    if (model.state === 'failed') {
      // Asking again would give the same answer: a retry makes a new order.
      const changes = {
        remoteModelId: '',
        code: 'upstream_refused',
        message: model.failMessage,
        hint: '',
      } as const;
      return { job: await move(job, 'failed', changes), link: '' };
    }
    const next = nextPause(job.pollSeconds, polling, random());
    return {
      job: await move(job, 'waiting', {
        pollSeconds: next,
        nextPollAt: Math.round(clock.now() + next * 1000),
        message: '',
      }),
      link: '',
    };
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    if (error.code === 'upstream_refused' && !error.retryable) {
      const changes = { remoteModelId: '', code: error.code, message: error.message, hint: error.hint };
      return { job: await move(job, 'failed', changes), link: '' };
    }
    if (!error.retryable && !holding.has(error.code))
      return { job: await failedBy(error, job, move), link: '' };
    // It is paid for, so it is asked after for as long as it takes.
    if (holding.has(error.code)) around.waitingFor(job.profileId, error.message);
    const next = nextPause(
      Math.max(1, job.pollSeconds),
      { least: polling.least, most: Math.max(polling.most, 15) },
      random(),
    );
    return {
      job: await move(job, 'waiting', {
        pollSeconds: next,
        nextPollAt: Math.round(clock.now() + next * 1000),
        message: error.message,
      }),
      link: '',
    };
  }
}

async function fetchModel(
  job: JobRow,
  link: string,
  broken: number,
  around: JobSurroundings,
  signal: AbortSignal,
): Promise<{ job: JobRow; broken: number }> {
  const { profiles, shelf, clock, move } = around;
  try {
    const profile = await profiles.profile(job.profileId);
    if (!(await shelf.has(job.libraryId, job.modelId, job.name))) {
      const target = await shelf.prepare(job.libraryId, job.modelId);
      let sha256 = '';
      // A whole download gets its name only when it is complete.
      if (!existsSync(target)) {
        const service = await profiles.service(job.profileId);
        let from = link;
        if (from === '') {
          const model = await service.getModel(job.remoteModelId, { signal });
          if (model.state !== 'ready')
            return { job: await move(job, 'waiting', { nextPollAt: null }), broken };
          from = model.downloadLink;
        }
        const onProgress = (received: number, total: number | null): void =>
          around.onProgress(job, total ? Math.min(1, received / total) : null);
        ({ sha256 } = await service.download(from, target, { onProgress, signal }));
      }
      const doneAt = clock.now();
      const photo = around.photo(job.photoId);
      await shelf.finish(job.libraryId, {
        id: job.modelId,
        name: job.name,
        fileName: job.fileName,
        photo: { path: photo?.path ?? '', sha256: photo?.sha256 ?? '' },
        parameters: {
          sex: job.sex,
          eyelidType: job.eyelidType,
          crop: job.crop,
          corrections: correctionsFor(job.profileId, job.corrections),
        },
        profile: { id: job.profileId, name: job.profileName },
        remoteModelId: job.remoteModelId,
        timings: {
          submittedAt: job.submittedAt,
          doneAt,
          seconds: job.submittedAt === null ? null : Math.max(0, doneAt - job.submittedAt) / 1000,
        },
        cost: profile.prices.perModel,
        currency: profile.prices.currency,
        tags: job.tags,
        sha256,
      });
    }
    around.waitingFor(job.profileId, '');
    return {
      job: await move(job, 'done', { doneAt: clock.now(), message: '', hint: '', code: null }),
      broken: 0,
    };
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    if (error.code === 'storage') {
      // A full disk, a drive that was pulled out: nothing is lost, it goes on when there is room.
      around.waitingFor(job.profileId, `${error.message} ${error.hint}`.trim());
      await clock.wait(5000, signal);
      return { job, broken };
    }
    const given = !error.retryable && !holding.has(error.code) && error.code !== 'upstream_refused';
    if (given || broken + 1 >= mostBrokenDownloads) return { job: await failedBy(error, job, move), broken };
    if (holding.has(error.code)) around.waitingFor(job.profileId, error.message);
    await clock.wait(Math.min(30_000, 500 * 2 ** broken), signal);
    // The network's fault counts for nothing: it may be gone for minutes.
    return { job, broken: holding.has(error.code) ? Math.min(broken + 1, 5) : broken + 1 };
  }
}

function failedBy(error: unknown, job: JobRow, move: JobSurroundings['move']): Promise<JobRow> {
  if (!(error instanceof Failure)) throw error;
  return move(job, 'failed', { code: error.code, message: error.message, hint: error.hint });
}

const hintOf = (error: unknown): string => (error instanceof Failure ? error.hint : '');

const isUncertain = (error: unknown): boolean =>
  error instanceof Error && 'uncertain' in error && error.uncertain === true;

function heldBy(error: unknown): Held | null {
  return error instanceof Failure && holding.has(error.code) ? { reason: error.message, pause: null } : null;
}

function retryOf(error: Failure): Held {
  const after = 'retryAfter' in error && typeof error.retryAfter === 'number' ? error.retryAfter : null;
  return { reason: error.message, pause: after };
}

/** Cuts a part out of the upright picture. The same photo and crop always give the same bytes. */
async function cropped(bytes: Uint8Array, { x, y, width, height }: Crop): Promise<Uint8Array> {
  const upright = await sharp(bytes).rotate().toBuffer({ resolveWithObject: true });
  const left = Math.round(x * upright.info.width);
  const top = Math.round(y * upright.info.height);
  return sharp(upright.data)
    .extract({
      left,
      top,
      width: Math.max(1, Math.min(upright.info.width - left, Math.round(width * upright.info.width))),
      height: Math.max(1, Math.min(upright.info.height - top, Math.round(height * upright.info.height))),
    })
    .keepIccProfile()
    .jpeg({ quality: 95 })
    .toBuffer();
}
