/** Whether the sound agrees with each word of the script. */
import { phoneParts } from '#proto/phones.ts';
import type { AlignedPhone, AlignedWord, WordFlag } from '#proto/speech_alignment.ts';
import type { SpokenWord } from '../words/index.ts';
import { lengthScore } from './phone_lengths.ts';
import type { PlacedSegment } from './stretch.ts';
import type { VisemeScores } from './viseme_scores.ts';

/** Frames a second. */
const rate = 100;
/** A word less sure than this is taken for another one. */
const leastConfidence = 0.5;

/** @param segments of the whole recording, in order */
export function judgeWords(
  words: readonly SpokenWord[],
  segments: readonly PlacedSegment[],
  scores: VisemeScores,
  pinned: ReadonlySet<number>,
): AlignedWord[] {
  const phones = words.map((): PlacedSegment[] => []);
  /** Other speech that stands before each word. */
  const others = [...words, undefined].map((): PlacedSegment[] => []);
  for (const segment of segments) {
    if (segment.kind === 'phone') phones[segment.word]?.push(segment);
    if (segment.kind === 'other') others[segment.word]?.push(segment);
  }
  const out: AlignedWord[] = [];
  let at = 0;
  for (let k = 0; k < words.length; ) {
    let next = k;
    while (next < words.length && phones[next]?.length === 0) next++;
    if (next > k) {
      out.push(...notSaid(words.slice(k, next), others.slice(k, next + 1).flat(), at));
      k = next;
      continue;
    }
    const said = phones[k] as PlacedSegment[];
    const more = phones[k + 1]?.length !== 0 && others[k + 1]?.length !== 0;
    out.push(saidWord(words[k] as SpokenWord, said, scores, pinned.has(k), more));
    at = (said.at(-1)?.end ?? at) / rate;
    k++;
  }
  return out;
}

/** Words in a row that the path went over, and what is said in their place, if anything is. */
function notSaid(words: readonly SpokenWord[], others: readonly PlacedSegment[], at: number): AlignedWord[] {
  const [first] = others;
  const last = others.at(-1);
  const start = first ? first.start / rate : at;
  const each = last ? (last.end / rate - start) / words.length : 0;
  return words.map((word, k) => ({
    ...place(word),
    start: start + k * each,
    end: start + (k + 1) * each,
    confidence: 0,
    flag: last ? 'changed' : 'left_out',
    pinned: false,
    phones: [],
  }));
}

function saidWord(
  word: SpokenWord,
  segments: readonly PlacedSegment[],
  scores: VisemeScores,
  pinned: boolean,
  more: boolean,
): AlignedWord {
  const phones = segments.map((segment) => judgePhone(segment, scores));
  const confidence = wordConfidence(segments, scores);
  const flag: WordFlag | null =
    confidence < leastConfidence && !pinned ? 'changed' : more ? 'followed_by_more' : null;
  return {
    ...place(word),
    start: phones[0]?.start ?? 0,
    end: phones.at(-1)?.end ?? 0,
    confidence: pinned ? 1 : confidence,
    flag,
    pinned,
    phones,
  };
}

const place = ({ text, from, to, language }: SpokenWord) => ({ text, from, to, language });

function judgePhone(segment: PlacedSegment, scores: VisemeScores): AlignedPhone {
  const { phone, start, end } = segment;
  return {
    phone,
    start: start / rate,
    end: end / rate,
    confidence: likely(1.5 + 2 * meanScore(segment, scores)),
  };
}

const likely = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Mean over a phone's frames of what it loses against the freest path, nats. */
function meanScore({ phone, start, end }: PlacedSegment, scores: VisemeScores): number {
  const parts = phoneParts(phone);
  let [total, passed, at, count] = [0, 0, start, 0];
  for (const { viseme, share } of parts) {
    passed += share;
    const to = start + passed * (end - start);
    for (let frame = Math.floor(at); frame < Math.floor(to) && frame < scores.frames; frame++, count++) {
      total += scores.at(frame, viseme);
    }
    at = to;
  }
  return count > 0 ? total / count : 0;
}

function wordConfidence(segments: readonly PlacedSegment[], scores: VisemeScores): number {
  const frames = segments.reduce((sum, { start, end }) => sum + end - start, 0);
  const score = segments.reduce((sum, segment) => {
    return sum + meanScore(segment, scores) * (segment.end - segment.start);
  }, 0);
  const length = segments.reduce((sum, { phone, start, end }) => sum + lengthScore(phone, end - start, 0), 0);
  return likely(4 + (3 * score) / frames + (0.5 * length) / segments.length);
}
