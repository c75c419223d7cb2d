import { decodeTrees, soundLetters } from './letter_trees.ts';

/** How words that no dictionary has are likely said. */
export interface LetterToSound {
  /** @param word letters a–z. The likeliest first, at most four; none for no letters. */
  guess(word: string): readonly (readonly string[])[];
}

/** Of one word: with four, the right one is among them for three words in four. */
const maxGuesses = 4;

let loaded: Promise<LetterToSound> | undefined;

/** The trees that scripts/letter-to-sound.ts learnt, read once for this process. */
export function letterToSound(): Promise<LetterToSound> {
  loaded ??= import('./letter_sounds.ts').then(({ letterSounds }) => {
    const trees = decodeTrees(Buffer.from(letterSounds, 'base64'));
    return { guess: (word) => soundLetters(word, trees, maxGuesses) };
  });
  return loaded;
}
