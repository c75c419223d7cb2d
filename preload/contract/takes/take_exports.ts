import { exportRates } from '@likeness/proto/takes/frame_rates.ts';
import { z } from 'zod';
import { call, nothing, type Room } from '../call.ts';
import { id, namePattern } from '../fields.ts';
import { Message } from '../studio_error.ts';
import { takeExportLimits, takeFormats } from './take_constants.ts';

/** Takes as files for other programs, all on one time base. */
const TakeExportOrder = z.object({
  ids: z.array(id).min(1).max(takeExportLimits.takes),
  formats: z.array(z.enum(takeFormats)).min(1).max(takeFormats.length),
  /** Frame rate; `own`: each take's. */
  rate: z.enum(exportRates),
  /** `{name}`, `{take}` (its number among those of its name), `{rate}`, `{number}`, `{date}`, `{today}`, `{id}`. */
  fileName: namePattern,
  /** `{number}` of the first take. */
  firstNumber: z.number().int().min(1).max(1_000_000).default(1),
  /** The head of a GLB or FBX; null: the default head. Undefined: each take's own head. */
  modelId: id.nullable().optional(),
});

export const takeExportsRoom = {
  calls: {
    /**
     * Makes files for download at `assetUrl(exportId, 'take-export')` while the studio runs, with each take's
     * audio as WAV. `zip`: one archive of all. A take that can't be exported is reported, and the others
     * continue.
     *
     * @throws `cancelled`, `storage`; the first take's error if none could be exported
     */
    make: call(
      TakeExportOrder.extend({
        as: z.enum(['files', 'zip']),
        /** All takes of the whole run, for unique names; default: `ids`. */
        among: z.array(id).max(takeExportLimits.takes).optional(),
      }),
      z.object({
        files: z.array(z.object({ exportId: id, fileName: z.string(), bytes: z.number().int() })),
        /** How many takes are in them. */
        takes: z.number().int(),
        problems: z.array(z.object({ id, name: z.string(), problem: Message })),
      }),
    ),
    /** Aborts the running export and deletes its files. */
    cancel: call(nothing, nothing),
    /** Previews an export. */
    preview: call(
      TakeExportOrder,
      z.object({
        /** Those of the first take. */
        fileNames: z.array(z.string()),
        /** The first take's value at the export's rate. */
        frames: z.number().int(),
        /** Takes without words, if a format needs them. */
        withoutWords: z.array(z.string()),
      }),
    ),
  },
  events: {
    progress: z.object({
      /** Finished takes and formats, and their totals. */
      done: z.number().int(),
      total: z.number().int(),
      /** The current take. */
      name: z.string(),
      /** Estimated from the time so far; null until there is an estimate. */
      secondsLeft: z.number().nullable(),
    }),
  },
  streams: {},
} as const satisfies Room;
