import { percentile } from '@likeness/proto/percentile.ts';
import { expect, test } from 'vitest';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => count - i);

test('a percentile is the smallest value that the share of all do not exceed', () => {
  expect(percentile(upTo(20), 0.95)).toBe(19);
  expect(percentile(upTo(21), 0.95)).toBe(20);
  expect(percentile(upTo(2), 0.5)).toBe(1);
  expect(percentile(upTo(3), 0.5)).toBe(2);
  expect(percentile([5], 0.95)).toBe(5);
  expect(percentile(upTo(10), 0)).toBe(1);
  expect(percentile(upTo(10), 1)).toBe(10);
  expect(percentile([], 0.5)).toBeNaN();
});

test('every whole percentile of a hundred values is its rank', () => {
  for (let percent = 1; percent <= 100; percent++) expect(percentile(upTo(100), percent / 100)).toBe(percent);
});

test('values stay in their order, and are compared as numbers', () => {
  const values = [10, 9, 100];
  expect(percentile(values, 0.5)).toBe(10);
  expect(values).toEqual([10, 9, 100]);
});
