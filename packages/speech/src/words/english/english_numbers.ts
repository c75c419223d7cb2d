const small = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ');
const tens = '- ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const powers = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion'];
const irregularOrdinals: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** Digits that are read as one number; longer ones are read digit by digit. */
const longestNumber = 21;

/** `"1205"` → one thousand two hundred five. @param digits 0–9 only, thousands without commas */
export function cardinal(digits: string): string[] {
  const bare = digits.replace(/^0+(?=\d)/, '');
  if (bare.length > longestNumber) return digitByDigit(bare);
  if (bare === '0') return ['zero'];
  const words: string[] = [];
  const groups = Math.ceil(bare.length / 3);
  for (let group = groups - 1; group >= 0; group -= 1) {
    const end = bare.length - 3 * group;
    const value = Number(bare.slice(Math.max(0, end - 3), end));
    if (value === 0) continue;
    words.push(...belowThousand(value));
    if (group > 0) words.push(powers[group]!);
  }
  return words;
}

function belowThousand(value: number): string[] {
  const words = value >= 100 ? [small[Math.floor(value / 100)]!, 'hundred'] : [];
  const rest = value % 100;
  if (rest >= 20) words.push(tens[Math.floor(rest / 10)]!);
  if (rest > 0 && rest < 20) words.push(small[rest]!);
  if (rest >= 20 && rest % 10 > 0) words.push(small[rest % 10]!);
  return words;
}

/** `"21"` → twenty first */
export function ordinal(digits: string): string[] {
  const words = cardinal(digits);
  const last = words.pop()!;
  return [...words, ordinalWord(last)];
}

function ordinalWord(word: string): string {
  return irregularOrdinals[word] ?? (word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word}th`);
}

/** Plural of the last word: `"1990"` as years → nineteen nineties. */
export function pluralWord(word: string): string {
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : word.endsWith('x') ? `${word}es` : `${word}s`;
}

export const digitByDigit = (digits: string): string[] => [...digits].map((digit) => small[Number(digit)]!);

/** Four digits as a year: nineteen eighty four, nineteen oh five, two thousand four, twenty ten. */
export function year(digits: string): string[] {
  const value = Number(digits);
  const century = Math.floor(value / 100);
  const rest = value % 100;
  if (value % 1000 < 10 || value < 1000) return cardinal(digits);
  const first = belowThousand(century);
  if (rest === 0) return [...first, 'hundred'];
  return rest < 10 ? [...first, 'oh', small[rest]!] : [...first, ...belowThousand(rest)];
}

/** `"3,450.05"` → three thousand four hundred fifty point zero five */
export function decimal(text: string): string[] {
  const [whole = '', part] = text.replaceAll(',', '').split('.');
  const start = whole === '' ? [] : cardinal(whole);
  return part === undefined || part === '' ? start : [...start, 'point', ...digitByDigit(part)];
}

/** Hours and minutes: five thirty, five oh five, five o'clock. */
export function clock(hours: number, minutes: number, bare: boolean): string[] {
  const hour = belowThousand(hours).length > 0 ? belowThousand(hours) : ['zero'];
  if (minutes === 0)
    return hours > 12 || hours === 0 ? [...hour, 'hundred'] : bare ? hour : [...hour, "o'clock"];
  return minutes < 10 ? [...hour, 'oh', small[minutes]!] : [...hour, ...belowThousand(minutes)];
}
