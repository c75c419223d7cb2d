import type { SpokenLanguage } from '@likeness/proto/speech/phones.ts';
import { englishNumberRules } from './english/english_number_rules.ts';
import { latinRules } from './english/latin_rules.ts';
import { mandarinNumberRules } from './mandarin/mandarin_number_rules.ts';
import { languageAround } from './script_language.ts';
import type { ReadingRule, SpokenToken } from './spoken_token.ts';

/** How much of the script before and after a place its rules may look at. */
const contextBefore = 40;
const contextAfter = 40;

/** A Chinese stretch is read together, since its words choose how their characters sound. */
const hanStretch = /[\p{Script=Han}〇]{1,200}/uy;
const otherLetters = /[\p{L}\p{M}]{1,200}/uy;
const latinWord = /[\p{Script=Latin}\p{M}]{1,200}(?:['’ʼ][\p{Script=Latin}\p{M}]{1,20}){0,3}/uy;
/** Possible beginnings of a number besides its digits. */
const beforeNumber = /(?:[$€£¥￥₩₹₽₿]\s?|\+|\()\.?\d|\.\d/uy;
const pluralPossessive = /['’](?=[\s.,;:!?)])/uy;

const signs: Readonly<Record<string, { en: string; zh: string | null }>> = {
  '&': { en: 'and', zh: '和' },
  '@': { en: 'at', zh: null },
  '+': { en: 'plus', zh: '加' },
  '=': { en: 'equals', zh: '等于' },
  '×': { en: 'times', zh: '乘' },
  '÷': { en: 'divided by', zh: '除以' },
  '%': { en: 'percent', zh: null },
  '½': { en: 'one half', zh: '二分之一' },
  '¼': { en: 'one quarter', zh: '四分之一' },
  '¾': { en: 'three quarters', zh: '四分之三' },
};

/**
 * Splits a script into its spoken parts, in order.
 *
 * @param text without unspoken parts, as long as the script
 */
export function* scriptTokens(text: string, language: SpokenLanguage | 'auto'): Generator<SpokenToken> {
  const source = narrowed(text);
  for (let at = 0; at < source.length; ) {
    const letter = String.fromCodePoint(source.codePointAt(at)!);
    let end = at;
    for (const token of tokensAt(source, at, letter, language)) {
      yield token;
      end = Math.max(end, token.to);
    }
    at = end > at ? end : at + letter.length;
  }
}

/** Full-width letters and digits as narrow ones, of the same length. */
const narrowed = (text: string): string =>
  text.replace(/[０-９Ａ-Ｚａ-ｚ％＋＝＆＠＃]/gu, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

function tokensAt(
  text: string,
  at: number,
  letter: string,
  language: SpokenLanguage | 'auto',
): SpokenToken[] {
  if (/\s/u.test(letter)) return [];
  if (/\p{Script=Han}|〇/u.test(letter)) return [token(text, at, hanStretch, 'han')];
  if (/\p{Script=Latin}/u.test(letter)) return latinTokens(text, at);
  if (/\p{L}/u.test(letter)) return [token(text, at, otherLetters, 'other')];
  const spoken = language === 'auto' ? null : language;
  if (/\d/.test(letter) || matchAt(beforeNumber, text, at)) {
    const read = numberTokens(text, at, spoken);
    if (read.length > 0) return read;
  }
  if (/['’]/u.test(letter)) return clipped(text, at);
  return signTokens(text, at, letter, spoken);
}

function token(text: string, at: number, pattern: RegExp, kind: SpokenToken['kind']): SpokenToken {
  const [found = text.charAt(at)] = matchAt(pattern, text, at) ?? [];
  return { text: found, from: at, to: at + found.length, kind };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function readByRule(
  rules: readonly ReadingRule[],
  text: string,
  at: number,
): { spoken: readonly string[]; to: number } | null {
  for (const { pattern, verbalize } of rules) {
    const match = matchAt(pattern, text, at);
    if (!match || match[0] === '') continue;
    const to = at + match[0].length;
    const spoken = verbalize(match, {
      before: text.slice(Math.max(0, at - contextBefore), at),
      after: text.slice(to, to + contextAfter),
    });
    if (spoken) return { spoken, to: at + match[0].trimEnd().length };
  }
  return null;
}

function numberTokens(text: string, at: number, chosen: SpokenLanguage | null): SpokenToken[] {
  const first = matchAt(/[^\s\p{Script=Han}]{1,40}/uy, text, at)?.[0].length ?? 1;
  const language = chosen ?? languageAround(text, at, at + first) ?? 'en';
  if (language === 'en') {
    const read = readByRule(englishNumberRules, text, at);
    return read ? withSign(text, at, 'minus', 'word', words(read.spoken, at, read.to)) : [];
  }
  const read = readByRule(mandarinNumberRules, text, at);
  if (!read) return [];
  const kind = read.spoken.length > 1 ? 'phone_digit' : 'han';
  return withSign(
    text,
    at,
    '负',
    'han',
    read.spoken.map((word) => ({ text: word, from: at, to: read.to, kind })),
  );
}

/** A minus is one where nothing stands before it: `-5`, but not `A-5`. */
function withSign(
  text: string,
  at: number,
  word: string,
  kind: 'word' | 'han',
  tokens: SpokenToken[],
): SpokenToken[] {
  if (!/(?:^|[\s(（,，:：、\p{Script=Han}])[-−]$/u.test(text.slice(Math.max(0, at - 2), at))) return tokens;
  return [{ text: word, from: at - 1, to: at, kind }, ...tokens];
}

const words = (texts: readonly string[], from: number, to: number): SpokenToken[] =>
  texts.map((text) => ({
    text,
    from,
    to,
    kind: /^[a-z]$/iu.test(text) && text !== 'a' ? 'letters' : 'word',
  }));

function latinTokens(text: string, at: number): SpokenToken[] {
  const foreignDollar = matchAt(/(?:US|HK|NZ|A|C|R|S)(?=\$\s?\d)/uy, text, at);
  if (foreignDollar) return numberTokens(text, at, null);
  const inWord =
    at > 0 && /[\p{L}\p{M}]/u.test(text.charAt(at - 1)) && !/\p{Script=Han}/u.test(text.charAt(at - 1));
  const read = inWord ? null : readByRule(latinRules, text, at);
  if (read) return words(read.spoken, at, read.to);
  const found = token(text, at, latinWord, 'word');
  const owned = /s$/iu.test(found.text) && matchAt(pluralPossessive, text, found.to) !== null;
  const whole = owned ? { ...found, to: found.to + 1, text: text.slice(found.from, found.to + 1) } : found;
  return isSpelt(whole, text) ? [{ ...whole, kind: 'letters' }] : [whole];
}

/** Capitals that are letters beside `&` or a digit: AT&T, B2B, MP3. */
function isSpelt({ text, from, to }: SpokenToken, script: string): boolean {
  if (!/^\p{Lu}{1,3}$/u.test(text)) return false;
  return (
    /[&\d]$/u.test(script.slice(Math.max(0, from - 1), from)) || /^[&\d]/u.test(script.slice(to, to + 1))
  );
}

/** 'em, 'til and other words whose beginning is left away. */
function clipped(text: string, at: number): SpokenToken[] {
  const match = matchAt(/['’](?:em|til|cause|tis|twas|bout|round|n)(?![\p{L}\p{N}])/iuy, text, at);
  return match ? [{ text: match[0], from: at, to: at + match[0].length, kind: 'word' }] : [];
}

function signTokens(text: string, at: number, sign: string, chosen: SpokenLanguage | null): SpokenToken[] {
  if (sign === '#') {
    const next = text.charAt(at + 1);
    if (/\d/.test(next)) return words(['number'], at, at + 1);
    return /\p{L}/u.test(next) && !/#/.test(text.charAt(at - 1)) ? words(['hashtag'], at, at + 1) : [];
  }
  const names = signs[sign];
  if (!names) return [];
  const language = chosen ?? languageAround(text, at, at + 1) ?? 'en';
  const to = sign === '&' && text.startsWith('&amp;', at) ? at + 5 : at + 1;
  if (language === 'zh') return names.zh ? [{ text: names.zh, from: at, to, kind: 'han' }] : [];
  return words(names.en.split(' '), at, to);
}
