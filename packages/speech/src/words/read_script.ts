import { setImmediate as nextTurn } from 'node:timers/promises';
import { isPhone, type SpokenLanguage } from '@likeness/proto/speech/phones.ts';
import { blankUnspoken } from '@likeness/proto/text/unspoken.ts';
import { type EnglishSources, pronounceEnglish } from './english/english_pronunciations.ts';
import { letterNames } from './english/letter_names.ts';
import { letterToSound } from './english/letter_to_sound.ts';
import { pronouncingDictionary, withoutStress } from './english/pronouncing_dictionary.ts';
import { type MandarinReader, mandarinReader } from './mandarin/mandarin_words.ts';
import { ScriptError } from './script_error.ts';
import { scriptTokens } from './script_tokens.ts';
import type { SpokenToken } from './spoken_token.ts';

export interface SpokenWord {
  /** As written in the script; for a number or a sign, the word spoken for it. */
  readonly text: string;
  /** Its position in the script, UTF-16; the words of one number share a position. */
  readonly from: number;
  readonly to: number;
  readonly language: SpokenLanguage;
  /** Symbols of proto/speech/phones.ts; at least one, the likeliest first, at most 8. */
  readonly pronunciations: readonly (readonly string[])[];
  readonly source: 'dictionary' | 'person' | 'rules';
  /** A sentence or clause ends after it: a pause is likely. */
  readonly endsClause: boolean;
}

export interface SpokenScript {
  readonly words: readonly SpokenWord[];
  /**
   * Words missing from the dictionaries, each once, as written: read by rules, or skipped if their letters
   * are unknown.
   */
  readonly unknown: readonly string[];
}

export interface ScriptOptions {
  readonly language: SpokenLanguage | 'auto';
  /** A person's pronunciations: word as written (case does not matter) → phones, separated by spaces. */
  readonly pronunciations?: Readonly<Record<string, string>>;
}

const maxWords = 200_000;
/** Milliseconds of work after which other work of this process may run. */
const turnMs = 5;

/**
 * Returns the words of a script with their pronunciations, in order.
 *
 * @throws ScriptError for more than 200,000 words, and for a custom pronunciation with an unknown phone
 */
export async function readScript(text: string, options: ScriptOptions): Promise<SpokenScript> {
  const own = ownPronunciations(options.pronunciations ?? {});
  const english = { dictionary: await pronouncingDictionary(), rules: await letterToSound() };
  const voices: Voices = { own, english, mandarin: null, known: new Map() };
  if (/[\p{Script=Han}〇\d]/u.test(text)) voices.mandarin = await mandarinReader();
  const words: SpokenWord[] = [];
  const unknown = new Set<string>();
  let until = performance.now() + turnMs;
  for (const token of scriptTokens(blankUnspoken(text), options.language)) {
    for (const word of pronounce(token, text, voices)) {
      if (word.source === 'rules') unknown.add(word.text);
      if (word.pronunciations.length > 0) words.push(word);
    }
    if (words.length > maxWords) throw new ScriptError('too_many_words', { limit: maxWords });
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + turnMs;
  }
  return { words: withClauses(words, text), unknown: [...unknown] };
}

interface Voices {
  readonly own: ReadonlyMap<string, readonly string[]>;
  readonly english: EnglishSources;
  mandarin: MandarinReader | null;
  /** English words that were looked up already. */
  readonly known: Map<string, Pick<SpokenWord, 'pronunciations' | 'source'>>;
}

function ownPronunciations(given: Readonly<Record<string, string>>): Map<string, readonly string[]> {
  return new Map(
    Object.entries(given).map(([word, text]) => {
      const phones = text
        .trim()
        .split(/\s+/)
        .map((phone) => (/^[A-Z]+[012]$/.test(phone) ? withoutStress(phone) : phone));
      const wrong = phones.find((phone) => !isPhone(phone));
      if (wrong !== undefined) throw new ScriptError('unknown_phone', { word, phone: wrong });
      return [ownKey(word), phones];
    }),
  );
}

const ownKey = (word: string): string => word.trim().toLowerCase().replaceAll(/[’ʼ]/g, "'");

function pronounce(token: SpokenToken, script: string, voices: Voices): SpokenWord[] {
  const { text, from, to, kind } = token;
  const own = voices.own.get(ownKey(text));
  const span = { text, from, to, endsClause: false };
  if (own) return [{ ...span, language: languageOf(own), pronunciations: [own], source: 'person' }];
  if (kind === 'han' || kind === 'phone_digit') return pronounceMandarin(token, script, voices);
  if (kind === 'other') return [{ ...span, language: 'en', pronunciations: [], source: 'rules' }];
  if (kind === 'letters' && /^\p{L}+$/u.test(text)) {
    const phones = letterNames(text);
    if (phones.length > 0)
      return [{ ...span, language: 'en', pronunciations: [phones], source: 'dictionary' }];
  }
  const shouted = isShouted(token, script);
  const key = `${shouted ? '!' : ''}${text}`;
  let known = voices.known.get(key);
  if (!known) {
    known = pronounceEnglish(text, voices.english, shouted);
    voices.known.set(key, known);
  }
  return [{ ...span, language: 'en', ...known }];
}

const languageOf = (phones: readonly string[]): SpokenLanguage =>
  /^[A-Z]/.test(phones[0] ?? '') ? 'en' : 'zh';

function pronounceMandarin(
  { text, from, to, kind }: SpokenToken,
  script: string,
  voices: Voices,
): SpokenWord[] {
  const span = { language: 'zh', endsClause: false } as const;
  if (kind === 'phone_digit' && text === '一') {
    return [{ ...span, text, from, to, pronunciations: [['iao'], ['i']], source: 'dictionary' }];
  }
  const written = script.startsWith(text, from);
  return (voices.mandarin?.read(text) ?? []).map((word) => {
    const own = voices.own.get(word.text);
    return {
      ...span,
      text: word.text,
      from: written ? from + word.at : from,
      to: written ? from + word.at + word.text.length : to,
      pronunciations: own ? [own] : word.pronunciations,
      source: own ? 'person' : word.pronunciations.length > 0 ? 'dictionary' : 'rules',
    };
  });
}

/** Whether its whole line is in capitals. */
function isShouted({ text, from, to }: SpokenToken, script: string): boolean {
  if (!/^\p{Lu}{2}/u.test(text)) return false;
  const before = script
    .slice(Math.max(0, from - 60), from)
    .split('\n')
    .at(-1)!;
  const after = script.slice(to, to + 60).split('\n')[0]!;
  const others = `${before} ${after}`;
  return !/\p{Ll}/u.test(others) && (others.match(/\p{Lu}{3,}/gu) ?? []).length >= 2;
}

/**
 * Punctuation between two words that separates clauses; a line break does if a sentence seems to begin
 * after it.
 */
const clauseEnd =
  /[.!?…,;:—–()[\]♪。，！？；：、（）]|\s-\s|\n\s*\n|\n\s*[-–—"“]?(?=[\p{Lu}\p{Script=Han}\d]|$)/u;

/** Maximum characters to examine between two words. */
const maxBetween = 400;

/** The points in J. R. R. Tolkien don't end a sentence. */
const isInitial = (text: string, between: string): boolean =>
  /^\p{Lu}$/u.test(text) && /^\. ?\p{Lu}$/u.test(between);

function withClauses(words: readonly SpokenWord[], script: string): SpokenWord[] {
  return words.map((word, at) => {
    const next = words[at + 1];
    if (!next) return { ...word, endsClause: true };
    const between = script.slice(word.to, Math.min(next.from + 1, word.to + maxBetween));
    const ends = next.from >= word.to && clauseEnd.test(between) && !isInitial(word.text, between);
    return ends ? { ...word, endsClause: true } : word;
  });
}
