import { describe, expect, test } from 'vitest';
import { readScript } from '../../src/words/index.ts';

const wordsOf = async (text: string): Promise<string> =>
  (await readScript(text, { language: 'auto' })).words.map((word) => word.text).join(' ');
const phonesOf = async (text: string): Promise<string[]> =>
  (await readScript(text, { language: 'auto' })).words.map(({ pronunciations }) =>
    pronunciations.map((phones) => phones.join(' ')).join(' | '),
  );

describe('a number is said as', () => {
  test.each([
    ['0 7 13 21 40 99', 'zero seven thirteen twenty one forty ninety nine'],
    ['100, 101, 999', 'one hundred one hundred one nine hundred ninety nine'],
    ['12,345', 'twelve thousand three hundred forty five'],
    ['1,000,000', 'one million'],
    ['2.5 and 0.05 and .75', 'two point five and zero point zero five and point seven five'],
    ['-5 and −10', 'minus five and minus ten'],
    [
      '1st, 2nd, 3rd, 12th, 20th, 21st, 100th',
      'first second third twelfth twentieth twenty first one hundredth',
    ],
    ['1/2, 2/3, 3/4', 'one half two thirds three quarters'],
    ['24/7, 50/50, 9/11', 'twenty four seven fifty fifty nine eleven'],
    ['½ cup', 'one half cup'],
    ['5-10 people', 'five to ten people'],
    ['a score of 3-2, or 3:2', 'a score of three to two or three to two'],
    ['3x4', 'three by four'],
    ['007', 'zero zero seven'],
    ['version 2.0.1', 'version two point zero point one'],
    ['192.168.0.1', 'one hundred ninety two dot one hundred sixty eight dot zero dot one'],
    ['5% or 3.5 %', 'five percent or three point five percent'],
  ])('%s', async (text, expected) => {
    expect(await wordsOf(text)).toBe(expected);
  });
});

describe('a year is told from an amount:', () => {
  test.each([
    ['in 1984', 'in nineteen eighty four'],
    ['in 1905', 'in nineteen oh five'],
    ['since 2005', 'since two thousand five'],
    ['by 2030', 'by twenty thirty'],
    ['in 1066', 'in ten sixty six'],
    ['in 1900 and 2000', 'in nineteen hundred and two thousand'],
    ['1234 files', 'one thousand two hundred thirty four files'],
    ['1500 people', 'fifteen hundred people'],
    ['the 1990s', 'the nineteen nineties'],
    ["the '80s", 'the eighties'],
    ['1990–1995', 'nineteen ninety to nineteen ninety five'],
    ['CA 90210', 'CA nine zero two one zero'],
  ])('%s', async (text, expected) => {
    expect(await wordsOf(text)).toBe(expected);
  });
});

describe('a date or a time is said as', () => {
  test.each([
    ['March 3, 1999', 'March third nineteen ninety nine'],
    ['March 3rd', 'March third'],
    ['3 March 1999', 'the third of March nineteen ninety nine'],
    ['Jan. 5, 2020', 'January fifth twenty twenty'],
    ['the 3rd of May', 'the third of May'],
    ['May 2024', 'May twenty twenty four'],
    ['3/4/2024', 'March fourth twenty twenty four'],
    ['31/12/2024', 'December thirty first twenty twenty four'],
    ['2024-03-04', 'March fourth twenty twenty four'],
    ['12/25/99', 'December twenty fifth nineteen ninety nine'],
    ['04.07.2023', 'July fourth twenty twenty three'],
    ['5:30', 'five thirty'],
    ['5:05', 'five oh five'],
    ['5:00', "five o'clock"],
    ['5:30 pm', 'five thirty p m'],
    ['10am', 'ten a m'],
    ['5 p.m. today', 'five p m today'],
    ['17:00', 'seventeen hundred'],
  ])('%s', async (text, expected) => {
    expect(await wordsOf(text)).toBe(expected);
  });
});

describe('an amount is said as', () => {
  test.each([
    ['$3.50', 'three dollars and fifty cents'],
    ['$1', 'one dollar'],
    ['$0.99', 'ninety nine cents'],
    ['£3.50', 'three pounds fifty'],
    ['€20 or 20€', 'twenty euros or twenty euros'],
    ['£1m', 'one million pounds'],
    ['$3.5 billion', 'three point five billion dollars'],
    ['¥500', 'five hundred yen'],
    ['US$5', 'five dollars'],
    ['50¢', 'fifty cents'],
    ['10 km at 60 mph', 'ten kilometers at sixty miles per hour'],
    ['1 kg, 5kg', 'one kilogram five kilograms'],
    ['20°C', 'twenty degrees celsius'],
    ['100 km/h', 'one hundred kilometers per hour'],
    ['6 ft', 'six feet'],
    ['4K in 3D on 5G', 'four K in three D on five G'],
  ])('%s', async (text, expected) => {
    expect(await wordsOf(text)).toBe(expected);
  });
});

describe('digits of a telephone are said one by one:', () => {
  test.each([
    ['555-1234', 'five five five one two three four'],
    ['(555) 123-4567', 'five five five one two three four five six seven'],
    ['+44 20 7946 0018', 'plus four four two zero seven nine four six zero zero one eight'],
    ['1-800-555-0199', 'one eight zero zero five five five zero one nine nine'],
    ['call 9-1-1', 'call nine one one'],
  ])('%s', async (text, expected) => {
    expect(await wordsOf(text)).toBe(expected);
  });
});

describe('what is short is said whole:', () => {
  test.each([
    ['Dr. Lee on Elm Dr.', 'doctor Lee on Elm drive'],
    ['St. James St.', 'saint James street'],
    ['Mr. and Mrs. Jones', 'mister and missus Jones'],
    ['cats, e.g. Tom, etc.', 'cats for example Tom et cetera'],
    ['that is, i.e. this', 'that is that is this'],
    ['Cats vs. dogs', 'Cats versus dogs'],
    ['No. 5', 'number five'],
    ['R&D, you & I', 'R and D you and I'],
    ['2 + 2 = 4', 'two plus two equals four'],
    ['and/or', 'and or'],
    ['#1 #love', 'number one hashtag love'],
    ['Henry VIII and Louis XIV', 'Henry the eighth and Louis the fourteenth'],
    ['World War II, Chapter IV, Part I', 'World War two Chapter four Part one'],
    ['Malcolm X and I', 'Malcolm X and I'],
    ['https://www.example.com/a', 'w w w dot example dot com slash a'],
    ['Write to anna.b@example.org.', 'Write to anna dot b at example dot org'],
    ['Min. is a word. So is co.', 'minimum is a word So is co'],
  ])('%s', async (text, expected) => {
    expect(await wordsOf(text)).toBe(expected);
  });
});

describe('a word sounds as', () => {
  test.each([
    ['the cat’s', ['DH AX | DH AH | DH IY', 'K AE T S']],
    ["dogs'", ['D AO G Z']],
    ["James's", ['JH EY M Z IH Z']],
    ["shouldn't've", ['SH UH D AX N T AX V | SH UH D AX N AX V']],
    ['Beyoncé naïve', ['B IH Y AO N S EY', 'N AY IY V']],
    ['FBI CEOs', ['EH F B IY AY', 'S IY IY OW Z']],
    ['the GPU', ['DH AX | DH AH | DH IY', 'JH IY P IY Y UW']],
    ['NASA', ['N AE S AX | EH N EY EH S EY']],
    ['in the US', ['IH N | IH N', 'DH AX', 'Y UW EH S | AH S']],
    ['us', ['AH S | Y UW EH S']],
    ['iPhones', ['AY F OW N Z']],
    ['MP3', ['EH M P IY', 'TH R IY']],
    ['regifting', ['R IY G IH F T IH NG']],
    ['Wi-Fi', ['W AY', 'F AY']],
  ])('%s', async (text, expected) => {
    const phones = await phonesOf(text);
    expect(phones.length).toBe(expected.length);
    for (const [at, each] of expected.entries()) expect(phones[at]).toContain(each.split(' | ')[0]);
  });

  test('where capitals are a whole line’s they spell nothing', async () => {
    const [first] = await phonesOf('IT IS RAINING AGAIN');
    expect(first).toMatch(/^IH T/);
  });

  test('the schwa of the dictionary is a phone of its own', async () => {
    expect(await phonesOf('about above')).toEqual(['AX B AW T', 'AX B AH V']);
  });
});
