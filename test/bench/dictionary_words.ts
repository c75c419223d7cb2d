/** English words with the CMU dictionary's pronunciations, for measuring alignment alone. */
import { dictionary } from 'cmu-pronouncing-dictionary';
import type { SpokenWord } from '../../main/engine/speech/align/spoken_word.ts';

const phonesOf = (entry: string): string[] =>
  (entry.split(' #')[0] ?? '')
    .split(' ')
    .map((phone) => (phone === 'AH0' ? 'AX' : phone.replace(/[012]$/, '')));

/** Words that the dictionary lacks are left out. */
export function dictionaryWords(text: string): SpokenWord[] {
  return [...text.matchAll(/[A-Za-z']+/g)].flatMap((match) => {
    const word = match[0].toLowerCase().replace(/^'+|'+$/g, '');
    const entries = [word, ...[1, 2, 3, 4].map((k) => `${word}(${k})`)].flatMap(
      (key) => dictionary[key] ?? [],
    );
    if (entries.length === 0) return [];
    const to = match.index + match[0].length;
    return [
      {
        text: match[0],
        from: match.index,
        to,
        language: 'en' as const,
        pronunciations: [...new Set(entries)].map(phonesOf),
        source: 'dictionary',
        endsClause: /^\s*[,.;:!?\n]/.test(text.slice(to)) || to === text.length,
      },
    ];
  });
}
