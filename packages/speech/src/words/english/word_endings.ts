type Pronunciations = readonly (readonly string[])[];
type Find = (word: string) => Pronunciations;

interface Ending {
  readonly letters: RegExp;
  /** Returns the possible stems, the likeliest first. */
  stems(stem: string): readonly string[];
  sound(last: string): readonly string[];
}

const sibilant = /^(?:S|Z|SH|ZH|CH|JH)$/;
const voiceless = /^(?:P|T|K|F|TH|S|SH|CH)$/;
const ofS = (last: string): string[] =>
  sibilant.test(last) ? ['IH', 'Z'] : [voiceless.test(last) ? 'S' : 'Z'];
const ofD = (last: string): string[] =>
  /^[TD]$/.test(last) ? ['IH', 'D'] : [voiceless.test(last) ? 'T' : 'D'];
/** hop → hopping, love → loving */
const doubled = (stem: string): string[] => [
  stem,
  `${stem}e`,
  ...(/([b-df-hj-np-tv-z])\1$/.test(stem) ? [stem.slice(0, -1)] : []),
];
const whole = (stem: string): string[] => [stem];
const phonesOf =
  (...phones: string[]) =>
  () =>
    phones;

/** The contractions first; the sounds follow English phonology. */
const endings: readonly Ending[] = [
  { letters: /'s$/, stems: whole, sound: ofS },
  { letters: /s'$/, stems: (stem) => [`${stem}s`], sound: phonesOf() },
  { letters: /n't$/, stems: whole, sound: phonesOf('AX', 'N', 'T') },
  { letters: /'ve$/, stems: whole, sound: phonesOf('AX', 'V') },
  { letters: /'ll$/, stems: whole, sound: phonesOf('AX', 'L') },
  { letters: /'re$/, stems: whole, sound: phonesOf('ER') },
  { letters: /'d$/, stems: whole, sound: ofD },
  { letters: /'m$/, stems: whole, sound: phonesOf('M') },
  { letters: /in'$/, stems: doubled, sound: phonesOf('IH', 'N') },
  { letters: /ies$/, stems: (stem) => [`${stem}y`], sound: phonesOf('Z') },
  { letters: /es$/, stems: (stem) => [`${stem}e`, stem], sound: ofS },
  { letters: /s$/, stems: whole, sound: ofS },
  { letters: /ied$/, stems: (stem) => [`${stem}y`], sound: phonesOf('D') },
  { letters: /ed$/, stems: doubled, sound: ofD },
  { letters: /ing$/, stems: doubled, sound: phonesOf('IH', 'NG') },
  { letters: /ings$/, stems: doubled, sound: phonesOf('IH', 'NG', 'Z') },
  { letters: /ier$/, stems: (stem) => [`${stem}y`], sound: phonesOf('ER') },
  { letters: /iest$/, stems: (stem) => [`${stem}y`], sound: phonesOf('IH', 'S', 'T') },
  { letters: /er$/, stems: doubled, sound: phonesOf('ER') },
  { letters: /ers$/, stems: doubled, sound: phonesOf('ER', 'Z') },
  { letters: /est$/, stems: doubled, sound: phonesOf('IH', 'S', 'T') },
  { letters: /ily$/, stems: (stem) => [`${stem}y`], sound: phonesOf('L', 'IY') },
  { letters: /ly$/, stems: whole, sound: phonesOf('L', 'IY') },
  { letters: /iness$/, stems: (stem) => [`${stem}y`], sound: phonesOf('N', 'AX', 'S') },
  { letters: /ness$/, stems: whole, sound: phonesOf('N', 'AX', 'S') },
  { letters: /less$/, stems: whole, sound: phonesOf('L', 'AX', 'S') },
  { letters: /ful$/, stems: whole, sound: phonesOf('F', 'AX', 'L') },
  { letters: /ment$/, stems: whole, sound: phonesOf('M', 'AX', 'N', 'T') },
  { letters: /able$/, stems: doubled, sound: phonesOf('AX', 'B', 'AX', 'L') },
  { letters: /ish$/, stems: doubled, sound: phonesOf('IH', 'SH') },
  { letters: /ship$/, stems: whole, sound: phonesOf('SH', 'IH', 'P') },
  { letters: /like$/, stems: whole, sound: phonesOf('L', 'AY', 'K') },
];

const beginnings: readonly (readonly [letters: string, phones: string])[] = [
  ['un', 'AH N'],
  ['re', 'R IY'],
  ['non', 'N AA N'],
  ['pre', 'P R IY'],
  ['over', 'OW V ER'],
  ['under', 'AH N D ER'],
  ['inter', 'IH N T ER'],
  ['anti', 'AE N T IY'],
  ['super', 'S UW P ER'],
  ['micro', 'M AY K R OW'],
  ['mis', 'M IH S'],
  ['dis', 'D IH S'],
  ['out', 'AW T'],
  ['sub', 'S AH B'],
  ['mega', 'M EH G AX'],
  ['multi', 'M AH L T IY'],
  ['hyper', 'HH AY P ER'],
  ['cyber', 'S AY B ER'],
];

const shortestStem = 3;
const maxEndings = 3;

/**
 * Returns pronunciations of a word from a stem that `find` knows, with an ending or a prefix; none if there
 * is no stem.
 */
export function stemPronunciations(word: string, find: Find): Pronunciations {
  return withEndings(word, find, maxEndings);
}

function withEndings(word: string, find: Find, left: number): Pronunciations {
  if (left === 0) return [];
  const deeper: Find = (stem) => {
    const found = find(stem);
    return found.length > 0 ? found : withEndings(stem, find, left - 1);
  };
  for (const { letters, stems, sound } of endings) {
    if (!letters.test(word)) continue;
    const bare = word.replace(letters, '');
    if (bare.length < (word.includes("'") ? 1 : shortestStem)) continue;
    for (const stem of stems(bare)) {
      const found = deeper(stem);
      if (found.length > 0) return found.map((phones) => [...phones, ...sound(phones.at(-1) ?? '')]);
    }
  }
  for (const [letters, phones] of beginnings) {
    const rest = word.slice(letters.length);
    if (!word.startsWith(letters) || rest.length < shortestStem) continue;
    const found = find(rest);
    if (found.length > 0) return found.map((one) => [...phones.split(' '), ...one]);
  }
  return [];
}
