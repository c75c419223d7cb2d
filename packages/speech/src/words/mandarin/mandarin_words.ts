import { syllablePhones } from './pinyin_phones.ts';
import { asSimplified } from './simplified.ts';

/** One word of a stretch of Chinese characters. */
export interface MandarinWord {
  readonly text: string;
  /** UTF-16, from the stretch's beginning. */
  readonly at: number;
  /** The likeliest first; none for characters that aren't in a dictionary. */
  readonly pronunciations: readonly (readonly string[])[];
}

export interface MandarinReader {
  /** Returns the words of a stretch that contains only Chinese characters. */
  read(stretch: string): MandarinWord[];
}

type Pinyin = typeof import('pinyin-pro');

let loaded: Promise<MandarinReader> | undefined;

/** Reads Chinese characters with pinyin-pro, whose words choose among a character's readings. */
export function mandarinReader(): Promise<MandarinReader> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/**
 * Maximum pronunciations of one word. A longer list costs the aligner time and makes it match unlikely
 * readings.
 */
const maxPronunciations = 8;
const maxReadings = 4;

async function load(): Promise<MandarinReader> {
  const { pinyin } = await import('pinyin-pro');
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  return {
    read(stretch) {
      const characters = readCharacters(pinyin, stretch);
      const words: MandarinWord[] = [];
      let next = 0;
      for (const { segment, index } of withErhua([...segmenter.segment(stretch)])) {
        const count = [...segment].length;
        const readings = characters.slice(next, next + count);
        next += count;
        words.push({ text: segment, at: index, pronunciations: combine(segment, readings) });
      }
      return words;
    },
  };
}

interface Segment {
  readonly segment: string;
  readonly index: number;
}

/** Merges 儿 back into 小孩儿 and 一会儿: the segmenter splits it off, though it isn't a separate syllable there. */
function withErhua(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (const { segment, index } of segments) {
    const last = joined.at(-1);
    if (segment === '儿' && last) joined[joined.length - 1] = { ...last, segment: `${last.segment}儿` };
    else joined.push({ segment, index });
  }
  return joined;
}

/** Readings of each character as phones, the one that fits its neighbours first. */
type Readings = readonly (readonly string[])[];

function readCharacters(pinyin: Pinyin['pinyin'], stretch: string): Readings[] {
  const characters = [...asSimplified(stretch)];
  const found = pinyin(characters.join(''), { type: 'all', toneSandhi: false });
  // Never seen, but a shift by one would give every later character its neighbour's sound.
  const fits =
    found.length === characters.length && found.every(({ origin }, at) => origin === characters[at]);
  const each = fits ? found : characters.map((character) => pinyin(character, { type: 'all' })[0]);
  return each.map((one) => (one?.isZh ? distinctReadings(one.pinyin, one.polyphonic) : []));
}

const readingsOf = new Map<string, Readings>();

function distinctReadings(chosen: string, others: readonly string[]): Readings {
  const key = `${chosen} ${others.join(' ')}`;
  let readings = readingsOf.get(key);
  if (!readings) {
    const found = new Map<string, readonly string[]>();
    for (const syllable of [chosen, ...others]) {
      const phones = syllablePhones(syllable);
      if (phones.length > 0) found.set(phones.join(' '), phones);
    }
    readings = [...found.values()].slice(0, maxReadings);
    readingsOf.set(key, readings);
  }
  return readings;
}

/** Returns the word with its readings in context, then with one character read differently. */
function combine(word: string, characters: readonly Readings[]): string[][] {
  if (characters.some((readings) => readings.length === 0)) return [];
  const likeliest = characters.map((readings) => readings[0]!);
  const pronunciations = [likeliest.flat()];
  if (word.length > 1 && word.endsWith('儿')) {
    if (fullEr.test(word)) pronunciations.push(...rColoured(likeliest));
    else pronunciations.unshift(...rColoured(likeliest));
  }
  for (const [at, readings] of characters.entries()) {
    for (const reading of readings.slice(1)) pronunciations.push(likeliest.with(at, reading).flat());
  }
  return pronunciations.slice(0, maxPronunciations);
}

/** 花儿 is one syllable: the last vowel loses its n or ng and ends with the tongue's curl. */
function rColoured(syllables: readonly (readonly string[])[]): string[][] {
  const before = syllables.slice(0, -1).flat();
  const vowel = before.at(-1);
  if (vowel === undefined) return [];
  return [[...before.slice(0, -1), openVowel[vowel] ?? vowel, 'er']];
}

const openVowel: Readonly<Record<string, string>> = {
  an: 'a',
  ai: 'a',
  ian: 'ia',
  uan: 'ua',
  uai: 'ua',
  en: 'e',
  ei: 'e',
  un: 'u',
  ui: 'u',
  in: 'i',
  üan: 'üe',
  ün: 'ü',
};

/** Words in which 儿 means a child and is a separate syllable. */
const fullEr = /[女婴幼孤胎少健男小宠患育托产低]儿$/u;
