import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { contactsOf } from '@likeness/proto/takes/closures.ts';
import type { TimeMap } from '@likeness/proto/takes/edits/time_map.ts';

/** When lips are to be shut, seconds that play. */
export interface Closure {
  start: number;
  end: number;
}

/** Lips farther apart than this are seen to be so, millimetres: docs/quality.md. */
export const shutWithin = 0.25;
/** Lips may meet this much before or after a sound's own time, seconds: two frames of film. */
const aside = 0.04;

/** p, b and m, as ARPAbet and as Pinyin write them. */
const closing = new Set(['P', 'B', 'M', 'p', 'b', 'm']);

/** Closures that the words ask for. A word that is not said here, or otherwise, asks for none. */
export const closuresOfWords = ({ words }: SpeechAlignment): Closure[] =>
  words
    .filter(({ flag }) => flag !== 'left_out' && flag !== 'changed')
    .flatMap(({ phones }) => phones.filter(({ phone }) => closing.has(phone)));

/** Closures that the recorded face made, where they play; what is cut out is none. */
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
  /** So many came to within {@link shutWithin}. */
  shut: number;
  /** The narrowest gap of the one that stayed open widest, millimetres. */
  widest: number;
}

/**
 * How many closures really shut the lips.
 *
 * @param gap - millimetres between the lips, of a frame's weights
 * @returns null where there is no closure
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
    // No frame is there to shut them: that is missing frames, not an open mouth.
    if (narrowest === Number.POSITIVE_INFINITY) continue;
    figures.count += 1;
    if (narrowest <= shutWithin) figures.shut += 1;
    figures.widest = Math.max(figures.widest, narrowest);
  }
  return figures.count > 0 ? figures : null;
}
