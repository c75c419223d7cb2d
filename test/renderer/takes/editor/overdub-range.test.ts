import { expect, test } from 'vitest';
import { beatsOf } from '../../../../renderer/takes/editor/overdub/count-in-beats.ts';
import { median, overdubRange, usedRange } from '../../../../renderer/takes/editor/overdub/overdub-range.ts';

test('a punch range has its pre-roll within the piece that it lies in', () => {
  const range = { from: 2, to: 3 };
  expect(overdubRange(range, 1.5, [], 10)).toEqual({ ...range, playFrom: 0.5, countIn: 0 });
  expect(overdubRange(range, 5, [], 10)).toEqual({ ...range, playFrom: 0, countIn: 3 });
  const pieces = [
    { from: 0, to: 1.5, speed: 1 },
    { from: 1.8, to: 4, speed: 1 },
    { from: 4, to: 8, speed: 0.5 },
  ];
  const { playFrom, countIn } = overdubRange(range, 1.5, pieces, 10)!;
  expect(playFrom).toBe(1.8);
  expect(countIn).toBeCloseTo(1.3, 9);
  // Over a cut, in what is cut out, at another speed, and too short.
  for (const [from, to] of [
    [1, 2],
    [1.6, 1.75],
    [3, 5],
    [5, 6],
    [2, 2.05],
  ] as const)
    expect(overdubRange({ from, to }, 1, pieces, 10)).toBe(null);
});

test('at the in point of a take’s beginning its pre-roll is counted, a beat a second', () => {
  const { countIn } = overdubRange({ from: 0, to: 3 }, 2, [], 10)!;
  expect(countIn).toBe(2);
  expect(beatsOf(countIn, 0)).toEqual([
    { at: 0, left: 2 },
    { at: 1, left: 1 },
  ]);
  // What the take itself plays before the in point is not counted.
  expect(beatsOf(1.5, 0.5)).toEqual([
    { at: 0, left: 2 },
    { at: 1, left: 1 },
  ]);
  expect(beatsOf(0.6, 1.9)).toEqual([{ at: 0.5, left: 2 }]);
  expect(beatsOf(0.5, 0)).toEqual([]);
});

test('a try is used as far as it goes', () => {
  expect(usedRange({ from: 2, to: 3 }, -1, 5)).toEqual({ from: 2, to: 3 });
  expect(usedRange({ from: 2, to: 3 }, 2.2, 2.7)).toEqual({ from: 2.2, to: 2.7 });
  expect(usedRange({ from: 2, to: 3 }, 0, 2.05)).toBe(null);
});

test('one late look at the clock does not move a try', () => {
  expect(median([1.01, 1, 1.02, 1.4])).toBe(1.02);
  expect(median([])).toBe(null);
});
