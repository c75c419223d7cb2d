/** Aligns one stretch of a recording with its words. */

import type { Turns } from '../turns.ts';
import { BeamSearch, defaultPenalties, nothingElse, type Penalties } from './beam_search.ts';
import { typicalLogFrames } from './phone_lengths.ts';
import { meanScore } from './phone_score.ts';
import { refineBoundaries, type Segment } from './refine_boundaries.ts';
import type { VisemeScores } from './viseme_scores.ts';
import { type Sayable, tried, WordGraph } from './word_graph.ts';

/** A segment with its word. */
export interface PlacedSegment extends Segment {
  /** The word that contains it, or that it precedes. */
  readonly word: number;
}

/** A range of frames with the script's words in it; a pinned word fills its stretch. */
export interface Stretch {
  readonly firstWord: number;
  readonly words: readonly Sayable[];
  readonly start: number;
  readonly end: number;
  readonly pinned: boolean;
}

/**
 * Where the network recognises a voice badly, correct words also score worse against other speech. Other
 * speech then costs more: the score (nats a frame) below which half the phones lie, up to a maximum.
 */
const typicalScore = 0;
const maxPatience = 0.8;
/** Share of an alignment's work for finding the path; the rest is refining it. */
const searchShare = 0.8;

/** @returns segments that fill the stretch, with refined boundaries; none if nothing fits */
export async function alignStretch(
  scores: VisemeScores,
  stretch: Stretch,
  turns: Turns,
  share: (ofStretch: number) => number,
): Promise<PlacedSegment[]> {
  const { words, start, end, pinned } = stretch;
  if (end <= start) return [];
  const graph = new WordGraph(words);
  const search = (penalties: Penalties, from: number, to: number) =>
    findPath(scores, stretch, graph, penalties, turns, (part) => share(from + part * (to - from)));
  let segments = await search(pinned ? nothingElse : defaultPenalties, 0, searchShare / 2);
  const patience = pinned ? 0 : typicalScore - medianScore(segments, scores);
  if (patience > 0) {
    const otherFrame = defaultPenalties.otherFrame + Math.min(maxPatience, patience);
    segments = await search({ ...defaultPenalties, otherFrame }, searchShare / 2, searchShare);
  }
  if (segments.length === 0) return pinned ? spreadEvenly(stretch) : [];
  const bounds = await refineBoundaries(segments, scores, turns, (segment) =>
    share(searchShare + ((1 - searchShare) * segment) / segments.length),
  );
  return segments.map((segment, k) => ({
    ...segment,
    start: bounds[k] as number,
    end: bounds[k + 1] as number,
  }));
}

async function findPath(
  scores: VisemeScores,
  { firstWord, words, start, end }: Stretch,
  graph: WordGraph,
  penalties: Penalties,
  turns: Turns,
  share: (part: number) => number,
): Promise<PlacedSegment[]> {
  const search = new BeamSearch(scores, graph, penalties);
  const steps = await search.find(start, end, turns, (frame) => share((frame - start) / (end - start)));
  return (steps ?? []).map(({ state, frame }, k) => {
    const { word, kind, pronunciation, position } = graph.itemOf(state);
    return {
      word: firstWord + word,
      kind,
      phone: kind === 'phone' ? (phonesOf(words[word])[pronunciation]?.[position] ?? '') : '',
      start: frame,
      end: steps?.[k + 1]?.frame ?? end,
    };
  });
}

/** Median over the phones of their score a frame; `typicalScore` where there are none. */
function medianScore(segments: readonly PlacedSegment[], scores: VisemeScores): number {
  const sorted = segments
    .filter(({ kind }) => kind === 'phone')
    .map((segment) => meanScore(segment, scores))
    .sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? typicalScore;
}

const phonesOf = (word: Sayable | undefined) => (word ? tried(word) : []);

/** Distributes phones over a word that is too short for their minimum lengths, by their typical lengths. */
function spreadEvenly({ firstWord, words, start, end }: Stretch): PlacedSegment[] {
  const [phones = []] = phonesOf(words[0]);
  const lengths = phones.map((phone) => Math.exp(typicalLogFrames(phone)));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let at = 0;
  return phones.map((phone, k) => {
    const from = start + ((end - start) * at) / total;
    at += lengths[k] as number;
    return { word: firstWord, kind: 'phone', phone, start: from, end: start + ((end - start) * at) / total };
  });
}
