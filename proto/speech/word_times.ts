/** Moving a word of an alignment by hand. */
import type { AlignedPhone, AlignedWord, SpeechAlignment } from './speech_alignment.ts';

/** A word is never shorter than this for each of its phones, seconds. */
const minPhoneSeconds = 0.01;

export interface MovedWord {
  readonly alignment: SpeechAlignment;
  /** Seconds between which times have changed. */
  readonly from: number;
  readonly to: number;
}

/**
 * Gives a word new times. Its phones keep their shares of it, and it is pinned. Words beside it that it now
 * runs into give way, down to their shortest; it goes no further than that.
 *
 * @param index position in `alignment.words` @param start seconds @param end seconds
 * @param seconds length of the recording
 * @throws RangeError where there is no such word, or it ends before it starts
 */
export function moveWord(
  alignment: SpeechAlignment,
  index: number,
  times: { start: number; end: number },
  seconds: number,
): MovedWord {
  const words = [...alignment.words];
  const word = words[index];
  if (!word) throw new RangeError(`There is no word ${index}`);
  if (!(times.start < times.end)) throw new RangeError('A word ends after it starts');
  const before = neighbour(words, index, -1);
  const after = neighbour(words, index, 1);
  const earliest = before ? before.word.start + minLength(before.word) : 0;
  const latest = after ? after.word.end - minLength(after.word) : seconds;
  const min = Math.min(minLength(word), latest - earliest);
  const start = Math.max(earliest, Math.min(times.start, latest - min));
  const end = Math.min(latest, Math.max(times.end, start + min));
  const changed = [word];
  words[index] = { ...placed(word, start, end), pinned: true, flag: null };
  if (before && before.word.end > start) {
    changed.push(before.word);
    words[before.index] = placed(before.word, before.word.start, start);
  }
  if (after && after.word.start < end) {
    changed.push(after.word);
    words[after.index] = placed(after.word, end, after.word.end);
  }
  return {
    alignment: { ...alignment, words },
    from: Math.min(start, ...changed.map((each) => each.start)),
    to: Math.max(end, ...changed.map((each) => each.end)),
  };
}

/** The next word on that side that has a length: one that was left out stands in nobody's way. */
function neighbour(
  words: readonly AlignedWord[],
  index: number,
  step: 1 | -1,
): { word: AlignedWord; index: number } | null {
  for (let at = index + step; ; at += step) {
    const word = words[at];
    if (!word) return null;
    if (word.end > word.start) return { word, index: at };
  }
}

const minLength = ({ phones }: AlignedWord): number => Math.max(1, phones.length) * minPhoneSeconds;

function placed(word: AlignedWord, start: number, end: number): AlignedWord {
  const scale = word.end > word.start ? (end - start) / (word.end - word.start) : 0;
  const at = (time: number): number => start + (time - word.start) * scale;
  const phones = word.phones.map(
    (phone): AlignedPhone => ({ ...phone, start: at(phone.start), end: at(phone.end) }),
  );
  return { ...word, start, end, phones };
}
