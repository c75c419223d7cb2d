import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChangeFeed } from '../src/change_feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => {
  const sent: unknown[] = [];
  const feed = createChangeFeed(['photo', 'job'], (changes, stale) => sent.push({ ...changes, stale }));
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

test('sends a batch again that could not be sent, and ends nothing', async () => {
  const sent: unknown[] = [];
  let isBroken = true;
  const feed = createChangeFeed(['model'], (changes) => {
    if (isBroken) throw new Error('the disk failed');
    sent.push(changes);
  });
  feed.changed('model', ['a']);
  vi.advanceTimersByTime(100);
  isBroken = false;
  feed.changed('model', ['b']);
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([{ model: { changed: ['a', 'b'], removed: [] } }]);
  feed.close();
});
