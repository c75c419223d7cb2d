import { faceColumn } from '@likeness/proto/face/face_column.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { drivingChannels } from '@likeness/proto/takes/driving_channels.ts';
import type { TimeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { peaksOf } from './curve_peaks.ts';

/** It is kept where so much of its height is left. */
const keptShare = 0.95;
/** It may have moved by this much, seconds. */
const aside = 0.06;

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
  for (const channel of drivingChannels(recorded.channelNames)) {
    const name = recorded.channelNames[channel]!;
    const curve = faceColumn(recorded, channel);
    const other = finished.channelNames.indexOf(name);
    const edited = other < 0 ? null : faceColumn(finished, other);
    let begin = 0;
    for (const peak of peaksOf(curve)) {
      const time = recorded.frames[peak]!.timeCode;
      const plays = map.toPlayed(time);
      if (Math.abs(map.toRecorded(plays) - time) > 1e-3) continue;
      const { frames } = finished;
      while (begin < frames.length && frames[begin]!.timeCode < plays - aside) begin++;
      let highest = Number.NEGATIVE_INFINITY;
      for (let at = begin; edited && at < frames.length && frames[at]!.timeCode <= plays + aside; at++)
        highest = Math.max(highest, edited[at]!);
      count += 1;
      if (highest >= curve[peak]! * keptShare) kept += 1;
    }
  }
  return count > 0 ? { count, kept } : null;
}
