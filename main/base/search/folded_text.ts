/**
 * Text as it is compared: width and compatibility forms folded (NFKC), without case, Latin letters without
 * their accents. CJK stays as it is.
 */
export const folded = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
        .toLowerCase();

/** Most texts are: the same is done to them in a fraction of the time. */
const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/**
 * Stands before each word of a text, so that one index finds the beginnings of words and not what is inside
 * them.
 */
const mark = '\u0001';

/**
 * Where a word begins. Scripts that write without spaces have no such places: there every character may begin
 * one, so none is marked. A number within a name (`DSC01`) is a word, too.
 */
const spaceless = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
const begins = new RegExp(
  String.raw`(?<![[\p{L}\p{M}\p{N}]--${spaceless}])(?=[[\p{L}\p{N}]--${spaceless}])|(?<=\p{L})(?=\p{N})`,
  'gv',
);

/** The same in folded ASCII. */
const beginsInAscii = /(?<![a-z0-9])(?=[a-z0-9])|(?<=[a-z])(?=[0-9])/g;

/** Folded, with a mark before each word: what is found in it as a part begins where a word begins. */
export function markedWords(text: string): string {
  const words = folded(text).replaceAll(mark, '').trim().replace(/\s+/gu, ' ');
  return words.replace(isAscii(words) ? beginsInAscii : begins, mark);
}

/**
 * Several texts as one to be searched. They are lines of their own, and what is searched for has no line
 * break, so that it never matches across two.
 */
export const markedLines = (parts: readonly string[]): string =>
  parts
    .map(markedWords)
    .filter((part) => part !== '')
    .join('\n');
