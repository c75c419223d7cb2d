import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChangeFeed } from '../src/change_feed.ts';
import { Failure } from '../src/failure.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => {
  const sent: unknown[] = [];
  const feed = createChangeFeed(
    ['photo', 'job'],
    (changes, stale) => sent.push({ ...changes, stale }),
    () => {},
  );
  return { feed, sent };
};
const none = { changed: [], removed: [] };
const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

test('what changes together is one event, and each id is in it once, as it was last', () => {
  const { feed, sent } = open();
  feed.changed('photo', ['a', 'b']);
  feed.changed('photo', ['a']);
  feed.removed('photo', ['b']);
  feed.removed('job', ['c']);
  feed.changed('job', ['c']);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([
    { photo: { changed: ['a'], removed: ['b'] }, job: { changed: ['c'], removed: [] }, stale: false },
  ]);
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(1);
});

test('more than an event may carry is only said to be stale', () => {
  const { feed, sent } = open();
  feed.removed('job', ids(200));
  vi.advanceTimersByTime(100);
  feed.changed('photo', ids(201));
  feed.removed('job', ['x']);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([
    { photo: none, job: { changed: [], removed: ids(200) }, stale: false },
    { photo: none, job: none, stale: true },
  ]);
});

test('nothing changed is no event; a touch is one without records', () => {
  const { feed, sent } = open();
  feed.changed('photo', []);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([]);
  feed.touch();
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([{ photo: none, job: none, stale: false }]);
});

test('closing sends what is left, and nothing after it', () => {
  const { feed, sent } = open();
  feed.changed('photo', ['a']);
  feed.close();
  feed.changed('photo', ['b']);
  feed.touch();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([{ photo: { changed: ['a'], removed: [] }, job: none, stale: false }]);
});

const refusal = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
const failing = (error: unknown) => {
  const attempts: number[] = [];
  const sent: unknown[] = [];
  const defects: unknown[] = [];
  const state = { isBroken: true };
  const start = Date.now();
  const feed = createChangeFeed(
    ['model'],
    (changes) => {
      attempts.push(Date.now() - start);
      if (state.isBroken) throw error;
      sent.push(changes);
    },
    (defect) => defects.push(defect),
  );
  return { feed, attempts, sent, defects, state };
};

test('sends a batch again that could not be sent, later and later, and ends nothing', () => {
  const { feed, attempts, sent, state } = failing(refusal);
  feed.changed('model', ['a']);
  vi.advanceTimersByTime(200_000);
  expect(attempts).toEqual([100, 1100, 3100, 7100, 15_100, 31_100, 63_100, 123_100, 183_100]);
  state.isBroken = false;
  feed.changed('model', ['b']);
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual([{ model: { changed: ['a', 'b'], removed: [] } }]);
  state.isBroken = true;
  feed.changed('model', ['c']);
  vi.advanceTimersByTime(1100);
  expect(attempts.at(-1)! - attempts.at(-2)!, 'the pause begins anew').toBe(1000);
  feed.close();
});

test('reports a defect each time, but not what the disk or the contract refuses', () => {
  const defect = new TypeError('undefined is not a function');
  for (const [error, reported] of [
    [refusal, []],
    [new Failure('not_found', 'There is no such head.'), []],
    [defect, [defect, defect]],
  ] as const) {
    const { feed, defects } = failing(error);
    feed.touch();
    vi.advanceTimersByTime(1100);
    feed.close();
    expect(defects.slice(0, 2)).toEqual(reported);
  }
});
