import { z } from 'zod';
import { call, nothing, type Room } from '../call.ts';
import { id, namePattern } from '../fields.ts';
import {
  filmPictureFits,
  transparent,
  videoCameras,
  videoDetails,
  videoFormats,
  videoFramings,
  videoLimits,
  videoRates,
} from '../video_options.ts';

const side = z
  .number()
  .int()
  .min(videoLimits.side.least)
  .max(videoLimits.side.most)
  .multipleOf(2, 'an even number of pixels');

/** Settings of a film. */
export const VideoOptions = z
  .object({
    format: z.enum(videoFormats),
    width: side,
    height: side,
    rate: z.enum(videoRates),
    framing: z.enum(videoFramings),
    camera: z.enum(videoCameras),
    background: z.union([z.literal(transparent), z.string().regex(/^#[0-9a-f]{6}$/i, 'a colour as #rrggbb')]),
    /** In front of the colour, behind the head: the id from `addPicture`. */
    picture: z.object({ id, fit: z.enum(filmPictureFits) }).nullable(),
    detail: z.enum(videoDetails),
    /** Draws the take's words as subtitles; a take without a transcript has none. */
    subtitles: z.boolean().default(false),
  })
  .refine(({ picture, background }) => picture === null || background !== transparent, {
    message: 'a picture stands before a colour',
    path: ['background'],
  })
  .refine(({ format, background }) => format !== 'mp4' || background !== transparent, {
    message: 'MP4 has no transparency: choose a colour, or WebM',
    path: ['background'],
  });
export type VideoOptions = z.output<typeof VideoOptions>;

/** A background picture. */
const FilmPicture = z.object({ id, name: z.string(), width: z.number().int(), height: z.number().int() });

const Cue = z.object({ start: z.number(), end: z.number(), lines: z.array(z.string()) });

export const videoRoom = {
  calls: {
    /**
     * Prepares a film of a take: drawing starts when the page opens its stream. On the desktop, a folder
     * dialog opens first; null: cancelled.
     */
    start: call(
      z.object({
        takeId: id,
        /** By its id in the library; null: the default head. */
        modelId: id.nullable(),
        options: VideoOptions,
        /** In the syntax of exports. */
        fileName: namePattern.default('{name}'),
        /** The value of its `{number}`. */
        number: z.number().int().min(1).max(1_000_000).default(1),
        /** An earlier film of the same run: this one is saved beside it, without a dialog. */
        beside: id.optional(),
      }),
      z.object({ filmId: id }).nullable(),
    ),
    /** The subtitles of a take with its edits, as its film has them; empty without a transcript. */
    subtitles: call(z.object({ takeId: id }), z.array(Cue)),
    /** Imports a dropped or chosen background picture; it is kept until the studio exits. */
    addPicture: call(z.object({ dropId: id }), FilmPicture),
    /** Ends a film that no page draws any more. */
    cancel: call(z.object({ filmId: id }), nothing),
  },
  events: {},
  streams: {
    /**
     * Connects a page that draws a film. `proto/takes/film_message.ts` defines the messages: to the page, the
     * film's settings; to main, the file's parts or the frames. If it closes early, only complete frames of a
     * sequence remain.
     */
    open: { in: z.object({ filmId: id }) },
  },
} as const satisfies Room;
