import { isBilabial } from './phones.ts';
import type { AlignedPhone, SpeechAlignment } from './speech_alignment.ts';

/**
 * Returns the p, b and m of an aligned transcript: the lips must close at each. A word that is missing or different
 * in the audio requires none.
 */
export const requiredClosures = ({ words }: SpeechAlignment): AlignedPhone[] =>
  words
    .filter(({ flag }) => flag !== 'left_out' && flag !== 'changed')
    .flatMap(({ phones }) => phones.filter(({ phone }) => isBilabial(phone)));
