/**
 * `node scripts/letter-to-sound.ts`: learns the sounds of English letters from the CMU Pronouncing
 * Dictionary, in about two minutes, and writes the table with which the engine pronounces unknown words.
 * Prints the accuracy on one word in twenty, held back by a hash of its letters; the written table is learnt
 * from all words. research/speech.md has the figures.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pronounceEnglish } from '@likeness/speech/words/english/english_pronunciations.ts';
import { encodeTrees, soundLetters } from '@likeness/speech/words/english/letter_trees.ts';
import {
  pronouncingDictionary,
  withoutStress,
} from '@likeness/speech/words/english/pronouncing_dictionary.ts';
import { dictionary } from 'cmu-pronouncing-dictionary';
import { learnTrees } from './letter_to_sound/learn_trees.ts';
import { alignLetters, type SoundedWord } from './letter_to_sound/letter_alignment.ts';

const target = join(import.meta.dirname, '../packages/speech/src/words/english/letter_sounds.ts');
const max = Number(process.argv[2] ?? 27_000);

const words: (SoundedWord & { base: string })[] = Object.entries(dictionary).flatMap(([name, text]) => {
  const base = name.replace(/\(\d\)$/, '');
  if (!/^[a-z]{2,24}$/.test(base) || text.includes('#')) return [];
  return [{ base, letters: base, phones: text.split(' ').map(withoutStress) }];
});
/** Depends on the letters only: every run holds back the same words, with all their pronunciations. */
const isHeldOut = (base: string): boolean =>
  [...base].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % 20 === 3;
const right = new Map<string, Set<string>>();
for (const { base, phones } of words) right.set(base, (right.get(base) ?? new Set()).add(phones.join(' ')));

const aligned = alignLetters(words);
const bases = new Set([...right.keys()].filter(isHeldOut));
const learnt = learnTrees(
  aligned.filter(({ letters }) => !bases.has(letters)),
  max,
);
console.log(`${bases.size} words held back, ${encodeTrees(learnt).length} bytes`);
const rules = { guess: (word: string): string[][] => soundLetters(word, learnt, 4) };
report('by the trees alone', rules.guess);
const whole = await pronouncingDictionary();
const rest = { find: (word: string) => (bases.has(word) ? [] : whole.find(word)) };
report(
  'as the engine reads them',
  (word) => pronounceEnglish(word, { dictionary: rest, rules }, false).pronunciations,
);
if (process.argv[3] !== '--measure') {
  const bytes = encodeTrees(learnTrees(aligned, max));
  const text = Buffer.from(bytes).toString('base64');
  writeFileSync(
    target,
    `/** Made by scripts/letter-to-sound.ts; how to read it is in letter_trees.ts. */\nexport const letterSounds =\n  '${text}';\n`,
  );
  console.log(`${target}: ${bytes.length} bytes`);
}

function report(how: string, guess: (word: string) => readonly (readonly string[])[]): void {
  let [first, any, edits, phones] = [0, 0, 0, 0];
  for (const base of bases) {
    const guesses = guess(base).map((one) => one.join(' '));
    const known = right.get(base)!;
    if (guesses[0] !== undefined && known.has(guesses[0])) first += 1;
    if (guesses.some((one) => known.has(one))) any += 1;
    const distances = [...known].map((one) => editDistance(one.split(' '), (guesses[0] ?? '').split(' ')));
    edits += Math.min(...distances);
    phones += [...known][0]!.split(' ').length;
  }
  console.log(
    `${how}: ${share(first, bases.size)} right at first, ${share(any, bases.size)} among all guesses, ` +
      `${share(edits, phones)} of phones wrong`,
  );
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

function editDistance(one: readonly string[], other: readonly string[]): number {
  let row = other.map((_, at) => at + 1);
  for (const [line, phone] of one.entries()) {
    let before = line;
    let left = line + 1;
    row = row.map((above, at) => {
      const cost = Math.min(above + 1, left + 1, before + (other[at] === phone ? 0 : 1));
      before = above;
      left = cost;
      return cost;
    });
  }
  return row.at(-1) ?? one.length;
}
