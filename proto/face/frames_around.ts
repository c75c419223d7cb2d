import { lastThat } from '../binary_search.ts';

/** How far a time is on the way from one to another, 0..1; 0 where they are the same. */
export function shareBetween(from: number, to: number, time: number): number {
  const span = to - from;
  return span > 0 ? Math.min(1, Math.max(0, (time - from) / span)) : 0;
}

/** Index of the last of so many rising times that is not after `seconds`; 0 where all are. */
export function lastNotAfter(count: number, timeOf: (at: number) => number, seconds: number): number {
  return Math.max(
    0,
    lastThat(count, (at) => timeOf(at) <= seconds),
  );
}

/**
 * The frames around a moment, and how far it is from one to the other; null without any.
 *
 * @param frames by time, rising
 */
export function framesAround<Frame extends { readonly timeCode: number }>(
  frames: readonly Frame[],
  seconds: number,
): { from: Frame; to: Frame; mix: number } | null {
  const at = lastNotAfter(frames.length, (index) => frames[index]!.timeCode, seconds);
  const from = frames[at];
  if (!from) return null;
  const to = frames[at + 1] ?? from;
  return { from, to, mix: shareBetween(from.timeCode, to.timeCode, seconds) };
}
