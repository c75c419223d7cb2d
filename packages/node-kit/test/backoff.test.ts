import { expect, test } from 'vitest';
import { backoffPause } from '../src/backoff.ts';

test('pauses double from the first to the longest, however often it failed', () => {
  const backoff = { first: 500, longest: 3000 };
  expect([1, 2, 3, 4, 5, 5000].map((failures) => backoffPause(failures, backoff))).toEqual([
    500, 1000, 2000, 3000, 3000, 3000,
  ]);
});
