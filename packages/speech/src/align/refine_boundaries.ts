/** Refines boundaries using phone lengths: finds a path of segments near the first one. */
import { phoneParts } from '@likeness/proto/speech/phones.ts';
import type { Turns } from '../turns.ts';
import { lengthScore, typicalLogFrames } from './phone_lengths.ts';
import { silence, type VisemeScores } from './viseme_scores.ts';

/** A phone, pause or other speech, frames of 10 ms. Segments follow each other without a gap. */
export interface Segment {
  readonly kind: 'phone' | 'pause' | 'other';
  /** A symbol of proto/speech/phones.ts; empty for other speech and pauses. */
  readonly phone: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum shift of a boundary, frames. */
const reach = 12;
const width = 2 * reach + 1;
/** Phones on either side for estimating the speaker's rate. */
const rateReach = 25;
/** Weight of the lengths against the audio. */
const lengthWeight = 2;
/** Minimum length of a phone, frames. */
const min = 2;

/** @returns the segments' starts, and the last one's end: [segments + 1] frames */
export async function refineBoundaries(
  segments: readonly Segment[],
  scores: VisemeScores,
  turns: Turns,
  share: (segment: number) => number,
): Promise<Int32Array> {
  const count = segments.length;
  const bounds = Int32Array.from({ length: count + 1 }, (_, k) =>
    k < count ? (segments[k] as Segment).start : (segments[count - 1]?.end ?? 0),
  );
  if (count === 0) return bounds;
  const slowness = localSlowness(segments);
  const came = new Int8Array((count + 1) * width);
  let before = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
  before[reach] = 0;
  for (const [k, segment] of segments.entries()) {
    if (turns.due) await turns.give(share(k));
    const after = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
    const sums = segmentSums(segment, scores);
    const last = k === count - 1;
    for (let to = 0; to < width; to++) {
      if (last && to !== reach) continue;
      const end = (bounds[k + 1] as number) + to - reach;
      for (let from = 0; from < width; from++) {
        const past = before[from] as number;
        if (past === Number.NEGATIVE_INFINITY) continue;
        const start = (bounds[k] as number) + from - reach;
        if (end - start < min && end - start < segment.end - segment.start) continue;
        const value = past + sums(start, end) + lengthOf(segment, end - start, slowness[k] as number);
        if (value > (after[to] as number)) {
          after[to] = value;
          came[(k + 1) * width + to] = from;
        }
      }
    }
    before = after;
  }
  let at = reach;
  for (let k = count; k > 0; k--) {
    at = came[k * width + at] as number;
    bounds[k - 1] = (bounds[k - 1] as number) + at - reach;
  }
  return bounds;
}

const lengthOf = ({ kind, phone }: Segment, frames: number, slowness: number): number =>
  kind === 'phone' ? lengthWeight * lengthScore(phone, frames, slowness) : 0;

/** Estimates the speaker's slowness relative to flite around each segment, as a logarithm. */
function localSlowness(segments: readonly Segment[]): Float64Array {
  const sums = new Float64Array(segments.length + 1);
  const counts = new Int32Array(segments.length + 1);
  segments.forEach(({ kind, phone, start, end }, k) => {
    const counted = kind === 'phone' && end > start;
    sums[k + 1] = (sums[k] as number) + (counted ? Math.log(end - start) - typicalLogFrames(phone) : 0);
    counts[k + 1] = (counts[k] as number) + Number(counted);
  });
  return Float64Array.from(segments, (_, k) => {
    const from = Math.max(0, k - rateReach);
    const to = Math.min(segments.length, k + rateReach + 1);
    const count = (counts[to] as number) - (counts[from] as number);
    return ((sums[to] as number) - (sums[from] as number)) / (count + 5);
  });
}

/** @returns the sound's score of the segment lying between two frames within reach of where it lies */
function segmentSums(segment: Segment, scores: VisemeScores): (start: number, end: number) => number {
  if (segment.kind === 'other') return () => 0;
  const parts = segment.kind === 'pause' ? [{ viseme: silence, share: 1 }] : phoneParts(segment.phone);
  const from = Math.max(0, segment.start - reach);
  const to = Math.min(scores.frames, segment.end + reach);
  const sums = parts.map(({ viseme }) => {
    const sum = new Float64Array(to - from + 1);
    for (let frame = from; frame < to; frame++) {
      sum[frame - from + 1] = (sum[frame - from] as number) + scores.at(frame, viseme);
    }
    return sum;
  });
  return (start, end) => {
    if (start < from || end > to) return Number.NEGATIVE_INFINITY;
    let total = 0;
    let at = start;
    let passed = 0;
    for (const [k, sum] of sums.entries()) {
      passed += (parts[k] as { share: number }).share;
      const next = k === sums.length - 1 ? end : Math.round(start + passed * (end - start));
      total += (sum[next - from] as number) - (sum[at - from] as number);
      at = next;
    }
    return total;
  };
}
