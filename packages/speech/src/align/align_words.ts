import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { type Attention, Turns } from '../turns.ts';
import type { SpokenWord } from '../words/index.ts';
import { classifyScript } from './classify_script.ts';
import { judgeWords } from './judge_words.ts';
import { alignStretch, type PlacedSegment, type Stretch } from './stretch.ts';
import { type Heard, VisemeScores } from './viseme_scores.ts';
import { minOtherFrames } from './word_mismatch.ts';

/** A word whose times a person has set, seconds. */
export interface PinnedTime {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** How to align. */
export interface AlignOptions extends Attention {
  /** Their times are exact; the other words are aligned between them. */
  readonly pinned?: readonly PinnedTime[] | undefined;
}

/**
 * Finds the start and end of each word of a script. Yields every 25 ms of computing.
 *
 * @param heard viseme posteriors every 10 ms
 * @throws RangeError for pins that overlap, lie outside the audio or name no word; the signal's reason
 */
export async function alignWords(
  heard: Heard,
  words: readonly SpokenWord[],
  options: AlignOptions = {},
): Promise<{ verdict: SpeechAlignment['verdict']; words: readonly AlignedWord[] }> {
  options.signal?.throwIfAborted();
  const pinned = (options.pinned ?? []).toSorted((a, b) => a.index - b.index);
  checkPins(pinned, words.length, heard.frames);
  const scores = new VisemeScores(heard);
  const turns = new Turns(options);
  const segments: PlacedSegment[] = [];
  for (const stretch of stretchesBetween(pinned, words, heard.frames)) {
    const shareAt = (part: number): number =>
      (stretch.start + part * (stretch.end - stretch.start)) / Math.max(1, heard.frames);
    // One by one: hours of audio have more segments than a call may have arguments.
    for (const segment of await alignStretch(scores, stretch, turns, shareAt)) segments.push(segment);
  }
  const judged = judgeWords(words, segments, scores, new Set(pinned.map(({ index }) => index)));
  const pins = new Map(pinned.map((pin) => [pin.index, pin]));
  const kept = judged.map((word, index) => keepTimes(word, pins.get(index)));
  const shuffled = async (order: readonly number[]): Promise<number> => {
    const other = order.map((word) => words[word] as SpokenWord);
    const stretch = { firstWord: 0, words: other, start: 0, end: heard.frames, pinned: false };
    return shareInOrder(words.length, await alignStretch(scores, stretch, turns, () => 1));
  };
  const classification =
    pinned.length > 0
      ? 'aligned'
      : await classifyScript(heard, words.length, shareInOrder(words.length, segments), shuffled);
  options.onProgress?.(1);
  return { verdict: classification, words: classification === 'aligned' ? kept : [] };
}

/** Share of the words spoken right after the previous word: the others could be found in any audio. */
function shareInOrder(words: number, segments: readonly PlacedSegment[]): number {
  const spoken = new Set(segments.filter(({ kind }) => kind === 'phone').map(({ word }) => word));
  for (const { kind, word, start, end } of segments) {
    if (kind === 'other' && end - start >= minOtherFrames && word > 0 && word < words) spoken.delete(word);
  }
  return spoken.size / Math.max(1, words);
}

function checkPins(pinned: readonly PinnedTime[], words: number, frames: number): void {
  let [index, end] = [-1, 0];
  for (const pin of pinned) {
    const inside = pin.start >= end && pin.end > pin.start && pin.end <= frames / 100 + 1e-6;
    if (!(Number.isInteger(pin.index) && pin.index > index && pin.index < words && inside)) {
      throw new RangeError(`Word ${pin.index} can't be pinned from ${pin.start} to ${pin.end} s`);
    }
    index = pin.index;
    end = pin.end;
  }
}

/** Splits the script into pinned words and the stretches before, between and after them. */
function stretchesBetween(
  pinned: readonly PinnedTime[],
  words: readonly SpokenWord[],
  frames: number,
): Stretch[] {
  const stretches: Stretch[] = [];
  let [word, frame] = [0, 0];
  for (const { index, start, end } of pinned) {
    const from = Math.round(start * 100);
    const to = Math.max(from + 1, Math.round(end * 100));
    const between = words.slice(word, index);
    stretches.push(
      { firstWord: word, words: between, start: frame, end: from, pinned: false },
      { firstWord: index, words: words.slice(index, index + 1), start: from, end: to, pinned: true },
    );
    [word, frame] = [index + 1, to];
  }
  return [
    ...stretches,
    { firstWord: word, words: words.slice(word), start: frame, end: frames, pinned: false },
  ];
}

/** A pinned word's own times are exact, not frames. */
function keepTimes(word: AlignedWord, pin: PinnedTime | undefined): AlignedWord {
  if (!pin) return word;
  const last = word.phones.length - 1;
  return {
    ...word,
    start: pin.start,
    end: pin.end,
    flag: word.flag === 'followed_by_more' ? word.flag : null,
    pinned: true,
    phones: word.phones.map((phone, k) => ({
      ...phone,
      ...(k === 0 && { start: pin.start }),
      ...(k === last && { end: pin.end }),
    })),
  };
}
