/** Normalizes text for comparison: NFKC, lower case, Latin letters without accents. CJK stays unchanged. */
export const folded = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
        .toLowerCase();

/** A fast path for ASCII, because most texts are ASCII. */
const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/** Marks the start of each word, so that one index finds word prefixes but not parts inside a word. */
const mark = '\u0001';

/**
 * Matches the start of a word. Scripts without spaces get no marks, because any character may start a word. A
 * number within a name (`DSC01`) counts as a word.
 */
const spaceless = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
const begins = new RegExp(
  String.raw`(?<![[\p{L}\p{M}\p{N}]--${spaceless}])(?=[[\p{L}\p{N}]--${spaceless}])|(?<=\p{L})(?=\p{N})`,
  'gv',
);

/** The same in folded ASCII. */
const beginsInAscii = /(?<![a-z0-9])(?=[a-z0-9])|(?<=[a-z])(?=[0-9])/g;

/**
 * Normalizes text and marks each word start, so that a substring search matches only from the start of a
 * word.
 */
export function markedWords(text: string): string {
  const words = folded(text).replaceAll(mark, '').trim().replace(/\s+/gu, ' ');
  return words.replace(isAscii(words) ? beginsInAscii : begins, mark);
}

/**
 * Joins several texts into one searchable text, one per line. Queries contain no line break, so no match
 * spans two texts.
 */
export const markedLines = (parts: readonly string[]): string =>
  parts
    .map(markedWords)
    .filter((part) => part !== '')
    .join('\n');
