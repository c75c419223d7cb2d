import { lastThat } from '@likeness/proto/binary_search.ts';
import type { TimeWindow } from './time-window.ts';

/** Where the columns of a picture begin among values in time: made once for a window, for all curves. */
export interface FrameColumns {
  readonly count: number;
  /** By column's left edge: the first value at or after it. One more than columns. */
  readonly first: Int32Array;
  /** By column's left edge: how far from the value before to that one it lies, 0..1. */
  readonly mix: Float32Array;
}

/**
 * @param times of the values, seconds, increasing
 * @param toRecorded where a window in seconds as they play lies in the recording
 */
export function frameColumns(
  times: Float64Array,
  window: TimeWindow,
  count: number,
  toRecorded: (played: number) => number = (played) => played,
): FrameColumns {
  const edges = columnEdges(window, count, toRecorded);
  const first = new Int32Array(count + 1);
  const mix = new Float32Array(count + 1);
  let at = firstAtOrAfter(times, edges[0]!);
  for (let column = 0; column <= count; column++) {
    const edge = edges[column]!;
    while (at < times.length && times[at]! < edge) at += 1;
    first[column] = at;
    const before = times[at - 1];
    const after = times[at];
    mix[column] = before === undefined || after === undefined ? 1 : (edge - before) / (after - before);
  }
  return { count, first, mix };
}

/** Seconds of the recording at the left edge of each column, and at the end of the last. */
export function columnEdges(
  { from, span }: TimeWindow,
  count: number,
  toRecorded: (played: number) => number,
): Float64Array {
  return Float64Array.from({ length: count + 1 }, (_, column) => toRecorded(from + (span * column) / count));
}

/** Index of the first time that is not before `at`; the length where all are. */
export function firstAtOrAfter(times: Float64Array, at: number): number {
  return 1 + lastThat(times.length, (index) => times[index]! < at);
}
