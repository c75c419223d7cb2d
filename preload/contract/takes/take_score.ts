import { z } from 'zod';
import { id } from '../fields.ts';
import { Message } from '../studio_error.ts';
import { takeFigures } from './take_constants.ts';

/** One figure of a take, with what it means in a sentence. */
const TakeFigure = z.object({
  key: z.enum(takeFigures),
  name: Message,
  /** Null where it can't be told; `text` says why. */
  value: z.number().nullable(),
  /** Of `value`: a share 0..1, milliseconds, a weight, weights a second, a count, or Pearson's r. */
  unit: z.enum(['share', 'ms', 'weight', 'weights/s', 'count', 'r']),
  /** As a person reads it, with what belongs to it. */
  text: Message,
  meaning: Message,
});

export const Scorecard = z.object({
  id,
  name: z.string(),
  face: z.enum(['live', 'second']),
  /** The head that closures were measured on, by its id; empty: the default head. */
  modelId: z.string(),
  seconds: z.number(),
  frames: z.number().int(),
  frameRate: z.number(),
  figures: z.array(TakeFigure),
  /** What of each channel's range is used. */
  channels: z.array(z.object({ name: z.string(), least: z.number(), most: z.number() })),
});
export type Scorecard = z.output<typeof Scorecard>;

/** How a scorecard is saved. */
export const scoreFormats = ['json', 'csv'] as const;
