import { z } from 'zod';
import { editLimits, faceRegions } from './edits/edit_limits.ts';

/** A try may begin before its take does: whoever records it is counted in. Seconds. */
const maxBefore = 60;

/** Seconds of the take at which a try begins. */
export const startsAt = z.number().min(-maxBefore).max(editLimits.seconds);

/** Regions that a try was recorded for. */
export const triedRegions = z.array(z.enum(faceRegions)).min(1).max(faceRegions.length);

/** Where a recording belongs that is another try of a take. */
export const OverdubTarget = z.object({
  /** The take's id. */
  of: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  startsAt,
  regions: triedRegions,
});
export type OverdubTarget = z.output<typeof OverdubTarget>;
