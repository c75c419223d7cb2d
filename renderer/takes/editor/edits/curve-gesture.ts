/** Draws a curve with the pointer: freehand, or by its keys. The effect shows while the pointer moves. */
import type { DrawnStretch, EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { keyChanged, madeOfKeys, type PlacedKey, placedKeys } from './drawn-keys.ts';

/** A place of a curve under the pointer. */
export interface CurvePoint {
  readonly time: number;
  readonly value: number;
}

export interface CurveGesture {
  /** Returns the edit of the gesture so far; null while it changes nothing. */
  move(to: CurvePoint): EditOperation | null;
}

/** Freehand: values at the frames that the pointer went over, a straight line between two places of it. */
export function freehand(channel: string, start: CurvePoint, frameRate: number): CurveGesture {
  const values = new Map<number, number>();
  const frameOf = ({ time }: CurvePoint): number => Math.round(time * frameRate);
  let last = start;
  values.set(frameOf(start), start.value);
  return {
    move(to) {
      const [from, end] = [frameOf(last), frameOf(to)];
      const step = Math.sign(end - from);
      for (let frame = from; frame !== end; frame += step) {
        const share = (frame - from) / (end - from);
        values.set(frame, last.value + (to.value - last.value) * share);
      }
      values.set(end, to.value);
      last = to;
      const points = [...values]
        .map(([frame, value]) => ({ time: frame / frameRate, value }))
        .toSorted((a, b) => a.time - b.time);
      return madeOfKeys(channel, points);
    },
  };
}

/** A key goes where the pointer is, as far as its neighbours let it. */
export const keyDrag = (channel: string, key: PlacedKey): CurveGesture => ({
  move: ({ time, value }) => keyChanged(channel, key, { time, value }),
});

/** The key nearest to a point within a reach on either axis; null where there is none. */
export function keyNear(
  stretches: readonly DrawnStretch[],
  { time, value }: CurvePoint,
  reach: { seconds: number; value: number },
): PlacedKey | null {
  let best: PlacedKey | null = null;
  let distance = 1;
  for (const key of placedKeys(stretches)) {
    const away = Math.hypot((key.time - time) / reach.seconds, (key.value - value) / reach.value);
    if (away > distance) continue;
    best = key;
    distance = away;
  }
  return best;
}
