import { decodeTrees, soundLetters } from './letter_trees.ts';

/** Guesses pronunciations of words that aren't in a dictionary. */
export interface LetterToSound {
  /** @param word letters a–z. The likeliest first, at most four; none for no letters. */
  guess(word: string): readonly (readonly string[])[];
}

/** Maximum guesses of one word: with four, the correct one is among them for three words in four. */
const maxGuesses = 4;

let loaded: Promise<LetterToSound> | undefined;

/** The trees learned by scripts/letter-to-sound.ts, read once for this process. */
export function letterToSound(): Promise<LetterToSound> {
  loaded ??= import('./letter_sounds.ts').then(({ letterSounds }) => {
    const trees = decodeTrees(Buffer.from(letterSounds, 'base64'));
    return { guess: (word) => soundLetters(word, trees, maxGuesses) };
  });
  return loaded;
}
