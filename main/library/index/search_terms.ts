import { type SearchField, type SearchProblem, searchFields } from '#contract';
import { type Said, say } from '#sentences';
import { folded } from './search_text.ts';

/** One thing that a search asks for. Stars and times are from `least` to `most`, both included. */
export type SearchTerm = { not: boolean } & (
  | { kind: 'words'; text: string }
  | { kind: 'stars'; least: number; most: number }
  /** Milliseconds since 1970. */
  | { kind: 'made'; least: number; most: number }
  /** A tag that begins with this; the whole tag where `whole`. Empty: no tag at all. */
  | { kind: 'tag'; text: string; whole: boolean }
  | { kind: 'by'; text: string }
  | { kind: 'sex'; value: 'male' | 'female' | null }
  | { kind: 'eyelid'; value: 'single' | 'double' | null }
  | { kind: 'flag'; value: 'pick' | 'reject' | null }
  | { kind: 'from'; value: 'portrait' | 'import' }
  | { kind: 'state'; values: readonly string[] }
  | { kind: 'expired' }
);

type Meaning = SearchTerm extends infer T ? (T extends SearchTerm ? Omit<T, 'not'> : never) : never;
/** Nothing yet: the word is still being typed. */
type Read = Meaning | SearchProblem['problem'] | 'unfinished';

const isField = (name: string): name is SearchField => Object.hasOwn(searchFields, name);

/**
 * Reads the text of a search: words, `"words together"`, `-not`, `field:value`. Terms that are not understood
 * are ignored and reported; a field without a value is still being typed.
 *
 * @param now - Milliseconds since 1970, for `today` and `yesterday`.
 */
export function readSearch(text: string, now: number): { terms: SearchTerm[]; problems: SearchProblem[] } {
  const terms: SearchTerm[] = [];
  const problems: SearchProblem[] = [];
  // A colon as Chinese writes it is one, too.
  for (const [word, minus, name, quoted, end, plain] of text.matchAll(
    /(-(?=[^\s-]))?(?:(\p{L}+)[:：](?!\/\/))?(?:["“”]([^"“”]*)(["“”]|$)|(\S+)|(?<=[:：]))/gu,
  )) {
    const not = minus !== undefined;
    const value = quoted ?? plain ?? '';
    const field = name?.toLowerCase() ?? '';
    const tell = (problem: SearchProblem['problem']): unknown =>
      problems.push({ word: word.trim(), problem, field: isField(field) ? field : '' });
    if (quoted !== undefined && end === '') tell('open_quote');
    if (field === '') {
      if (folded(value).trim() !== '') terms.push({ not, kind: 'words', text: value });
      continue;
    }
    if (!isField(field)) {
      tell('unknown_field');
      continue;
    }
    const read = meaningOf(field, folded(value).trim(), quoted !== undefined, now);
    if (typeof read === 'object') terms.push({ not, ...read } as SearchTerm);
    else if (read !== 'unfinished') tell(read);
  }
  return { terms, problems };
}

function meaningOf(field: SearchField, value: string, whole: boolean, now: number): Read {
  if (value === '') return 'unfinished';
  if (field === 'rating') return stars(value);
  if (field === 'made') return days(value, now);
  if (field === 'by') return { kind: 'by', text: value };
  if (field === 'tag') return { kind: 'tag', text: !whole && value === 'none' ? '' : value, whole };
  // The beginning of a value is enough: `sex:f`.
  const known = searchFields[field].values.find((one) => one.startsWith(value));
  switch (known) {
    case undefined:
      return 'unknown_value';
    case 'photo':
      return { kind: 'from', value: 'portrait' };
    case 'import':
      return { kind: 'from', value: 'import' };
    case 'ok':
      return { kind: 'state', values: ['ok'] };
    case 'missing':
      return { kind: 'state', values: ['missing_model'] };
    case 'broken':
      return { kind: 'state', values: ['broken_model', 'broken_record'] };
    case 'expired':
      return { kind: 'expired' };
    default:
      return { kind: field, value: known === 'none' ? null : known } as Meaning;
  }
}

const comparison = /^(<=|>=|<|>|=)?(.*)$/su;

function stars(value: string): Read {
  const [, sign = '', rest = ''] = comparison.exec(value) ?? [];
  if (rest === '') return 'unfinished';
  const [, digit, more] = /^([0-5])(\+?)$/.exec(rest) ?? [];
  if (digit === undefined || (more && sign)) return 'not_stars';
  const count = Number(digit);
  const [least, most] = between(sign || more || '', count, count, 1);
  return { kind: 'stars', least: Math.max(0, least), most: Math.min(5, most) };
}

/** From the first to the last that a comparison with a stretch lets through. */
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
  const [least, most] = between(sign, first[0], last[1], 1);
  return { kind: 'made', least: Math.max(0, least), most: Math.min(Number.MAX_SAFE_INTEGER, most) };
}

/** First and last millisecond of a year, a month or a day here; null where it is none. */
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

/** What is wrong with a word of a search, and what to write instead: for a terminal. */
export function searchProblemText({ word, problem, field }: SearchProblem): Said {
  const fields = Object.keys(searchFields).map((one) => `${one}:`);
  switch (problem) {
    case 'unknown_field':
      return say('search.no_field', { word, fields: fields.join(' ') });
    case 'unknown_value':
      return say('search.unknown_value', {
        word,
        field,
        known: isField(field) ? searchFields[field].values.join(', ') : '',
      });
    case 'not_stars':
      return say('search.stars', { word });
    case 'not_a_day':
      return say('search.day', { word });
    case 'open_quote':
      return say('search.open_quote', { word });
  }
}
