import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { isPhone } from '@likeness/proto/speech/phones.ts';
import { describe, expect, test } from 'vitest';
import { readScript, ScriptError, type SpokenWord, scriptLanguageFault } from '../../src/words/index.ts';

const read = (text: string, options: Partial<Parameters<typeof readScript>[1]> = {}) =>
  readScript(text, { language: 'auto', ...options });
const textOf = async (text: string): Promise<string> =>
  (await read(text)).words.map((word) => word.text).join(' ');

describe('what is not said is left out:', () => {
  test.each([
    ['[laughs] Well [crosstalk] yes.', 'Well yes'],
    ['{SL} Well ++NOISE++ <sil> yes {LG} &=laughs', 'Well yes'],
    ['(laughs softly) Well (and he meant it) yes.', 'Well and he meant it yes'],
    ['*sighs* I *really* mean it', 'I really mean it'],
    ['（音乐）你好（笑）吗', '你好 吗'],
    ['【旁白】你好', '你好'],
    ['ANNA: So it is.\nBOB (off): No.', 'So it is No'],
    ['Anna: So.\nBob: No.\nAnna: Yes.\nBob: No.', 'So No Yes No'],
    ['Note: this is said.', 'Note this is said'],
    ['>> SPEAKER 2: Go on', 'Go on'],
    ['小明：你好。\n小红：好。\n小明：走。\n小红：好。', '你好 好 走 好'],
    ['旁白：你好', '你好'],
    ['♪ la la la ♪\nWe go', 'We go'],
    ['♪ We are\nthe ones ♪ so', 'so'],
    ['<i>So</i> <v Anna>it</v> is {\\an8}', 'So it is'],
    ['Tom &amp; I', 'Tom and I'],
    ['an [open bracket stays', 'an open bracket stays'],
    ['Meet at 12:30: be there', 'Meet at twelve thirty be there'],
  ])('%s', async (text, expected) => {
    expect(await textOf(text)).toBe(expected);
  });
});

describe('a word', () => {
  test('stands where the script has it, and those of one number share its place', async () => {
    const script = '  “So — it’s $3.50,”\nhe said. 我在2024年。';
    const { words } = await read(script);
    const placed = words.map(({ text, from, to }) => `${text}=${script.slice(from, to)}`);
    expect(placed.slice(0, 9)).toEqual([
      'So=So',
      'it’s=it’s',
      'three=$3.50',
      'dollars=$3.50',
      'and=$3.50',
      'fifty=$3.50',
      'cents=$3.50',
      'he=he',
      'said=said',
    ]);
    expect(placed.slice(9).filter((place) => place.endsWith('=2024')).length).toBe(4);
  });

  test('ends a clause before a mark, a dash or an empty line, and in no other place', async () => {
    const ends = async (text: string): Promise<string[]> =>
      (await read(text)).words.filter(({ endsClause }) => endsClause).map((word) => word.text);
    expect(await ends('Dr. Lee, of J. R. Smith Inc. in L.A., said: go on')).toEqual([
      'Lee',
      'a',
      'said',
      'on',
    ]);
    expect(await ends('one two\nthree\n\nfour - five')).toEqual(['three', 'four', 'five']);
    expect(await ends('One two\nThree four')).toEqual(['two', 'four']);
    expect(await ends('你好，世界。再见')).toEqual(['你好', '世界', '再见']);
    expect(await ends('costs $3.50 now')).toEqual(['now']);
  });

  test('of a person’s list is said as they wrote it, whatever its case', async () => {
    const { words, unknown } = await read('Zorblax’s ship met zorblax and 行长, Ξ and ZORBLAX.', {
      pronunciations: { Zorblax: 'Z AO1 R B L AE0 K S', 行长: 'h ang zh ang', Ξ: 'K S AY' },
    });
    const own = words.filter(({ source }) => source === 'person');
    expect(own.map(({ text, pronunciations }) => `${text} ${pronunciations[0]!.join(' ')}`)).toEqual([
      'zorblax Z AO R B L AE K S',
      '行长 h ang zh ang',
      'Ξ K S AY',
      'ZORBLAX Z AO R B L AE K S',
    ]);
    expect(own[1]!.language).toBe('zh');
    expect(unknown).toEqual(['Zorblax’s']);
  });

  test('with a phone that there is not is refused, and which', async () => {
    await expect(read('a', { pronunciations: { ada: 'EY D Q' } })).rejects.toMatchObject({
      fault: 'unknown_phone',
      params: { word: 'ada', phone: 'Q' },
    });
  });

  test('that no dictionary has is said by rules and named once', async () => {
    const { words, unknown } = await read('The snorfing wug saw a Zyxtle and a Zyxtle, привет.');
    expect(unknown).toEqual(['snorfing', 'wug', 'Zyxtle', 'привет'].filter((word) => unknown.includes(word)));
    expect(unknown).toContain('Zyxtle');
    expect(unknown).toContain('привет');
    const zyxtle = words.find(({ text }) => text === 'Zyxtle')!;
    expect(zyxtle.source).toBe('rules');
    expect(zyxtle.pronunciations.length).toBeGreaterThan(1);
    // Letters that nothing reads are not among the words: they have no sound.
    expect(words.some(({ text }) => text === 'привет')).toBe(false);
  });
});

test('numbers are said in the chosen language where one is chosen', async () => {
  const texts = (words: readonly SpokenWord[]): string => words.map((word) => word.text).join('');
  expect(texts((await read('12', { language: 'zh' })).words)).toBe('十二');
  expect(texts((await read('12个', { language: 'en' })).words)).toBe('twelve个');
});

test('nothing, marks alone and blanks have no words', async () => {
  for (const text of ['', ' \n\t', '…—!?', '[music]', '。，']) {
    expect(await read(text)).toEqual({ words: [], unknown: [] });
  }
});

test('whatever is written, words are in order, in their place, and sound as phones that there are', async () => {
  const random = seededRandom(7);
  const parts = [
    ...'abcxyzABC019.,:;!?-–—\'’"()[]{}<>/\\@#$€£¥%&*+=~_^|`°²½♪ \n\t\r\0',
    ...'你好行了儿一二〇長，。（）【】：％１Ａ',
    ...'éßŁñоцعあアक한Ξ\u0301\u200b\u200d\ufeff\ud800\udc00😀𠮷𝔸',
    'the ',
    'Dr. ',
    '$3.50 ',
    '12:30 ',
    '3/4/2024 ',
    'No. ',
    'a.b@c.de ',
    'https://',
    "'s ",
    'km ',
    'Henry VIII ',
    '年',
    '万',
  ];
  for (let round = 0; round < 200; round += 1) {
    const script = Array.from({ length: 60 }, () => parts[Math.floor(random() * parts.length)]).join('');
    const language = (['auto', 'en', 'zh'] as const)[round % 3]!;
    const { words } = await read(script, { language });
    let at = 0;
    for (const word of words) {
      const { text, from, to, pronunciations } = word;
      expect(from, script).toBeGreaterThanOrEqual(Math.min(at, from));
      expect(to).toBeGreaterThan(from);
      expect(to).toBeLessThanOrEqual(script.length);
      expect(script.slice(from, to).trim(), script).not.toBe('');
      expect(
        from >= at || words.some((other) => other !== word && other.from === from && other.to === to),
        script,
      ).toBe(true);
      at = Math.max(at, to);
      expect(text).not.toBe('');
      expect(pronunciations.length).toBeGreaterThan(0);
      expect(pronunciations.length).toBeLessThanOrEqual(8);
      for (const phones of pronunciations) {
        expect(phones.length, `${text} in ${script}`).toBeGreaterThan(0);
        expect(phones.filter((phone) => !isPhone(phone))).toEqual([]);
      }
    }
  }
});

test.each([
  ['a word of a megabyte', 'a'.repeat(1_000_000)],
  ['a number of 300,000 digits', '1'.repeat(300_000)],
  ['thousands without an end', `1${',111'.repeat(80_000)}x`],
  ['letters and points', 'a.'.repeat(110_000)],
  ['open brackets', '[('.repeat(100_000)],
  ['labels', `${'Anna'.repeat(20)} `.repeat(5000)],
  ['Chinese without a mark', '长'.repeat(50_000)],
  ['notes', '♪ '.repeat(200_000)],
])('%s is read or refused', async (_, text) => {
  const words = await read(text).then(
    (script) => script.words.length,
    (error: unknown) => (error as { fault: string }).fault,
  );
  expect(typeof words === 'number' ? words <= 200_000 : words).toBeTruthy();
});

test('200,000 words are read, and others have their turn meanwhile; more are refused', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const { words } = await read('so it is '.repeat(66_666));
  clearInterval(timer);
  expect(words.length).toBe(199_998);
  expect(turns).toBeGreaterThan(5);
  await expect(read('so it is '.repeat(66_667))).rejects.toThrow(ScriptError);
  await expect(read('so it is '.repeat(66_667))).rejects.toMatchObject({
    fault: 'too_many_words',
    params: { limit: 200_000 },
  });
});

describe('a language without a dictionary is told:', () => {
  test.each([
    ['Съешь же ещё этих мягких французских булок', 'no_dictionary'],
    ['今日はいい天気ですね。', 'no_dictionary'],
    ['모든 인간은 태어날 때부터 자유롭다', 'no_dictionary'],
    ['يولد جميع الناس أحرارا', 'no_dictionary'],
    ['Tous les êtres humains naissent libres et égaux en dignité et en droits.', 'no_dictionary'],
    [
      'Alle Menschen sind frei und gleich an Würde und Rechten geboren, und sie sind mit Vernunft begabt.',
      'no_dictionary',
    ],
    [
      'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están',
      'no_dictionary',
    ],
    ['Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti, che non sono', 'no_dictionary'],
    ['All human beings are born free and equal in dignity and rights.', null],
    ['人人生而自由，在尊严和权利上一律平等。', null],
    ['我用 iPhone 拍照, and it is good.', null],
    ['Zorblax met Krzyzewski in Łódź, and they ate jalapeños à la carte with Señor García.', null],
    ['Les Misérables and La La Land were on at the Rio de Janeiro film week.', null],
    ['Van der Berg', null],
    ['12345', null],
    ['', null],
  ])('%s', (text, fault) => {
    expect(scriptLanguageFault(text)).toBe(fault);
  });
});
