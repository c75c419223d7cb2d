/**
 * The bodies of the recording routes: read from requests here, written to `/openapi.json` and read by the
 * studio.
 */

import { isPhone } from '@likeness/proto/speech/phones.ts';
import { type SpeechAlignment, wordFlags } from '@likeness/proto/speech/speech_alignment.ts';
import { z } from 'zod';
import { parseJsonBody } from '../http/json_body.ts';

/** Maximum words of a script to align: some fifteen hours of speech. */
const maxWords = 200_000;
/** Maximum UTF-16 units of a script. */
const maxScript = 2 * 1024 * 1024;
/** Maximum phones of one word: longer than the longest word of any dictionary. */
const maxPhones = 200;
/** Maximum number of words with a custom pronunciation. */
const maxPronunciations = 10_000;
const longestWord = 100;

const share = z.number().min(0).max(1);
const seconds = z
  .number()
  .min(0)
  .max(24 * 3600);

const recording = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('Names the recording, by the file that was sent and `noise`');

/** The progress line of an answer in lines. */
export const progressSchema = z.object({ progress: share });

/** The last line of an answer that failed after it had begun. */
export const failedSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    messages: z.object({ en: z.string(), zh: z.string() }).optional(),
  }),
});

export const heardSchema = z.object({
  recording,
  seconds: seconds.describe('Length of the sound'),
  speech: share.describe('Share of it that is speech'),
});

const alignedPhone = z.strictObject({
  phone: z.string().max(8).refine(isPhone, 'no such phone').describe('ARPAbet, or a pinyin initial or final'),
  start: seconds,
  end: seconds,
  confidence: share,
});

const alignedWord = z.strictObject({
  text: z.string().max(maxScript),
  from: z.int().min(0).describe('Where it stands in the script, UTF-16 units'),
  to: z.int().min(0),
  language: z.enum(['en', 'zh']),
  start: seconds,
  end: seconds,
  confidence: share,
  flag: z
    .enum(wordFlags)
    .nullable()
    .describe('Where the sound disagrees; such a stretch takes its face from the sound alone'),
  pinned: z.boolean().describe('A person has set its times'),
  phones: z.array(alignedPhone).max(maxPhones),
});

export const alignmentSchema = z.strictObject({
  verdict: z
    .enum(['aligned', 'other_words', 'no_speech'])
    .describe('other_words: these words are not what is said'),
  words: z.array(alignedWord).max(maxWords),
  unknown: z
    .array(z.string().max(maxScript))
    .max(maxWords)
    .describe('Words that no dictionary has, pronounced by rules'),
}) satisfies z.ZodType<SpeechAlignment>;

/** @throws {Refusal} 400 `json_malformed`, `field_wrong_value` */
export const parseAlignment = (text: string): SpeechAlignment =>
  parseJsonBody(`{"alignment":${text}}`, z.strictObject({ alignment: alignmentSchema })).alignment;

export const alignmentRequestSchema = z.strictObject({
  recording,
  script: z.string().max(maxScript).describe('The words that were said'),
  language: z.enum(['en', 'zh', 'auto']).default('auto').describe('auto: by the script, word for word'),
  pronunciations: z
    .record(
      z.string().min(1).max(longestWord),
      z
        .string()
        .min(1)
        .max(8 * maxPhones),
    )
    .refine((words) => Object.keys(words).length <= maxPronunciations)
    .optional()
    .describe('By word, phones with a space between; they go before those of the dictionaries'),
  pinned: z
    .array(z.strictObject({ index: z.int().min(0).max(maxWords), start: seconds, end: seconds }))
    .max(maxWords)
    .optional()
    .describe('Words by their number in the script whose times a person has set, seconds'),
});

const dial = z.number().min(0.2).max(2).default(1);

export const faceRequestSchema = z.strictObject({
  recording,
  alignment: alignmentSchema
    .nullable()
    .default(null)
    .describe('What /v1/speech/alignments answered; null: from the sound alone'),
  frameRate: z.int().min(24).max(120).default(60),
  jaw: dial.describe('How far the jaw opens, 1 as made'),
  lips: dial.describe('How much the lips move, 1 as made'),
  seed: z.int().min(0).max(0xffffffff).default(1).describe('Of blinks, gaze, brows and head'),
  from: seconds.optional().describe('Only the frames from here on, seconds'),
  to: seconds.optional().describe('Only the frames before this'),
});
