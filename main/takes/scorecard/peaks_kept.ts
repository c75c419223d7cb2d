import { faceColumn } from '@likeness/proto/face/face_column.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { drivingChannels } from '@likeness/proto/takes/driving_channels.ts';
import type { TimeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { peaksOf } from './curve_peaks.ts';

/** Minimum share of a peak's height that must remain. */
const keptShare = 0.95;
/** Maximum shift of a peak, seconds. */
const aside = 0.06;

/**
 * Counts the recorded face's peaks, of all channels, that remain after editing. Ignores cut parts; the peaks
 * of a channel missing after mirroring or in another face count as lost.
 *
 * @param finished - by edited seconds
 * @returns null if the recorded face has no peak
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
