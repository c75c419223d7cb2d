/** A take as text: words, closures of lips and lids, lips that stay open, and edits, each with its time. */
import { isBilabial } from '@likeness/proto/speech/phones.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import type { Contact } from '@likeness/proto/takes/closures.ts';
import { isUntouched } from '@likeness/proto/takes/edits/apply_operation.ts';
import { type FaceRegion, faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { near, openClosures } from '../edits/close-lips.ts';
import { takenParts } from '../overdub/taken-parts.ts';
import type { TimeRange } from '../timeline/time-window.ts';

export type TextEvent =
  | { readonly kind: 'word'; readonly time: number; readonly text: string }
  | { readonly kind: 'lips'; readonly time: number; readonly ms: number; readonly phone: string }
  | { readonly kind: 'open'; readonly time: number; readonly to: number; readonly phone: string }
  | { readonly kind: 'lids'; readonly time: number; readonly ms: number }
  | { readonly kind: 'marker'; readonly time: number; readonly text: string }
  | { readonly kind: 'drawn'; readonly time: number; readonly text: string; readonly to: number }
  | { readonly kind: 'expression'; readonly time: number; readonly text: string; readonly share: number }
  | { readonly kind: 'gaze'; readonly time: number; readonly yaw: number; readonly pitch: number }
  | { readonly kind: 'blink'; readonly time: number }
  | {
      readonly kind: 'try';
      readonly time: number;
      readonly to: number;
      readonly text: string;
      readonly regions: readonly FaceRegion[];
    }
  | { readonly kind: 'cut'; readonly time: number; readonly to: number }
  | { readonly kind: 'speed'; readonly time: number; readonly to: number; readonly speed: number };

/** Events of a take in order of time. @param contacts of `face`: when lips and lids are shut */
export function takeText(
  face: PlayableFace,
  contacts: readonly Contact[],
  alignment: SpeechAlignment | null | undefined,
  edits: TakeEdits,
  cuts: readonly TimeRange[],
): TextEvent[] {
  const words = alignment?.words ?? [];
  const phones = words.flatMap((word) => word.phones);
  const events: TextEvent[] = words.map(({ start, text }) => ({ kind: 'word', time: start, text }));
  const lids: TimeRange[] = [];
  for (const { of, first, last } of contacts) {
    const [from, to] = [face.frames[first]!.timeCode, face.frames[last]!.timeCode];
    const ms = Math.round((to - from + 1 / face.frameRate) * 1000);
    if (of === 'lips') {
      // The sound that shuts them: the words' times are not as exact as the face, and a neighbour may begin it.
      const phone =
        phones.find(({ phone: one, start, end }) => isBilabial(one) && start < to + near && end > from - near)
          ?.phone ?? '';
      events.push({ kind: 'lips', time: from, ms, phone });
    } else if (!lids.some((other) => other.from <= to && other.to >= from)) {
      // Both lids of one blink are one line.
      lids.push({ from, to });
      events.push({ kind: 'lids', time: from, ms });
    }
  }
  for (const { phone, start, end } of alignment ? openClosures(face, alignment) : [])
    events.push({ kind: 'open', time: start, to: end, phone });
  for (const { time, note } of edits.markers) events.push({ kind: 'marker', time, text: note });
  for (const [channel, stretches] of Object.entries(edits.drawn))
    for (const { from, to } of stretches) events.push({ kind: 'drawn', time: from, to, text: channel });
  for (const { time, preset, weight } of edits.expressions)
    events.push({ kind: 'expression', time, text: preset, share: weight });
  for (const { from, to, attempt, regions } of takenParts(edits))
    events.push({ kind: 'try', time: from, to, text: attempt, regions });
  for (const { from, yaw, pitch } of edits.gaze) events.push({ kind: 'gaze', time: from, yaw, pitch });
  for (const time of edits.blinks.added) events.push({ kind: 'blink', time });
  for (const { from, to } of cuts) events.push({ kind: 'cut', time: from, to });
  for (const { from, to, speed } of edits.pieces)
    if (speed !== 1) events.push({ kind: 'speed', time: from, to, speed });
  return events.toSorted((a, b) => a.time - b.time);
}

/** Regions that a person has set otherwise than they were recorded. */
export const changedRegions = ({ regions }: TakeEdits): (typeof faceRegions)[number][] =>
  faceRegions.filter((region) => !isUntouched(regions[region]));
