import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { acceleratorPattern, liveActions } from './constants.ts';
import { id } from './fields.ts';

/** Settings of the live head's window. Content size in pixels, as in a capture at a scale of 1. */
export const PopOut = z.object({
  width: z.number().int().min(160).max(3840),
  height: z.number().int().min(160).max(2160),
  /** The window is transparent and can't be resized by hand. */
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
     * Opens the live head's window, or changes the open one. Only on the desktop: in a browser, only the page
     * itself can open one.
     */
    popOut: call(PopOut, nothing),
    /**
     * Registers these system-wide keys and releases the previous ones; none releases all. Only on the
     * desktop. Returns the keys that other programs use.
     */
    setHotkeys: call(z.array(Hotkey).max(liveActions.length), z.object({ refused: z.array(liveAction) })),
  },
  events: {
    /** One of the keys was pressed. Systems don't report when it is released. */
    hotkey: z.object({ action: liveAction }),
  },
  streams: {
    /**
     * Live audio and its face. `proto/live_message.ts` defines the messages. To main: blocks of mono float32
     * audio and commands (record, interrupt, end). From main: faces of both tiers and reports.
     */
    open: {
      in: z.object({
        profileId: id,
        sampleRate: z.number().int().min(8000).max(96_000),
        frameRate: z.union([z.literal(30), z.literal(60)]),
        /** Milliseconds of later audio that a face waits for, if the server supports the setting. */
        lookahead: z.union([z.literal(0), z.literal(20), z.literal(40), z.literal(60)]).default(20),
        /** Removes noise from the audio first, if the server supports it; faces arrive up to 22 ms later. */
        suppressNoise: z.boolean().default(false),
        /** A file's audio is sent as fast as possible; none of it is dropped. */
        source: z.enum(['microphone', 'file']).default('microphone'),
      }),
    },
  },
} as const satisfies Room;
