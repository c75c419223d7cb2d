import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { takeFormats } from './constants.ts';
import { id, ids, name, time } from './fields.ts';
import { Said } from './studio_error.ts';

/**
 * A recording of voice and face. Its sound is at `assetUrl(id, 'take-audio')`, its face at `…'take-face'`.
 */
export const Take = z.object({
  id,
  name: z.string(),
  notes: z.string(),
  createdAt: time,
  /** Of the sound. */
  seconds: z.number().nonnegative(),
  /** The studio ended during recording: it holds what had arrived until then. */
  recovered: z.boolean(),
  source: z.enum(['microphone', 'file']),
  profileId: z.string(),
  profileName: z.string(),
  /** The head it was made with, by its id in the library; empty: the default head. */
  model: z.string(),
  frameRate: z.number(),
  /**
   * Seconds of the face that did not come while it was recorded: missing
   * still, and made from the sound afterwards.
   */
  missingSeconds: z.number().nonnegative(),
  addedSeconds: z.number().nonnegative(),
  /** Whose faces it holds: the built-in engine's, that of the connection's server, or both. */
  tiers: z.array(z.enum(['local', 'server'])),
  /** Milliseconds from sound to screen while it was recorded; null where nobody watched. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  /**
   * Why it can't be read, in a sentence; empty where it can. Of one
   * that can't, only its folder's name is known.
   */
  damaged: Said,
});
export type Take = z.output<typeof Take>;

export const takesRoom = {
  calls: {
    /** Newest first. */
    list: call(nothing, z.array(Take)),
    /** Changes what is given and leaves the rest. */
    edit: call(
      z.object({
        id,
        changes: z
          .object({ name, notes: z.string().max(20_000) })
          .partial()
          .strict(),
      }),
      Take,
    ),
    trash: call(z.object({ id }), nothing),
    restore: call(z.object({ id }), Take),
    /** What is in the trash, newest first. It stays there until it is brought back or erased. */
    trashed: call(nothing, z.array(Take)),
    /** For good: voice, face and record, from the list or the trash. */
    erase: call(z.object({ ids }), z.object({ erased: z.number().int() })),
    emptyTrash: call(nothing, z.object({ erased: z.number().int() })),
    reveal: call(z.object({ id }), nothing),
    /**
     * Makes files to be fetched at `assetUrl(exportId, 'take-export')` while the studio
     * runs: Live Link Face CSV, GLB or FBX with the take as its animation, VRM animation,
     * or JSON lines; the sound as WAV beside each.
     */
    export: call(
      z.object({
        id,
        format: z.enum(takeFormats),
        /** The head of a GLB or FBX, by its id in the library; null: the default head. */
        modelId: id.nullable(),
      }),
      z.object({
        files: z.array(z.object({ exportId: id, fileName: z.string(), bytes: z.number().int() })),
      }),
    ),
  },
  events: { changed: z.array(Take) },
  streams: {},
} as const satisfies Room;
