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
  /** Checks a photo that is unchecked. */
  check(photo: PhotoRow): Promise<PhotoCheck['findings']>;
  /** Returns the part of a photo that is sent. @throws Failure `unreachable` if the checker is unavailable */
  crop(photo: Uint8Array, crop: Crop, signal: AbortSignal): Promise<Uint8Array>;
  /** True while no new order may be sent. */
  paused(): boolean;
  /** Seconds to make this job's head, without its wait in the engine's queue; null if unknown. */
  secondsMade(): number | null;
  /** The server's current stage for a model; null if it reports none. */
  onStage(job: JobRow, stage: { name: string; progress: number } | null): void;
  /** Downloaded fraction, 0..1; null if unknown. */
  onProgress(job: JobRow, fraction: number | null): void;
  /** Waits for some milliseconds, or until the user asks for a retry. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** The same before a poll of a paid model: also until the server reports a change. */
  sleepUntilAsked(job: JobRow, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Whether the server sends model events to this job's connection. */
  hears(job: JobRow): boolean;
  /** Notifies the user of a problem that blocks a whole connection. */
  waitingFor(profileId: string, reason: BlockReason): void;
  /** Records a successful call: an order, or a poll or download. */
  wentThrough(profileId: string, what: 'order' | 'question'): void;
  /** Maximum milliseconds of invalid answers for a paid model before its job fails, with its id. */
  patience: number;
}

/** The problem that blocks a whole connection. */
export interface BlockReason {
  /** The problem and a suggested solution. */
  reason: Message;
  code: StudioErrorCode;
  /** True if only the user can solve it: a key, an account, a cap, the connection's settings. */
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
