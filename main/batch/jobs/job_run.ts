import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { builtInProfileId, type JobState, type StudioErrorCode } from '#contract';
import { oneAfterAnother, type Said, say } from '#sentences';
import type { Clock } from '../../base/clock.ts';
import type { Crop } from '../../base/head_parameters.ts';
import type { ModelStore } from '../../base/model_store.ts';
import { Failure, saidOf } from '../../failure.ts';
import { fileErrorCode, storageFailure } from '../../storage/storage_failure.ts';
import { correctionsFor, withinCrop } from '../photos/corrections.ts';
import { overriddenOf, type PhotoCheck, type PhotoRow, stopping } from '../photos/photo_tray.ts';
import type { BatchProfile, ModelService, Profiles } from '../ports.ts';
import type { JobChanges, JobRow } from './job_store.ts';
import { firstPause, nextPause, untilQuestion } from './polling.ts';

/** Why a job that was under way ends: the person cancelled it, or the studio closes. */
export class Stop extends Error {
  readonly why: 'cancelled' | 'closing';
  constructor(why: 'cancelled' | 'closing') {
    super(why);
    this.why = why;
  }
}

export interface JobContext {
  profiles: Profiles;
  modelStore: ModelStore;
  clock: Pick<Clock, 'now' | 'elapsed'>;
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
  /** Seconds in which this job's head was made, without its wait in the engine's line; null where that is not known. */
  secondsMade(): number | null;
  /** What the server says that it does with a model in the making; null where it says nothing. */
  onStage(job: JobRow, stage: { name: string; progress: number } | null): void;
  /** Downloaded so far, 0..1; null where that is not known. */
  onProgress(job: JobRow, fraction: number | null): void;
  /** Waits for so many milliseconds, or until the person says that it is to be tried now. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Tells the person what everything of a connection waits for. */
  waitingFor(profileId: string, obstacle: Obstacle): void;
  /** A call has gone through: an order, or a question or download. */
  wentThrough(profileId: string, what: 'order' | 'question'): void;
  /** Milliseconds in which a paid model may be answered for with nothing but nonsense before its job fails, with its id. */
  patience: number;
}

/** What keeps everything of a connection from going on. */
export interface Obstacle {
  /** What it is and what to do about it. */
  reason: Said;
  code: StudioErrorCode;
  /** True where it does not pass by itself: a key, an account, a cap, the connection's settings. */
  needsPerson: boolean;
}

/** A job that can't go on now through no fault of its own: it is queued again, and its profile pauses. */
export interface HoldReason extends Obstacle {
  /** Milliseconds to wait; null: as the queue thinks fit. */
  pause: number | null;
}

/** Tries of one submit that a server turns away without saying no for good. */
const mostTurnedAway = 4;
/** Downloads in a row that break off before the job is given up; it can be retried without paying again. */
const mostBrokenDownloads = 8;

/** Times in a row that a server must say that it doesn't know a model: it may have been asked too soon after the order. */
const timesUnknown = 3;
/** Longest pauses between two questions while something is wrong, seconds. */
const longestTroubled = 60;
const longestRefused = 300;

/** Errors that say nothing about this photo: everything of the profile waits. True: until a person acts. */
const holding: ReadonlyMap<StudioErrorCode, boolean> = new Map([
  ['unreachable', false],
  ['timeout', false],
  ['locked', true],
  ['key_missing', true],
  ['cap_reached', true],
  // The journal can't be written, so nothing that costs money is sent.
  ['storage', false],
]);

/**
 * Takes a job from where it is to where it ends, one transition after the other.
 *
 * @returns Null where it ended (or stays as it is because the studio closes), else why it must wait.
 * @throws what is a defect.
 */
export async function runJob(
  start: JobRow,
  surroundings: JobContext,
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
          const asked = await ask(job, trouble, surroundings, signal);
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
      // Of what may have been received `send` has taken care.
      standing: now.state === 'submitting' ? 'none' : now.standing,
      message: now.attempts > 0 && now.remoteModelId !== '' ? say('batch.cancelled_after_submit') : '',
      hint: '',
      code: 'cancelled',
    });
    await surroundings.modelStore.discard(now.libraryId, now.modelId).catch(() => undefined);
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

async function submit(job: JobRow, around: JobContext, signal: AbortSignal): Promise<JobRow | HoldReason> {
  const { profiles, clock, move } = around;
  const fail = (message: Said, hint: Said, code: JobRow['code'] = 'invalid_input'): Promise<JobRow> =>
    move(job, 'failed', { message, hint, code });
  const backToQueue = async (held: HoldReason): Promise<HoldReason> => {
    await move(job, 'queued', { message: held.reason });
    return held;
  };

  const photo = around.photo(job.photoId);
  if (!photo) return fail(say('batch.photo_unknown'), say('batch.add_again'), 'not_found');
  let bytes: Uint8Array;
  try {
    bytes = await readFile(photo.path);
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT') {
      const failure = storageFailure(error, photo.path);
      return fail(saidOf(failure), hintOf(failure), 'storage');
    }
    return fail(say('batch.photo_moved', { fileName: job.fileName }), say('batch.put_back'), 'not_found');
  }
  if (createHash('sha256').update(bytes).digest('hex') !== photo.sha256) {
    return fail(
      say('batch.photo_changed', { fileName: job.fileName }),
      say('batch.add_as_it_is'),
      'conflict',
    );
  }
  if (photo.check === 'pending') {
    const [blocking] = stopping(await around.check(photo), job.anyway);
    if (blocking) return fail(blocking.message, say('batch.other_photo'));
  }

  let profile: BatchProfile;
  let service: ModelService;
  let sent: Uint8Array;
  let isProtected: boolean;
  try {
    sent = job.crop ? await cropped(bytes, job.crop) : bytes;
  } catch (error) {
    return fail(say('batch.crop_failed', { problem: saidOf(error) }), say('batch.send_whole'));
  }
  try {
    profile = await profiles.profile(job.profileId);
    service = await profiles.service(job.profileId);
  } catch (error) {
    if (signal.aborted) throw error;
    const held = heldBy(error);
    return held ? backToQueue(held) : failedBy(error, job, move);
  }
  try {
    isProtected = (await service.extensions({ signal, sure: true })).idempotencyKey;
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    // Whether the order can be protected is not known, so it is not sent: the question is asked again.
    return backToQueue(heldBy(error, true) ?? retryOf(error));
  }
  if (job.standing === 'doubt' && !isProtected) {
    return move(job, 'uncertain', {
      code: 'upstream_broken',
      message: say('batch.protection_gone'),
      hint: lookThere,
    });
  }

  const leave = await around.enter(profile, signal);
  try {
    if (around.paused())
      return await backToQueue({ reason: '', code: 'cancelled', needsPerson: false, pause: 0 });
    const submitted = await move(job, 'submitting', {
      protected: isProtected,
      standing: 'doubt',
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
  around: JobContext,
  signal: AbortSignal,
): Promise<JobRow | HoldReason> {
  const { clock, move } = around;
  try {
    const corrections = correctionsFor(job.profileId, job.corrections);
    const { modelId, waitSeconds } = await service.generateModel(
      {
        file: { bytes, name: job.crop ? job.fileName.replace(/\.[^.]*$/, '.jpg') : job.fileName },
        sex: job.sex,
        ...(job.eyelidType ? { eyelidType: job.eyelidType } : {}),
        ...(corrections ? { corrections: withinCrop(corrections, job.crop) } : {}),
        ...(overriddenIn(job, around).length > 0 ? { anyway: true } : {}),
        idempotencyKey: job.idempotencyKey,
      },
      { signal, protectedOnly: job.protected },
    );
    const pause = firstPause(waitSeconds, profile.polling);
    around.wentThrough(job.profileId, 'order');
    return await move(job, 'waiting', {
      remoteModelId: modelId,
      standing: 'made',
      pollSeconds: pause,
      nextPollAt: Math.round(clock.now() + pause * 1000),
      message: '',
    });
  } catch (error) {
    const uncertain = isUncertain(error);
    if (signal.aborted) {
      // When the studio closes, the job stays `submitting`: the next start knows what that means.
      if (signal.reason instanceof Stop && signal.reason.why === 'cancelled' && uncertain) {
        // Under its key it can be sent again; without one only the person knows.
        return move(job, job.protected ? 'cancelled' : 'uncertain', {
          code: 'cancelled',
          message: say('batch.cancelled_while_sent'),
          hint: lookThere,
        });
      }
      throw new StoppedAt(job, error);
    }
    if (!(error instanceof Failure)) throw error;
    if (uncertain && !job.protected) {
      return move(job, 'uncertain', { code: error.code, message: error.said, hint: error.advice });
    }
    const standing = uncertain ? 'doubt' : 'none';
    const held = uncertain ? { ...retryOf(error), pause: null } : heldBy(error);
    const again = held ?? (error.retryable && job.attempts < mostTurnedAway ? retryOf(error) : null);
    if (!again) return failedBy(error, job, move, { standing });
    // A try that the server never saw is none: it must not use up those that a busy server gets.
    const attempts = held && !uncertain ? job.attempts - 1 : job.attempts;
    await move(job, 'queued', { message: error.said, attempts, standing });
    return again;
  }
}

/** What has been wrong with the answers for a paid model. */
interface Trouble {
  /** Since when every answer was nonsense, on the clock that only goes forward; null where the last one was not. */
  since: number | null;
  /** How often in a row the server has said that it doesn't know the model. */
  unknown: number;
}

/**
 * Asks after a model that is paid for. What ends it is that it is ready, that the server says it failed (`status` 4), or
 * that the server says again and again that it doesn't know it; in every other case its id stays and it is asked for again:
 * as long as it takes where the server or the way to it is at fault, until a person acts where the key or the account is,
 * and for as long as patience lasts where the answers make no sense. Then the job fails with its id: a retry asks on.
 */
async function ask(
  job: JobRow,
  trouble: Trouble,
  around: JobContext,
  signal: AbortSignal,
): Promise<{ job: JobRow; link: string }> {
  const { profiles, clock, random, move } = around;
  let polling = { least: 1, most: 30 };
  const askAgain = async (
    message: Said,
    longest: number,
    atLeast: number,
  ): Promise<{ job: JobRow; link: string }> => {
    const most = Math.max(polling.most, longest);
    const next = Math.max(atLeast, nextPause(job.pollSeconds, { least: polling.least, most }, random()));
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
    if (signal.aborted || !(error instanceof Failure)) throw error;
    return { job: await failedBy(error, job, move), link: '' };
  }
  try {
    const most = Math.max(polling.most, job.pollSeconds);
    const pause = untilQuestion(job.nextPollAt, clock.now(), { least: polling.least, most });
    if (pause > 0) await around.sleep(pause, signal);
    const service = await profiles.service(job.profileId);
    const model = await service.getModel(job.remoteModelId, { signal });
    around.wentThrough(job.profileId, 'question');
    trouble.since = null;
    trouble.unknown = 0;
    around.onStage(job, model.stage ?? null);
    if (model.state === 'ready')
      return { job: await move(job, 'downloading', { message: '' }), link: model.downloadLink };
    if (model.state === 'failed') {
      // Asking again would give the same answer: a retry makes a new order.
      return await fail({
        standing: 'ended',
        code: 'upstream_refused',
        // The server's own words are shown as the original beside ours.
        message:
          typeof model.failMessage === 'string'
            ? say('batch.server_failed', { words: model.failMessage })
            : model.failMessage,
        hint: '',
      });
    }
    return await askAgain('', 0, 0);
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    const obstacle = obstacleOf(error, true);
    if (obstacle) {
      trouble.since = null;
      trouble.unknown = 0;
      around.waitingFor(job.profileId, obstacle);
      return await askAgain(error.said, obstacle.needsPerson ? longestRefused : longestTroubled, 0);
    }
    if (refusalOf(error) === 'unknown_model') {
      trouble.unknown += 1;
      if (trouble.unknown >= timesUnknown) {
        const hint = say('batch.model_unknown', { remoteModelId: job.remoteModelId });
        return await fail({ standing: 'gone', code: 'not_found', message: error.said, hint });
      }
      return await askAgain(error.said, longestTroubled, 0);
    }
    if (error.retryable) {
      const { pause } = retryOf(error);
      return await askAgain(error.said, longestTroubled, (pause ?? 0) / 1000);
    }
    const now = clock.elapsed();
    trouble.since ??= now;
    if (now - trouble.since >= around.patience) return { job: await failedBy(error, job, move), link: '' };
    return await askAgain(error.said, longestTroubled, 0);
  }
}

async function fetchModel(
  job: JobRow,
  link: string,
  broken: number,
  around: JobContext,
  signal: AbortSignal,
): Promise<{ job: JobRow; broken: number }> {
  const { profiles, modelStore, clock, move } = around;
  try {
    const profile = await profiles.profile(job.profileId);
    if (!(await modelStore.has(job.libraryId, job.modelId, job.name))) {
      const target = await modelStore.prepare(job.libraryId, job.modelId);
      let sha256 = '';
      // A whole download gets its name only when it is complete.
      if (!existsSync(target)) {
        // A link may have expired: the server is asked for another one.
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
        parameters: {
          sex: job.sex,
          eyelidType: job.eyelidType,
          crop: job.crop,
          corrections: correctionsFor(job.profileId, job.corrections),
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
      // A full disk, a drive that was pulled out: nothing is lost, it goes on when there is room.
      around.waitingFor(job.profileId, { ...retryOf(error), needsPerson: false });
      await around.sleep(5000, signal);
      return { job, broken };
    }
    const obstacle = obstacleOf(error);
    // A file that is no head, a link that is refused: another link may lead to a better one.
    const mayPass = error.retryable || error.code === 'upstream_refused' || error.code === 'upstream_broken';
    if (!obstacle && (!mayPass || broken + 1 >= mostBrokenDownloads)) {
      return { job: await failedBy(error, job, move), broken };
    }
    if (obstacle) around.waitingFor(job.profileId, obstacle);
    await around.sleep(Math.min(30_000, 500 * 2 ** broken), signal);
    // The network's fault counts for nothing: it may be gone for minutes.
    return { job, broken: obstacle ? Math.min(broken + 1, 5) : broken + 1 };
  }
}

/** @param changes - Beside the error's own words. A model's id is never taken away here. */
function failedBy(
  error: unknown,
  job: JobRow,
  move: JobContext['move'],
  changes: JobChanges = {},
): Promise<JobRow> {
  if (!(error instanceof Failure)) throw error;
  const paid = job.standing === 'made' ? say('batch.model_paid', { remoteModelId: job.remoteModelId }) : '';
  const hint = oneAfterAnother(error.advice, paid);
  return move(job, 'failed', { ...changes, code: error.code, message: error.said, hint });
}

/** What is passed over for a job: the built-in engine's own rules, and nobody else's. */
function overriddenIn({ photoId, profileId, anyway }: JobRow, around: JobContext) {
  const photo = profileId === builtInProfileId ? around.photo(photoId) : null;
  return photo ? overriddenOf({ findings: photo.findings, anyway }) : [];
}

const lookThere = say('batch.look_in_account');

const hintOf = (error: unknown): Said => (error instanceof Failure ? error.advice : '');

const isUncertain = (error: unknown): boolean =>
  error instanceof Error && 'uncertain' in error && error.uncertain === true;

const refusalOf = (error: Failure): unknown => ('refusal' in error ? error.refusal : null);

/**
 * What a failure holds up beside this photo; null where it may be about this one alone.
 *
 * @param ofConnection - Nothing of the photo was in the call, so that what is invalid are the connection's settings.
 */
function obstacleOf(error: Failure, ofConnection = false): Obstacle | null {
  const { code, said, advice } = error;
  const ofSettings = refusalOf(error) === 'access' || (ofConnection && code === 'invalid_input');
  const needsPerson = ofSettings ? true : holding.get(code);
  return needsPerson === undefined ? null : { reason: oneAfterAnother(said, advice), code, needsPerson };
}

function heldBy(error: unknown, ofConnection = false): HoldReason | null {
  const obstacle = error instanceof Failure ? obstacleOf(error, ofConnection) : null;
  return obstacle && { ...obstacle, pause: null };
}

function retryOf(error: Failure): HoldReason {
  const { code, said, advice } = error;
  const pause = 'retryAfter' in error && typeof error.retryAfter === 'number' ? error.retryAfter : null;
  return { reason: oneAfterAnother(said, advice), code, needsPerson: false, pause };
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
