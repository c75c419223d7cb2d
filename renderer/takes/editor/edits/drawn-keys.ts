/** Keys of a channel that is drawn by hand, and the operations that change them. */
import type { CurveKey, DrawnStretch, EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import { simplified } from './simplified-curve.ts';

/** A key with where it stands. */
export interface PlacedKey extends CurveKey {
  readonly stretch: DrawnStretch;
  /** In its stretch. */
  readonly index: number;
}

/** Seconds that two keys are apart at least. */
const apart = 1e-4;
/** Seconds on either side of a first key in which the curve comes back to the recording. */
const shoulder = 0.25;

export const placedKeys = (stretches: readonly DrawnStretch[]): PlacedKey[] =>
  stretches.flatMap((stretch) => stretch.keys.map((key, index) => ({ ...key, stretch, index })));

const drawn = (channel: string, { from, to }: TimeRange, keys: readonly CurveKey[]): EditOperation => ({
  kind: 'draw',
  channel,
  from,
  to,
  keys: [...keys],
});

/** A key with another time, value or way on; it stays between its neighbours and within its stretch. */
export function keyChanged(
  channel: string,
  { stretch, index }: PlacedKey,
  changes: Partial<CurveKey>,
): EditOperation {
  const { keys } = stretch;
  const earliest = (keys[index - 1]?.time ?? stretch.from - apart) + apart;
  const latest = (keys[index + 1]?.time ?? stretch.to + apart) - apart;
  const changed = { ...keys[index]!, ...changes };
  const time = Math.max(earliest, Math.min(latest, changed.time));
  const value = Math.max(-1, Math.min(1, changed.value));
  return drawn(channel, stretch, keys.with(index, { ...changed, time, value }));
}

/** Without its last key a stretch is the recording again. */
export function keyRemoved(channel: string, { stretch, index }: PlacedKey): EditOperation {
  const keys = stretch.keys.toSpliced(index, 1);
  if (keys.length > 0) return drawn(channel, stretch, keys);
  return { kind: 'reset', channels: [channel], from: stretch.from, to: stretch.to };
}

/**
 * A new key. Outside of what is drawn it begins a stretch of its own, which leaves the recording and comes back
 * to it.
 *
 * @param curve what the channel does now
 */
export function keyAdded(
  channel: string,
  stretches: readonly DrawnStretch[],
  { time, value }: { time: number; value: number },
  curve: (time: number) => number,
  seconds: number,
): EditOperation {
  const key: CurveKey = { time, value: Math.max(-1, Math.min(1, value)), to: 'smooth' };
  const stretch = stretches.find(({ from, to }) => from <= time && time <= to);
  if (stretch) {
    const others = stretch.keys.filter((other) => Math.abs(other.time - time) > apart);
    const keys = [...others, key].toSorted((a, b) => a.time - b.time);
    return drawn(channel, stretch, keys);
  }
  const before = stretches.findLast(({ to }) => to < time)?.to ?? 0;
  const after = stretches.find(({ from }) => from > time)?.from ?? seconds;
  const range = { from: Math.max(before, time - shoulder), to: Math.min(after, time + shoulder) };
  const ends = [range.from, range.to]
    .filter((end) => Math.abs(end - time) > apart)
    .map((end): CurveKey => ({ time: end, value: curve(end), to: 'smooth' }));
  return drawn(
    channel,
    range,
    [...ends, key].toSorted((a, b) => a.time - b.time),
  );
}

/** One value over a stretch. */
export const constantValue = (channel: string, range: TimeRange, value: number): EditOperation =>
  drawn(channel, range, [{ time: range.from, value, to: 'step' }]);

/**
 * Converts a part of a curve to movable keys.
 * @param points in increasing time
 */
export function madeOfKeys(
  channel: string,
  points: readonly { time: number; value: number }[],
): EditOperation | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.time - first.time < apart) return null;
  const keys = simplified(points).map(({ time, value }): CurveKey => ({ time, value, to: 'linear' }));
  return drawn(channel, { from: first.time, to: last.time }, keys);
}

/** A stretch of a curve for another place: times count from its beginning. */
export interface CopiedCurve {
  readonly seconds: number;
  readonly points: readonly { time: number; value: number }[];
}

export const copied = (points: readonly { time: number; value: number }[]): CopiedCurve | null => {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return null;
  return {
    seconds: last.time - first.time,
    points: points.map(({ time, value }) => ({ time: time - first.time, value })),
  };
};

export const pasted = (
  channel: string,
  { points }: CopiedCurve,
  at: number,
  seconds: number,
): EditOperation | null =>
  madeOfKeys(
    channel,
    points.map(({ time, value }) => ({ time: time + at, value })).filter(({ time }) => time <= seconds),
  );
