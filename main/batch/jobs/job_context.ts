import type { Message } from '@likeness/messages';
import type { Clock } from '@likeness/node-kit/clock.ts';
import type { Crop } from '@likeness/proto/crop.ts';
import { builtInProfileId, type JobState, type PhotoFinding, type StudioErrorCode } from '#contract';
import type { ModelStore } from '../../base/model_store.ts';
import { overriddenOf } from '../photos/photo_findings.ts';
import type { PhotoCheck, PhotoRow } from '../photos/photo_row.ts';
import type { Profiles } from '../ports.ts';
import type { JobChanges, JobRow } from './job_row.ts';

/** Why a running job ends: the user cancelled it, or the studio closes. */
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
  /** Saves one transition; waits while the disk refuses writes. */
  move(job: JobRow, to: JobState, changes?: JobChanges): Promise<JobRow>;
  photo(id: string): PhotoRow | null;
  /** Checks a photo that nobody has looked at yet. */
  check(photo: PhotoRow): Promise<PhotoCheck['findings']>;
  /** The part of a photo that is sent. @throws Failure `unreachable` where nobody can cut it now */
  crop(photo: Uint8Array, crop: Crop, signal: AbortSignal): Promise<Uint8Array>;
  /** True while nothing new may be sent. */
  paused(): boolean;
  /**
   * Seconds in which this job's head was made, without its wait in the engine's line; null where that is not
   * known.
   */
  secondsMade(): number | null;
  /** What the server says that it does with a model in the making; null where it says nothing. */
  onStage(job: JobRow, stage: { name: string; progress: number } | null): void;
  /** Downloaded so far, 0..1; null where that is not known. */
  onProgress(job: JobRow, fraction: number | null): void;
  /** Waits for so many milliseconds, or until the person says that it is to be tried now. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** The same for a question for a paid model: also until the server tells that it has changed. */
  sleepUntilAsked(job: JobRow, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Whether the server tells when a model of this job's connection has changed. */
  hears(job: JobRow): boolean;
  /** Tells the person what everything of a connection waits for. */
  waitingFor(profileId: string, reason: BlockReason): void;
  /** A call has gone through: an order, or a question or download. */
  wentThrough(profileId: string, what: 'order' | 'question'): void;
  /**
   * Milliseconds in which a paid model may be answered for with nothing but nonsense before its job fails,
   * with its id.
   */
  patience: number;
}

/** What keeps everything of a connection from going on. */
export interface BlockReason {
  /** What it is and what to do about it. */
  reason: Message;
  code: StudioErrorCode;
  /** True where it does not pass by itself: a key, an account, a cap, the connection's settings. */
  needsPerson: boolean;
}

/** A job that can't continue now for a reason outside the job: it is queued again, and its profile pauses. */
export interface HoldReason extends BlockReason {
  /** Milliseconds to wait; null: the queue decides. */
  pause: number | null;
}

/** Returns the overridden rules of a job; only the built-in engine supports them. */
export function overriddenIn(
  { photoId, profileId, anyway }: JobRow,
  around: Pick<JobContext, 'photo'>,
): PhotoFinding['code'][] {
  const photo = profileId === builtInProfileId ? around.photo(photoId) : null;
  return photo ? overriddenOf({ findings: photo.findings, anyway }) : [];
}
