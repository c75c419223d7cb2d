/** Estimates how likely each word is wrong, from its scores and from the error rate of its script. */
import { meanScore } from './phone_score.ts';
import type { PlacedSegment } from './stretch.ts';
import type { VisemeScores } from './viseme_scores.ts';

/**
 * Weights of a logistic regression for the log odds that a word is wrong: research/speech.md.
 *
 * Fitted to ten actors outside all training data, Tux Paint's stamps, five LibriVox recordings and flite's
 * kal16 and awb, plain and in noise. Each recording appears unchanged and with one word in ten of its script
 * made wrong.
 */
const weights = {
  bias: 2.9,
  /** The path passes through the word. */
  onPath: -3.61,
  /**
   * The word's score per frame, in spreads above the recording's median word: the mean, and the worst
   * phone's.
   */
  meanScore: -1.24,
  worstScore: -0.31,
  /** Seconds of other speech on either side, each .3 at most. */
  otherBeside: 3.61,
  /** Log odds that the path disagrees with a word, over the whole recording. */
  disagreement: 1.26,
  /**
   * Weight of the median word's score: with a badly recognised voice, the path disagrees with correct words
   * as well.
   */
  typicalScore: 3.11,
};
/**
 * Bounds of that share, and of the median word's score, nats a frame: the range of the regression's
 * recordings.
 */
const [minShare, maxShare] = [0.003, 0.33];
const [minTypical, maxTypical] = [-0.6, -0.1];
/** Shorter stretches of other speech, frames, are rather a breath or a click. */
export const minOtherFrames = 10;

/** Measurements of one word. */
export interface WordTrace {
  /** The word's phones; none for a word that the path skips. */
  readonly phones: readonly PlacedSegment[];
  /** Frames of other speech before and after it. */
  readonly otherBefore: number;
  readonly otherAfter: number;
}

/** A recording's typical scores: how well the network recognises this voice. */
interface Typical {
  /** Median word's score, nats a frame. */
  readonly score: number;
  /** Spread of the words' scores: about 1 for a voice recognised as well as LibriVox's. */
  readonly spread: number;
}

function typicalScores(traces: readonly WordTrace[], scores: VisemeScores): Typical {
  const wordScores = traces
    .filter(({ phones }) => phones.length > 0)
    .map(({ phones }) => wordScore(phones, scores))
    .sort((a, b) => a - b);
  const quantile = (share: number): number => wordScores[Math.floor(share * wordScores.length)] ?? 0;
  const score = quantile(0.5);
  return { score, spread: (score - quantile(0.25) + 0.2) / 0.4 };
}

/** Log odds that the word is wrong, without the recording's error rate. */
function wordLogOdds(trace: WordTrace, typical: Typical, scores: VisemeScores): number {
  const { phones, otherBefore, otherAfter } = trace;
  const others = Math.min(30, otherBefore) + Math.min(30, otherAfter);
  const odds = weights.bias + (weights.otherBeside * others) / 100;
  if (phones.length === 0) return odds;
  const relative = (score: number): number => (score - typical.score) / typical.spread;
  const mean = relative(wordScore(phones, scores));
  const worst = relative(Math.min(...phones.map((phone) => meanScore(phone, scores))));
  return (
    odds +
    weights.onPath +
    weights.meanScore * between(-4, mean, 2) +
    weights.worstScore * between(-6, worst, 2)
  );
}

/** Whether the path alone contradicts the script at this word or after it. */
export const pathDisagrees = ({ phones, otherAfter }: WordTrace): boolean =>
  phones.length === 0 || otherAfter >= minOtherFrames;

/**
 * Returns the probability that each word is wrong, so that a correct script is trusted and a bad one is not.
 * The path and the network's scores for the voice give an estimate of the recording's own error rate.
 */
export function wordMismatch(traces: readonly WordTrace[], scores: VisemeScores): number[] {
  const typical = typicalScores(traces, scores);
  const found = traces.filter(pathDisagrees).length / Math.max(1, traces.length);
  const ofAll =
    weights.disagreement * logOdds(between(minShare, found, maxShare)) +
    weights.typicalScore * between(minTypical, typical.score, maxTypical);
  return traces.map((trace) => likely(wordLogOdds(trace, typical, scores) + ofAll));
}

/** Mean score of a word's frames. */
function wordScore(phones: readonly PlacedSegment[], scores: VisemeScores): number {
  let [total, frames] = [0, 0];
  for (const phone of phones) {
    total += meanScore(phone, scores) * (phone.end - phone.start);
    frames += phone.end - phone.start;
  }
  return total / Math.max(1, frames);
}

export const likely = (odds: number): number => 1 / (1 + Math.exp(-odds));
const logOdds = (share: number): number => Math.log(share / (1 - share));
const between = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value));
