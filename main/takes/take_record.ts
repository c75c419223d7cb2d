import { z } from 'zod';
import type { TakeTier } from '#proto/take_stream.ts';

/** Bytes of a take's files, at most: half a day of face, three hours of sound. */
export const mostTakeBytes = { record: 1024 * 1024, audio: 2 ** 31 - 1, face: 512 * 1024 * 1024 } as const;

/** The files of a take, in a folder of its own that is named after its id. */
export const takeFiles = { record: 'take.json', audio: 'audio.wav', face: 'face.pb' } as const;

/** `take.json`, schema version 1. Fields that a later version added are kept as they are. */
export const TakeRecord = z.looseObject({
  schemaVersion: z.literal(1),
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  name: z.string(),
  notes: z.string(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** `recovered`: the studio ended during recording; it holds what had arrived until then. */
  state: z.enum(['recording', 'whole', 'recovered']),
  source: z.enum(['microphone', 'file']),
  profileId: z.string(),
  profileName: z.string(),
  /** The head's id in the library; empty for the default head. */
  model: z.string(),
  /** Of `audio.wav`, mono float32: hertz and seconds. */
  sampleRate: z.number(),
  seconds: z.number(),
  /** Frames a second, nominal. */
  frameRate: z.number(),
  /**
   * Seconds of the face: still missing (machine too busy, or a crash), and made from the sound afterwards.
   */
  missingSeconds: z.number().default(0),
  addedSeconds: z.number().default(0),
  /** Whose faces are in `face.pb`. */
  tiers: z.array(z.enum(['local', 'server'])),
  /** Milliseconds from sound to screen while it was recorded; null where nobody watched. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
});
export type TakeRecord = z.output<typeof TakeRecord>;

/** Whose faces came while a take was recorded. */
export const tiersOf = (tiers: Iterable<TakeTier>): TakeRecord['tiers'] =>
  [...new Set(tiers)].filter((tier) => tier !== 'afterwards');
