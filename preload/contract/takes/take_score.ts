import { z } from 'zod';
import { id } from '../fields.ts';
import { Message } from '../studio_error.ts';
import { takeFigures } from './take_constants.ts';

/** One figure of a take, with its explanation. */
const TakeFigure = z.object({
  key: z.enum(takeFigures),
  name: Message,
  /** Null if unknown; `text` explains why. */
  value: z.number().nullable(),
  /** Of `value`: a share 0..1, milliseconds, a weight, weights a second, a count, or Pearson's r. */
  unit: z.enum(['share', 'ms', 'weight', 'weights/s', 'count', 'r']),
  /** Formatted for display, with its context. */
  text: Message,
  meaning: Message,
});

export const Scorecard = z.object({
  id,
  name: z.string(),
  face: z.enum(['live', 'second']),
  /** The id of the head on which closures were measured; empty: the default head. */
  modelId: z.string(),
  seconds: z.number(),
  frames: z.number().int(),
  frameRate: z.number(),
  figures: z.array(TakeFigure),
  /** The used range of each channel. */
  channels: z.array(z.object({ name: z.string(), least: z.number(), most: z.number() })),
});
export type Scorecard = z.output<typeof Scorecard>;

/** The file format of a scorecard. */
export const scoreFormats = ['json', 'csv'] as const;
