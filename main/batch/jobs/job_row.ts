import type { SQLOutputValue } from 'node:sqlite';
import { type Message, restoredMessage } from '@likeness/messages';
import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { PhotoUse } from '@likeness/proto/heads/person_photos.ts';
import type { JobState, OrderState, StudioErrorCode } from '#contract';

/** An additional photo of the person, queued with the job. */
export interface JobPhoto {
  photoId: string;
  fileName: string;
  crop: Crop | null;
}

/** A job as stored on disk. Times in milliseconds since 1970. */
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
  /** The person's additional photos, at most seven. */
  others: JobPhoto[];
  /** How each photo was used, the front one first; null until the server reports it. */
  photoUses: PhotoUse[] | null;
  corrections: HeadCorrections | null;
  /** Only values that differ from the defaults. */
  options: HeadOptions | null;
  /** The user wants the head despite the findings. */
  anyway: boolean;
  tags: string[];
  profileId: string;
  profileName: string;
  libraryId: string;
  modelId: string;
  /** The model in the library that gets the head; null: a new one, by `modelId`. */
  replaces: string | null;
  idempotencyKey: string;
  protected: boolean;
  remoteModelId: string;
  orderState: OrderState;
  attempts: number;
  message: Message;
  hint: Message;
  code: StudioErrorCode | null;
  /** Seconds between the last two polls. */
  pollSeconds: number;
  nextPollAt: number | null;
  /** The photo was in the list: it returns there if the job is cancelled before it is sent. */
  fromList: boolean;
  queuedAt: number;
  changedAt: number;
  submittedAt: number | null;
  doneAt: number | null;
}

/** Fields of a new job. */
type JobProgressField =
  | 'position'
  | 'protected'
  | 'remoteModelId'
  | 'orderState'
  | 'attempts'
  | 'message'
  | 'hint'
  | 'code'
  | 'pollSeconds'
  | 'nextPollAt'
  | 'submittedAt'
  | 'doneAt'
  | 'photoUses';

/** Fields that a transition may change. */
export type JobChanges = Partial<
  Pick<JobRow, JobProgressField | 'libraryId' | 'profileId' | 'profileName' | 'idempotencyKey' | 'queuedAt'>
>;

export type NewJob = Omit<JobRow, JobProgressField | 'state' | 'changedAt'>;

export function asJob(row: Record<string, SQLOutputValue>): JobRow {
  return {
    ...(row as unknown as JobRow),
    crop: row.crop === null ? null : (JSON.parse(String(row.crop)) as Crop),
    corrections: row.corrections === null ? null : (JSON.parse(String(row.corrections)) as HeadCorrections),
    others: row.others === null ? [] : (JSON.parse(String(row.others)) as JobPhoto[]),
    photoUses: row.photoUses === null ? null : (JSON.parse(String(row.photoUses)) as PhotoUse[]),
    options: row.options === null ? null : (JSON.parse(String(row.options)) as HeadOptions),
    tags: JSON.parse(String(row.tags)) as string[],
    anyway: row.anyway === 1,
    fromList: row.fromList === 1,
    protected: row.protected === 1,
    message: restoredMessage(String(row.message), row.messageSaid),
    hint: restoredMessage(String(row.hint), row.hintSaid),
  };
}
