/** What readers of scripts take for words, and that they tell what they leave out. */

import { inEnglish } from '@likeness/messages';
import { expect, test } from 'vitest';
import { scriptOf } from '../../../../main/takes/script_file.ts';

const read = (name: string, text: string): { text: string; leftOut: string } => {
  const script = scriptOf(Buffer.from(text), name);
  return { text: script.text, leftOut: inEnglish(script.leftOut) };
};
const grid = (tiers: Readonly<Record<string, readonly (readonly [number, number, string])[]>>): string =>
  [
    '"ooTextFile"\n"TextGrid"\n0 9 <exists>',
    `${Object.keys(tiers).length}`,
    ...Object.entries(tiers).map(
      ([name, intervals]) =>
        `"IntervalTier" "${name}" 0 9 ${intervals.length} ${intervals.map(([start, end, label]) => `${start} ${end} "${label}"`).join(' ')}`,
    ),
  ].join('\n');

test.each([
  [
    'a blank line within a cue',
    '1\n00:00:00,500 --> 00:00:01,000\nBoats and maps,\n\nwe keep\n\n2\n00:00:01,200 --> 00:00:02,000\nthe old map.\n',
    'Boats and maps,\nwe keep\nthe old map.',
  ],
  [
    'a blank line before the last words, and none after them',
    '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n\ntwo\n2\n00:00:03,000 --> 00:00:04,000\nthree\n\nfour',
    'One\ntwo\nthree\nfour',
  ],
  [
    'times without thousandths',
    '1\n00:00:00 --> 00:00:01\nBoats and maps,\n\n2\n00:00:01,200 --> 00:00:02,000\nthe old map.',
    'Boats and maps,\nthe old map.',
  ],
  [
    'no time with thousandths',
    '1\n00:00:00 --> 00:00:01\nBoats\n\n2\n00:00:02 --> 00:00:03\nmaps',
    'Boats\nmaps',
  ],
  [
    'times of other kinds',
    '1\n0:1.5 --> 0:2\na\n\n2\n00:00:03:12 --> 00:00:04:00\nb\n\n3\n00:00:05;500 --> 00:00:06;000\nc\n\n4\n00:00:07, 000 -> 00:00:08, 000\nd\n\n5\n100:00:09,000-->\ne\n\n6\n-00:00:10,000 –> 00:00:11,000\nf\n\n7\n00h00m12s --> 00h00m13s\ng\n',
    'a\nb\nc\nd\ne\nf\ng',
  ],
  [
    'other numbers',
    '1.\n00:00:01,000 --> 00:00:02,000\nBoats\n\n#2\n00:00:03,000 --> 00:00:04,000\nand maps\n\n3)\n00:00:05,000 --> 00:00:06,000\nsail',
    'Boats\nand maps\nsail',
  ],
  [
    'no numbers, and a year for words',
    '00:00:01,000 --> 00:00:02,000\nIt was\n\n2024\n\n00:00:03,000 --> 00:00:04,000\nat last',
    'It was\n2024\nat last',
  ],
  [
    'words behind the times',
    '1\n00:00:01,000 --> 00:00:02,000 X1:100 X2:200 Y1:10 Y2:20\nBoats\n2\n00:00:03,000 --> 00:00:04,000  and maps',
    'Boats\nand maps',
  ],
])('SubRip with %s keeps all words', (_, text, expected) => {
  expect(read('a.srt', text)).toEqual({ text: expected, leftOut: '' });
});

test('SubRip without a number keeps a number for words, with numbers not', () => {
  expect(read('a.srt', '1\n00:01 --> 00:02\nthe year\n\n2\n\n00:03 --> 00:04\ncame').text).toBe(
    'the year\n2\ncame',
  );
  expect(read('a.srt', '1\n00:01 --> 00:02\nthe year\n\n2\n00:03 --> 00:04\ncame').text).toBe(
    'the year\ncame',
  );
});

test('words above the first time are named', () => {
  expect(read('a.srt', 'By Anna\n\n1\n00:00:01,000 --> 00:00:02,000\nBoats')).toEqual({
    text: 'Boats',
    leftOut: '“a.srt”: skipped, because it has no time: By Anna.',
  });
});

test('in WebVTT a blank line ends a cue; words below it are named, notes and names of cues are not', () => {
  const text =
    'WEBVTT\nKind: captions\n\nNOTE\nnobody says this\n\nfirst\n00:01.000 --> 00:02.000\nBoats\n\nand some\nmore\n\nsecond\n00:03 --> 00:04\nmaps\n\nNOTE the end\n\nof it';
  expect(read('a.vtt', text)).toEqual({
    text: 'Boats\nmaps',
    leftOut: '“a.vtt”: skipped, because it has no time: and some more · of it.',
  });
});

test.each([
  [
    'a.vtt',
    'WEBVTT\n\n00:00.500 --> 00:01.000\nI don&#39;t know, it&apos;s caf&eacute; &amp; tea',
    "I don't know, it's café & tea",
  ],
  [
    'a.srt',
    '1\n00:00:01,000 --> 00:00:02,000\n&iquest;Qu&eacute;? &laquo;S&iacute;&raquo;&hellip; &#x4F60;&#22909; &frac12;',
    '¿Qué? «Sí»… 你好 ½',
  ],
  ['b.srt', '1\n00:00:01,000 --> 00:00:02,000\nit&amp;#39;s R&amp;amp;D&nbsp;&lrm;here', "it's R&D here"],
  ['c.srt', '1\n00:00:01,000 --> 00:00:02,000\nR&D, AT&T; &nosuch; 5 &lt; 6', 'R&D, AT&T; &nosuch; 5 < 6'],
  ['a.txt', 'It&#39;s fine', "It's fine"],
])('references of HTML become what they stand for: %s', (name, text, expected) => {
  expect(read(name, text).text).toBe(expected);
});

test.each([
  [
    'WaveSurfer and Audacity',
    '0.000000\t0.350000\tboats\n0.350000\t0.700000\tand\n0.700000\t1.200000\tmaps\n',
    'boats and maps',
  ],
  [
    'phrases, frequencies and silences',
    '0.0\t1.5\tboats and maps\n\\\t100.0\t900.0\n1.5\t2.0\t\n2.0\t2.0\ttake 2\n',
    'boats and maps take 2',
  ],
  ['a decimal comma', '0,000000\t0,350000\tboats\n0,350000\t0,7\tand maps\n', 'boats and maps'],
  ['commas between', '0.0,0.35,boats\n0.35,0.7,and maps\n', 'boats and maps'],
  ['blanks between', '0 0.35 boats\n0.35 1 and maps\n', 'boats and maps'],
  [
    'hours and minutes',
    '00:00:00.000\t00:00:00.350\tboats\n00:00:00.350\t00:00:01.000\tmaps\n',
    'boats maps',
  ],
  ['powers of ten', '0.000000e+00\t3.5e-01\tboats\n3.5e-01\t7e-1\tand maps\n', 'boats and maps'],
  ['markers of one time', '0.000\tboats\n0.350\tand maps\n', 'boats and maps'],
  ['HTK with phrases and scores', '0 3000000 boats and -12.5\n3000000 7000000 maps -3.1\n', 'boats and maps'],
])('labels of %s are words without their times', (_, text, expected) => {
  expect(read('a.lab', text)).toEqual({ text: expected, leftOut: '' });
});

test('a line among labels that is none is named', () => {
  expect(read('a.lab', 'start end label\n0.0 0.5 boats\n0.5 0.9 maps')).toEqual({
    text: 'boats maps',
    leftOut: '“a.lab”: skipped lines that are not labels with times: start end label.',
  });
});

test('labels and captions that were saved as text are known by their times; a sentence with numbers stays', () => {
  expect(read('Labels.txt', '0.000000\t0.350000\tboats\n0.350000\t1.200000\tand maps\n').text).toBe(
    'boats and maps',
  );
  expect(
    read('talk.txt', '1\n00:00:01,000 --> 00:00:02,000\nBoats\n\n2\n00:00:03,000 --> 00:00:04,000\nmaps')
      .text,
  ).toBe('Boats\nmaps');
  expect(read('a.lab', '3.5 million people\n').text).toBe('3.5 million people');
  expect(read('a.txt', '10 20 30 go\n').text).toBe('10 20 30 go');
});

test.each([
  [
    'two speakers’ words, by time',
    {
      'anna - words': [
        [0, 1, 'boats'],
        [2, 3, 'fine'],
      ],
      'anna - phones': [[0, 1, 'B']],
      'ben - words': [[1, 2, 'and maps']],
    },
    'boats and maps fine',
    '',
  ],
  [
    'words by other names',
    { words_anna: [[0, 1, 'boats']], 'Words (Ben)': [[1, 2, 'maps']] },
    'boats maps',
    '',
  ],
  [
    'words beside phones, in Chinese',
    {
      音素: [[0, 1, 'j']],
      声调: [[2, 3, '1']],
      词: [
        [0, 2, '今天'],
        [2, 3, '好'],
      ],
      句子: [[0, 3, '今天好']],
    },
    '今天好',
    '',
  ],
  [
    'an empty tier of words',
    {
      words: [[0, 9, '']],
      utterances: [
        [0, 1, 'boats and'],
        [2, 3, 'maps'],
      ],
    },
    'boats and maps',
    '',
  ],
  [
    'tiers that are called by their speakers',
    { Anna: [[0, 1, 'boats']], Ben: [[1, 2, 'and maps']] },
    'boats and maps',
    '',
  ],
  [
    'sentences beside their words',
    {
      words: [
        [0, 1, 'boats'],
        [1, 2, 'sail'],
      ],
      sentences: [[0, 2, 'boats sail']],
    },
    'boats sail',
    '',
  ],
  [
    'a translation over the words',
    { Anna: [[0, 2, 'boats']], German: [[0, 2, 'Boote']] },
    'boats',
    '“a.TextGrid”: skipped tiers: German.',
  ],
  [
    'a speaker without a tier of words',
    { words: [[0, 1, 'boats']], Ben: [[1, 2, 'maps']] },
    'boats',
    '“a.TextGrid”: skipped tiers: Ben.',
  ],
] as [string, Parameters<typeof grid>[0], string, string][])(
  'of a TextGrid are read: %s',
  (_, tiers, text, leftOut) => {
    expect(read('a.TextGrid', grid(tiers))).toEqual({ text, leftOut });
  },
);

test('marks of noise are no words, and are named; silences are neither', () => {
  const labels = [
    '{SL}',
    'boats',
    '<sil>',
    '[noise]',
    'and',
    '++NOISE++',
    '+BREATH+',
    '(laughter)',
    'sp',
    'spn',
    '<unk>',
    '**breath**',
    'maps',
    '&=laughs',
    'sil',
    '((',
    'sail',
  ];
  const text = grid({ words: labels.map((label, at) => [at / 2, at / 2 + 0.5, label]) });
  expect(read('a.TextGrid', text.replace('"(("', '"((mumbles))"'))).toEqual({
    text: 'boats and maps sail',
    leftOut:
      '“a.TextGrid”: skipped noise marks: {SL} · [noise] · ++NOISE++ · +BREATH+ · (laughter) · … (10).',
  });
  expect(read('a.lab', '0.0 1.0 boats {LG} and\n1.0 2.0 [cough] maps spn')).toEqual({
    text: 'boats and maps',
    leftOut: '“a.lab”: skipped noise marks: {LG} · [cough] · spn.',
  });
});

test.each([
  ['a.txt', 'ANNA: [laughs] boats <i>and</i>\n♪ la la ♪\n>> maps (softly)\n\nANNA: [laughs] sail (and rest)'],
  ['a.srt', '1\n00:00:01,000 --> 00:00:02,000\nANNA: [laughs] boats\n♪ la la ♪\nmaps (softly)\n'],
])('of %s name each part that nobody speaks once, and no markup', (file, text) => {
  expect(read(file, text).leftOut).toBe(
    `“${file}”: left out as not spoken: [laughs] · ♪ la la ♪ · (softly) · ANNA:.`,
  );
});
