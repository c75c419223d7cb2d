import { exportRates } from '@likeness/proto/takes/frame_rates.ts';
import { z } from 'zod';
import { call, nothing, type Room } from '../call.ts';
import { id, namePattern } from '../fields.ts';
import { Message } from '../studio_error.ts';
import { takeExportLimits, takeFormats } from './take_constants.ts';

/** Takes as files of other programs, all of them on one time base. */
const TakeExportOrder = z.object({
  ids: z.array(id).min(1).max(takeExportLimits.takes),
  formats: z.array(z.enum(takeFormats)).min(1).max(takeFormats.length),
  /** Frames a second; `own`: each take's. */
  rate: z.enum(exportRates),
  /** `{name}`, `{take}` (its number among those of its name), `{rate}`, `{number}`, `{date}`, `{today}`, `{id}`. */
  fileName: namePattern,
  /** `{number}` of the first take. */
  firstNumber: z.number().int().min(1).max(1_000_000).default(1),
  /** The head of a GLB or FBX; null: the default head. Without it each take has the one that it was made with. */
  modelId: id.nullable().optional(),
});

export const takeExportsRoom = {
  calls: {
    /**
     * Makes files to be fetched at `assetUrl(exportId, 'take-export')` while the studio runs, the sound as WAV beside
     * each take's. `zip`: one archive of all. A take that can't be exported is told, and the others go on.
     *
     * @throws `cancelled`, `storage`; what is wrong with the first take where none could be exported
     */
    make: call(
      TakeExportOrder.extend({
        as: z.enum(['files', 'zip']),
        /** All takes of the run that this is a part of, to name them apart; default: `ids`. */
        among: z.array(id).max(takeExportLimits.takes).optional(),
      }),
      z.object({
        files: z.array(z.object({ exportId: id, fileName: z.string(), bytes: z.number().int() })),
        /** How many takes are in them. */
        takes: z.number().int(),
        problems: z.array(z.object({ id, name: z.string(), problem: Message })),
      }),
    ),
    /** Ends what is under way: nothing of it is left. */
    cancel: call(nothing, nothing),
    /** What an order would come to, before it is made. */
    preview: call(
      TakeExportOrder,
      z.object({
        /** Those of the first take. */
        fileNames: z.array(z.string()),
        /** Of the first take, at the order's rate. */
        frames: z.number().int(),
        /** Takes that have no words, where a format is made of them. */
        withoutWords: z.array(z.string()),
      }),
    ),
  },
  events: {
    progress: z.object({
      /** Takes and formats that are done, and how many there are. */
      done: z.number().int(),
      total: z.number().int(),
      /** The take that is written now. */
      name: z.string(),
      /** By how long it took so far; null as long as that says nothing. */
      secondsLeft: z.number().nullable(),
    }),
  },
  streams: {},
} as const satisfies Room;
