import { noiseTreatments } from '@likeness/proto/speech/noise_treatment.ts';
import type { TakeTier } from '@likeness/proto/take_stream.ts';
import { OverdubTarget } from '@likeness/proto/takes/overdub_target.ts';
import { z } from 'zod';
import { Script } from '#contract';

/** Maximum bytes of a take's files: half a day of face, three hours of audio, about 50,000 words. */
export const maxTakeBytes = {
  record: 8 * 1024 * 1024,
  audio: 2 ** 31 - 1,
  face: 512 * 1024 * 1024,
  second: 512 * 1024 * 1024,
  words: 24 * 1024 * 1024,
  edits: 256 * 1024 * 1024,
  performed: 64 * 1024 * 1024,
} as const;

/** The files of a take, in a separate folder that is named after its id. */
export const takeFiles = {
  record: 'take.json',
  audio: 'audio.wav',
  face: 'face.pb',
  /** The face that was made again from the whole audio; as `face`, in one tier. */
  second: 'second.pb',
  /** The transcript's words and phones with their times. */
  words: 'words.json',
  /** The user's edits: an append-only list. */
  edits: 'edits.jsonl',
  /** During a recording: the expressions shown so far. */
  performed: 'performed.jsonl',
} as const;

/** `take.json`, schema version 1. Fields of later versions are kept unchanged. */
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
  /** `recovered`: the studio exited during recording; it contains the data up to then. */
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
  /** Seconds of the face: still missing (overload or a crash), and made from the audio afterwards. */
  missingSeconds: z.number().default(0),
  addedSeconds: z.number().default(0),
  /** Sources of the faces in `face.pb`. */
  tiers: z.array(z.enum(['local', 'server', 'tracker'])),
  /** Name of the recorded camera tracker; empty if none or unknown. */
  tracker: z.string().default(''),
  /** Latency from audio to screen during recording, milliseconds; null if nobody watched. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  /** The transcript as the user gave it; null: unknown. */
  script: Script.nullable().default(null),
  /** State of the second face. `wanted`: it waits, or the studio exited meanwhile. */
  secondHearing: z.enum(['none', 'wanted', 'done', 'failed']).default('none'),
  /** The face to play and export. */
  shownFace: z.enum(['live', 'second']).default('live'),
  /** Gain of the second face's jaw opening and lip movement; 1 is neutral. */
  jaw: z.number().default(1),
  lips: z.number().default(1),
  /** Noise suppression before the full pass; the recording keeps its noise. */
  noise: z.enum(noiseTreatments).default('auto'),
  /** The take that it overdubs; null: a take of its own. */
  attempt: OverdubTarget.nullable().default(null),
});
export type TakeRecord = z.output<typeof TakeRecord>;

/** Maximum bytes of notes and pictures in a WAV file. */
const besideSound = 4 * 1024 * 1024;

/**
 * Maximum bytes of a take's file; for the audio by the record's length, because a foreign file may have any
 * size.
 */
export const maxBytesOf = (
  { seconds, sampleRate }: Pick<TakeRecord, 'seconds' | 'sampleRate'>,
  what: keyof typeof maxTakeBytes,
): number =>
  what === 'audio'
    ? Math.min(maxTakeBytes.audio, Math.ceil(seconds * sampleRate) * 4 + besideSound)
    : maxTakeBytes[what];

/** Sources of faces during a recording. */
export const tiersOf = (tiers: Iterable<TakeTier>): TakeRecord['tiers'] =>
  [...new Set(tiers)].filter((tier) => tier !== 'afterwards');

/** Start parameters of a take. */
export type TakeBeginning = Pick<
  TakeRecord,
  'name' | 'notes' | 'model' | 'source' | 'sampleRate' | 'frameRate' | 'profileId' | 'profileName'
> & { attempt?: OverdubTarget | null | undefined; script?: Script | undefined };

/** Returns the name of a new take's folder: its readable time, and a unique part. */
export const takeId = (createdAt: number, random: string): string =>
  `${new Date(createdAt).toISOString().replace(/[:.]/g, '-')}-${random}`;

/** Returns the record of a new take. */
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
  // Words and take wait for the full pass together: after a crash, the studio analyses them at the next
  // start.
  secondHearing: beginning.script ? 'wanted' : 'none',
  shownFace: 'live',
  jaw: 1,
  lips: 1,
  noise: 'auto',
});
