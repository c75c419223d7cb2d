import { isPhone } from '@likeness/proto/speech/phones.ts';
import { describe, expect, test } from 'vitest';
import { readScript } from '../../src/words/index.ts';
import { syllablePhones } from '../../src/words/mandarin/pinyin_phones.ts';

const read = (text: string) => readScript(text, { language: 'auto' });
/** Without the spaces between words, since parting them is the segmenter's. */
const textOf = async (text: string): Promise<string> =>
  (await read(text)).words.map((word) => word.text).join('');
const phonesOf = async (text: string): Promise<string> =>
  (await read(text)).words.flatMap(({ pronunciations }) => pronunciations[0]!).join(' ');

describe('a number is said as', () => {
  test.each([
    ['2024年3月4日', '二零二四年三月四日'],
    ['今天2024-03-04', '今天二零二四年三月四日'],
    ['90年代，15年前', '九十年代十五年前'],
    ['2024-2025年', '二零二四到二零二五年'],
    ['现在12:30', '现在十二点三十分'],
    ['我5:05到，8:00走', '我五点零五分到八点走'],
    ['价格￥20，¥3.5', '价格二十元三点五元'],
    ['有$100', '有一百美元'],
    ['有3.5万元', '有三点五万元'],
    ['增长3.5%', '增长百分之三点五'],
    ['有10、22、110、1010', '有十二十二一百一十一千零一十'],
    ['有200、2000、20000、2亿', '有两百两千两万两亿'],
    ['有10500个', '有一万零五百个'],
    ['有100000001粒', '有一零零零零零零零一粒'],
    ['2个、2位、12个、22个', '两个两位十二个二十二个'],
    ['第2、2月、2号', '第二二月二号'],
    ['占1/2和3/4', '占二分之一和四分之三'],
    ['身高1.75米，10km，5kg', '身高一点七五米十公里五公斤'],
    ['今天-5°C', '今天负五摄氏度'],
    ['3-5个', '三到五个'],
    ['比分3:2', '比分三比二'],
    ['房间808，拨打110', '房间八零八拨打一一零'],
    ['我用iPhone 15拍照', '我用iPhone十五拍照'],
    ['A4纸、4K、T恤', 'A四纸四KT恤'],
    ['共３个', '共三个'],
  ])('%s', async (text, expected) => {
    expect(await textOf(text)).toBe(expected);
  });

  test('a one of a telephone is yao, and may be yi', async () => {
    const { words } = await read('电话13912345678');
    expect(words.at(1)).toMatchObject({ text: '一', pronunciations: [['iao'], ['i']] });
    expect(words.length).toBe(12);
  });
});

describe('a character is read as its word has it:', () => {
  test.each([
    ['银行', 'in h ang'],
    ['行走', 'x ing z ou'],
    ['长大', 'zh ang d a'],
    ['长城', 'ch ang ch eng'],
    ['重庆', 'ch ong q ing'],
    ['重要', 'zh ong iao'],
    ['音乐', 'in üe'],
    ['快乐', 'k uai l e'],
    ['还是', 'h ai sh -i'],
    ['了解', 'l iao j ie'],
    ['走了', 'z ou l e'],
    ['都市', 'd u sh -i'],
    ['都是', 'd ou sh -i'],
    ['睡着', 'sh ui zh ao'],
    ['看着', 'k an zh e'],
    ['觉得', 'j üe d e'],
    ['睡觉', 'sh ui j iao'],
    ['调查', 'd iao ch a'],
    ['空调', 'k ong t iao'],
    ['便宜', 'p ian i'],
    ['方便', 'f ang b ian'],
    ['角色', 'j üe s e'],
    ['投降', 't ou x iang'],
    ['降落', 'j iang l uo'],
    ['人参', 'r en sh en'],
    ['参加', 'c an j ia'],
    ['传记', 'zh uan j i'],
    ['传说', 'ch uan sh uo'],
    ['弹琴', 't an q in'],
    ['子弹', 'z -i d an'],
    ['大夫', 'd ai f u'],
    ['给予', 'j i ü'],
    ['銀行', 'in h ang'],
    ['音樂', 'in üe'],
    ['長大了', 'zh ang d a l e'],
    ['看著，著名', 'k an zh e zh u m ing'],
    ['乾淨，乾坤', 'g an j ing q ian k un'],
    ['頭髮，發現', 't ou f a f a x ian'],
    ['女旅绿略', 'n ü l ü l ü l üe'],
    ['鱼月元晕', 'ü üe üan ün'],
    ['知吃是日自词四', 'zh -i ch -i sh -i r -i z -i c -i s -i'],
    ['五我为问王翁', 'u uo ui un uang ueng'],
  ])('%s', async (text, expected) => {
    expect(await phonesOf(text)).toBe(expected);
  });

  test('花儿 is one syllable, 女儿 two, and each may be the other', async () => {
    const { words } = await read('花儿，女儿，小孩儿');
    expect(words.map(({ text, pronunciations }) => [text, pronunciations[0]!.join(' ')])).toEqual([
      ['花儿', 'h ua er'],
      ['女儿', 'n ü er'],
      ['小孩儿', 'x iao h a er'],
    ]);
  });

  test('a character alone has its other readings too', async () => {
    const [word] = (await read('行')).words;
    expect(word!.pronunciations).toContainEqual(['x', 'ing']);
    expect(word!.pronunciations).toContainEqual(['h', 'ang']);
    expect(word!.pronunciations.length).toBeLessThanOrEqual(8);
  });
});

test('every syllable of pinyin has its phones', () => {
  const syllables =
    'a ai an ang ao ba bai ban bang bao bei ben beng bi bian biao bie bin bing bo bu ca ci cong cuan cui cun cuo ' +
    'da dei den dia diu dong duan fo fou ga gei gua guai guang gun ha hei hong hua ji jia jian jiang jiao jie jin ' +
    'jing jiong jiu ju juan jue jun ka ke kuai la lia lü lüe lv nü nüe lo ma me miu mo na neng niang nuan o ou pa ' +
    'qi qia qiong qu quan que qun ran rua ruan sa seng shua shui ta te teng tui wa wai wan wang wei wen weng wo wu ' +
    'xi xiong xu xuan xue xun ya yan yang yao ye yi yin ying yo yong you yu yuan yue yun za zei zha zhei zhua zi ê ' +
    'er m n ng hm hng';
  for (const syllable of syllables.split(' ')) {
    const phones = syllablePhones(syllable);
    expect(phones.length, syllable).toBeGreaterThan(0);
    for (const phone of phones) expect(isPhone(phone), `${syllable}: ${phone}`).toBe(true);
  }
  expect(syllablePhones('xué')).toEqual(['x', 'üe']);
  expect(syllablePhones('lǜ')).toEqual(['l', 'ü']);
  expect(syllablePhones('zhuang4')).toEqual(['zh', 'uang']);
  expect(syllablePhones('hello')).toEqual([]);
});

test('words of both languages stand in one sentence', async () => {
  const { words, unknown } = await read('Beijing 北京 is 很大。');
  expect(words.map(({ text, language }) => `${text}:${language}`)).toEqual([
    'Beijing:en',
    '北京:zh',
    'is:en',
    '很大:zh',
  ]);
  expect(unknown).toEqual([]);
});
