import { oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { parse as parseCaptions } from '@plussub/srt-vtt-parser';
import textgrid from 'textgrid';
import { describe, expect, test, vi } from 'vitest';
import { rhubarbJson, rhubarbTsv } from '../../../../main/takes/formats/rhubarb.ts';
import { subRip, webVtt } from '../../../../main/takes/formats/subtitles.ts';
import { readTextGrid, textGrid } from '../../../../main/takes/formats/text_grid.ts';
import {
  visemeList,
  visemesOfAlignment,
  visemesOfFrames,
} from '../../../../main/takes/formats/viseme_changes.ts';

/** An alignment of a script whose words are said evenly, with a pause of a quarter second after each clause. */
function aligned(script: string, secondsAWord = 0.3): SpeechAlignment {
  let at = 0.5;
  const words: AlignedWord[] = [...script.matchAll(/\p{Script=Han}|[\p{Script=Latin}']+/gu)].map((found) => {
    const [text] = found;
    const start = at;
    const end = start + secondsAWord;
    at = /^[,.，。]/.test(script.slice(found.index + text.length)) ? end + 0.25 : end;
    const han = /\p{Script=Han}/u.test(text);
    const phones = (han ? ['h', 'uan'] : ['B', 'AY', 'M']).map((phone, place, all) => ({
      phone,
      start: start + (place / all.length) * secondsAWord,
      end: start + ((place + 1) / all.length) * secondsAWord,
      confidence: 1,
    }));
    return {
      text,
      from: found.index,
      to: found.index + text.length,
      language: han ? 'zh' : 'en',
      start,
      end,
      confidence: 1,
      flag: null,
      pinned: false,
      phones,
    };
  });
  return { verdict: 'aligned', words, unknown: [] };
}

const english =
  'Four score and seven years ago our fathers brought forth, upon this continent, a new nation, conceived in ' +
  'liberty, and dedicated to the proposition that all men are "created" equal. Now we are engaged. Yes.';
const chinese =
  '八十七年前我们的先辈在这个大陆上创立了一个新的国家，它孕育于自由之中，奉行一切人生来平等的原则。';
const nothing: SpeechAlignment = { verdict: 'no_speech', words: [], unknown: [] };

describe('subtitles, read by @plussub/srt-vtt-parser', () => {
  test.each([
    ['SubRip', subRip, english, 42],
    ['WebVTT', webVtt, english, 42],
    ['SubRip', subRip, chinese, 16],
  ] as const)('%s has every word once, in lines that fit', (_, write, script, widest) => {
    const { entries } = parseCaptions(write(aligned(script), script, 'sentences'));
    expect(entries.length).toBeGreaterThan(2);
    expect(
      entries
        .map(({ text }) => text)
        .join(' ')
        .replace(/\s+/g, ''),
    ).toBe(script.replace(/\s+/g, ''));
    for (const { from, to, text } of entries) {
      const lines = text.split('\n');
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(widest);
      expect(to).toBeGreaterThan(from);
    }
    for (const [at, { from }] of entries.slice(1).entries())
      expect(from).toBeGreaterThanOrEqual(entries[at]!.to);
  });

  test('a cue ends with its sentence, and stays long enough to be read', () => {
    const script = 'Yes. It is so, and it has been so for a long time.';
    const { entries } = parseCaptions(subRip(aligned(script, 0.2), script, 'sentences'));
    expect(entries.map(({ text }) => text.replace('\n', ' '))).toEqual([
      'Yes.',
      'It is so, and it has been so for a long time.',
    ]);
    // 45 characters at 17 a second; the words take 2.65 s.
    expect(entries[1]!.to - entries[1]!.from).toBeGreaterThanOrEqual(2640);
  });

  test('the last cue ends with the sound, though it could be read longer', () => {
    const script = 'So.';
    const words = aligned(script, 0.2);
    const { end } = words.words.at(-1)!;
    const last = (seconds?: number): number =>
      parseCaptions(subRip(words, script, 'sentences', seconds)).entries.at(-1)!.to / 1000;
    expect(last()).toBeGreaterThan(end + 0.3);
    expect(last(end + 0.1)).toBeCloseTo(end + 0.1, 3);
    expect(last(end)).toBeCloseTo(end, 3);
  });

  test('a cue a word, with the marks that belong to it', () => {
    const script = 'He said: "Now!" — and went.';
    const { entries } = parseCaptions(webVtt(aligned(script), script, 'words'));
    expect(entries.map(({ text }) => text)).toEqual(['He', 'said:', '"Now!"', 'and', 'went.']);
    expect(entries[0]).toMatchObject({ from: 500, to: 800 });
  });

  test('a number is shown as it is written, and a word that nobody says is not', () => {
    const script = 'It cost $3.50 & tax in all.';
    const { words } = aligned(script);
    const three = { ...words[1]!, from: 8, to: 13, start: 1.1, end: 1.4 };
    const spoken = [
      words[0]!,
      words[1]!,
      { ...three, text: 'three' },
      { ...three, text: 'dollars', start: 1.4, end: 1.7 },
      { ...words[2]!, flag: 'left_out' as const, start: 1.7, end: 1.7 },
    ];
    const { entries } = parseCaptions(
      webVtt({ verdict: 'aligned', words: spoken, unknown: [] }, script, 'sentences'),
    );
    expect(entries.map(({ text }) => text)).toEqual(['It cost $3.50']);
    expect(entries[0]!.to).toBeGreaterThanOrEqual(1700);
  });

  test('more than an hour, and nothing at all', () => {
    const { words } = aligned('Late.');
    const late = words.map((word) => ({ ...word, start: 3_725.25, end: 3_726 }));
    expect(subRip({ verdict: 'aligned', words: late, unknown: [] }, 'Late.', 'words')).toBe(
      '1\n01:02:05,250 --> 01:02:06,000\nLate.\n',
    );
    expect(subRip(nothing, '', 'sentences')).toBe('');
    expect(webVtt(nothing, '', 'sentences')).toBe('WEBVTT\n');
  });
});

describe('TextGrid', () => {
  test('is read by the package textgrid, without holes', () => {
    const quiet = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const { items } = textgrid.TextGrid.textgridToJSON(textGrid(aligned('So it is, 你好.'), 4));
    quiet.mockRestore();
    expect(items.map(({ name }) => name)).toEqual(['words', 'phones']);
    expect(items[0]!.intervals.map(({ text }) => text)).toEqual(['', 'So', 'it', 'is', '', '你', '好', '']);
    for (const { intervals } of items) {
      expect(Number(intervals[0]!.xmin)).toBe(0);
      expect(Number(intervals.at(-1)!.xmax)).toBe(4);
      for (const { xmin, xmax } of intervals) expect(Number(xmax)).toBeGreaterThan(Number(xmin));
      expect(intervals.slice(1).map(({ xmin }) => xmin)).toEqual(
        intervals.slice(0, -1).map(({ xmax }) => xmax),
      );
    }
  });

  test('keeps quotes, and what overlaps is cut', () => {
    const { words } = aligned('a b');
    const odd = [
      { ...words[0]!, text: 'say "a"\nb', end: 1 },
      { ...words[1]!, start: 0.9, end: 1.2 },
    ];
    const tiers = readTextGrid(textGrid({ verdict: 'aligned', words: odd, unknown: [] }, 1.2))!;
    expect(tiers[0]!.intervals).toEqual([
      { start: 0, end: 0.5, label: '' },
      { start: 0.5, end: 1, label: 'say "a" b' },
      { start: 1, end: 1.2, label: 'b' },
    ]);
  });

  test('of silence is one empty interval', () => {
    expect(readTextGrid(textGrid(nothing, 2.5))).toEqual([
      { name: 'words', intervals: [{ start: 0, end: 2.5, label: '' }] },
      { name: 'phones', intervals: [{ start: 0, end: 2.5, label: '' }] },
    ]);
  });
});

describe('visemes', () => {
  test('begin at 0.00, change at each mouth and end with silence', () => {
    expect(visemeList(visemesOfAlignment(aligned('by, 好'), 3))).toBe(
      [
        '0.00\tsil',
        '0.50\tPP',
        '0.60\taa',
        '0.66\tI',
        '0.70\tPP',
        '0.80\tsil',
        '1.05\tkk',
        '1.20\tU',
        '1.25\taa',
        '1.30\tnn',
        '1.35\tsil',
        '3.00\tsil',
        '',
      ].join('\n'),
    );
  });

  test('of frames, where a change that is shorter than a hundredth is none', () => {
    const of = (...names: string[]): number[] =>
      names.map((name) => (oculusVisemeNames as readonly string[]).indexOf(`viseme_${name}`));
    const list = visemeList(visemesOfFrames(of('sil', 'sil', 'PP', 'aa', 'aa'), 50));
    expect(list).toBe('0.00\tsil\n0.04\tPP\n0.06\taa\n0.10\tsil\n');
    const fast = visemeList(visemesOfFrames(of('PP', 'aa', 'PP', 'E', 'E', 'E'), 400));
    expect(fast).toBe('0.00\taa\n0.01\tE\n0.02\tsil\n');
    expect(visemeList(visemesOfFrames([], 60))).toBe('0.00\tsil\n0.00\tsil\n');
  });

  // No package reads Rhubarb's files: what its README and its exporters' source say of them is stated here.
  test("Rhubarb's TSV: a line a mouth, the last one the end with X", () => {
    const tsv = rhubarbTsv(visemesOfAlignment(aligned('by, 好'), 3));
    expect(tsv).toBe(
      '0.00\tX\n0.50\tA\n0.60\tD\n0.66\tB\n0.70\tA\n0.80\tX\n1.05\tB\n1.20\tF\n1.25\tD\n1.30\tB\n1.35\tX\n3.00\tX\n',
    );
  });

  test("Rhubarb's JSON: cues without holes, from the first to the end", () => {
    const json = JSON.parse(rhubarbJson(visemesOfAlignment(aligned('by, 好'), 3), 'a.wav')) as {
      metadata: unknown;
      mouthCues: { start: number; end: number; value: string }[];
    };
    expect(json.metadata).toEqual({ soundFile: 'a.wav', duration: 3 });
    expect(json.mouthCues[0]).toEqual({ start: 0, end: 0.5, value: 'X' });
    expect(json.mouthCues.at(-1)!.end).toBe(3);
    for (const { value } of json.mouthCues) expect(value).toMatch(/^[A-HX]$/);
    expect(json.mouthCues.slice(1).map(({ start }) => start)).toEqual(
      json.mouthCues.slice(0, -1).map(({ end }) => end),
    );
  });
});
