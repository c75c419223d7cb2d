const digits = [...'零一二三四五六七八九'];
const powers = ['', '十', '百', '千'];
const sections = ['', '万', '亿', '万亿'];

/** Digits that are read as one number; longer ones are read digit by digit. */
const longestNumber = 16;

/** `"2050"` → 两千零五十. 两 stands before 千, 万 and 亿; before 百 both are said, and it is the likelier. */
export function mandarinCardinal(text: string): string {
  const bare = text.replace(/^0+(?=\d)/, '');
  if (bare.length > longestNumber) return mandarinDigits(bare);
  if (bare === '0') return '零';
  let reading = '';
  let gap = false;
  const count = Math.ceil(bare.length / 4);
  for (let section = count - 1; section >= 0; section -= 1) {
    const end = bare.length - 4 * section;
    const part = bare.slice(Math.max(0, end - 4), end);
    const value = Number(part);
    if (value === 0) {
      gap = reading !== '';
      continue;
    }
    if (reading !== '' && (gap || value < 1000)) reading += '零';
    gap = false;
    const spoken = belowTenThousand(value);
    reading += section > 0 && spoken === '二' ? '两' : spoken;
    reading += sections[section]!;
  }
  return reading.replace(/^一十/, '十');
}

function belowTenThousand(value: number): string {
  let reading = '';
  let gap = false;
  for (let power = 3; power >= 0; power -= 1) {
    const digit = Math.floor(value / 10 ** power) % 10;
    if (digit === 0) {
      gap = reading !== '';
      continue;
    }
    if (gap) reading += '零';
    gap = false;
    reading += (digit === 2 && power >= 2 ? '两' : digits[digit]!) + powers[power]!;
  }
  return reading;
}

/** Reads digits one by one, as in years and long numbers. */
export const mandarinDigits = (text: string): string =>
  text.replace(/\d/g, (digit) => digits[Number(digit)]!);

/** `"3.05"` → 三点零五 */
export function mandarinDecimal(text: string): string {
  const [whole = '', part] = text.replaceAll(',', '').split('.');
  const start = mandarinCardinal(whole === '' ? '0' : whole);
  return part === undefined || part === '' ? start : `${start}点${mandarinDigits(part)}`;
}

/** A number before a measure word: 两个, but 十二个 and 二十二个. */
export function mandarinCount(text: string): string {
  const reading = mandarinDecimal(text);
  return reading === '二' ? '两' : reading;
}
