import { describe, expect, test } from 'vitest';
import { readScript, type SpokenWord } from '../../../../../main/engine/speech/words/index.ts';

const said = async (text: string): Promise<readonly SpokenWord[]> =>
  (await readScript(text, { language: 'auto' })).words;
const texts = async (text: string): Promise<string> => (await said(text)).map((word) => word.text).join(' ');
const phones = async (text: string): Promise<string> =>
  (await said(text)).map(({ pronunciations }) => pronunciations[0]!.join(' ')).join(' | ');

describe('English', () => {
  test.each([
    ['The cat sat.', 'DH AX | K AE T | S AE T'],
    ["Don't go", 'D OW N T | G OW'],
    ['a café', 'AX | K AX F EY'],
    ['NASA and the FBI', 'N AE S AX | AX N D | DH AX | EH F B IY AY'],
    ['my GPU', 'M AY | JH IY P IY Y UW'],
  ])('%s', async (text, expected) => {
    expect(await phones(text)).toBe(expected);
  });

  test.each([
    ['It cost $3.50.', 'It cost three dollars and fifty cents'],
    ['in 1984', 'in nineteen eighty four'],
    ['at 5:30 pm', 'at five thirty p m'],
    ['March 3rd, 1999', 'March third nineteen ninety nine'],
    ['Henry VIII', 'Henry the eighth'],
  ])('%s', async (text, expected) => {
    expect(await texts(text)).toBe(expected);
  });
});

describe('Mandarin', () => {
  test.each([
    ['银行', 'in h ang'],
    ['长大', 'zh ang d a'],
    ['了解', 'l iao j ie'],
    ['知识', 'zh -i sh -i'],
    ['学院', 'x üe üan'],
    ['略', 'l üe'],
  ])('%s', async (text, expected) => {
    expect(await phones(text)).toBe(expected);
  });
});
