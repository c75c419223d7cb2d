import { z } from 'zod';
import {
  eyelidTypes,
  headStages,
  jobStandings,
  jobStates,
  sexes,
  startLeft,
  studioErrorCodes,
} from './constants.ts';
import { id, time } from './fields.ts';
import { Photo, PhotoImport, PhotoUse } from './photos.ts';
import { Message } from './studio_error.ts';

/** Photos that are left out when heads are made, each counted under one reason. */
export const SkippedPhotos = z.array(z.object({ reason: z.enum(startLeft), count: z.number().int() }));

/** One photo on its way to a head. Its settings are those it was queued with, whatever was changed since. */
export const Job = z.object({
  id,
  /** For `assetUrl(id, 'photo-small')`. */
  photoId: id,
  state: z.enum(jobStates),
  fileName: z.string(),
  /** Photos that its head is made of: the front one, and those beside it. */
  photos: z.number().int(),
  /** What became of each, the front one first; null until somebody says. */
  photoUses: z.array(PhotoUse).nullable(),
  name: z.string(),
  sex: z.enum(sexes),
  eyelidType: z.enum(eyelidTypes).nullable(),
  profileId: id,
  profileName: z.string(),
  libraryId: id,
  /** The server's id of the model; empty until it gave one. */
  remoteModelId: z.string(),
  standing: z.enum(jobStandings),
  /** The model in the library; null until it is there. */
  modelId: id.nullable(),
  /** The head in the library that it makes again; null: a new one. */
  replaces: id.nullable(),
  /** Submits so far. */
  attempts: z.number().int(),
  /** What is going on or what went wrong, in a sentence; may be empty. */
  message: Message,
  hint: Message,
  code: z.enum(studioErrorCodes).nullable(),
  /** Downloaded so far, 0..1; null where that is not known. */
  fraction: z.number().min(0).max(1).nullable(),
  /**
   * Position in a queue: of photos to be checked or, where known, of the engine's jobs.
   */
  inLine: z.boolean(),
  /** What the engine is doing; null if it doesn't say. */
  stage: z.enum(headStages).nullable(),
  /**
   * Overall progress, 0..1: known progress of each stage, weighted by the stages' usual share.
   */
  progress: z.number().min(0).max(1),
  /** Seconds until it is done, learned from earlier ones; null where nothing is known. */
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
  /** Jobs that are neither done, failed nor cancelled. */
  open: z.number().int(),
  /** Those of them at servers, which may bill; the built-in engine costs nothing. */
  openAtServers: z.number().int(),
  paused: z.boolean(),
  /**
   * Why the queue is stopped although nobody paused it: the disk is full, the keys are locked; empty if it
   * runs.
   */
  holdReason: Message,
  /** What kind of thing that is, and the connection it is about; null where there is none. */
  holdCode: z.enum(studioErrorCodes).nullable(),
  holdProfileId: id.nullable(),
  /** The present batch: jobs since the queue was last empty. */
  batch: z.object({
    total: z.number().int(),
    finished: z.number().int(),
    failed: z.number().int(),
    /** Heads that were made. */
    done: z.number().int(),
    /** How far it is, 0..1, with the parts of those under way. */
    share: z.number().min(0).max(1),
  }),
  /** Seconds until all open jobs are done; null where nothing is known. */
  secondsLeft: z.number().nonnegative().nullable(),
  /** What the next undo would take back; empty where there is nothing. */
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
  /** The server's id of the task; empty where the submit failed. */
  taskId: z.string(),
  message: Message,
});
export type ImageTask = z.output<typeof ImageTask>;

/** Images on their way to a server, one after the other. */
export const ImageSubmission = z.object({
  total: z.number().int(),
  submitted: z.number().int(),
  failed: z.number().int(),
});
export type ImageSubmission = z.output<typeof ImageSubmission>;
