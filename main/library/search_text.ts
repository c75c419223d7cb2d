import type { modelStates } from '#contract';
import type { LikenessRecord } from './likeness_record.ts';

/**
 * Text as it is compared: width and compatibility forms folded (NFKC), without case, Latin letters without their
 * accents. CJK stays as it is.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

/**
 * What a model is found by: name, tags, notes, file name, date, profile, sex and state. The parts are lines of
 * their own, and a word that is searched for has no line break, so that it never matches across two.
 */
export function searchText(record: LikenessRecord, state: (typeof modelStates)[number]): string {
  const day = record.createdAt > 0 ? new Date(record.createdAt).toISOString().slice(0, 10) : '';
  const parts = [
    record.name,
    record.tags.join('\n'),
    record.notes,
    record.fileName,
    day,
    record.profile.name,
    record.parameters.sex ?? '',
    state === 'ok' ? '' : state.replaceAll('_', ' '),
    record.source,
  ];
  return folded(parts.filter((part) => part !== '').join('\n'));
}

/**
 * The words of a search, split for the index: those of three characters and more are tokens that FTS5 can look
 * up (an FTS5 MATCH expression, empty where there are none); shorter ones, of which CJK has many, are looked for
 * in the text itself.
 */
export function searchWords(text: string): { match: string; short: string[] } {
  const words = folded(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
  const long = words.filter((word) => [...word].length >= 3);
  return {
    match: long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND '),
    short: words.filter((word) => [...word].length < 3),
  };
}
