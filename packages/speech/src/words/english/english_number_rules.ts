import type { ReadingContext, ReadingRule } from '../spoken_token.ts';
import { alternatives, currencies, isOne, scales, units } from './amount_words.ts';
import { cardinal, clock, decimal, digitByDigit, ordinal, pluralWord, year } from './english_numbers.ts';

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const monthBefore = new RegExp(
  `(?:^|\\P{L})(?:${months.join('|')}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?\\s+$`,
  'iu',
);
const monthAfter = new RegExp(
  `^\\s+(?:of\\s+)?(?:${months.join('|')}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?!\\p{L})`,
  'u',
);

const number = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,400}(?:\.\d{1,400})?|\.\d{1,400}`;
const signs = `[${Object.keys(currencies).join('')}]`;
const scale = `(?:\\s?(${alternatives(Object.keys(scales))})(?![\\p{L}\\p{N}]))?`;
/** Without a currency, `4K` and `2B` aren't amounts. */
const longScale = `(?:\\s?(thousand|million|billion|trillion|bn|mn|tn)(?![\\p{L}\\p{N}]))?`;
const notMore = String.raw`(?![\p{L}\p{N}])`;

const rule = (pattern: string, verbalize: ReadingRule['verbalize']): ReadingRule => ({
  pattern: new RegExp(pattern, 'iuy'),
  verbalize,
});
/** Where small and capital letters differ. */
const exact = (pattern: string, verbalize: ReadingRule['verbalize']): ReadingRule => ({
  pattern: new RegExp(pattern, 'uy'),
  verbalize,
});

/** The first matching rule applies: from the most specific to the plain number. */
export const englishNumberRules: readonly ReadingRule[] = [
  rule(`(\\d{4})-(\\d{2})-(\\d{2})${notMore}`, ([, y, m, d]) => date(y!, Number(m), Number(d))),
  rule(`(\\d{1,2})(?:(/)(\\d{1,2})/(\\d{4}|\\d{2})|\\.(\\d{1,2})\\.(\\d{4}))${notMore}`, (match) => {
    const [, one, sign, two = match[5], y = match[6]] = match;
    const first = Number(one);
    const second = Number(two);
    // With slashes the month comes first, unless impossible; with points the day, as in Europe.
    const monthFirst = sign ? first <= 12 : second > 12;
    return monthFirst ? date(y!, first, second) : date(y!, second, first);
  }),
  rule(`(\\d{1,2}):([0-5]\\d)(?::([0-5]\\d))?(?:\\s?([ap])\\.?m\\b\\.?)?${notMore}`, ([, h, m, s, half]) => {
    if (Number(h) > 24) return null;
    const seconds = s
      ? [...(m === '00' ? [] : ['and']), ...cardinal(s), isOne(s) ? 'second' : 'seconds']
      : [];
    return [
      ...clock(Number(h), Number(m), half !== undefined || s !== undefined),
      ...seconds,
      ...half12(half),
    ];
  }),
  rule(`(\\d{1,3}):(?=\\d{1,3}(?![\\d:]))`, ([, amount]) => [...cardinal(amount!), 'to']),
  rule(`(\\d{1,2})\\s?([ap])\\.?m\\b\\.?${notMore}`, ([, h, half]) =>
    Number(h) <= 12 ? [...cardinal(h!), ...half12(half)] : null,
  ),
  rule(`(?:US|A|C|NZ|HK|R|S)?(${signs})\\s?(${number})${scale}`, ([, sign, amount, size]) =>
    money(sign!, amount!, size),
  ),
  rule(`(${number})${scale}\\s?(${signs}|¢)`, ([, amount, size, sign]) =>
    sign === '¢' ? [...decimal(amount!), isOne(amount!) ? 'cent' : 'cents'] : money(sign!, amount!, size),
  ),
  rule(`(${number})\\s?%`, ([, amount]) => [...decimal(amount!), 'percent']),
  rule(
    `(?:(?:\\+\\d{1,3}|1)[- .])?(?:\\(\\d{3}\\)\\s?\\d{3}[- ]|\\d{3}([-.])\\d{3}\\1|\\d{3} \\d{3}-)\\d{4}(?!\\d)|` +
      `\\d{3}-\\d{4}(?!\\d)|\\d-\\d-\\d(?![\\d-])|\\+\\d[\\d -]{6,16}\\d(?!\\d)`,
    ([text]) => telephone(text),
  ),
  rule(`(?:\\d{1,3}\\.){2,5}\\d{1,3}(?!\\d)`, ([text]) => version(text)),
  rule(`(\\d{1,15}|\\d{1,3}(?:,\\d{3})+)(?:st|nd|rd|th)${notMore}`, ([, digits]) =>
    ordinal(digits!.replaceAll(',', '')),
  ),
  rule(`(\\d{4}|\\d0)['’]?s${notMore}`, ([, digits]) => decade(digits!)),
  rule(`(\\d{1,2})/(\\d{1,2})(?![\\d/])`, ([, top, bottom]) => fraction(top!, bottom!)),
  exact(
    `(${number})\\s?(${alternatives(Object.keys(units))})(?![\\p{L}\\p{N}'’]|\\.\\p{L})`,
    ([, amount, unit]) => {
      const [one, many] = units[unit!]!;
      return [...decimal(amount!), ...(isOne(amount!) ? one : many).split(' ')];
    },
  ),
  rule(`(${number})\\s?[x×]\\s?(?=\\d)`, ([, amount]) => [...decimal(amount!), 'by']),
  rule(`(\\d{4})\\s?[-–—]\\s?(?=\\d{4}(?!\\d))`, ([, digits]) => [...fourDigits(digits!, '', ''), 'to']),
  rule(`(${number})\\s?[-–]\\s?(?=\\d)`, ([, amount]) => [...decimal(amount!), 'to']),
  rule(`(${number})${longScale}(?![\\p{Script=Latin}\\d])`, ([, amount, size], context) =>
    plain(amount!, size, context),
  ),
  rule(`${number}`, ([amount], context) => plain(amount, undefined, context)),
];

const half12 = (half: string | undefined): string[] => (half ? [half.toLowerCase(), 'm'] : []);

function date(y: string, month: number, day: number): string[] | null {
  const name = months[month - 1];
  if (!name || day < 1 || day > 31) return null;
  const value = y.length === 2 ? `${Number(y) > 40 ? 19 : 20}${y}` : y;
  return [name, ...ordinal(String(day)), ...year(value)];
}

function money(sign: string, amount: string, size: string | undefined): string[] {
  const { unit, cent } = currencies[sign]!;
  if (size) return [...decimal(amount), scales[size.toLowerCase()]!, unit[1]];
  const [whole = '', part] = amount.replaceAll(',', '').split('.');
  if (part === undefined || part.length !== 2 || !cent) {
    return [...decimal(amount), isOne(amount) ? unit[0] : unit[1]];
  }
  const small = part === '00' ? [] : [...cardinal(part), isOne(part) ? cent[0] : cent[1]];
  if (small.length > 0 && Number(whole) === 0) return small;
  // Three pounds fifty, but three dollars and fifty cents.
  if (small.length > 0 && sign === '£')
    return [...cardinal(whole), isOne(whole) ? unit[0] : unit[1], ...cardinal(part)];
  const large = [...cardinal(whole === '' ? '0' : whole), isOne(whole) ? unit[0] : unit[1]];
  return small.length > 0 ? [...large, 'and', ...small] : large;
}

function telephone(text: string): string[] {
  return [...(text.startsWith('+') ? ['plus'] : []), ...digitByDigit(text.replace(/\D/g, ''))];
}

function decade(digits: string): string[] {
  const words = digits.length === 2 ? cardinal(digits) : year(digits);
  return [...words.slice(0, -1), pluralWord(words.at(-1)!)];
}

const parts: Readonly<Record<number, readonly [string, string]>> = {
  2: ['half', 'halves'],
  4: ['quarter', 'quarters'],
};

/** Reads a version number: 2.0.1 with "point", 192.168.0.1 with "dot". */
function version(text: string): string[] {
  const parts = text.split('.');
  return parts.flatMap((part, at) => [
    ...(at === 0 ? [] : [parts.length > 3 ? 'dot' : 'point']),
    ...cardinal(part),
  ]);
}

/** Common denominators; 24/7, 50/50 and 9/11 are not fractions. */
const cutInto = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 32, 64]);

function fraction(top: string, bottom: string): string[] {
  const below = Number(bottom);
  if (!cutInto.has(below) || Number(top) >= below) return [...cardinal(top), ...cardinal(bottom)];
  const one = ordinal(bottom);
  const [single, several] = parts[below] ?? [
    one.join(' '),
    [...one.slice(0, -1), `${one.at(-1)}s`].join(' '),
  ];
  return [...cardinal(top), ...(isOne(top) ? single : several).split(' ')];
}

function plain(amount: string, size: string | undefined, { before, after }: ReadingContext): string[] {
  if (size) return [...decimal(amount), scales[size.toLowerCase()]!];
  if (/^\d{1,2}$/.test(amount) && Number(amount) >= 1 && Number(amount) <= 31) {
    if (monthBefore.test(before)) return ordinal(amount);
    if (monthAfter.test(after))
      return /^\s+of/.test(after) ? ordinal(amount) : ['the', ...ordinal(amount), 'of'];
  }
  if (/^\d{4}$/.test(amount)) return fourDigits(amount, before, after);
  const zip = /^\d{5}$/.test(amount) && /(?:^|\P{L})\p{Lu}{2}\s+$/u.test(before);
  if (zip || /^0\d/.test(amount) || /^\d{7,}$/.test(amount)) return digitByDigit(amount.replace(/\D/g, ''));
  return decimal(amount);
}

/** Words after which four digits are an amount, not a year. */
const countedAfter = /^\s+(?:people|men|women|children|\p{Ll}{2,}(?<!wa|ha|thi|alway|perhap|s)s)(?!\p{L})/u;

const yearBefore = /\b(?:in|since|year|by|until|before|after|of)\s+$/iu;

function fourDigits(digits: string, before: string, after: string): string[] {
  const value = Number(digits);
  if (value < 1000) return digitByDigit(digits);
  const hundreds = value % 100 === 0 && value % 1000 > 0 && value < 10_000;
  if (hundreds && (value < 2100 || value > 2999)) return year(digits);
  if (value > 2099) return cardinal(digits);
  if (value < 1100) return yearBefore.test(before) && value >= 1010 ? year(digits) : cardinal(digits);
  return !yearBefore.test(before) && countedAfter.test(after) ? cardinal(digits) : year(digits);
}
