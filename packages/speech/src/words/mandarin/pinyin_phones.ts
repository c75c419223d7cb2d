const initials = ['zh', 'ch', 'sh', ...'bpmfdtnlgkhjqxrzcs'];
/** Finals whose spelling after an initial differs from their name in proto/speech/phones.ts. */
const afterPalatal: Readonly<Record<string, string>> = { u: 'ü', uan: 'üan', ue: 'üe', un: 'ün' };
const spelt: Readonly<Record<string, string>> = {
  uei: 'ui',
  iou: 'iu',
  uen: 'un',
  ve: 'üe',
  v: 'ü',
  io: 'iao',
};
/** Syllables without an initial. */
const withoutInitial: Readonly<Record<string, string>> = {
  yi: 'i',
  ya: 'ia',
  yo: 'iao',
  ye: 'ie',
  yai: 'ai',
  yao: 'iao',
  you: 'iu',
  yan: 'ian',
  yin: 'in',
  yang: 'iang',
  ying: 'ing',
  yong: 'iong',
  wu: 'u',
  wa: 'ua',
  wo: 'uo',
  wai: 'uai',
  wei: 'ui',
  wan: 'uan',
  wen: 'un',
  wang: 'uang',
  weng: 'ueng',
  yu: 'ü',
  yue: 'üe',
  yuan: 'üan',
  yun: 'ün',
};
/** Interjections without a vowel: 嗯, 呣, 哼. */
const hummed: Readonly<Record<string, readonly string[]>> = {
  m: ['m'],
  n: ['n'],
  ng: ['en'],
  hm: ['h', 'm'],
  hng: ['h', 'eng'],
  r: ['er'],
};
const finals = new Set(
  (
    'a o e ê ai ei ao ou an en ang eng er i -i ia ie iao iu ian in iang ing iong ong u ua uo uai ui uan un uang ' +
    'ueng ü üe üan ün'
  ).split(' '),
);

const known = new Map<string, readonly string[]>();

/**
 * Returns the phones of one syllable, as in proto/speech/phones.ts.
 *
 * @param syllable pinyin with or without tone marks or a tone's digit
 * @returns an empty list if it isn't a syllable
 */
export function syllablePhones(syllable: string): readonly string[] {
  let phones = known.get(syllable);
  if (!phones) {
    phones = split(toneless(syllable));
    known.set(syllable, phones);
  }
  return phones;
}

/** Removes the tone mark, but keeps the dots of ü and the circumflex of ê. */
function toneless(syllable: string): string {
  const bare = syllable
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300\u0301\u0304\u030c]|[0-5]$/g, '');
  return bare.normalize('NFC').replaceAll('v', 'ü');
}

function split(bare: string): readonly string[] {
  const whole = hummed[bare] ?? withoutInitial[bare];
  if (whole) return typeof whole === 'string' ? [whole] : whole;
  if (finals.has(bare)) return [bare];
  const initial = initials.find((start) => bare.startsWith(start));
  if (!initial) return [];
  const rest = bare.slice(initial.length);
  const erhua = rest.length > 1 && rest.endsWith('r');
  const plain = erhua ? rest.slice(0, -1) : rest;
  const final = namedFinal(initial, plain);
  if (!finals.has(final)) return [];
  return erhua ? [initial, final, 'er'] : [initial, final];
}

function namedFinal(initial: string, final: string): string {
  if (final === 'i' && /^(zh|ch|sh|r|z|c|s)$/.test(initial)) return '-i';
  if (/^[jqx]$/.test(initial)) return afterPalatal[final] ?? final;
  if (final === 'ue') return 'üe';
  return spelt[final] ?? final;
}
