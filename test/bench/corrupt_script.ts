/** Scripts with mistakes in them, for measuring whether alignment notices. */
import type { SpokenWord } from '@likeness/speech/words/index.ts';

/** A script with mistakes, and what became of the right one's words. */
export interface CorruptScript {
  readonly words: readonly SpokenWord[];
  /** By word of `words`: its place in the right script; −1 for one that is not said. */
  readonly rightIndex: readonly number[];
  /** Places in `words` before which a word that is said has been dropped. */
  readonly dropped: readonly number[];
}

/**
 * One word in ten goes wrong: replaced by another, dropped from the script, or one put before it that is not said.
 *
 * @param pool words to put in
 */
export function corruptScript(
  right: readonly SpokenWord[],
  pool: readonly SpokenWord[],
  random: () => number,
  share = 0.1,
): CorruptScript {
  const words: SpokenWord[] = [];
  const rightIndex: number[] = [];
  const dropped: number[] = [];
  const another = (than: SpokenWord): SpokenWord => {
    for (;;) {
      const word = pool[Math.floor(random() * pool.length)] as SpokenWord;
      const same = word.pronunciations.some((a) => than.pronunciations.some((b) => a.join() === b.join()));
      if (!same) return { ...word, endsClause: than.endsClause };
    }
  };
  for (const [k, word] of right.entries()) {
    const wrong = random() < share ? Math.floor(random() * 3) : -1;
    if (wrong === 0) {
      words.push(another(word));
      rightIndex.push(-1);
    } else if (wrong === 1) {
      dropped.push(words.length);
    } else {
      if (wrong === 2) {
        words.push({ ...another(word), endsClause: false });
        rightIndex.push(-1);
      }
      words.push(word);
      rightIndex.push(k);
    }
  }
  return { words, rightIndex, dropped };
}
