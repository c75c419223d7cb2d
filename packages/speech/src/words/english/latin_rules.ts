import type { ReadingContext, ReadingRule } from '../spoken_token.ts';
import { cardinal, ordinal } from './english_numbers.ts';

/** Abbreviations that are read as other words. Those in `titles` only before a name. */
const abbreviations: Readonly<Record<string, string>> = {
  'mr.': 'mister',
  'mrs.': 'missus',
  'ms.': 'miz',
  'dr.': 'doctor',
  'prof.': 'professor',
  'jr.': 'junior',
  'sr.': 'senior',
  'gen.': 'general',
  'col.': 'colonel',
  'capt.': 'captain',
  'cmdr.': 'commander',
  'lt.': 'lieutenant',
  'sgt.': 'sergeant',
  'gov.': 'governor',
  'sen.': 'senator',
  'rep.': 'representative',
  'rev.': 'reverend',
  'hon.': 'honorable',
  'pres.': 'president',
  'inc.': 'incorporated',
  'ltd.': 'limited',
  'corp.': 'corporation',
  'co.': 'company',
  'bros.': 'brothers',
  'dept.': 'department',
  'univ.': 'university',
  'assn.': 'association',
  'ave.': 'avenue',
  'blvd.': 'boulevard',
  'rd.': 'road',
  'mt.': 'mount',
  'ft.': 'fort',
  'etc.': 'et cetera',
  etc: 'et cetera',
  'e.g.': 'for example',
  'eg.': 'for example',
  'i.e.': 'that is',
  'ie.': 'that is',
  'vs.': 'versus',
  vs: 'versus',
  'v.s.': 'versus',
  'approx.': 'approximately',
  'est.': 'established',
  'esp.': 'especially',
  'incl.': 'including',
  'max.': 'maximum',
  'min.': 'minimum',
  'vol.': 'volume',
  'ch.': 'chapter',
  'fig.': 'figure',
  'pp.': 'pages',
  'p.s.': 'p s',
  'ph.d.': 'p h d',
  phd: 'p h d',
  'a.k.a.': 'also known as',
  aka: 'also known as',
  'w/o': 'without',
  'w/': 'with',
  'jan.': 'january',
  'feb.': 'february',
  'apr.': 'april',
  'aug.': 'august',
  'sept.': 'september',
  'sep.': 'september',
  'oct.': 'october',
  'nov.': 'november',
  'dec.': 'december',
  'mon.': 'monday',
  'tue.': 'tuesday',
  'tues.': 'tuesday',
  'thu.': 'thursday',
  'thurs.': 'thursday',
  'fri.': 'friday',
};
/** Used beside a number, with or without a point. */
const months: Readonly<Record<string, string>> = {
  Jan: 'January',
  Feb: 'February',
  Mar: 'March',
  Apr: 'April',
  Jun: 'June',
  Jul: 'July',
  Aug: 'August',
  Sept: 'September',
  Sep: 'September',
  Oct: 'October',
  Nov: 'November',
  Dec: 'December',
};
/** Only with a capital: in lower case they are words or units at the end of a sentence. */
const capitalOnly = new Set(
  'gen. col. rep. hon. pres. co. mt. ft. ave. rd. ch. fig. vol. jan. mon. fri. sr. jr. sen. rev. gov.'.split(
    ' ',
  ),
);

const numerals: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };
/** Kings and popes: their numbers are ordinals. */
const rulers = new Set(
  (
    'henry louis elizabeth charles george william edward richard james philip john paul pius benedict gregory ' +
    'leo clement innocent urban nicholas peter alexander catherine francis napoleon frederick wilhelm ferdinand ' +
    'christian gustav olav haakon harald juan carlos felipe alfonso mary ivan robert david kenneth ramses ' +
    'ptolemy cleopatra louis henri margrethe beatrix albert leopold otto rudolf maximilian joseph victor umberto ' +
    'constantine theodore boniface sixtus julius adrian celestine darius xerxes artaxerxes thutmose amenhotep pope king queen'
  ).split(' '),
);
/** A single I, V or X is a number only after these words. */
const numbered =
  /\b(?:world war|chapter|part|act|scene|volume|vol\.|book|section|article|type|phase|class|level|stage|title|episode|grade|mark|bowl|apollo|final fantasy|star wars)\s+$/iu;

const rule = (pattern: string, verbalize: ReadingRule['verbalize'], flags = 'uy'): ReadingRule => ({
  pattern: new RegExp(pattern, flags),
  verbalize,
});

/** Rules for text that begins with a letter and is not read as written. */
export const latinRules: readonly ReadingRule[] = [
  rule(`[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{1,64}){1,8}`, ([text]) => spell(text)),
  rule(
    `https?://[^\\s<>"'，。）\\p{Script=Han}]{1,400}`,
    ([text]) => spell(text.replace(/^https?:\/\//iu, '')),
    'iuy',
  ),
  rule(
    `www\\.[\\w.-]{1,200}(?:/[^\\s<>"'，。）\\p{Script=Han}]{0,300})?|` +
      `(?:[\\w-]{1,64}\\.){1,5}(?:com|org|net|edu|gov|io|co\\.uk|cn|ai|dev|info|tv)(?![\\p{L}\\p{N}-])(?:/[^\\s<>"'，。）\\p{Script=Han}]{0,300})?`,
    ([text]) => spell(text),
    'iuy',
  ),
  rule(`Ph\\.?D\\.?(?!\\p{L})`, () => ['p', 'h', 'd']),
  rule(`(${Object.keys(months).join('|')})\\.?(?!\\p{L})`, ([, name], context) =>
    /\d(?:st|nd|rd|th)?,?\s+$/u.test(context.before) || /^\s+\d/u.test(context.after)
      ? [months[name!]!]
      : null,
  ),
  rule(`No\\.\\s?(?=\\d)`, () => ['number'], 'iuy'),
  rule(`Nos\\.\\s?(?=\\d)`, () => ['numbers'], 'iuy'),
  rule(`pp?\\.\\s?(?=\\d)`, ([text]) => [text.startsWith('pp') ? 'pages' : 'page'], 'uy'),
  rule(`St\\.(?=\\s|$|,)`, (_, { before, after }) => [isStreet(before, after) ? 'street' : 'saint']),
  rule(`Dr\\.(?=\\s|$|,)`, (_, { before, after }) => [
    /\p{Lu}\p{Ll}+\s+$/u.test(before) && !/^\s+\p{Lu}/u.test(after) ? 'drive' : 'doctor',
  ]),
  rule(`w/o(?!\\p{L})|w/(?=\\s)`, ([text]) => [abbreviations[text]!]),
  rule(`(?:\\p{L}\\.\\p{L}\\.(?:\\p{L}\\.){0,8}|\\p{L}{2,6}\\.)(?!\\p{L})`, ([text], context) =>
    abbreviation(text, context.after),
  ),
  rule(`(?:etc|vs|PhD|aka)(?![\\p{L}\\p{N}'’])`, ([text]) => abbreviations[text.toLowerCase()]!.split(' ')),
  rule(`[IVX]{1,6}(?![\\p{L}\\p{N}'’])`, ([text], context) => romanNumeral(text, context)),
];

function abbreviation(text: string, after: string): string[] | null {
  const small = text.toLowerCase();
  const expansion = abbreviations[small];
  if (expansion) {
    if (capitalOnly.has(small) && !/^\p{Lu}/u.test(text)) return null;
    // `min.` and similar words end a sentence as often as they are abbreviations.
    if (/^(?:max|min|est|inc|co|fig|mon|fri|dec|oct)\.$/u.test(small) && /^\s*$/u.test(after)) return null;
    return expansion.split(' ');
  }
  // U.S.A. and J.R.R., but not the last letter of a sentence.
  return /^(?:\p{L}\.){2,}$/u.test(text) ? [...small.replaceAll('.', '')] : null;
}

const isStreet = (before: string, after: string): boolean =>
  /[\p{Lu}\d][\p{L}\d]*\s+$/u.test(before) && !/^\s+\p{Lu}\p{Ll}/u.test(after);

function romanNumeral(text: string, { before, after }: ReadingContext): string[] | null {
  const value = romanValue(text);
  if (value === null) return null;
  const name = /(\p{Lu}\p{L}+)\s+$/u.exec(before)?.[1];
  const ruler = name !== undefined && rulers.has(name.toLowerCase());
  if (text.length === 1) {
    if (numbered.test(before)) return cardinal(String(value));
    // `Richard I.` ends a sentence of his, `Richard I think` does not.
    return ruler && (text !== 'I' || /^(?:[.;:)]|\s+of\s)/u.test(after))
      ? ['the', ...ordinal(String(value))]
      : null;
  }
  if (!name) return null;
  return ruler ? ['the', ...ordinal(String(value))] : cardinal(String(value));
}

function romanValue(text: string): number | null {
  if (!/^X{0,3}(?:IX|IV|V?I{0,3})$/.test(text)) return null;
  let sum = 0;
  for (const [at, letter] of [...text].entries()) {
    const value = numerals[letter]!;
    sum += value < (numerals[text.charAt(at + 1)] ?? 0) ? -value : value;
  }
  return sum;
}

const signNames: Readonly<Record<string, string>> = {
  '.': 'dot',
  '/': 'slash',
  '@': 'at',
  '-': 'dash',
  _: 'underscore',
  '?': 'question mark',
  '=': 'equals',
  '&': 'and',
  '#': 'hash',
  '+': 'plus',
  '~': 'tilde',
  '%': 'percent',
};

/** Reads an address aloud; punctuation that ends the sentence after it is not part of it. */
function spell(address: string): string[] {
  const parts = address.replace(/[/.,;:!?)]+$/u, '').match(/\p{L}+|\d+|[^\p{L}\d]/gu) ?? [];
  return parts.flatMap((part) => {
    if (/^\d/.test(part)) return part.length <= 4 ? cardinal(part) : [...part].flatMap(cardinal);
    if (/^www$/iu.test(part)) return ['w', 'w', 'w'];
    return /^\p{L}/u.test(part) ? [part] : (signNames[part]?.split(' ') ?? []);
  });
}
