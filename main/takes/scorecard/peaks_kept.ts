import type { PlayableFace } from '#proto/take_stream.ts';
import { drivingChannels } from '#proto/takes/driving_channels.ts';
import type { TimeMap } from '#proto/takes/edits/time_map.ts';

/** A peak stands out by at least this weight. */
const leastPeak = 0.15;
/** It is kept where so much of its height is left. */
const keptShare = 0.95;
/** It may have moved by this much, seconds. */
const aside = 0.06;

/** Positions of peaks: where a curve turns down by at least {@link leastPeak} after it rose as far. */
export function peaksOf(values: ArrayLike<number>): number[] {
  const peaks: number[] = [];
  let isRising = true;
  let [high, low] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value > values[high]!) high = at;
    if (value < values[low]!) low = at;
    if (isRising && values[high]! - value >= leastPeak) {
      // The take may begin in the middle of a fall: that is no peak.
      if (values[high]! - values[low]! >= leastPeak && low < high) peaks.push(high);
      isRising = false;
      low = at;
    } else if (!isRising && value - values[low]! >= leastPeak) {
      isRising = true;
      high = at;
    }
  }
  return peaks;
}

/**
 * How many of the recorded face's peaks, of all channels, are as high after editing. What is cut out does not
 * count, and a channel that a mirror or another face has not counts as lost.
 *
 * @param finished - by seconds that play
 * @returns null where the recorded face has no peak
 */
export function peaksKept(
  recorded: PlayableFace,
  finished: PlayableFace,
  map: TimeMap,
): { count: number; kept: number } | null {
  let [count, kept] = [0, 0];
  for (const place of drivingChannels(recorded.channelNames)) {
    const name = recorded.channelNames[place]!;
    const curve = Float32Array.from(recorded.frames, ({ weights }) => weights[place]!);
    const other = finished.channelNames.indexOf(name);
    let begin = 0;
    for (const peak of peaksOf(curve)) {
      const time = recorded.frames[peak]!.timeCode;
      const plays = map.toPlayed(time);
      if (Math.abs(map.toRecorded(plays) - time) > 1e-3) continue;
      const { frames } = finished;
      while (begin < frames.length && frames[begin]!.timeCode < plays - aside) begin++;
      let highest = Number.NEGATIVE_INFINITY;
      for (let at = begin; other >= 0 && at < frames.length && frames[at]!.timeCode <= plays + aside; at++)
        highest = Math.max(highest, frames[at]!.weights[other]!);
      count += 1;
      if (highest >= curve[peak]! * keptShare) kept += 1;
    }
  }
  return count > 0 ? { count, kept } : null;
}
