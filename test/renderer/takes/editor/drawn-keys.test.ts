/** Keys that are drawn by hand: each change is one operation, and leaves a curve that makes sense. */

import { applyOperation, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { valueAt } from '@likeness/proto/takes/edits/drawn_curve.ts';
import type { DrawnStretch, EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { expect, test } from 'vitest';
import {
  constantValue,
  copied,
  keyAdded,
  keyChanged,
  keyRemoved,
  madeOfKeys,
  pasted,
  placedKeys,
} from '../../../../renderer/takes/editor/edits/drawn-keys.ts';
import { simplified } from '../../../../renderer/takes/editor/edits/simplified-curve.ts';

const after = (...operations: EditOperation[]): readonly DrawnStretch[] =>
  operations.reduce<TakeEdits>(applyOperation, noEdits).drawn.jawOpen ?? [];
const wave = Array.from({ length: 120 }, (_, at) => ({
  time: 1 + at / 60,
  value: 0.5 + 0.4 * Math.sin(at / 8),
}));

test('a first key leaves the recording and comes back to it', () => {
  const stretches = after(keyAdded('jawOpen', [], { time: 2, value: 0.9 }, () => 0.2, 10));
  expect(stretches).toHaveLength(1);
  expect(stretches[0]!.keys.map(({ value }) => value)).toEqual([0.2, 0.9, 0.2]);
  expect(stretches[0]).toMatchObject({ from: 1.75, to: 2.25 });
});

test('a key at either end of the take stays within it', () => {
  const [start] = after(keyAdded('jawOpen', [], { time: 0, value: 1 }, () => 0, 10));
  expect(start).toMatchObject({ from: 0, to: 0.25 });
  const [end] = after(keyAdded('jawOpen', [], { time: 10, value: 1 }, () => 0, 10));
  expect(end).toMatchObject({ from: 9.75, to: 10 });
});

test('a key within what is drawn goes between its neighbours, and does not pass them when it is moved', () => {
  const first = keyAdded('jawOpen', [], { time: 2, value: 0.9 }, () => 0.2, 10);
  const second = keyAdded('jawOpen', after(first), { time: 2.1, value: 0.5 }, () => 0.2, 10);
  const keys = placedKeys(after(first, second));
  expect(keys.map(({ time }) => time)).toEqual([1.75, 2, 2.1, 2.25]);
  const moved = placedKeys(after(first, second, keyChanged('jawOpen', keys[1]!, { time: 5, value: 3 })));
  expect(moved[1]!.time).toBeLessThan(2.1);
  expect(moved[1]!.time).toBeGreaterThan(2.09);
  expect(moved[1]!.value).toBe(1);
});

test('without its last key a stretch is the recording again', () => {
  const hold = constantValue('jawOpen', { from: 1, to: 2 }, 0.4);
  const [only] = placedKeys(after(hold));
  expect(after(hold, keyRemoved('jawOpen', only!))).toEqual([]);
});

test('keys of a curve are few, and stay close to it', () => {
  const keys = simplified(wave).map((point) => ({ ...point, to: 'linear' as const }));
  expect(keys.length).toBeLessThan(wave.length / 2);
  for (const { time, value } of wave) expect(Math.abs(valueAt(keys, time) - value)).toBeLessThan(0.007);
});

test('what is copied is the same elsewhere, and ends with the take', () => {
  const clip = copied(wave)!;
  const [there] = after(pasted('jawOpen', clip, 6, 10)!);
  for (const { time, value } of wave)
    expect(Math.abs(valueAt(there!.keys, time + 5) - value)).toBeLessThan(0.007);
  const [cut] = after(pasted('jawOpen', clip, 9, 10)!);
  expect(cut!.to).toBeCloseTo(10, 9);
  expect(pasted('jawOpen', clip, 10, 10)).toBeNull();
  expect(madeOfKeys('jawOpen', wave.slice(0, 1))).toBeNull();
});
