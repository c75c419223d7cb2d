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

/** @param times of the values, seconds, increasing */
export function frameColumns(times: Float64Array, { from, span }: TimeWindow, count: number): FrameColumns {
  const first = new Int32Array(count + 1);
  const mix = new Float32Array(count + 1);
  let at = firstAtOrAfter(times, from);
  for (let column = 0; column <= count; column++) {
    const edge = from + (span * column) / count;
    while (at < times.length && times[at]! < edge) at += 1;
    first[column] = at;
    const before = times[at - 1];
    const after = times[at];
    mix[column] = before === undefined || after === undefined ? 1 : (edge - before) / (after - before);
  }
  return { count, first, mix };
}

/** Index of the first time that is not before `at`; the length where all are. */
export function firstAtOrAfter(times: Float64Array, at: number): number {
  return 1 + lastThat(times.length, (index) => times[index]! < at);
}
