/** Maps seconds of the recording to played seconds: cuts and retimed stretches. */
import { lastThat } from '../../binary_search.ts';
import type { SpeechAlignment } from '../../speech/speech_alignment.ts';
import type { Piece } from './take_edits.ts';

export interface TimeMap {
  /** As they play; one of the whole recording where nothing is cut. */
  readonly pieces: readonly Piece[];
  /** How long it plays, seconds. */
  readonly seconds: number;
  /** True where it plays as it was recorded. */
  readonly isWhole: boolean;
  /** A moment of the recording that is cut out is that of the cut. */
  toPlayed(recorded: number): number;
  /** At a cut, the moment after it. */
  toRecorded(played: number): number;
}

/** @param seconds length of the recording */
export function timeMap(pieces: readonly Piece[], seconds: number): TimeMap {
  const kept = pieces
    .map(({ from, to, speed }) => ({ from: Math.min(from, seconds), to: Math.min(to, seconds), speed }))
    .filter(({ from, to }) => to > from);
  const all = kept.length > 0 ? kept : [{ from: 0, to: seconds, speed: 1 }];
  const starts: number[] = [];
  let length = 0;
  for (const { from, to, speed } of all) {
    starts.push(length);
    length += (to - from) / speed;
  }
  const [first] = all;
  return {
    pieces: all,
    seconds: length,
    isWhole: all.length === 1 && first!.from === 0 && first!.to === seconds && first!.speed === 1,
    toPlayed(recorded) {
      const at = lastBefore(all.length, (index) => all[index]!.from <= recorded);
      const { from, to, speed } = all[at]!;
      return starts[at]! + (Math.max(from, Math.min(to, recorded)) - from) / speed;
    },
    toRecorded(played) {
      const at = lastBefore(all.length, (index) => starts[index]! <= played);
      const { from, to, speed } = all[at]!;
      return Math.min(to, from + Math.max(0, played - starts[at]!) * speed);
    },
  };
}

/** The last place that holds, where those that hold come first; 0 where none does. */
function lastBefore(count: number, predicate: (index: number) => boolean): number {
  return Math.max(0, lastThat(count, predicate));
}

/** Least of a word or a phone that has to play for it to stay, as a share of it. */
const minShare = 0.5;

/** Returns the words with the times at which they play, without words that are mostly cut out. */
export function playedWords(alignment: SpeechAlignment, map: TimeMap): SpeechAlignment {
  if (map.isWhole) return alignment;
  const placed = <Timed extends { readonly start: number; readonly end: number }>(timed: Timed): Timed[] => {
    const { start, end } = timed;
    const kept = map.pieces.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)),
      0,
    );
    const isKept =
      end > start
        ? kept >= minShare * (end - start)
        : map.pieces.some(({ from, to }) => from <= start && start <= to);
    return isKept ? [{ ...timed, start: map.toPlayed(start), end: map.toPlayed(end) }] : [];
  };
  const words = alignment.words.flatMap((word) => placed({ ...word, phones: word.phones.flatMap(placed) }));
  return { ...alignment, words };
}
