import { letterNames } from './letter_names.ts';
import type { LetterToSound } from './letter_to_sound.ts';
import { newerWord } from './newer_words.ts';
import type { PronouncingDictionary } from './pronouncing_dictionary.ts';
import { stemPronunciations } from './word_endings.ts';

export interface EnglishPronunciation {
  readonly pronunciations: readonly (readonly string[])[];
  readonly source: 'dictionary' | 'rules';
}

export interface EnglishSources {
  readonly dictionary: PronouncingDictionary;
  readonly rules: LetterToSound;
}

/** Maximum pronunciations of one word. */
const maxPronunciations = 8;
/** Maximum letters of a word; the rest of a longer one is ignored. */
const longestWord = 64;
/** Abbreviations in capitals that differ from the dictionary's word of the same letters. */
const spelt = new Set([
  'us',
  'it',
  'ai',
  'un',
  'ar',
  'er',
  'os',
  'ad',
  'pa',
  'la',
  'op',
  'ed',
  'am',
  'pm',
  'id',
  'eu',
]);
const longestInitialism = 5;

/**
 * Returns an English word's pronunciation: from the dictionary, from a stem in it with an ending, or by
 * rules.
 *
 * @param text as written, apostrophes and capitals too
 * @param shouted its whole line is in capitals, so that capitals mean nothing
 */
export function pronounceEnglish(
  text: string,
  sources: EnglishSources,
  shouted: boolean,
): EnglishPronunciation {
  const { dictionary, rules } = sources;
  const written = text.replaceAll(/[’ʼ]/g, "'").slice(0, longestWord);
  const initialism = shouted ? null : pronounceInitialism(written, dictionary);
  if (initialism) return initialism;
  const word = plainLetters(written);
  const found = fromDictionary(word, dictionary);
  if (found.length > 0) return { pronunciations: found.slice(0, maxPronunciations), source: 'dictionary' };
  const parts = camelParts(written);
  if (parts.length > 1) return joined(parts, sources);
  // For words held out of the dictionary, the rules were right more often than their two halves.
  const guesses = [...guess(word, rules), ...compoundPronunciations(word.replace(/[^a-z]/g, ''), dictionary)];
  const distinct = new Map(guesses.map((phones) => [phones.join(' '), phones]));
  return { pronunciations: [...distinct.values()].slice(0, maxPronunciations), source: 'rules' };
}

function guess(word: string, rules: LetterToSound): readonly (readonly string[])[] {
  const owner = /^([a-z]+)(?:'s|s')$/.exec(word)?.[1];
  if (owner !== undefined) return rules.guess(owner).map(possessive);
  return rules.guess(word.replace(/[^a-z]/g, ''));
}

/** Small letters of a–z and apostrophes: café → cafe, Łódź → lodz. */
function plainLetters(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => unlike[letter]!)
    .normalize('NFD')
    .replace(/[^a-z']/g, '');
}

const unlike: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'th',
  þ: 'th',
  ı: 'i',
};

function pronounceInitialism(
  written: string,
  dictionary: PronouncingDictionary,
): EnglishPronunciation | null {
  const [, capitals = '', ending = ''] = /^(\p{Lu}{2,})('?s|')?$/u.exec(written) ?? [];
  if (capitals.length < 2 || capitals.length > longestInitialism) return null;
  const small = plainLetters(capitals);
  const named = letterNames(small);
  if (named.length === 0) return null;
  const letters = /s/.test(ending) ? possessive(named) : named;
  const found = fromDictionary(plainLetters(written), dictionary);
  if (found.length === 0 && capitals.length === longestInitialism && /[aeiouy]/.test(small)) return null;
  const inOrder = spelt.has(small) ? [letters, ...found] : [...found, letters];
  const distinct = new Map(inOrder.map((phones) => [phones.join(' '), phones]));
  return { pronunciations: [...distinct.values()].slice(0, maxPronunciations), source: 'dictionary' };
}

function fromDictionary(word: string, dictionary: PronouncingDictionary): readonly (readonly string[])[] {
  const find = (one: string): readonly (readonly string[])[] => {
    const found = dictionary.find(one);
    return found.length > 0 ? found : newerWord(one);
  };
  const found = find(word);
  if (found.length > 0) return found;
  const bare = word.replace(/^'|'$/g, '');
  const without = bare === word ? [] : find(bare);
  return without.length > 0 ? without : stemPronunciations(bare, find);
}

/** Returns the sound of a plural's or possessive s. */
function possessive(phones: readonly string[]): readonly string[] {
  const last = phones.at(-1) ?? '';
  if (/^(?:S|Z|SH|ZH|CH|JH)$/.test(last)) return [...phones, 'IH', 'Z'];
  return [...phones, /^(?:P|T|K|F|TH)$/.test(last) ? 'S' : 'Z'];
}

/** Splits iPhone, YouTube and McDonald at their capitals. */
const camelParts = (written: string): string[] =>
  written.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}']+/gu) ?? [];

function joined(parts: readonly string[], sources: EnglishSources): EnglishPronunciation {
  const each = parts.map((part) =>
    part.length === 1 ? letterNames(part) : (pronounceEnglish(part, sources, false).pronunciations[0] ?? []),
  );
  const phones = each.flat();
  return { pronunciations: phones.length > 0 ? [phones] : [], source: 'rules' };
}

/** Minimum letters of each half of a compound: with fewer, any name splits into two words. */
const shortestPart = 4;

function compoundPronunciations(word: string, dictionary: PronouncingDictionary): (readonly string[])[] {
  if (word.length < 2 * shortestPart || word.length > 40) return [];
  for (let at = word.length - shortestPart; at >= shortestPart; at -= 1) {
    const first = dictionary.find(word.slice(0, at))[0];
    if (!first) continue;
    const rest = fromDictionary(word.slice(at), dictionary)[0];
    if (rest) return [[...first, ...rest]];
  }
  return [];
}
