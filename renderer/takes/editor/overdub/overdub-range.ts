/** Where a try is recorded: what plays before it, and what of it is used. */
import type { Piece } from '@likeness/proto/takes/edits/take_edits.ts';
import type { TimeRange } from '../timeline/time-window.ts';

export interface OverdubRange extends TimeRange {
  /** Where the take begins to play. */
  readonly playFrom: number;
  /** Seconds that are counted before it plays: of the pre-roll, what the take has not before the in point. */
  readonly countIn: number;
}

/** Seconds: less is a slip of the hand. */
const min = 0.1;

/**
 * The range and its pre-roll. Null: a cut or another speed lies in it, and what is spoken there could not be placed.
 *
 * @param pieces what plays; empty: the whole recording @param seconds of the recording
 */
export function overdubRange(
  { from, to }: TimeRange,
  preRoll: number,
  pieces: readonly Piece[],
  seconds: number,
): OverdubRange | null {
  const all = pieces.length > 0 ? pieces : [{ from: 0, to: seconds, speed: 1 }];
  const piece = all.find((each) => each.from <= from && each.to > from);
  if (piece?.speed !== 1 || to > piece.to + 1e-6 || to - from < min) return null;
  const playFrom = Math.max(piece.from, from - preRoll);
  return { from, to, playFrom, countIn: Math.max(0, preRoll - (from - playFrom)) };
}

/** The middle of several measurements of one thing; null without any. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? null;
}

/**
 * Returns the used part of an overdub: its overlap with the punch range.
 * @param endedAt seconds of the take
 */
export function usedRange(range: TimeRange, startsAt: number, endedAt: number): TimeRange | null {
  const used = { from: Math.max(range.from, startsAt), to: Math.min(range.to, endedAt) };
  return used.to - used.from >= min ? used : null;
}
