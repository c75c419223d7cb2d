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
 * A recording of voice and face. Its sound is at `assetUrl(id, 'take-audio')`, its face at `…'take-face'`, the
 * one that was made again from the whole sound at `…'take-second'`.
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
  /** Whose faces it holds: the built-in engine's, the connection's server's, a camera's tracker's. */
  tiers: z.array(z.enum(['local', 'server', 'tracker'])),
  /** What that tracker calls itself; empty without one, or where it is not known. */
  tracker: z.string(),
  /** Milliseconds from sound to screen while it was recorded; null where nobody watched. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  /** What is said in it, as the person gave it; its text is asked for by itself. Null: not known. */
  script: z
    .object({ language: z.enum(['auto', 'en', 'zh']), fileName: z.string(), characters: z.number().int() })
    .nullable(),
  /** The face that is made again from the whole sound: not yet, waiting or under way, there, failed. */
  secondHearing: z.enum(['none', 'wanted', 'done', 'failed']),
  /** Which of its faces is played and exported. */
  shownFace: z.enum(['live', 'second']),
  /** How far the second face opens the jaw and moves the lips; 1 as it was heard. */
  jaw: z.number(),
  lips: z.number(),
  /** What is done about noise before the second face is made; `auto`: suppressed where there is enough of it. */
  noise: z.enum(noiseTreatments),
  /**
   * Why it can't be read, in a sentence; empty where it can. Of one
   * that can't, only its folder's name is known.
   */
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

/** The words after one was moved, and the face that follows. */
const MovedWords = z.object({
  alignment: Alignment,
  /** Seconds between which the face has changed. */
  from: z.number(),
  to: z.number(),
  /** Its frames there: a stream as in `…'take-second'`, in base64. */
  face: z.string(),
});
export type MovedWords = z.output<typeof MovedWords>;

/** What a take's second hearing does now. */
export const AnalysisProgress = z.object({
  id,
  stage: z.enum(['waiting', 'analysing', 'aligning', 'making', 'done', 'stopped', 'failed']),
  /** Of the stage, 0..1. */
  share: z.number(),
  /** Why it failed, or why the words were not used; empty where all is well. */
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
    /** Newest first where the query says nothing. */
    search: call(
      z.object({ ...page, query: TakeQuery }),
      z.object({
        takes: z.array(Take),
        total: z.number().int(),
        /** Parts of the text that were not understood and are ignored. */
        problems: z.array(SearchProblem),
        /** How many takes there are, found or not. */
        all: z.number().int(),
      }),
    ),
    /** Tags that takes have, the most used first. */
    tags: call(nothing, z.array(z.string())),
    /** Changes what is given and leaves the rest. */
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
    /** Rates and tags many. @returns how many are other than before, and the number to undo it by */
    editMany: call(
      z.object({
        selection: TakeSelection,
        changes: z.object({ rating, addTags: tags, removeTags: tags }).partial().strict(),
      }),
      z.object({ changed: z.number().int(), step: z.number().int() }),
    ),
    /** Undoes an `editMany` of this run. */
    undoEdit: call(z.object({ step: z.number().int() }), z.object({ changed: z.number().int() })),
    /** How a take is, in figures: as it plays, with its edits, on a head; null: the default one. */
    score: call(z.object({ id, modelId: id.nullable() }), Scorecard),
    exportScore: call(z.object({ id, modelId: id.nullable(), format: z.enum(scoreFormats) }), TextFile),
    trash: call(z.object({ id }), nothing),
    restore: call(z.object({ id }), Take),
    trashMany: call(z.object({ selection: TakeSelection }), z.object({ trashed: z.array(id) })),
    restoreMany: call(z.object({ ids }), z.object({ restored: z.number().int() })),
    /** What is in the trash, newest first. It stays there until it is brought back or erased. */
    trashed: call(nothing, z.array(Take)),
    /** For good: voice, face and record, from the list or the trash. */
    erase: call(z.object({ ids }), z.object({ erased: z.number().int() })),
    emptyTrash: call(nothing, z.object({ erased: z.number().int() })),
    reveal: call(z.object({ id }), nothing),
    /** Makes the face again from the whole sound, and from the words where they are known. In the background. */
    reanalyse: call(z.object({ id }), nothing),
    /** Stops that; the take stays as it is. */
    stopAnalysis: call(z.object({ id }), nothing),
    /** What the second hearings do that are waiting or under way. */
    analyses: call(nothing, z.array(AnalysisProgress)),
    script: call(z.object({ id }), Script.nullable()),
    /** What is said, from a file's content in base64: text, subtitles, labels or a TextGrid. */
    readScript: call(
      z.object({ fileName: z.string().min(1).max(255), bytes: z.string().max(scriptLimits.fileCharacters) }),
      // What of the file is not in the text, in a sentence.
      Script.extend({ leftOut: Message.optional() }),
    ),
    /** Keeps what is said, null: nothing is known, and makes the second face again by it. */
    setScript: call(z.object({ id, script: Script.nullable() }), Take),
    /** The words with their times; null where there are none. */
    words: call(z.object({ id }), Alignment.nullable()),
    /**
     * Gives a word other times, seconds. Words beside it give way, and the second face follows.
     */
    moveWord: call(
      z.object({
        id,
        index: z.number().int().min(0).max(scriptLimits.words),
        start: z.number().min(0).max(86_400),
        end: z.number().min(0).max(86_400),
      }),
      MovedWords,
    ),
    /** Takes the last move back, as long as the take was not heard again since; null: there is none. */
    undoMove: call(z.object({ id }), MovedWords.nullable()),
    /** How far the second face opens the jaw and moves the lips: it is made again. */
    setDials: call(
      z.object({
        id,
        jaw: z.number().min(scriptLimits.dial.least).max(scriptLimits.dial.most),
        lips: z.number().min(scriptLimits.dial.least).max(scriptLimits.dial.most),
      }),
      Take,
    ),
    /** What is done about noise before the sound is heard again: the second face is made anew. */
    setNoise: call(z.object({ id, noise: z.enum(noiseTreatments) }), Take),
    /** Which face is played and exported. The second one can be shown once it is there. */
    showFace: call(z.object({ id, face: z.enum(['live', 'second']) }), Take),
  },
  events: {
    /** What is new or other than before, and what is gone. `stale`: too many to name. */
    changed: z.object({ takes: z.array(Take), removed: z.array(id), stale: z.boolean() }),
    analysis: AnalysisProgress,
  },
  streams: {},
} as const satisfies Room;
