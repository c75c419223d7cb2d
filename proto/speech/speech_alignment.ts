/** The words of a recording with their times: the answer of the engine's extension `speech-alignment`. */
import type { SpokenLanguage } from './phones.ts';

export interface AlignedPhone {
  /** A symbol of proto/speech/phones.ts. */
  readonly phone: string;
  /** Seconds since the recording's first sample. */
  readonly start: number;
  readonly end: number;
  /** 0..1: how well the sound agrees. */
  readonly confidence: number;
}

/**
 * Differences between audio and script: the speaker skips the word, says something else, or says more between
 * this word and the next.
 */
export const wordFlags = ['left_out', 'changed', 'followed_by_more'] as const;
export type WordFlag = (typeof wordFlags)[number];

export interface AlignedWord {
  /** As the script has it. */
  readonly text: string;
  /** Where it stands in the script, UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly language: SpokenLanguage;
  /** Seconds since the recording's first sample; of a word left out, where it would have been (start = end). */
  readonly start: number;
  readonly end: number;
  /** 0..1 */
  readonly confidence: number;
  /** Null: the sound agrees. A flagged stretch takes its face from the sound alone. */
  readonly flag: WordFlag | null;
  /** A person has set its times: they are kept when the take is aligned again. */
  readonly pinned: boolean;
  /** Phones of the recognised pronunciation; empty for a skipped word. */
  readonly phones: readonly AlignedPhone[];
}

export interface SpeechAlignment {
  /**
   * `aligned`: the script matches the recording, except for flagged words. `other_words`: the script does not
   * match. `no_speech`: the audio has no speech.
   */
  readonly verdict: 'aligned' | 'other_words' | 'no_speech';
  /** In order of the script; empty unless `aligned`. */
  readonly words: readonly AlignedWord[];
  /** Words that no dictionary has, whose pronunciation was made by rules; each once, as written. */
  readonly unknown: readonly string[];
}
