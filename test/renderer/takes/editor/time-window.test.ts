/** The stretch of a take that is seen: zoomed, moved, snapped to, and written on a ruler. */
import { expect, test } from 'vitest';
import {
  clockTime,
  keptInside,
  rulerStep,
  snapped,
  turnedTo,
  zoomed,
} from '../../../../renderer/takes/editor/timeline/time-window.ts';
import { timelineState } from '../../../../renderer/takes/editor/timeline/timeline-state.ts';

test('what is under the pointer stays there when one zooms', () => {
  const before = { from: 10, span: 20 };
  const after = zoomed(before, 0.5, 15);
  expect((15 - after.from) / after.span).toBeCloseTo((15 - before.from) / before.span, 12);
  expect(after.span).toBe(10);
});

test('a window stays within the take, from ten minutes down to a few frames', () => {
  expect(keptInside({ from: -5, span: 900 }, 600, 60)).toEqual({ from: 0, span: 600 });
  expect(keptInside({ from: 599.99, span: 0 }, 600, 60).span).toBeCloseTo(4 / 60, 9);
  const { from, span } = keptInside({ from: 700, span: 10 }, 600, 60);
  expect(from + span).toBe(600);
});

test('the page turns only for what is not seen', () => {
  const window = { from: 10, span: 10 };
  expect(turnedTo(window, 15)).toBe(window);
  expect(turnedTo(window, 25)).toEqual({ from: 24, span: 10 });
});

test('a ruler writes whole steps that have room', () => {
  expect(rulerStep(1, 60)).toBe(120);
  expect(rulerStep(100, 60)).toBe(1);
  expect(rulerStep(10_000, 60)).toBeCloseTo(1 / 60, 9);
  expect(clockTime(59.96, 1)).toBe('1:00.0');
  expect(clockTime(62.5, 1)).toBe('1:02.5');
  expect(clockTime(600, 0)).toBe('10:00');
});

test('a time snaps to what is near, and to the nearest frame else', () => {
  expect(snapped(1.234, 60, [1.23, 2], 0.01)).toBe(1.23);
  expect(snapped(1.234, 60, [1.3], 0.01)).toBeCloseTo(74 / 60, 9);
  expect(snapped(-1, 60, [], 0.01)).toBe(0);
});

test('in and out points make a selection; one beyond the other begins anew', () => {
  const state = timelineState(10, 60);
  state.setEdge('from', 4);
  expect(state.selection.get()).toEqual({ from: 4, to: 10 });
  state.setEdge('to', 6);
  expect(state.selection.get()).toEqual({ from: 4, to: 6 });
  state.setEdge('from', 8);
  expect(state.selection.get()).toEqual({ from: 8, to: 10 });
  state.setEdge('to', 3);
  expect(state.selection.get()).toEqual({ from: 0, to: 3 });
});
