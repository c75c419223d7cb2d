import { exportRates } from '@likeness/proto/takes/frame_rates.ts';
import { z } from 'zod';
import { exportFormats } from './constants.ts';
import { namePattern, ShapeNames } from './fields.ts';
import { takeFormats } from './takes/take_constants.ts';
import { VideoOptions } from './takes/video.ts';

const name = z.string().trim().min(1).max(40);

/** The user's exports under names, for the dialogs and `--preset`. */
export const TakePreset = z.object({
  name,
  formats: z.array(z.enum(takeFormats)).max(takeFormats.length),
  rate: z.enum(exportRates),
  fileName: namePattern,
  /** Null: no film. */
  film: VideoOptions.nullable(),
});
export type TakePreset = z.output<typeof TakePreset>;

export const HeadPreset = z.object({
  name,
  formats: z.array(z.enum(exportFormats)).min(1).max(exportFormats.length),
  names: ShapeNames,
  fileName: namePattern,
});
export type HeadPreset = z.output<typeof HeadPreset>;

/** Maximum number of presets of each kind. */
export const maxPresets = 100;
