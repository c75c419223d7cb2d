import { noiseTreatments } from '@likeness/proto/speech/noise_treatment.ts';
import type { TakeTier } from '@likeness/proto/take_stream.ts';
import { OverdubTarget } from '@likeness/proto/takes/overdub_target.ts';
import { z } from 'zod';
import { Script } from '#contract';

/** Bytes of a take's files, at most: half a day of face, three hours of sound, some 50,000 words. */
export const maxTakeBytes = {
  record: 8 * 1024 * 1024,
  audio: 2 ** 31 - 1,
  face: 512 * 1024 * 1024,
  second: 512 * 1024 * 1024,
  words: 24 * 1024 * 1024,
  edits: 256 * 1024 * 1024,
} as const;

/** The files of a take, in a folder of its own that is named after its id. */
export const takeFiles = {
  record: 'take.json',
  audio: 'audio.wav',
  face: 'face.pb',
  /** The face that was made again from the whole sound; as `face`, in one tier. */
  second: 'second.pb',
  /** The script's words and phones with their times. */
  words: 'words.json',
  /** What a person changed: an append-only list. */
  edits: 'edits.jsonl',
} as const;

/** `take.json`, schema version 1. Fields that a later version added are kept as they are. */
export const TakeRecord = z.looseObject({
  schemaVersion: z.literal(1),
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  name: z.string(),
  notes: z.string(),
  /** Stars, 0 to 5. */
  rating: z.number().int().min(0).max(5).default(0),
  tags: z.array(z.string()).default([]),
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
  tiers: z.array(z.enum(['local', 'server', 'tracker'])),
  /** What the camera's tracker that was recorded calls itself; empty without one, or where it is not known. */
  tracker: z.string().default(''),
  /** Milliseconds from sound to screen while it was recorded; null where nobody watched. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  /** What is said, as the person gave it; null: not known. */
  script: Script.nullable().default(null),
  /** The face that is made again from the whole sound. `wanted`: it waits, or the studio ended meanwhile. */
  secondHearing: z.enum(['none', 'wanted', 'done', 'failed']).default('none'),
  /** Which face is played and exported. */
  shownFace: z.enum(['live', 'second']).default('live'),
  /** How far the second face opens the jaw and moves the lips; 1 as it was heard. */
  jaw: z.number().default(1),
  lips: z.number().default(1),
  /** What is done about noise before the second hearing; the recording keeps it. */
  noise: z.enum(noiseTreatments).default('auto'),
  /** The take that it is another try of; null: a take of its own. */
  attempt: OverdubTarget.nullable().default(null),
});
export type TakeRecord = z.output<typeof TakeRecord>;

/** Notes and pictures that may stand in a WAV file beside its sound, bytes. */
const besideSound = 4 * 1024 * 1024;

/** Bytes of one of a take's files at most; of its sound by the record's length, for somebody else's may have any size. */
export const maxBytesOf = (
  { seconds, sampleRate }: Pick<TakeRecord, 'seconds' | 'sampleRate'>,
  what: keyof typeof maxTakeBytes,
): number =>
  what === 'audio'
    ? Math.min(maxTakeBytes.audio, Math.ceil(seconds * sampleRate) * 4 + besideSound)
    : maxTakeBytes[what];

/** Whose faces came while a take was recorded. */
export const tiersOf = (tiers: Iterable<TakeTier>): TakeRecord['tiers'] =>
  [...new Set(tiers)].filter((tier) => tier !== 'afterwards');

/** Start parameters of a take. */
export type TakeBeginning = Pick<
  TakeRecord,
  'name' | 'notes' | 'model' | 'source' | 'sampleRate' | 'frameRate' | 'profileId' | 'profileName'
> & { attempt?: OverdubTarget | null | undefined; script?: Script | undefined };

/** The name of a new take's folder: its time, readable, and a part that no other has. */
export const takeId = (createdAt: number, random: string): string =>
  `${new Date(createdAt).toISOString().replace(/[:.]/g, '-')}-${random}`;

/** The record of a take that begins. */
export const newRecord = (id: string, createdAt: number, beginning: TakeBeginning): TakeRecord => ({
  schemaVersion: 1,
  id,
  ...beginning,
  attempt: beginning.attempt ?? null,
  rating: 0,
  tags: [],
  createdAt,
  state: 'recording',
  seconds: 0,
  tiers: [],
  tracker: '',
  missingSeconds: 0,
  addedSeconds: 0,
  latency: null,
  script: beginning.script ?? null,
  // Words wait for the second hearing with the take itself: a studio that is killed hears them when it starts again.
  secondHearing: beginning.script ? 'wanted' : 'none',
  shownFace: 'live',
  jaw: 1,
  lips: 1,
  noise: 'auto',
});
