/** Decides whether the audio matches each word of the script. */
import type { AlignedPhone, AlignedWord, WordFlag } from '@likeness/proto/speech/speech_alignment.ts';
import type { SpokenWord } from '../words/index.ts';
import { meanScore } from './phone_score.ts';
import type { PlacedSegment } from './stretch.ts';
import type { VisemeScores } from './viseme_scores.ts';
import { likely, pathDisagrees, type WordTrace, wordMismatch } from './word_mismatch.ts';

/** Frames a second. */
const rate = 100;
/** Minimum probability for flagging a word: missing a wrong word costs more than doubting a correct one. */
const flagFrom = 0.1;

/** @param segments of the whole recording, in order */
export function judgeWords(
  words: readonly SpokenWord[],
  segments: readonly PlacedSegment[],
  scores: VisemeScores,
  pinned: ReadonlySet<number>,
): AlignedWord[] {
  const traces = traceWords(words, segments);
  const wrong = wordMismatch(traces, scores);
  const judged = traces.map(
    (trace, k): Judged => ({
      ...trace,
      word: words[k] as SpokenWord,
      pinned: pinned.has(k),
      wrong: pinned.has(k) ? 0 : (wrong[k] as number),
    }),
  );
  return placeWords(judged, scores);
}

interface Trace extends WordTrace {
  /** Other speech right before the word. */
  readonly others: readonly PlacedSegment[];
}

interface Judged extends Trace {
  readonly word: SpokenWord;
  readonly pinned: boolean;
  readonly wrong: number;
}

function traceWords(words: readonly SpokenWord[], segments: readonly PlacedSegment[]): Trace[] {
  const phones = words.map((): PlacedSegment[] => []);
  const others = [...words, undefined].map((): PlacedSegment[] => []);
  for (const segment of segments) {
    if (segment.kind === 'phone') phones[segment.word]?.push(segment);
    if (segment.kind === 'other') others[segment.word]?.push(segment);
  }
  const frames = (list: readonly PlacedSegment[] = []): number =>
    list.reduce((sum, { start, end }) => sum + end - start, 0);
  return words.map((_, k) => ({
    phones: phones[k] as PlacedSegment[],
    otherBefore: frames(others[k]),
    otherAfter: frames(others[k + 1]),
    others: others[k] as PlacedSegment[],
  }));
}

function placeWords(judged: readonly Judged[], scores: VisemeScores): AlignedWord[] {
  const out: AlignedWord[] = [];
  let at = 0;
  for (let k = 0; k < judged.length; ) {
    let next = k;
    while (next < judged.length && judged[next]?.phones.length === 0) next++;
    if (next > k) {
      const others = judged.slice(k, next + 1).flatMap((one) => one.others);
      for (const word of skippedWords(judged.slice(k, next), others, at)) out.push(word);
      k = next;
      continue;
    }
    const one = judged[k] as Judged;
    // what follows the last word stands before none
    const more = pathDisagrees(one) && judged[k + 1]?.phones.length !== 0;
    out.push(spokenWord(one, scores, more));
    at = (one.phones.at(-1)?.end ?? at) / rate;
    k++;
  }
  return out;
}

/** Returns the words in a row that the path skipped, with any other speech in their place. */
function skippedWords(words: readonly Judged[], others: readonly PlacedSegment[], at: number): AlignedWord[] {
  const [first] = others;
  const last = others.at(-1);
  const start = first ? first.start / rate : at;
  const each = last ? (last.end / rate - start) / words.length : 0;
  return words.map((one, k) => ({
    ...written(one.word),
    start: start + k * each,
    end: start + (k + 1) * each,
    confidence: 1 - one.wrong,
    flag: last ? 'changed' : 'left_out',
    pinned: false,
    phones: [],
  }));
}

function spokenWord(one: Judged, scores: VisemeScores, more: boolean): AlignedWord {
  const phones = one.phones.map((segment) => judgePhone(segment, scores));
  const flag: WordFlag | null = one.wrong >= flagFrom ? 'changed' : more ? 'followed_by_more' : null;
  return {
    ...written(one.word),
    start: phones[0]?.start ?? 0,
    end: phones.at(-1)?.end ?? 0,
    confidence: 1 - one.wrong,
    flag,
    pinned: one.pinned,
    phones,
  };
}

const written = ({ text, from, to, language }: SpokenWord) => ({ text, from, to, language });

function judgePhone(segment: PlacedSegment, scores: VisemeScores): AlignedPhone {
  const { phone, start, end } = segment;
  return {
    phone,
    start: start / rate,
    end: end / rate,
    confidence: likely(1.5 + 2 * meanScore(segment, scores)),
  };
}
