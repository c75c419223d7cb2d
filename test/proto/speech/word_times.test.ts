import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { moveWord } from '@likeness/proto/speech/word_times.ts';
import { describe, expect, it } from 'vitest';

const word = (text: string, start: number, end: number, phones = 2): AlignedWord => ({
  text,
  from: 0,
  to: text.length,
  language: 'en',
  start,
  end,
  confidence: 1,
  flag: start === end ? 'left_out' : null,
  pinned: false,
  phones: Array.from({ length: start === end ? 0 : phones }, (_, k) => ({
    phone: 'AH',
    start: start + ((end - start) * k) / phones,
    end: start + ((end - start) * (k + 1)) / phones,
    confidence: 1,
  })),
});
const said = (...words: AlignedWord[]): SpeechAlignment => ({ verdict: 'aligned', words, unknown: [] });
const times = ({ words }: SpeechAlignment): [number, number][] =>
  words.map(({ start, end }) => [Number(start.toFixed(3)), Number(end.toFixed(3))]);

describe('moving a word', () => {
  const three = said(word('one', 0.1, 0.5), word('two', 0.5, 1), word('three', 1.2, 1.6));

  it('keeps the shares of its phones, pins it, and pushes its neighbours', () => {
    const { alignment, from, to } = moveWord(three, 1, { start: 0.4, end: 1.4 }, 2);
    expect(times(alignment)).toEqual([
      [0.1, 0.4],
      [0.4, 1.4],
      [1.4, 1.6],
    ]);
    expect(alignment.words.map(({ pinned }) => pinned)).toEqual([false, true, false]);
    expect(alignment.words[1]!.phones.map(({ start }) => Number(start.toFixed(9)))).toEqual([0.4, 0.9]);
    expect(alignment.words[2]!.phones.at(-1)!.end).toBeCloseTo(1.6, 9);
    expect([from, to]).toEqual([0.1, 1.6]);
  });

  it('leaves gaps where they are', () => {
    const { alignment, from, to } = moveWord(three, 1, { start: 0.6, end: 0.9 }, 2);
    expect(times(alignment)).toEqual([
      [0.1, 0.5],
      [0.6, 0.9],
      [1.2, 1.6],
    ]);
    expect([from, to]).toEqual([0.5, 1]);
  });

  it('goes no further than what its neighbours and the recording leave it', () => {
    expect(times(moveWord(three, 1, { start: -3, end: 9 }, 2).alignment)).toEqual([
      [0.1, 0.12],
      [0.12, 1.58],
      [1.58, 1.6],
    ]);
    expect(times(moveWord(three, 2, { start: 1.9, end: 9 }, 2).alignment)[2]).toEqual([1.9, 2]);
  });

  it('steps over words that are not said', () => {
    const some = said(word('a', 0, 0.2), word('left', 0.2, 0.2), word('b', 0.3, 0.6));
    expect(times(moveWord(some, 2, { start: 0.1, end: 0.6 }, 1).alignment)[0]).toEqual([0, 0.1]);
  });

  it('is refused where it makes no sense', () => {
    expect(() => moveWord(three, 3, { start: 0, end: 1 }, 2)).toThrow(RangeError);
    expect(() => moveWord(three, 0, { start: 0.5, end: 0.5 }, 2)).toThrow(RangeError);
  });
});
