import { decodeText } from '@likeness/proto/text/text_encoding.ts';
import { expect, test } from 'vitest';

/** Made by iconv. */
test.each([
  [
    'Simplified Chinese with characters outside GB 2312',
    '今天陶喆和张玥来了，大家好。',
    'bdf1ccecccd586b4bacdd5c5ab68c0b4c1cba3acb4f3bcd2bac3a1a3',
  ],
  [
    'a table in GBK',
    'file,sex,name\r\n朱镕.jpg,女,朱镕\r\n',
    '66696c652c7365782c6e616d650d0ad6ece9462e6a70672cc5ae2cd6ece9460d0a',
  ],
  [
    'a single character of GBK among ASCII',
    'file,sex\r\n1.jpg,男\r\n',
    '66696c652c7365780d0a312e6a70672cc4d00d0a',
  ],
  ['GB 18030 with four bytes a character', '𠮷野家和喆喆，你好', '9534b235d2b0bcd2bacd86b486b4a3acc4e3bac3'],
  [
    'Traditional Chinese in GBK',
    '繁體字測試，這個檔案是這樣的。',
    'b7b1f377d7d69c79d487a3acdf408280996eb0b8cac7df4098d3b5c4a1a3',
  ],
  [
    'Big5',
    'file,sex,name\r\n王小明.jpg,女,王小明\r\n',
    '66696c652c7365782c6e616d650d0aa4fda470a9fa2e6a70672ca46b2ca4fda470a9fa0d0a',
  ],
  [
    'sentences in Big5',
    '我愛你，台灣。\n他說：「沒有問題！」',
    'a7dab752a741a141a578c657a1430aa54cbba1a147a175a853a6b3b0ddc344a149a176',
  ],
  [
    'Shift JIS',
    'file,sex,name\r\n田中花子.jpg,f,田中花子\r\n',
    '66696c652c7365782c6e616d650d0a9363928689d48e712e6a70672c662c9363928689d48e710d0a',
  ],
  [
    'sentences in Shift JIS',
    'おはようございます。今日はいい天気ですね。',
    '82a882cd82e682a482b282b482a282dc82b781428da193fa82cd82a282a293568b4382c582b782cb8142',
  ],
  [
    'EUC-JP',
    'おはようございます。今日はいい天気ですね。',
    'a4aaa4cfa4e8a4a6a4b4a4b6a4a4a4dea4b9a1a3baa3c6fca4cfa4a4a4a4c5b7b5a4a4c7a4b9a4cda1a3',
  ],
  [
    'EUC-KR',
    'file,sex,name\r\n김민수.jpg,m,김민수\r\n',
    '66696c652c7365782c6e616d650d0ab1e8b9cebcf62e6a70672c6d2cb1e8b9cebcf60d0a',
  ],
  [
    'sentences in EUC-KR',
    '안녕하세요. 만나서 반갑습니다.',
    'bec8b3e7c7cfbcbcbfe42e20b8b8b3aabcad20b9ddb0a9bdc0b4cfb4d92e',
  ],
  [
    'Windows-1251',
    'file;sex;name\r\nАнна.jpg;f;Анна\r\n',
    '66696c653b7365783b6e616d650d0ac0edede02e6a70673b663bc0edede00d0a',
  ],
  ['Windows-1251 in capitals', 'МАРИЯ ИВАНОВА', 'ccc0d0c8df20c8c2c0cdcec2c0'],
  [
    'KOI8-R',
    'file;sex;name\r\nАнна.jpg;f;Анна\r\n',
    '66696c653b7365783b6e616d650d0ae1cecec12e6a70673b663be1cecec10d0a',
  ],
  [
    'DOS Cyrillic',
    'Привет, как дела? Всё хорошо.',
    '8fe0a8a2a5e22c20aaa0aa20a4a5aba03f2082e1f120e5aee0aee8ae2e',
  ],
  ['Ukrainian', 'Євген Їжак, привіт', 'aae2e3e5ed20afe6e0ea2c20eff0e8e2b3f2'],
  [
    'Polish',
    'file,sex,name\r\nŁukasz.jpg,m,Łukasz Żółć\r\n',
    '66696c652c7365782c6e616d650d0aa3756b61737a2e6a70672c6d2ca3756b61737a20aff3b3e60d0a',
  ],
  ['Czech', 'Příliš žluťoučký kůň, Dvořák', '50f8ed6c699a209e6c759d6f75e86bfd206bf9f22c2044766ff8e16b'],
  ['Greek', 'Γεια σου κόσμε', 'c3e5e9e120f3eff520eafcf3ece5'],
  [
    'Turkish',
    'Günaydın, nasılsın? İyi şanslar',
    '47fc6e617964fd6e2c206e6173fd6c73fd6e3f20dd796920fe616e736c6172',
  ],
  ['Hebrew', 'שלום עולם', 'f9ece5ed20f2e5eced'],
  ['Arabic', 'مرحبا بالعالم', 'e3d1cdc8c720c8c7e1dac7e1e3'],
  ['Thai', 'สวัสดีครับ ผมชื่อ', 'cac7d1cab4d5a4c3d1ba20bcc1aad7e8cd'],
  [
    'Western European',
    'Zoë.jpg,f,Zoë\nJürgen Müller.jpg,m,José',
    '5a6feb2e6a70672c662c5a6feb0a4afc7267656e204dfc6c6c65722e6a70672c6d2c4a6f73e9',
  ],
  [
    'French in Windows-1252',
    '“Ça va ?” — l’œuvre d’été',
    '93c761207661203f942097206c929c75767265206492e974e9',
  ],
  ['one accent in much ASCII', '10 °C at the café', '313020b0432061742074686520636166e9'],
  [
    'Western European of a Mac',
    '“Hello,” she said — it’s café',
    'd248656c6c6f2cd320736865207361696420d1206974d573206361668e',
  ],
  ['quotes of a Mac in a short line', 'He’s here.', '4865d57320686572652e'],
  ['sums of money in Windows-1252', 'It costs €5 – or £4.', '497420636f7374732080352096206f7220a3342e'],
  ['French with the euro sign of ISO-8859-15', 'Prix : 5 €, cœur', '50726978203a203520a42c2063bd7572'],
  [
    'a name of three characters in GBK',
    'file,sex,name\r\n李玥.jpg,女,李玥\r\n',
    '66696c652c7365782c6e616d650d0ac0eeab682e6a70672cc5ae2cc0eeab680d0a',
  ],
  [
    'men in GBK',
    'file,sex,name\r\n丁俊晖.jpg,男,丁俊晖\r\n',
    '66696c652c7365782c6e616d650d0ab6a1bfa1eacd2e6a70672cc4d02cb6a1bfa1eacd0d0a',
  ],
  [
    'names that Hangul has characters for',
    '倪妮.jpg,男\r\n舒淇.jpg,女',
    'c4dfc4dd2e6a70672cc4d00d0acae6e4bf2e6a70672cc5ae',
  ],
  [
    'Cyrillic that Greek has letters for',
    'Сергей.jpg;m;Сергей\n',
    'd1e5f0e3e5e92e6a70673b6d3bd1e5f0e3e5e90a',
  ],
  ['a Polish capital', 'Łukasz.jpg;m;Łukasz\n', 'a3756b61737a2e6a70673b6d3ba3756b61737a0a'],
  ['an accent at a name’s beginning', 'Íñigo.jpg,f,Ángel\n', 'cdf169676f2e6a70672c662cc16e67656c0a'],
  ['German of a Mac', 'Größe ändern', '47729aa765208a6e6465726e'],
  [
    'UTF-16 without its mark',
    '今天天气很好，我们去公园。',
    'ca4e29592959146c885f7d590cff1162ec4ebb536c51ed560230',
  ],
])('a file is read in the encoding in which it says something: %s', (_, text, hex) => {
  expect(decodeText(Buffer.from(hex, 'hex'))).toBe(text);
});

test.each([
  ['Japanese', '髙橋.jpg,f', 'eee08bb42e6a70672c66'],
  ['Macintosh', 'Zoë.jpg;f\r', '5a6f912e6a70673b660d'],
  ['Turkish', 'Uğur.jpg;m\r\n', '55f075722e6a70673b6d0d0a'],
  ['a folder', 'women\\Kateřina.jpg\tf', '776f6d656e5c4b617465f8696e612e6a70670966'],
])('a table is read in the encoding in which it lists the photos that are there: %s', (_, table, hex) => {
  const name = /[^;,\t\\]+\.jpg/.exec(table)![0];
  const bytes = Buffer.from(hex, 'hex');
  expect(decodeText(bytes)).not.toBe(table);
  expect(decodeText(bytes, () => ['anna.jpg', 'Zoé.jpg', name.normalize('NFD').toUpperCase()])).toBe(table);
});

test('UTF-8 stays UTF-8 where one character is cut off or damaged', () => {
  const whole = 'Привет, как дела? 今天天气很好。';
  const bytes = Buffer.from(whole);
  expect(decodeText(bytes.subarray(0, -1))).toBe(`${whole.slice(0, -1)}\ufffd`);
  expect(decodeText(Buffer.concat([bytes, Uint8Array.of(0xff), bytes]))).toBe(`${whole}\ufffd${whole}`);
});

test('a long file is told by its lines beyond ASCII, wherever they stand', () => {
  const ascii = 'and so it goes on and on\n'.repeat(4000);
  const gbk = Buffer.from('bdf1ccecccd586b4bacdd5c5ab68c0b4c1cba3acb4f3bcd2bac3a1a30a', 'hex');
  expect(decodeText(Buffer.concat([Buffer.from(ascii), gbk]))).toBe(`${ascii}今天陶喆和张玥来了，大家好。\n`);
});

test('plain UTF-8 and UTF-16 are read as they are', () => {
  expect(decodeText(Buffer.from('naïve 你好'))).toBe('naïve 你好');
  expect(decodeText(Buffer.from('\ufeffnaïve 你好', 'utf16le'))).toBe('naïve 你好');
  expect(decodeText(Buffer.from('a café', 'utf16le'))).toBe('a café');
  expect(decodeText(new Uint8Array())).toBe('');
});

test.each([
  [
    'Chinese that begins with a letter of which a byte is zero',
    '一个人走在路上，今天天气很好。\n我们一起去公园吧！',
  ],
  ['four such characters', '一切都好'],
  ['English that begins with a quote', '“Hi,” he said.'],
  ['Russian', 'Привет, как дела? Всё хорошо.'],
  ['Chinese with English', '一 hello，今天 we go。'],
  ['one letter', 'A'],
  ['more than is looked at', 'and so it goes on and on\n'.repeat(2000)],
])('UTF-16 without its mark is read in either order of its bytes: %s', (_, text) => {
  const little = Buffer.from(text, 'utf16le');
  expect(decodeText(little)).toBe(text);
  expect(decodeText(Buffer.from(little).swap16())).toBe(text);
});

test('ASCII with a zero in it stays ASCII', () => {
  for (const text of ['\0Hello there', 'Hello\0there', 'Hello there, all of you.\0'])
    expect(decodeText(Buffer.from(text))).toBe(text);
});
