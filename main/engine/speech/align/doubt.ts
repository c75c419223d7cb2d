/** How likely each word is wrong: what speaks against it, and how many of its script are. */
import { lengthScore, usualLogFrames } from './phone_lengths.ts';
import { meanScore } from './phone_score.ts';
import type { PlacedSegment } from './stretch.ts';
import type { VisemeScores } from './viseme_scores.ts';

/**
 * Log odds of a word's being wrong, by logistic regression over flite's kal16 (plain, a fifth faster, 15 % slower) and awb
 * (plain and in pink noise at 8 dB) and five LibriVox recordings, one word in ten of whose scripts was made
 * wrong: docs/quality/notes-speech-alignment.md.
 */
const weights = {
  bias: 2.34,
  /** That the path passes through the word. */
  said: -8.17,
  /** Of its score a frame, in spreads above the recording's median word: the mean, and the worst phone's. */
  meanScore: -0.53,
  worstScore: -0.35,
  /** Its score as a whole. */
  totalScore: -0.041,
  /** Of the phone whose length is oddest. */
  oddestLength: -0.58,
  /** One by its phones: short words are soon found anywhere. */
  brevity: 3.21,
  /** Seconds of other speech on either side, each .3 at most. */
  otherBeside: 10.1,
};
/** Share of wrong words that the regression's bias stands for. */
const fittedShare = 0.255;
/** Words that the path itself goes over or puts speech behind are so large a part of the wrong ones. */
const foundByPath = 2 / 3;
/** Bounds of the share of wrong words that a recording may turn out to have. */
const [leastShare, mostShare] = [0.005, 0.5];
/** Other speech shorter than this, frames, is likelier a breath or a click. */
const leastOther = 10;

/** Words to either side that tell how fast the speaker is. */
const slownessReach = 5;

/** What is known of one word. */
export interface WordTrace {
  /** Its phones; none for a word that the path goes over. */
  readonly phones: readonly PlacedSegment[];
  /** Phones of its likeliest pronunciation. */
  readonly phoneCount: number;
  /** Frames of other speech before and after it. */
  readonly otherBefore: number;
  readonly otherAfter: number;
}

/** What is usual in a recording: how well the network hears this voice, and how slow it is. */
interface Usual {
  /** Median word's score, nats a frame. */
  readonly score: number;
  /** How far words differ in it: about 1 for a voice that is heard as well as LibriVox's. */
  readonly spread: number;
  /** [words] how much slower than flite the speaker is around each word, a logarithm. */
  readonly slowness: readonly number[];
}

function usualOf(traces: readonly WordTrace[], scores: VisemeScores): Usual {
  const said = traces.filter(({ phones }) => phones.length > 0);
  const wordScores = said.map(({ phones }) => wordScore(phones, scores));
  const score = quantile(wordScores, 0.5);
  return {
    score,
    spread: (score - quantile(wordScores, 0.25) + 0.2) / 0.4,
    slowness: slownessAround(traces),
  };
}

/** Median over the phones of each word and some to either side. */
function slownessAround(traces: readonly WordTrace[]): number[] {
  const byWord = traces.map(({ phones }) =>
    phones.map(({ phone, start, end }) => Math.log(Math.max(1, end - start)) - usualLogFrames(phone)),
  );
  return traces.map((_, k) =>
    quantile(byWord.slice(Math.max(0, k - slownessReach), k + slownessReach + 1).flat(), 0.5),
  );
}

/** Log odds that the word is wrong, in a script as wrong as those of the regression. */
function wordDoubt(trace: WordTrace, word: number, usual: Usual, scores: VisemeScores): number {
  const { phones, phoneCount, otherBefore, otherAfter } = trace;
  const others = Math.min(30, otherBefore) + Math.min(30, otherAfter);
  let doubt = weights.bias + weights.brevity / Math.max(1, phoneCount) + (weights.otherBeside * others) / 100;
  if (phones.length === 0) return doubt;
  const relative = (score: number): number => (score - usual.score) / usual.spread;
  const mean = relative(wordScore(phones, scores));
  const worst = relative(Math.min(...phones.map((phone) => meanScore(phone, scores))));
  const oddest = Math.min(
    ...phones.map(({ phone, start, end }) =>
      lengthScore(phone, Math.max(1, end - start), usual.slowness[word] ?? 0),
    ),
  );
  doubt += weights.said;
  doubt += weights.meanScore * between(-4, mean, 2);
  doubt += weights.worstScore * between(-6, worst, 2);
  doubt += weights.totalScore * between(-100, mean * framesOf(phones), 40);
  doubt += weights.oddestLength * Math.max(-8, oddest);
  return doubt;
}

/** Whether the path says by itself that the word, or what follows it, is not as the script has it. */
export const pathDisagrees = ({ phones, otherAfter }: WordTrace): boolean =>
  phones.length === 0 || otherAfter >= leastOther;

/**
 * Probability that each word is wrong. How many are is the recording's own, told by its path, so that a
 * right script is trusted and a bad one is not.
 */
export function wrongness(traces: readonly WordTrace[], scores: VisemeScores): number[] {
  const usual = usualOf(traces, scores);
  const found = traces.filter(pathDisagrees).length / foundByPath / Math.max(1, traces.length);
  const shift = logOdds(between(leastShare, found, mostShare)) - logOdds(fittedShare);
  return traces.map((trace, word) => likely(wordDoubt(trace, word, usual, scores) + shift));
}

const framesOf = (phones: readonly PlacedSegment[]): number =>
  phones.reduce((sum, { start, end }) => sum + end - start, 0);

/** Mean over a word's frames of its score. */
const wordScore = (phones: readonly PlacedSegment[], scores: VisemeScores): number =>
  phones.reduce((sum, phone) => sum + meanScore(phone, scores) * (phone.end - phone.start), 0) /
  Math.max(1, framesOf(phones));

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? 0;
}

export const likely = (odds: number): number => 1 / (1 + Math.exp(-odds));
const logOdds = (share: number): number => Math.log(share / (1 - share));
const between = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value));
