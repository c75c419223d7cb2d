import { type Message, t } from '@likeness/messages';
import type { SearchFields, SearchProblem } from '#contract';
import { folded } from './folded_text.ts';

/** One condition of a search. Stars and times range from `least` to `most`, both included. */
export type SearchTerm<Field extends string> = { not: boolean } & (
  | { kind: 'words'; text: string }
  | { kind: 'stars'; field: Field; least: number; most: number }
  /** Milliseconds since 1970. */
  | { kind: 'day'; field: Field; least: number; most: number }
  /** Starts with this folded text; equals it if `whole` is true. */
  | { kind: 'text'; field: Field; text: string; whole: boolean }
  /** One of the field's known values. */
  | { kind: 'word'; field: Field; value: string }
);

type Meaning =
  SearchTerm<string> extends infer T
    ? T extends SearchTerm<string>
      ? Omit<T, 'not' | 'field'>
      : never
    : never;
/** No condition yet: the user is still typing the word. */
type Read = Meaning | SearchProblem['problem'] | 'unfinished';

/**
 * Parses a search: words, `"exact phrase"`, `-not`, `field:value`. Unknown terms are ignored and reported; a
 * field without a value is still being typed.
 *
 * @param fields - The searchable fields.
 * @param now - Milliseconds since 1970, for `today` and `yesterday`.
 */
export function readSearch<Field extends string>(
  text: string,
  fields: SearchFields<Field>,
  now: number,
): { terms: SearchTerm<Field>[]; problems: SearchProblem[] } {
  const terms: SearchTerm<Field>[] = [];
  const problems: SearchProblem[] = [];
  const isField = (name: string): name is Field => Object.hasOwn(fields, name);
  // The full-width colon of Chinese text also counts.
  for (const [word, minus, name, quoted, end, plain] of text.matchAll(
    /(-(?=[^\s-]))?(?:(\p{L}+)[:：](?!\/\/))?(?:["“”]([^"“”]*)(["“”]|$)|(\S+)|(?<=[:：]))/gu,
  )) {
    const not = minus !== undefined;
    const value = quoted ?? plain ?? '';
    const field = name?.toLowerCase() ?? '';
    const reportProblem = (problem: SearchProblem['problem']): unknown =>
      problems.push({ word: word.trim(), problem, field: isField(field) ? field : '' });
    if (quoted !== undefined && end === '') reportProblem('open_quote');
    if (field === '') {
      if (folded(value).trim() !== '') terms.push({ not, kind: 'words', text: value });
      continue;
    }
    if (!isField(field)) {
      reportProblem('unknown_field');
      continue;
    }
    const read = meaningOf(fields[field], folded(value).trim(), quoted !== undefined, now);
    if (typeof read === 'object') terms.push({ not, field, ...read } as SearchTerm<Field>);
    else if (read !== 'unfinished') reportProblem(read);
  }
  return { terms, problems };
}

function meaningOf(
  { kind, values }: SearchFields<string>[string],
  value: string,
  whole: boolean,
  now: number,
): Read {
  if (value === '') return 'unfinished';
  if (kind === 'stars') return stars(value);
  if (kind === 'day') return days(value, now);
  if (kind === 'text') {
    return !whole && values.includes(value) ? { kind: 'word', value } : { kind, text: value, whole };
  }
  // A prefix of a value is enough: `sex:f`.
  const known = values.find((one) => one.startsWith(value));
  return known === undefined ? 'unknown_value' : { kind, value: known };
}

const comparison = /^(<=|>=|<|>|=)?(.*)$/su;

function stars(value: string): Read {
  const [, sign = '', rest = ''] = comparison.exec(value) ?? [];
  if (rest === '') return 'unfinished';
  const [, digit, more] = /^([0-5])(\+?)$/.exec(rest) ?? [];
  if (digit === undefined || (more && sign)) return 'not_stars';
  const count = Number(digit);
  const [min, max] = between(sign || more || '', count, count, 1);
  return { kind: 'stars', least: Math.max(0, min), most: Math.min(5, max) };
}

/** Returns the range of values that a comparison with an interval accepts. */
function between(sign: string, first: number, last: number, step: number): [least: number, most: number] {
  switch (sign) {
    case '<':
      return [-Infinity, first - step];
    case '<=':
      return [-Infinity, last];
    case '>':
      return [last + step, Infinity];
    case '>=':
    case '+':
      return [first, Infinity];
    default:
      return [first, last];
  }
}

function days(value: string, now: number): Read {
  const [, sign = '', rest = ''] = comparison.exec(value) ?? [];
  const [from = '', to] = rest.split('..');
  const first = stretch(from, now);
  const last = to === undefined ? first : stretch(to, now);
  if (first === 'unfinished' || last === 'unfinished') return 'unfinished';
  if (first === null || last === null || (to !== undefined && sign !== '')) return 'not_a_day';
  const [min, max] = between(sign, first[0], last[1], 1);
  return { kind: 'day', least: Math.max(0, min), most: Math.min(Number.MAX_SAFE_INTEGER, max) };
}

/** Returns the first and last millisecond of a local year, month or day; null for an invalid date. */
function stretch(text: string, now: number): [number, number] | 'unfinished' | null {
  for (const [name, ago] of [
    ['today', 0],
    ['yesterday', 1],
  ] as const) {
    if (text === name) {
      const day = new Date(now);
      return daysFrom(day.getFullYear(), day.getMonth(), day.getDate() - ago);
    }
    if (text !== '' && name.startsWith(text)) return 'unfinished';
  }
  if (/^(\d{0,3}|\d{4}-\d?|\d{4}-\d{2}-\d?)$/.test(text)) return 'unfinished';
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  if (year === undefined) return null;
  if (month === undefined) return [daysFrom(Number(year), 0, 1)[0], daysFrom(Number(year), 11, 31)[1]];
  if (Number(month) < 1 || Number(month) > 12) return null;
  const lastDay = new Date(Number(year), Number(month), 0).getDate();
  if (day === undefined)
    return [
      daysFrom(Number(year), Number(month) - 1, 1)[0],
      daysFrom(Number(year), Number(month) - 1, lastDay)[1],
    ];
  if (Number(day) < 1 || Number(day) > lastDay) return null;
  return daysFrom(Number(year), Number(month) - 1, Number(day));
}

const daysFrom = (year: number, month: number, day: number): [number, number] => [
  new Date(year, month, day).getTime(),
  new Date(year, month, day + 1).getTime() - 1,
];

/** Returns an error for a search term with a suggestion, for the terminal. */
export function searchProblemText(
  { word, problem, field }: SearchProblem,
  known: SearchFields<string>,
): Message {
  const fields = Object.keys(known).map((one) => `${one}:`);
  switch (problem) {
    case 'unknown_field':
      return t('search.no_field', { word, fields: fields.join(' ') });
    case 'unknown_value':
      return t('search.unknown_value', {
        word,
        field,
        known: known[field]?.values.join(', ') ?? '',
      });
    case 'not_stars':
      return t('search.stars', { word });
    case 'not_a_day':
      return t('search.day', { word });
    case 'open_quote':
      return t('search.open_quote', { word });
  }
}
