/** Bopomofo, as gcin-voice names its recordings, to the pinyin that scripts are read by. */
const letters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    ㄅㄆㄇㄈㄉㄊㄋㄌㄍㄎㄏㄐㄑㄒㄖㄗㄘㄙ: 'b p m f d t n l g k h j q x r z c s',
    ㄓㄔㄕ: 'zh ch sh',
    ㄚㄛㄜㄝㄞㄟㄠㄡㄢㄣㄤㄥㄦ: 'a o e ê ai ei ao ou an en ang eng er',
  }).flatMap(([signs, pinyin]) => [...signs].map((sign, k) => [sign, pinyin.split(' ')[k] as string])),
);
/** Finals that begin with a glide, after an initial. */
const glided: Readonly<Record<string, string>> = {
  ㄧ: 'i',
  ㄧㄚ: 'ia',
  ㄧㄝ: 'ie',
  ㄧㄠ: 'iao',
  ㄧㄡ: 'iu',
  ㄧㄢ: 'ian',
  ㄧㄣ: 'in',
  ㄧㄤ: 'iang',
  ㄧㄥ: 'ing',
  ㄨ: 'u',
  ㄨㄚ: 'ua',
  ㄨㄛ: 'uo',
  ㄨㄞ: 'uai',
  ㄨㄟ: 'ui',
  ㄨㄢ: 'uan',
  ㄨㄣ: 'un',
  ㄨㄤ: 'uang',
  ㄨㄥ: 'ong',
  ㄩ: 'ü',
  ㄩㄝ: 'üe',
  ㄩㄢ: 'üan',
  ㄩㄣ: 'ün',
  ㄩㄥ: 'iong',
};

/** @returns empty for what is not in the table: syllables without an initial that begin with a glide, mostly */
export function pinyinOf(zhuyin: string): string {
  const onset = /^[ㄅ-ㄙ]/.test(zhuyin) ? zhuyin.slice(0, 1) : '';
  const rhyme = zhuyin.slice(onset.length);
  const initial = letters[onset] ?? '';
  const final = letters[rhyme] ?? (onset ? glided[rhyme] : undefined);
  if (final !== undefined) return initial + final;
  // Of consonants alone the tip of the tongue is the vowel.
  return rhyme === '' && /^[ㄓ-ㄙ]$/.test(onset) ? `${initial}i` : '';
}
