import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { contactsOf } from '@likeness/proto/takes/closures.ts';
import type { TimeMap } from '@likeness/proto/takes/edits/time_map.ts';

/** When lips should be closed, edited seconds. */
export interface Closure {
  start: number;
  end: number;
}

/** Minimum visible lip gap, millimetres: docs/quality.md. */
export const shutWithin = 0.25;
/** Maximum difference between lip contact and a sound's time, seconds: two frames of film. */
const aside = 0.04;

/** Returns the closures of the recorded face in edited time; omits cut ones. */
export function closuresOfFace(recorded: PlayableFace, map: TimeMap): Closure[] {
  const { frames } = recorded;
  return contactsOf(recorded)
    .filter(({ of }) => of === 'lips')
    .flatMap(({ first, last, deepest }) => {
      const time = frames[deepest]!.timeCode;
      const plays = map.toPlayed(time);
      if (Math.abs(map.toRecorded(plays) - time) > 1e-3) return [];
      return [{ start: map.toPlayed(frames[first]!.timeCode), end: map.toPlayed(frames[last]!.timeCode) }];
    });
}

export interface ShutClosures {
  count: number;
  /** Number that closed to within {@link shutWithin}. */
  shut: number;
  /** Minimum gap of the closure that stayed open widest, millimetres. */
  widest: number;
}

/**
 * Counts the closures that really close the lips.
 *
 * @param gap - millimetres between the lips, from a frame's weights
 * @returns null if there is no closure
 */
export function closuresShut(
  { frames }: PlayableFace,
  closures: readonly Closure[],
  gap: (weights: Float32Array) => number,
): ShutClosures | null {
  const figures: ShutClosures = { count: 0, shut: 0, widest: Number.NEGATIVE_INFINITY };
  let begin = 0;
  for (const { start, end } of closures.toSorted((a, b) => a.start - b.start)) {
    while (begin < frames.length && frames[begin]!.timeCode < start - aside) begin++;
    let narrowest = Number.POSITIVE_INFINITY;
    for (let at = begin; at < frames.length && frames[at]!.timeCode <= end + aside; at++)
      narrowest = Math.min(narrowest, gap(frames[at]!.weights));
    // Without a frame at that time, the problem is missing frames, not an open mouth.
    if (narrowest === Number.POSITIVE_INFINITY) continue;
    figures.count += 1;
    if (narrowest <= shutWithin) figures.shut += 1;
    figures.widest = Math.max(figures.widest, narrowest);
  }
  return figures.count > 0 ? figures : null;
}
