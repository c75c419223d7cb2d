import { expect, test } from 'vitest';
import { contentRangeOf, isUnchanged, requestedRange } from '../src/network/byte_range.ts';

const etag = '"v1"';

test.each<[string | undefined, ReturnType<typeof requestedRange>]>([
  [undefined, null],
  ['bytes=0-', { first: 0, last: 9 }],
  ['bytes=2-4', { first: 2, last: 4 }],
  ['Bytes=2-4', { first: 2, last: 4 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=4-99', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
  // Invalid by the RFC, also outside the file: ignored.
  ['bytes=5-2', null],
  ['bytes=12-11', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['bytes=a-b', null],
  ['lines=0-1', null],
])('of ten bytes %s is %j', (range, expected) => {
  expect(requestedRange({ range, ifRange: undefined }, etag, 10)).toEqual(expected);
});

test('an empty file has no range', () => {
  for (const range of ['bytes=0-', 'bytes=-5'])
    expect(requestedRange({ range, ifRange: null }, etag, 0)).toBe('unsatisfiable');
});

test('a range of another version is none', () => {
  expect(requestedRange({ range: 'bytes=2-4', ifRange: etag }, etag, 10)).toEqual({ first: 2, last: 4 });
  expect(requestedRange({ range: 'bytes=2-4', ifRange: '"v0"' }, etag, 10)).toBeNull();
  // Weak ones never serve for ranges.
  expect(requestedRange({ range: 'bytes=2-4', ifRange: `W/${etag}` }, etag, 10)).toBeNull();
});

test('the answer says where its range lies', () => {
  expect(contentRangeOf({ first: 2, last: 4 }, 10)).toBe('bytes 2-4/10');
  expect(contentRangeOf(null, 10)).toBe('bytes */10');
});

test.each([
  [undefined, false],
  ['"v0"', false],
  ['"v1"', true],
  ['W/"v1"', true],
  ['"v0", "v1"', true],
  ['*', true],
])('If-None-Match %s of the version "v1": %s', (header, unchanged) => {
  expect(isUnchanged(header, etag)).toBe(unchanged);
});
