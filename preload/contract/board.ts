import { z } from 'zod';
import { boardReasons, boardSorts, boardStates, findingCodes, sexes } from './constants.ts';
import { id } from './fields.ts';
import { ImageTask, Job } from './jobs.ts';
import { Photo } from './photos.ts';

const boardState = z.enum(boardStates);
const boardReason = z.enum([...boardReasons, ...findingCodes]);
export type BoardReason = z.output<typeof boardReason>;

/** One tile of the board: a photo with its newest job, or an image task. */
export const BoardTile = z.object({
  /** Id of the photo or of the image task. */
  id,
  state: boardState,
  reason: boardReason.nullable(),
  /** Null: an image task. */
  photo: Photo.nullable(),
  /** The photo's newest job; null if it has none, or if the photo is in the list again. */
  job: Job.nullable(),
  task: ImageTask.nullable(),
  /** Its position among the waiting jobs, from 1, up to 99; null: it doesn't wait, or farther back. */
  line: z.number().int().positive().nullable(),
});
export type BoardTile = z.output<typeof BoardTile>;

export const BoardFilter = z.object({
  state: boardState.optional(),
  reason: boardReason.optional(),
  text: z.string().max(200).optional(),
  sex: z.enum(sexes).optional(),
  folder: z.string().max(1000).optional(),
  /** Only photos that the user can still edit: not queued, no image tasks. */
  editable: z.literal(true).optional(),
  /** Default: newest first. */
  sort: z.enum(boardSorts).optional(),
});
export type BoardFilter = z.output<typeof BoardFilter>;

/** Tiles by state and reason. */
export const BoardReasonCount = z.object({
  state: boardState,
  reason: boardReason,
  count: z.number().int(),
  /** The first of them. */
  first: id,
});
export type BoardReasonCount = z.output<typeof BoardReasonCount>;
