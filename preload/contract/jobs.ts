import { z } from 'zod';
import {
  boardStates,
  eyelidTypes,
  headStages,
  jobStates,
  orderStates,
  sexes,
  startLeft,
  studioErrorCodes,
} from './constants.ts';
import { id, time } from './fields.ts';
import { Photo, PhotoImport, PhotoUse } from './photos.ts';
import { Message } from './studio_error.ts';

/** Photos that are skipped when heads are made, each counted under one reason. */
export const SkippedPhotos = z.array(z.object({ reason: z.enum(startLeft), count: z.number().int() }));

/** A photo in the queue. Its settings are those of the order, whatever changed since. */
export const Job = z.object({
  id,
  /** For `assetUrl(id, 'photo-small')`. */
  photoId: id,
  state: z.enum(jobStates),
  fileName: z.string(),
  /** Photos of its head: the front one and the additional ones. */
  photos: z.number().int(),
  /** How each was used, the front one first; null until reported. */
  photoUses: z.array(PhotoUse).nullable(),
  name: z.string(),
  sex: z.enum(sexes),
  eyelidType: z.enum(eyelidTypes).nullable(),
  profileId: id,
  profileName: z.string(),
  libraryId: id,
  /** The server's id of the model; empty until it assigns one. */
  remoteModelId: z.string(),
  orderState: z.enum(orderStates),
  /** The model in the library; null until it exists. */
  modelId: id.nullable(),
  /** The head in the library that it remakes; null: a new one. */
  replaces: id.nullable(),
  /** Submissions so far. */
  attempts: z.number().int(),
  /** Current state or problem, as a sentence; may be empty. */
  message: Message,
  hint: Message,
  code: z.enum(studioErrorCodes).nullable(),
  /** Downloaded fraction, 0..1; null if unknown. */
  fraction: z.number().min(0).max(1).nullable(),
  /** Position in a queue: of photos to be checked or, if known, of the engine's jobs. */
  inLine: z.boolean(),
  /** The engine's current stage; null if it doesn't report it. */
  stage: z.enum(headStages).nullable(),
  /** Overall progress, 0..1: known progress of each stage, weighted by the stages' typical share. */
  progress: z.number().min(0).max(1),
  /** Estimated seconds until it is done, from earlier durations; null if unknown. */
  secondsLeft: z.number().nonnegative().nullable(),
  queuedAt: time,
  changedAt: time,
  /** Order in the queue: ascending. */
  position: z.number(),
});
export type Job = z.output<typeof Job>;

export const jobState = z.enum(jobStates);

export const BatchOverview = z.object({
  photos: z.number().int(),
  /** Photos without a sex, which can't be queued. */
  untagged: z.number().int(),
  /** Photos whose outline was corrected. */
  corrected: z.number().int(),
  checks: z.record(Photo.shape.check, z.number().int()),
  jobs: z.record(jobState, z.number().int()),
  /** Tiles of the board by state. */
  board: z.record(z.enum(boardStates), z.number().int()),
  /** Jobs that are neither done, failed nor cancelled. */
  open: z.number().int(),
  /** Those of them at servers, which may bill; the built-in engine costs nothing. */
  openAtServers: z.number().int(),
  paused: z.boolean(),
  /** Why the queue is stopped without a pause: the disk is full, the keys are locked; empty if it runs. */
  holdReason: Message,
  /** The kind of the problem, and the connection concerned; null if there is none. */
  holdCode: z.enum(studioErrorCodes).nullable(),
  holdProfileId: id.nullable(),
  /** The current batch: jobs since the queue was last empty. */
  batch: z.object({
    total: z.number().int(),
    finished: z.number().int(),
    failed: z.number().int(),
    /** Heads that were made. */
    done: z.number().int(),
    /** Progress, 0..1, including running jobs. */
    share: z.number().min(0).max(1),
  }),
  /** Seconds until all unfinished jobs are done; null if unknown. */
  secondsLeft: z.number().nonnegative().nullable(),
  /** Name of the next undo step; empty if there is none. */
  undo: z.string(),
  intake: PhotoImport.nullable(),
});
export type BatchOverview = z.output<typeof BatchOverview>;

/** A2: the interface returns an id and has no call for its state. */
export const ImageTask = z.object({
  id,
  at: time,
  fileName: z.string(),
  profileId: id,
  profileName: z.string(),
  /** The photo that was sent; null if it is unknown. */
  photoId: id.nullable(),
  /** The server's id of the task; empty if the submission failed. */
  taskId: z.string(),
  message: Message,
});
export type ImageTask = z.output<typeof ImageTask>;

/** Images being sent to a server, one after the other. */
export const ImageSubmission = z.object({
  total: z.number().int(),
  submitted: z.number().int(),
  failed: z.number().int(),
});
export type ImageSubmission = z.output<typeof ImageSubmission>;
