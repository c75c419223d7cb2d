import type { SpokenLanguage } from '@likeness/proto/speech/phones.ts';

export type ScriptLanguageFault = 'no_dictionary';

/** Maximum share of letters that no dictionary here reads. Kana turn Chinese characters into Japanese. */
const maxOtherLetters = 0.3;
const maxKana = 0.1;
/** Minimum words for detecting a language. */
const fewestWords = 8;
/** Share of another language's commonest words above which a text counts as that language. */
const foreignShare = 0.2;

/** The commonest words, absent from English, of languages in Latin letters. */
const foreign = new Set(
  (
    'le la les des du une est et dans que qui pour pas sur avec ce cette nous vous il elle sont je ne au aux ' +
    'der die das und ist nicht ein eine zu den von mit sich auf dem für es auch wie ich wir sie im ' +
    'el los las del una que y en por con para es se lo como más pero su al está muy ' +
    'il lo gli che di un una non per con sono è della nel ma come più ' +
    'o os as um uma do da em não que com para é mais dos das ' +
    'het een van niet en dat zijn op voor met ook maar ' +
    'och att det som på är av för inte jag har med ' +
    'nie się na że jest w z do to tak ve bir bu için çok'
  ).split(' '),
);
const english = new Set(
  (
    'the a an and of to in is it that you he was for on are with as i his they be at one have this from or had by ' +
    'not but what all were we when your can said there use each which she do how their if will up other about out ' +
    'many then them these so some her would make like him into has my no'
  ).split(' '),
);

/** Returns why a text can't be read aloud here, by its language; mixed English and Mandarin can be read. */
export function scriptLanguageFault(text: string): ScriptLanguageFault | null {
  let letters = 0;
  let others = 0;
  let kana = 0;
  for (const [letter] of text.matchAll(/\p{L}/gu)) {
    letters += 1;
    if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter)) kana += 1;
    else if (!/[\p{Script=Latin}\p{Script=Han}]/u.test(letter)) others += 1;
  }
  if (letters === 0) return null;
  if (others / letters > maxOtherLetters || kana / letters > maxKana) return 'no_dictionary';
  return isForeignLatin(text) ? 'no_dictionary' : null;
}

function isForeignLatin(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{Script=Latin}\p{M}]+/gu) ?? [];
  if (words.length < fewestWords) return false;
  const theirs = words.filter((word) => foreign.has(word) && !english.has(word)).length;
  const ours = words.filter((word) => english.has(word)).length;
  return theirs / words.length > foreignShare && theirs > 2 * ours;
}

const han = /\p{Script=Han}/u;
const latin = /\p{Script=Latin}/u;

/**
 * Returns the language in which to read a number: that of the words around it on its line. Between a Chinese
 * and a Latin word it is Chinese, as in `iPhone 15 很好` and `跑了 10 km`.
 */
export function languageAround(text: string, from: number, to: number): SpokenLanguage | null {
  const line = (part: string): string => part.replace(amounts, ' ');
  const before = nearest(
    line(
      text
        .slice(Math.max(0, from - reach), from)
        .split('\n')
        .at(-1)!,
    ),
    -1,
  );
  const after = nearest(line(`0${text.slice(to, to + reach).split('\n')[0]!}`), 1);
  if (before === 'zh' || after === 'zh') return 'zh';
  return before ?? after;
}

/** How far a number's neighbours are looked for. */
const reach = 80;
/** Units are written in Latin letters whatever the language. */
const amounts = /\d[\d.,]*\s?[a-zA-Z°℃℉²/]{1,5}(?!\p{Script=Latin})/gu;

function nearest(line: string, step: 1 | -1): SpokenLanguage | null {
  for (let at = step > 0 ? 0 : line.length - 1; at >= 0 && at < line.length; at += step) {
    const letter = line.charAt(at);
    if (latin.test(letter)) return 'en';
    if (han.test(letter)) return 'zh';
  }
  return null;
}
