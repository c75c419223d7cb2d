import { alternatives, isOne } from '../english/amount_words.ts';
import type { ReadingRule } from '../spoken_token.ts';
import { mandarinCardinal, mandarinCount, mandarinDecimal, mandarinDigits } from './mandarin_numbers.ts';

const number = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,400}(?:\.\d{1,400})?`;
const currencies: Readonly<Record<string, string>> = {
  '￥': '元',
  '¥': '元',
  $: '美元',
  '€': '欧元',
  '£': '英镑',
  '₩': '韩元',
  '₹': '卢比',
  '₽': '卢布',
};
const signs = `[${Object.keys(currencies).join('')}]`;
const scales: Readonly<Record<string, string>> = {
  万: '万',
  亿: '亿',
  萬: '万',
  億: '亿',
  千: '千',
  百: '百',
};
const units: Readonly<Record<string, string>> = {
  km: '公里',
  m: '米',
  cm: '厘米',
  mm: '毫米',
  'km/h': '公里每小时',
  'm/s': '米每秒',
  kg: '公斤',
  g: '克',
  mg: '毫克',
  t: '吨',
  L: '升',
  l: '升',
  ml: '毫升',
  mL: '毫升',
  s: '秒',
  ms: '毫秒',
  min: '分钟',
  h: '小时',
  Hz: '赫兹',
  kHz: '千赫兹',
  W: '瓦',
  kW: '千瓦',
  V: '伏',
  'm²': '平方米',
  'km²': '平方公里',
  '㎡': '平方米',
  '°C': '摄氏度',
  '℃': '摄氏度',
  '°F': '华氏度',
  '℉': '华氏度',
  '°': '度',
};
/** Measure words before which 2 is 两. */
const measures =
  '个位只条张本件次天年周岁块台辆部家种名双对把支枝杯瓶碗盘层间座栋棵朵头匹句篇首段章幅群批套份项间秒分钟小时米公里公斤斤吨元倍点人口斤里遍趟场回样组排箱袋包盒';

/** Names that precede a number read digit by digit. */
const called =
  /(?:拨打?|电话|打|热线|号码|房间|教室|航班|车次|密码|邮编|学号|编号|工号|代码)(?:是|为)?[:： ]?$/u;

const rule = (pattern: string, verbalize: ReadingRule['verbalize']): ReadingRule => ({
  pattern: new RegExp(pattern, 'uy'),
  verbalize,
});

export const mandarinNumberRules: readonly ReadingRule[] = [
  rule(`(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})(?!\\d)`, ([, y, , m, d]) =>
    Number(m) <= 12 && Number(d) <= 31
      ? [`${mandarinDigits(y!)}年${mandarinCardinal(m!)}月${mandarinCardinal(d!)}日`]
      : null,
  ),
  rule(`(\\d{4})(?=\\s?年(?!前|后|以|来|内|间))`, ([, y]) => [mandarinDigits(y!)]),
  rule(`(\\d{4})\\s?[-–—~～至到]\\s?(?=\\d{4}\\s?年)`, ([, y]) => [`${mandarinDigits(y!)}到`]),
  rule(`(\\d{2})(?=\\s?年代)`, ([, y]) => [mandarinCardinal(y!)]),
  rule(`(\\d{2})(?=年(?:\\d|[初末底春夏秋冬]))`, ([, y]) => [mandarinDigits(y!)]),
  rule(`(\\d{1,2})[:：]([0-5]\\d)(?:[:：]([0-5]\\d))?(?!\\d)`, ([, h, m, s]) =>
    Number(h) <= 24 ? [clock(h!, m!, s)] : null,
  ),
  rule(`(?:US)?(${signs})\\s?(${number})([万亿千百萬億])?`, ([, sign, amount, size]) => [
    `${mandarinCount(amount!)}${size ? scales[size] : ''}${currencies[sign!]}`,
  ]),
  rule(`(${number})\\s?[%％]`, ([, amount]) => [`百分之${mandarinDecimal(amount!)}`]),
  rule(
    `1\\d{2}[- ]?\\d{4}[- ]?\\d{4}(?!\\d)|\\d{3,4}-\\d{7,8}(?!\\d)|\\+\\d[\\d -]{6,16}\\d(?!\\d)|400[- ]\\d{3}[- ]?\\d{4}`,
    ([text]) => [...mandarinDigits(text.replace(/\D/g, ''))],
  ),
  rule(`(\\d{1,3})[/／](\\d{1,3})(?!\\d)`, ([, top, bottom]) => [
    `${mandarinCardinal(bottom!)}分之${mandarinCardinal(top!)}`,
  ]),
  rule(
    `(${number})\\s?(${alternatives(Object.keys(units))})(?![\\p{Script=Latin}\\p{N}])`,
    ([, amount, unit]) => [`${mandarinCount(amount!)}${units[unit!]}`],
  ),
  rule(`(${number})\\s?[-–—~～]\\s?(?=\\d)`, ([, amount]) => [`${mandarinDecimal(amount!)}到`]),
  rule(`(\\d+)(?=[:：]\\d)[:：]`, ([, amount]) => [`${mandarinCardinal(amount!)}比`]),
  rule(`(${number})(?=\\s?[万亿萬億])`, ([, amount]) => [mandarinCount(amount!)]),
  rule(`(${number})(?=\\s?(?:多)?[${measures}])`, ([, amount], { before }) => [
    /[第初周]\s?$/u.test(before) ? mandarinCardinal(amount!.replaceAll(',', '')) : mandarinCount(amount!),
  ]),
  rule(`0\\d+|\\d{8,}`, ([digits]) => [...mandarinDigits(digits)]),
  rule(`\\d{3,}`, ([digits], { before }) => (called.test(before) ? [...mandarinDigits(digits)] : null)),
  rule(`${number}`, ([amount]) => [mandarinDecimal(amount)]),
];

function clock(hours: string, minutes: string, seconds: string | undefined): string {
  const hour = `${isOne(String(Number(hours) - 1)) ? '两' : mandarinCardinal(hours)}点`;
  const minute =
    Number(minutes) === 0
      ? seconds
        ? '零分'
        : ''
      : `${minutes.startsWith('0') ? '零' : ''}${mandarinCardinal(minutes)}分`;
  return `${hour}${minute}${seconds ? `${mandarinCardinal(seconds)}秒` : ''}`;
}
