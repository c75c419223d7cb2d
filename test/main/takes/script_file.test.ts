import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '@likeness/proto/wav.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { readScriptFile } from '../../../main/takes/script_file.ts';
import { spokenSounds } from '../../../main/takes/spoken_sounds.ts';

const findScriptBeside = async (sound: string): Promise<string | null> =>
  (await spokenSounds([sound], 'beside'))[0]!.script;

const folder = mkdtempSync(join(tmpdir(), 'likeness-script-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const textIn = async (name: string, content: string | Uint8Array): Promise<string> =>
  (await readScriptFile(written(name, content))).text;

const words = ['', 'hello', '', 'my "dear"', '你', '好', ''];
const longGrid = (tierName: string, labels: readonly string[]): string =>
  [
    'File type = "ooTextFile"',
    'Object class = "TextGrid"',
    '',
    'xmin = 0',
    `xmax = ${labels.length}`,
    'tiers? <exists>',
    'size = 2',
    'item []:',
    '    item [1]:',
    '        class = "TextTier"',
    '        name = "notes"',
    '        xmin = 0',
    `        xmax = ${labels.length}`,
    '        points: size = 1',
    '        points [1]:',
    '            number = 0.5',
    '            mark = "a bark"',
    '    item [2]:',
    '        class = "IntervalTier"',
    `        name = "${tierName}"`,
    '        xmin = 0',
    `        xmax = ${labels.length}`,
    `        intervals: size = ${labels.length}`,
    ...labels.flatMap((label, at) => [
      `        intervals [${at + 1}]:`,
      `            xmin = ${at}`,
      `            xmax = ${at + 1}`,
      `            text = "${label.replaceAll('"', '""')}"`,
    ]),
  ].join('\n');
const shortGrid = (tiers: Readonly<Record<string, readonly string[]>>): string =>
  [
    'File type = "ooTextFile short"',
    '"TextGrid"',
    '',
    '0',
    '9',
    '<exists>',
    `${Object.keys(tiers).length}`,
    ...Object.entries(tiers).flatMap(([name, labels]) => [
      '"IntervalTier"',
      `"${name}"`,
      '0',
      '9',
      `${labels.length}`,
      ...labels.flatMap((label, at) => [`${at}`, `${at + 1}`, `"${label}"`]),
    ]),
  ].join('\n');

describe('what is said comes from', () => {
  test.each([
    ['plain text', 'a.txt', 'Hello there.\r\nAnd you?\r\n', 'Hello there.\nAnd you?'],
    [
      'SubRip',
      'a.srt',
      '1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Hello</i> there.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n{\\an8}And you?\r\n2 of us.\r\n',
      'Hello there.\nAnd you?\n2 of us.',
    ],
    [
      'SubRip with an empty cue, and one without a blank line after it',
      'b.srt',
      '1\n00:00:01,000 --> 00:00:02,000\n\n2\n00:00:03,000 --> 00:00:04,000\nSo\n3\n00:00:05,000 --> 00:00:06,000\nit is.\n',
      'So\nit is.',
    ],
    [
      'WebVTT with notes, styles and voices',
      'a.vtt',
      'WEBVTT - title\n\nNOTE nobody says this\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Anna>Tom &amp; I</v>\n\n00:00:03.000 --> 00:00:04.000\nwent.\n',
      'Tom & I\nwent.',
    ],
    [
      'rolling captions, each line once',
      'b.vtt',
      'WEBVTT\n\n00:00.000 --> 00:01.000\nso<00:00:00.500><c> here</c>\n\n00:01.000 --> 00:01.010\nso here\n\n00:01.010 --> 00:02.000\nso here\nwe<00:00:01.500><c> are</c>\n',
      'so here\nwe are',
    ],
    [
      "HTK's labels",
      'a.lab',
      '0 3000000 sil\n3000000 7000000 hello\n7000000 9000000 there -12.5\n',
      'hello there',
    ],
    ['labels of Festival', 'b.lab', 'separator ;\n#\n0.2200 26 hello ;\n0.5100 26 there ;\n', 'hello there'],
    ['a .lab of plain words', 'c.lab', 'HELLO THERE MY FRIEND\n', 'HELLO THERE MY FRIEND'],
    ['a long TextGrid', 'a.TextGrid', longGrid('words', words), 'hello my "dear" 你好'],
    [
      'a short TextGrid',
      'b.TextGrid',
      shortGrid({ phones: ['sil', 'HH', 'AY1'], 'speaker - words': ['', 'hi', 'there'] }),
      'hi there',
    ],
    [
      'the first tier that is not of phones',
      'c.TextGrid',
      shortGrid({ MAU: ['h', 'aI'], Mary: ['hi', ''] }),
      'hi',
    ],
  ])('%s', async (_, name, content, expected) => {
    expect(await textIn(name, content)).toBe(expected);
  });

  test('files in other encodings', async () => {
    expect(await textIn('d.TextGrid', Buffer.from(`\ufeff${longGrid('words', words)}`, 'utf16le'))).toBe(
      'hello my "dear" 你好',
    );
    expect(await textIn('gb.txt', Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3))).toBe('你好');
    expect(await textIn('latin.txt', Buffer.from('a café', 'latin1'))).toBe('a café');
  });

  test('one damaged character in a text', async () => {
    const text = 'Hello there, it is a fine day.';
    expect(await textIn('damaged.txt', `${text}\ufffd`)).toBe(`${text}\ufffd`);
  });

  test.each([
    ['srt', 'utf8'],
    ['srt', 'utf16le'],
    ['txt', 'utf8'],
  ] as const)(
    'subtitles with a mark, every kind of line end and tags: %s in %s',
    async (ending, encoding) => {
      const cues =
        '1\r\n00:00:01,000 --> 00:00:02,000\r<i>Boats</i> and <b>maps</b>,\n{\\an8}we keep\r\r2\r00:00:02,500 --> 00:00:04,000\rthe old map.\r\n';
      expect(await textIn(`ends.${ending}`, Buffer.from(`\ufeff${cues}`, encoding))).toBe(
        'Boats and maps,\nwe keep\nthe old map.',
      );
    },
  );
});

describe('a file that holds no script is refused with what is wrong', () => {
  test.each([
    ['picture.txt', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /isn’t a text file/],
    ['sound.txt', encodeWav({ sampleRate: 16_000, samples: new Float32Array(50) }), /isn’t a text file/],
    ['random.txt', createHash('sha512').update('1').digest(), /isn’t a text file/],
    ['zero.txt', 'Hello\0there, all of you', /isn’t a text file/],
    ['docx.txt', Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'), /word-processor document or a PDF/],
    ['doc.txt', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /word-processor document or a PDF/],
    ['rtf.txt', '{\\rtf1\\ansi\\deff0 Hello there.}', /word-processor document or a PDF/],
    ['pdf.srt', '%PDF-1.4\n1 0 obj\n', /word-processor document or a PDF/],
    ['empty.txt', ' \n…\n', /no words/],
    ['nothing.txt', '', /no words/],
    ['large.txt', 'a '.repeat(2.2 * 1024 * 1024), /larger than 4 MB/],
    ['none.srt', 'Just some words.', /no subtitles/],
    ['cut.TextGrid', longGrid('words', words).slice(0, 700), /isn’t a complete TextGrid/],
    ['sound.TextGrid', 'RIFF', /isn’t a complete TextGrid/],
    ['phones.TextGrid', shortGrid({ phones: ['sil', 'HH', 'AY1'] }), /No tier/],
    ['phones.lab', '0 1 sil\n1 2 HH\n2 3 AH0\n3 4 L\n4 5 OW1\n5 6 sil', /phones only/],
  ])('%s', async (name, content, says) => {
    await expect(readScriptFile(written(name, content))).rejects.toThrow(says);
  });

  test('one that is not there', async () => {
    await expect(readScriptFile(join(folder, 'gone.txt'))).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('every ending that a script may have is looked for beside a sound', async () => {
  for (const extension of ['txt', 'srt', 'vtt', 'lab', 'TextGrid']) {
    const sound = written(`one.${extension}.wav`, 'RIFF');
    const script = written(`one.${extension}.${extension}`, 'hi');
    expect(await findScriptBeside(sound)).toBe(script);
  }
});

test('the script beside a sound is found by its name, plain text first', async () => {
  const sound = written('talk.v2.wav', 'RIFF');
  expect(await findScriptBeside(sound)).toBeNull();
  const grid = written('talk.v2.TextGrid', shortGrid({ words: ['hi'] }));
  expect(await findScriptBeside(sound)).toBe(grid);
  const captions = written('talk.v2.SRT', '1\n00:00:01,000 --> 00:00:02,000\nhi\n');
  expect(await findScriptBeside(sound)).toBe(captions);
  const text = written('talk.v2.txt', 'hi');
  expect(await findScriptBeside(sound)).toBe(text);
});
