import { bitsAsUtf8, bitsIn, type LanguageName } from './text_languages.ts';

/** Declared here because this folder has neither DOM nor Node types; both provide it. */
declare const TextDecoder: new (
  encoding: string,
  options?: { fatal: boolean },
) => { decode(bytes: Uint8Array): string };

const western = ['english', 'french', 'german', 'spanish', 'portuguese', 'italian', 'nordic'] as const;
const central = ['polish', 'czech', 'hungarian', 'croatian', 'romanian', 'german'] as const;
const cyrillic = ['russian', 'ukrainian'] as const;

/**
 * Encodings without a byte order mark, and their languages. `handicap`: the bits that a text must save
 * compared with Western European and Chinese encodings, the most common here.
 */
const encodings: readonly { encoding: string; languages: readonly LanguageName[]; handicap: number }[] = [
  { encoding: 'windows-1252', languages: western, handicap: 0 },
  { encoding: 'windows-1252', languages: ['icelandic'], handicap: 4 },
  { encoding: 'gb18030', languages: ['simplified'], handicap: 0 },
  { encoding: 'gb18030', languages: ['traditional'], handicap: 4 },
  { encoding: 'big5', languages: ['traditional'], handicap: 1 },
  { encoding: 'shift_jis', languages: ['japanese'], handicap: 1 },
  { encoding: 'euc-kr', languages: ['korean'], handicap: 1 },
  { encoding: 'euc-jp', languages: ['japanese'], handicap: 8 },
  { encoding: 'windows-1251', languages: cyrillic, handicap: 6 },
  { encoding: 'koi8-u', languages: cyrillic, handicap: 7 },
  { encoding: 'windows-1250', languages: central, handicap: 3 },
  { encoding: 'windows-1253', languages: ['greek'], handicap: 6 },
  { encoding: 'windows-1254', languages: ['turkish'], handicap: 4 },
  { encoding: 'windows-1255', languages: ['hebrew'], handicap: 6 },
  { encoding: 'windows-1256', languages: ['arabic'], handicap: 5 },
  { encoding: 'windows-874', languages: ['thai'], handicap: 6 },
  { encoding: 'windows-1257', languages: ['baltic'], handicap: 8 },
  { encoding: 'ibm866', languages: cyrillic, handicap: 8 },
  { encoding: 'iso-8859-2', languages: central, handicap: 8 },
  { encoding: 'iso-8859-5', languages: cyrillic, handicap: 8 },
  { encoding: 'x-mac-cyrillic', languages: cyrillic, handicap: 12 },
  { encoding: 'macintosh', languages: western, handicap: 8 },
  { encoding: 'iso-8859-15', languages: western, handicap: 8 },
];
/** UTF-16 without its mark: its bytes may be zero. */
const wide = ['utf-16le', 'utf-16be'] as const;
const wideLanguages = [
  ...western,
  ...central,
  ...cyrillic,
  'simplified',
  'traditional',
  'japanese',
  'korean',
  'greek',
] as const;
const wideHandicap = 12;

/** Size of the sample from which the encoding is detected. */
const sampleBytes = 8192;

/**
 * Decodes a text file: UTF-8 and UTF-16 with or without a byte order mark, else the most plausible encoding.
 *
 * @param expected names that the file may list, such as those of the photos beside a table; an encoding that
 *   yields them wins
 */
export function decodeText(bytes: Uint8Array, expected: () => Iterable<string> = () => []): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Text with zeros is UTF-16. Their position alone does not reveal the byte order: 一 is 4E00, A is 0041.
  const hasZero = bytes.includes(0);
  try {
    if (!hasZero) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Some other encoding.
  }
  const names = new Set([...expected()].filter((name) => /[^\0-\x7f]/.test(name)).map(sameName));
  return new TextDecoder(likeliestEncoding(bytes, hasZero, names)).decode(bytes);
}

const sameName = (name: string): string => name.normalize('NFC').toLowerCase().trim();

/** Removes the cells that are expected names: a decoding that yields them is right. */
const withoutNames = (text: string, names: ReadonlySet<string>): string =>
  names.size === 0
    ? text
    : text
        .split(/([\t\r\n,;|"/\\]+)/)
        .filter((cell) => !names.has(sameName(cell)))
        .join('');

function likeliestEncoding(bytes: Uint8Array, hasZero: boolean, names: ReadonlySet<string>): string {
  const sample = hasZero ? bytes.subarray(0, sampleBytes) : nonAsciiLines(bytes);
  // Despite a wrong byte, or an end within a character, it may be UTF-8.
  const asUtf8 = bitsAsUtf8(new TextDecoder('utf-8').decode(sample)) / sample.length;
  let best = { encoding: 'utf-8', bitsOfByte: asUtf8 };
  const offer = (
    encoding: string,
    part: Uint8Array,
    languages: readonly LanguageName[],
    handicap: number,
  ): void => {
    const text = withoutNames(new TextDecoder(encoding).decode(part), names);
    for (const language of languages) {
      const bitsOfByte = (bitsIn(text, language) + handicap) / part.length;
      if (bitsOfByte < best.bitsOfByte) best = { encoding, bitsOfByte };
    }
  };
  for (const { encoding, languages, handicap } of encodings) offer(encoding, sample, languages, handicap);
  if (hasZero || bytes.length % 2 === 0)
    for (const encoding of wide) offer(encoding, bytes.subarray(0, sampleBytes), wideLanguages, wideHandicap);
  return best.encoding;
}

/** Returns whole lines with bytes beyond ASCII; only in UTF-16 can a line end lie within a character. */
function nonAsciiLines(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= sampleBytes) return bytes;
  const kept: number[] = [];
  for (let from = 0; from < bytes.length && kept.length < sampleBytes; ) {
    const end = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1);
    if (line.some((byte) => byte >= 0x80)) kept.push(...line.subarray(0, sampleBytes));
    from += line.length;
  }
  return Uint8Array.from(kept);
}
