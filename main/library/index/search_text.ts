import type { modelStates } from '#contract';
import type { LikenessRecord } from '../model/likeness_record.ts';

/**
 * Text as it is compared: width and compatibility forms folded (NFKC), without case, Latin letters without
 * their accents. CJK stays as it is.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

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

const marked = (text: string): string =>
  folded(text).replaceAll(mark, '').trim().replace(/\s+/gu, ' ').replace(begins, mark);

/**
 * What a model is found by: name, tags, notes, file name, date, profile, sex and state, as the index has it.
 * The parts are lines of their own, and what is searched for has no line break, so that it never matches
 * across two.
 */
export function searchText(record: LikenessRecord, state: (typeof modelStates)[number]): string {
  const day = record.createdAt > 0 ? new Date(record.createdAt).toISOString().slice(0, 10) : '';
  const parts = [
    record.name,
    ...record.tags,
    record.notes,
    record.fileName,
    day,
    record.profile.name,
    record.parameters.sex ?? '',
    state === 'ok' ? '' : state.replaceAll('_', ' '),
    record.source,
  ];
  return parts
    .map(marked)
    .filter((part) => part !== '')
    .join('\n');
}

/**
 * Words, in a row, for the index: of three characters and more they are tokens that FTS5 can look up (an FTS5
 * MATCH expression); of fewer, which CJK has many of, they are looked for in the text itself.
 */
export function indexedWords(text: string): { match: string } | { within: string } {
  const words = marked(text);
  return [...words].length >= 3 ? { match: `"${words.replaceAll('"', '""')}"` } : { within: words };
}
