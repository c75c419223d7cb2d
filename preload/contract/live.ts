import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { acceleratorPattern, liveActions } from './constants.ts';
import { id } from './fields.ts';

/**
 * How the live head's own window is. Pixels of its content, as a
 * capture has them on a screen of plain density.
 */
export const PopOut = z.object({
  width: z.number().int().min(160).max(3840),
  height: z.number().int().min(160).max(2160),
  /** The window is transparent; it can't be resized by hand then. */
  transparent: z.boolean(),
  onTop: z.boolean(),
});
export type PopOut = z.output<typeof PopOut>;

const liveAction = z.enum(liveActions);

/** A system-wide key. */
export const Hotkey = z.object({
  action: liveAction,
  accelerator: z
    .string()
    .max(60)
    .regex(acceleratorPattern, 'a function key, or a key with Control, Alt or Command'),
});
export type Hotkey = z.output<typeof Hotkey>;

export const liveRoom = {
  calls: {
    /**
     * Opens the live head's own window, or changes the one that is open. Only on the desktop: in a browser
     * the page opens one itself, which nobody but it may do.
     */
    popOut: call(PopOut, nothing),
    /**
     * Takes these keys from the whole system, and gives back those of before; none gives back all. Only on
     * the desktop. Says which another program has.
     */
    setHotkeys: call(z.array(Hotkey).max(liveActions.length), z.object({ refused: z.array(liveAction) })),
  },
  events: {
    /** One of the keys was pressed. Systems don't report when it is released. */
    hotkey: z.object({ action: liveAction }),
  },
  streams: {
    /**
     * A voice and its face. What travels is in `proto/live_message.ts`: to main, blocks of mono float32 sound
     * and orders (record, interrupt, end); from main, faces of both tiers and reports.
     */
    open: {
      in: z.object({
        profileId: id,
        sampleRate: z.number().int().min(8000).max(96_000),
        frameRate: z.union([z.literal(30), z.literal(60)]),
        /** Milliseconds of sound after a moment that its face waits for; where the server takes a wish. */
        lookahead: z.union([z.literal(0), z.literal(20), z.literal(40), z.literal(60)]).default(20),
        /** Noise is taken from the sound first, where the server can; faces come up to 22 ms later. */
        suppressNoise: z.boolean().default(false),
        /** A file's sound comes as fast as it can be sent; nothing of it is given up. */
        source: z.enum(['microphone', 'file']).default('microphone'),
      }),
    },
  },
} as const satisfies Room;
