import type { SQLOutputValue } from 'node:sqlite';
import type { JobStanding, JobState, StudioErrorCode } from '#contract';
import type { Crop } from '#proto/crop.ts';
import type { HeadCorrections } from '#proto/head_corrections.ts';
import { restoredSentence, type Said } from '#sentences';

/** A job as it is on disk. Times in milliseconds since 1970. */
export interface JobRow {
  id: string;
  photoId: string;
  state: JobState;
  position: number;
  fileName: string;
  name: string;
  sex: 'female' | 'male';
  eyelidType: 'single' | 'double' | null;
  crop: Crop | null;
  corrections: HeadCorrections | null;
  /** The head is wanted although the check speaks against the photo. */
  anyway: boolean;
  tags: string[];
  profileId: string;
  profileName: string;
  libraryId: string;
  modelId: string;
  idempotencyKey: string;
  protected: boolean;
  remoteModelId: string;
  standing: JobStanding;
  attempts: number;
  message: Said;
  hint: Said;
  code: StudioErrorCode | null;
  /** Seconds between the last two questions. */
  pollSeconds: number;
  nextPollAt: number | null;
  queuedAt: number;
  changedAt: number;
  submittedAt: number | null;
  doneAt: number | null;
}

/** What a job gets on its way. */
type OnTheWay =
  | 'position'
  | 'protected'
  | 'remoteModelId'
  | 'standing'
  | 'attempts'
  | 'message'
  | 'hint'
  | 'code'
  | 'pollSeconds'
  | 'nextPollAt'
  | 'submittedAt'
  | 'doneAt';

/** What may change with a transition. */
export type JobChanges = Partial<
  Pick<JobRow, OnTheWay | 'libraryId' | 'profileId' | 'profileName' | 'idempotencyKey'>
>;

export type NewJob = Omit<JobRow, OnTheWay | 'state' | 'changedAt'>;

export function asJob(row: Record<string, SQLOutputValue>): JobRow {
  return {
    ...(row as unknown as JobRow),
    crop: row.crop === null ? null : (JSON.parse(String(row.crop)) as Crop),
    corrections: row.corrections === null ? null : (JSON.parse(String(row.corrections)) as HeadCorrections),
    tags: JSON.parse(String(row.tags)) as string[],
    anyway: row.anyway === 1,
    protected: row.protected === 1,
    message: restoredSentence(String(row.message), row.messageSaid),
    hint: restoredSentence(String(row.hint), row.hintSaid),
  };
}
