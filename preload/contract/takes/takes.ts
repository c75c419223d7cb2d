import { noiseTreatments } from '@likeness/proto/speech/noise_treatment.ts';
import { wordFlags } from '@likeness/proto/speech/speech_alignment.ts';
import { Script } from '@likeness/proto/takes/script.ts';
import { z } from 'zod';
import { call, nothing, type Room } from '../call.ts';
import { id, ids, name, page, TextFile, tags, time } from '../fields.ts';
import { SearchProblem } from '../models.ts';
import { Message } from '../studio_error.ts';
import { scriptLimits, takeSorts } from './take_constants.ts';
import { Scorecard, scoreFormats } from './take_score.ts';

/**
 * A recording of voice and face. Its audio is at `assetUrl(id, 'take-audio')`, its face at `…'take-face'`,
 * the face of the full pass at `…'take-second'`.
 */
export const Take = z.object({
  id,
  name: z.string(),
  notes: z.string(),
  /** Stars, 0 to 5; 0: none given. */
  rating: z.number().int().min(0).max(5),
  tags: z.array(z.string()),
  createdAt: time,
  /** Of the sound. */
  seconds: z.number().nonnegative(),
  /** The studio exited during recording: it contains the data up to then. */
  recovered: z.boolean(),
  source: z.enum(['microphone', 'file']),
  profileId: z.string(),
  profileName: z.string(),
  /** Its head, by id in the library; empty: the default head. */
  model: z.string(),
  frameRate: z.number(),
  /**
   * Seconds of the face that did not arrive during recording: still missing, and made from the audio
   * afterwards.
   */
  missingSeconds: z.number().nonnegative(),
  addedSeconds: z.number().nonnegative(),
  /** Sources of its faces: the built-in engine, the connection's server, a camera tracker. */
  tiers: z.array(z.enum(['local', 'server', 'tracker'])),
  /** Name of that tracker; empty if none or unknown. */
  tracker: z.string(),
  /** Latency from audio to screen during recording, milliseconds; null if nobody watched. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  /** Metadata of its transcript, whose text needs a separate request. Null: unknown. */
  script: z
    .object({ language: z.enum(['auto', 'en', 'zh']), fileName: z.string(), characters: z.number().int() })
    .nullable(),
  /** State of the full pass: none yet, waiting or running, done, failed. */
  fullPass: z.enum(['none', 'wanted', 'done', 'failed']),
  /** The face to play and export. */
  shownFace: z.enum(['live', 'second']),
  /** Gain of the second face's jaw opening and lip movement; 1 is neutral. */
  jaw: z.number(),
  lips: z.number(),
  /** Noise suppression before the full pass; `auto`: if there is enough noise. */
  noise: z.enum(noiseTreatments),
  /** Why it can't be read, as a sentence; empty if it can. Only the folder name of such a take is known. */
  damaged: Message,
});
export type Take = z.output<typeof Take>;

export { Script };

const AlignedPhone = z.object({
  phone: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number(),
});

const AlignedWord = z.object({
  text: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  language: z.enum(['en', 'zh']),
  start: z.number(),
  end: z.number(),
  confidence: z.number(),
  flag: z.enum(wordFlags).nullable(),
  pinned: z.boolean(),
  phones: z.array(AlignedPhone).readonly(),
});

/** Words and phones with their times: `SpeechAlignment` of proto/speech/speech_alignment.ts. */
export const Alignment = z.object({
  verdict: z.enum(['aligned', 'other_words', 'no_speech']),
  words: z.array(AlignedWord).readonly(),
  unknown: z.array(z.string()).readonly(),
});

/** The words after a move, and the changed part of the face. */
const MovedWords = z.object({
  alignment: Alignment,
  /** Start and end of the change in the face, seconds. */
  from: z.number(),
  to: z.number(),
  /** The changed frames: a stream as in `…'take-second'`, in base64. */
  face: z.string(),
});
export type MovedWords = z.output<typeof MovedWords>;

/** Progress of a take's full pass. */
export const AnalysisProgress = z.object({
  id,
  stage: z.enum(['waiting', 'analysing', 'aligning', 'making', 'done', 'stopped', 'failed']),
  /** Of the stage, 0..1. */
  share: z.number(),
  /** Why it failed, or why the words were not used; empty if there is no problem. */
  problem: Message,
});
export type AnalysisProgress = z.output<typeof AnalysisProgress>;

export const TakeQuery = z
  .object({
    /**
     * Words over name, notes, tags, date and connection, as in the library; `field:value` as `takeSearchFields`
     * has them.
     */
    text: z.string().max(200),
    sort: z.enum(takeSorts),
    descending: z.boolean(),
  })
  .partial();
export type TakeQuery = z.output<typeof TakeQuery>;

/** Either these, or all that a query finds. */
export const TakeSelection = z.union([z.object({ ids }), z.object({ query: TakeQuery })]);
export type TakeSelection = z.output<typeof TakeSelection>;

const rating = Take.shape.rating;

export const takesRoom = {
  calls: {
    /** Newest first. */
    list: call(nothing, z.array(Take)),
    take: call(z.object({ id }), Take),
    /** Newest first by default. */
    search: call(
      z.object({ ...page, query: TakeQuery }),
      z.object({
        takes: z.array(Take),
        total: z.number().int(),
        /** Parts of the text that were not understood and are ignored. */
        problems: z.array(SearchProblem),
        /** Number of takes, whether found or not. */
        all: z.number().int(),
      }),
    ),
    /** Tags of takes, most used first. */
    tags: call(nothing, z.array(z.string())),
    /** Changes the given fields only. */
    edit: call(
      z.object({
        id,
        changes: z
          .object({ name, notes: z.string().max(20_000), rating, tags })
          .partial()
          .strict(),
      }),
      Take,
    ),
    /** Rates and tags many takes. @returns how many changed, and the number to undo it by */
    editMany: call(
      z.object({
        selection: TakeSelection,
        changes: z.object({ rating, addTags: tags, removeTags: tags }).partial().strict(),
      }),
      z.object({ changed: z.number().int(), step: z.number().int() }),
    ),
    /** Undoes an `editMany` of this run. */
    undoEdit: call(z.object({ step: z.number().int() }), z.object({ changed: z.number().int() })),
    /** Returns a take's scorecard: with its edits, on a head; null: the default one. */
    score: call(z.object({ id, modelId: id.nullable() }), Scorecard),
    exportScore: call(z.object({ id, modelId: id.nullable(), format: z.enum(scoreFormats) }), TextFile),
    trash: call(z.object({ id }), nothing),
    restore: call(z.object({ id }), Take),
    trashMany: call(z.object({ selection: TakeSelection }), z.object({ trashed: z.array(id) })),
    restoreMany: call(z.object({ ids }), z.object({ restored: z.number().int() })),
    /** Takes in the trash, newest first. They stay until restored or erased. */
    trashed: call(nothing, z.array(Take)),
    /** Permanently: voice, face and record, from the list or the trash. */
    erase: call(z.object({ ids }), z.object({ erased: z.number().int() })),
    emptyTrash: call(nothing, z.object({ erased: z.number().int() })),
    reveal: call(z.object({ id }), nothing),
    /** Makes the face again from the whole audio, and from the transcript if known. In the background. */
    reanalyse: call(z.object({ id }), nothing),
    /** Cancels that; the take stays unchanged. */
    stopAnalysis: call(z.object({ id }), nothing),
    /** Progress of waiting and running full passes. */
    analyses: call(nothing, z.array(AnalysisProgress)),
    script: call(z.object({ id }), Script.nullable()),
    /** Reads a transcript from a file's content in base64: text, subtitles, labels or a TextGrid. */
    readScript: call(
      z.object({ fileName: z.string().min(1).max(255), bytes: z.string().max(scriptLimits.fileCharacters) }),
      // Skipped parts of the file, as a sentence.
      Script.extend({ leftOut: Message.optional() }),
    ),
    /** Saves the transcript (null: unknown) and makes the second face again with it. */
    setScript: call(z.object({ id, script: Script.nullable() }), Take),
    /** The words with their times; null where there are none. */
    words: call(z.object({ id }), Alignment.nullable()),
    /** Changes a word's times, seconds. Adjacent words make room, and the second face follows. */
    moveWord: call(
      z.object({
        id,
        index: z.number().int().min(0).max(scriptLimits.words),
        start: z.number().min(0).max(86_400),
        end: z.number().min(0).max(86_400),
      }),
      MovedWords,
    ),
    /** Undoes the last move, unless the take was analysed again since; null: there is none. */
    undoMove: call(z.object({ id }), MovedWords.nullable()),
    /** Sets the gain of jaw opening and lip movement, and makes the second face again. */
    setDials: call(
      z.object({
        id,
        jaw: z.number().min(scriptLimits.dial.least).max(scriptLimits.dial.most),
        lips: z.number().min(scriptLimits.dial.least).max(scriptLimits.dial.most),
      }),
      Take,
    ),
    /** Sets the noise suppression, and makes the second face again. */
    setNoise: call(z.object({ id, noise: z.enum(noiseTreatments) }), Take),
    /** Selects the face to play and export. The second one can be selected once it exists. */
    showFace: call(z.object({ id, face: z.enum(['live', 'second']) }), Take),
  },
  events: {
    /** New or changed takes, and removed ones. `stale`: too many to name. */
    changed: z.object({ takes: z.array(Take), removed: z.array(id), stale: z.boolean() }),
    analysis: AnalysisProgress,
  },
  streams: {},
} as const satisfies Room;
