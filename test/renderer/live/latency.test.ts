import { expect, test } from 'vitest';
import { LatencyBook } from '../../../renderer/live/latency.ts';

const row = (solve: number) => ({ capture: 10, send: 2, solve, return: 1, render: 7 });

test('figures are of a session that has settled, and of its newest frames', () => {
  const book = new LatencyBook();
  // A first second in which everything is started.
  for (let frame = 0; frame < 60; frame++) book.add(row(400));
  expect(book.figures()).toBeNull();
  for (let frame = 0; frame < 600; frame++) book.add(row(frame < 300 ? 30 : 50));
  expect(book.figures()).toMatchObject({
    solve: { p50: 50, p95: 50 },
    capture: { p50: 10, p95: 10 },
    total: { p50: 70, p95: 70 },
  });
  for (let frame = 0; frame < 540; frame++) book.add(row(20));
  expect(book.figures()!.solve).toEqual({ p50: 20, p95: 50 });
  for (let frame = 0; frame < 60; frame++) book.add(row(20));
  expect(book.figures()!.solve).toEqual({ p50: 20, p95: 20 });
});
