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

/** How a take is filmed. */
export const VideoOptions = z
  .object({
    format: z.enum(videoFormats),
    width: side,
    height: side,
    rate: z.enum(videoRates),
    framing: z.enum(videoFramings),
    camera: z.enum(videoCameras),
    background: z.union([z.literal(transparent), z.string().regex(/^#[0-9a-f]{6}$/i, 'a colour as #rrggbb')]),
    /** In front of the colour, behind the head: by the id that `addPicture` gave it. */
    picture: z.object({ id, fit: z.enum(filmPictureFits) }).nullable(),
    detail: z.enum(videoDetails),
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

/** A picture for behind a head. */
const FilmPicture = z.object({ id, name: z.string(), width: z.number().int(), height: z.number().int() });

export const videoRoom = {
  calls: {
    /**
     * Prepares a film of a take: nothing is drawn before the page opens its stream. On the desktop the person is asked
     * for a folder first; null: they chose none.
     */
    start: call(
      z.object({
        takeId: id,
        /** By its id in the library; null: the default head. */
        modelId: id.nullable(),
        options: VideoOptions,
        /** As exports have it. */
        fileName: namePattern.default('{name}'),
        /** `{number}` of it. */
        number: z.number().int().min(1).max(1_000_000).default(1),
        /** A film of the same run, which this one goes beside: nobody is asked for a folder again. */
        beside: id.optional(),
      }),
      z.object({ filmId: id }).nullable(),
    ),
    /** Takes a dropped or chosen picture for behind the head; it is kept until the studio ends. */
    addPicture: call(z.object({ dropId: id }), FilmPicture),
    /** Ends a film that no page draws any more. */
    cancel: call(z.object({ filmId: id }), nothing),
  },
  events: {},
  streams: {
    /**
     * A page that draws a film. What travels is in `proto/takes/film_message.ts`: to the page, what to draw; to main,
     * the file's pieces or the frames. Closed before its end, nothing stays but whole frames of a sequence.
     */
    open: { in: z.object({ filmId: id }) },
  },
} as const satisfies Room;
