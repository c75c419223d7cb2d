/**
 * Phones of English and Mandarin, and the mouth that each makes.
 *
 * English phones are ARPAbet in capitals without stress marks, as the CMU Pronouncing Dictionary has them.
 * Mandarin phones are pinyin initials and finals in small letters without tones; the vowel of `zi` and `zhi`
 * is `-i`. A pause is `sil`. The visemes are those that the speech networks are trained on: twin of
 * packages/speech/training/visemes.py.
 */
import { oculusVisemeNames } from '../blendshapes.ts';

export type SpokenLanguage = 'en' | 'zh';

/** A part of a phone in which the mouth aims at one viseme. */
export interface PhonePart {
  /** Position in `oculusVisemeNames`. */
  readonly viseme: number;
  /** Share of the phone's length; the shares of all parts sum to 1. */
  readonly share: number;
}

/** The symbol of a pause or a breath instead of a phone. */
export const pausePhone = 'sil';

const english: Readonly<Record<string, string>> = {
  PP: 'P B M',
  FF: 'F V',
  TH: 'TH DH',
  DD: 'T D',
  kk: 'K G HH',
  CH: 'CH JH SH ZH',
  SS: 'S Z',
  nn: 'N L NG',
  RR: 'R ER',
  aa: 'AA AE AH',
  E: 'EH AX EY',
  I: 'IH IY Y',
  O: 'AO OW',
  U: 'UW UH W',
  'aa:0.6 I:0.4': 'AY',
  'aa:0.6 U:0.4': 'AW',
  'O:0.6 I:0.4': 'OY',
};

const mandarin: Readonly<Record<string, string>> = {
  PP: 'b p m',
  FF: 'f',
  DD: 'd t',
  kk: 'g k h',
  CH: 'j q x zh ch sh',
  SS: 'z c s',
  nn: 'n l',
  RR: 'r',
  aa: 'a',
  E: 'e ei ê',
  I: 'i -i',
  O: 'o ou',
  U: 'u ü',
  'aa I': 'ai',
  'aa U': 'ao',
  'aa nn': 'an ang',
  'E nn': 'en eng',
  'E RR': 'er',
  'I aa': 'ia',
  'I E': 'ie',
  'I aa U': 'iao',
  'I U': 'iu',
  'I E nn': 'ian',
  'I nn': 'in ing',
  'I aa nn': 'iang',
  'I U nn': 'iong',
  'U nn': 'ong un ün',
  'U aa': 'ua',
  'U O': 'uo',
  'U aa I': 'uai',
  'U I': 'ui',
  'U aa nn': 'uan uang',
  'U E nn': 'ueng üan',
  'U E': 'üe',
};

const parts: ReadonlyMap<string, readonly PhonePart[]> = new Map([
  ...readTable(english),
  ...readTable(mandarin),
  [pausePhone, [{ viseme: 0, share: 1 }]],
]);

/** @param phone a symbol of the table above @throws RangeError for a phone that is in no table */
export function phoneParts(phone: string): readonly PhonePart[] {
  const found = parts.get(phone);
  if (!found) throw new RangeError(`There is no phone "${phone}"`);
  return found;
}

/** Whether `phone` is a symbol of the tables above. */
export const isPhone = (phone: string): boolean => parts.has(phone);

/** Phones that shut the lips: p, b, m of either language. */
export const isBilabial = (phone: string): boolean => parts.get(phone)?.[0]?.viseme === visemeNamed('PP');

/** Phones that put the lower lip to the upper teeth: f, v. */
export const isLabiodental = (phone: string): boolean => parts.get(phone)?.[0]?.viseme === visemeNamed('FF');

function readTable(table: Readonly<Record<string, string>>): [string, readonly PhonePart[]][] {
  return Object.entries(table).flatMap(([visemes, phones]) => {
    const named = visemes.split(' ');
    const made = named.map((text) => {
      const [name = '', share] = text.split(':');
      return { viseme: visemeNamed(name), share: share ? Number(share) : 1 / named.length };
    });
    return phones.split(' ').map((phone): [string, readonly PhonePart[]] => [phone, made]);
  });
}

function visemeNamed(name: string): number {
  const index = (oculusVisemeNames as readonly string[]).indexOf(`viseme_${name}`);
  if (index < 0) throw new RangeError(`There is no viseme "${name}"`);
  return index;
}
