/** Cuts and speeds: what is left, what is joined, and that nothing is lost that was not asked for. */
import { expect, test } from 'vitest';
import {
  cutRanges,
  onlyRange,
  withoutRange,
  withSpeed,
} from '../../../../renderer/takes/editor/edits/take-pieces.ts';

test('a cut leaves what is before and after; what is cut again joins', () => {
  const once = withoutRange([], { from: 2, to: 3 }, 10)!;
  expect(once).toEqual([
    { from: 0, to: 2, speed: 1 },
    { from: 3, to: 10, speed: 1 },
  ]);
  const twice = withoutRange(once, { from: 2.5, to: 5 }, 10)!;
  expect(cutRanges(twice, 10)).toEqual([{ from: 2, to: 5 }]);
});

test('trimming keeps one stretch, with the cuts in it', () => {
  const cut = withoutRange([], { from: 4, to: 5 }, 10)!;
  expect(onlyRange(cut, { from: 3, to: 8 }, 10)).toEqual([
    { from: 3, to: 4, speed: 1 },
    { from: 5, to: 8, speed: 1 },
  ]);
  expect(cutRanges(onlyRange([], { from: 3, to: 8 }, 10)!, 10)).toEqual([
    { from: 0, to: 3 },
    { from: 8, to: 10 },
  ]);
});

test('a stretch gets a speed of its own, and with its old one it is part of the whole again', () => {
  const faster = withSpeed([], { from: 2, to: 4 }, 2, 10)!;
  expect(faster.map(({ speed }) => speed)).toEqual([1, 2, 1]);
  expect(withSpeed(faster, { from: 2, to: 4 }, 1, 10)).toEqual([]);
});

test('a take is never cut to nothing', () => {
  expect(withoutRange([], { from: 0, to: 10 }, 10)).toBeNull();
  const cut = withoutRange([], { from: 2, to: 5 }, 10)!;
  expect(onlyRange(cut, { from: 3, to: 4 }, 10)).toBeNull();
});
