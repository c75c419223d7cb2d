/** Stretches of a curve that are copied from one place to another, by buttons and by keys. */
import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { createStore } from '../../../base/store.ts';
import { firstAtOrAfter } from '../timeline/frame-columns.ts';
import type { TakeCurve } from '../timeline/take-curves.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { type CopiedCurve, copied, pasted } from './drawn-keys.ts';
import type { EditSession } from './edit-session.ts';
import type { EditedPreview } from './edited-preview.ts';

/** The last copied curve; can be pasted into every channel of every take. */
export const copiedCurve = createStore<CopiedCurve | null>(null);

/** A curve's frames between two times. */
export function curvePoints(
  curve: TakeCurve,
  times: Float64Array,
  { from, to }: TimeRange,
): { time: number; value: number }[] {
  const first = firstAtOrAfter(times, from);
  return Array.from(times.subarray(first, firstAtOrAfter(times, to + 1e-9)), (time, index) => ({
    time,
    value: curve.pyramid.values[first + index]!,
  }));
}

/**
 * Copies the selected part of the chosen curve.
 * @returns false if there is none
 */
export function copyCurve(shaped: EditedPreview | null, { channel, selection }: TimelineState): boolean {
  const curve = shaped?.curves.curves.find(({ name }) => name === channel.get());
  const range = selection.get();
  if (!shaped || !curve || !range) return false;
  const made = copied(curvePoints(curve, shaped.curves.times, range));
  if (made) copiedCurve.set(made);
  return made !== null;
}

/**
 * Pastes the copied curve into the chosen channel.
 * @param at seconds
 * @returns false if that is not possible
 */
export function pasteCurve(session: EditSession, { channel, seconds }: TimelineState, at: number): boolean {
  const name = channel.get();
  const curve = copiedCurve.get();
  const made: EditOperation | null = name && curve ? pasted(name, curve, at, seconds) : null;
  if (made) session.apply(made);
  return made !== null;
}
