import type { AlignedWord, SpeechAlignment } from '#proto/speech_alignment.ts';
import { type Heard, silence, visemeCount } from './viseme_scores.ts';

/** With less speech than this, seconds, nothing could be words. */
const leastSpeech = 0.2;
/** Of all words flagged from which on the script is another recording's. */
const otherWordsFrom = 0.6;

export function giveVerdict(heard: Heard, words: readonly AlignedWord[]): SpeechAlignment['verdict'] {
  let speech = 0;
  for (let frame = 0; frame < heard.frames; frame++) {
    if ((heard.posteriors[frame * visemeCount + silence] as number) < 0.5) speech++;
  }
  if (speech < leastSpeech * 100) return 'no_speech';
  const flagged = words.filter(({ flag }) => flag === 'left_out' || flag === 'changed').length;
  return words.length > 0 && flagged > otherWordsFrom * words.length ? 'other_words' : 'aligned';
}
