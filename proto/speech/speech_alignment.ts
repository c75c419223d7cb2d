/** What is said in a recording, and when: the answer of the engine's extension `speech-alignment`. */
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
 * Where the sound disagrees with the script: the word is not said, another stands in its place, or something
 * is said between this word and the next that the script does not have.
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
  /** Of the pronunciation that was heard; empty for a word left out. */
  readonly phones: readonly AlignedPhone[];
}

export interface SpeechAlignment {
  /**
   * `aligned`: the words are those of the recording, but for flagged ones. `other_words`: these words are not
   * what is said. `no_speech`: nothing in the sound could be words.
   */
  readonly verdict: 'aligned' | 'other_words' | 'no_speech';
  /** In order of the script; empty unless `aligned`. */
  readonly words: readonly AlignedWord[];
  /** Words that no dictionary has, whose pronunciation was made by rules; each once, as written. */
  readonly unknown: readonly string[];
}
