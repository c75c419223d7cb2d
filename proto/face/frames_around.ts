/** How far a time is on the way from one to another, 0..1; 0 where they are the same. */
export function shareBetween(from: number, to: number, time: number): number {
  const span = to - from;
  return span > 0 ? Math.min(1, Math.max(0, (time - from) / span)) : 0;
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
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (frames[middle]!.timeCode <= seconds) low = middle;
    else high = middle - 1;
  }
  const from = frames[low];
  if (!from) return null;
  const to = frames[low + 1] ?? from;
  return { from, to, mix: shareBetween(from.timeCode, to.timeCode, seconds) };
}
