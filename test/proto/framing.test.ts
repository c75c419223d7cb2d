import { FaceStreamError } from '@likeness/proto/face_stream_error.ts';
import { DelimitedReader, delimit } from '@likeness/proto/framing.ts';
import { expect, test } from 'vitest';

const limit = 1_000_000;

function readAll(reader: DelimitedReader): number[] {
  const lengths: number[] = [];
  for (let message = reader.next(); message; message = reader.next()) lengths.push(message.length);
  return lengths;
}

test('messages of every prefix size come back, whatever the chunks', () => {
  const messages = [0, 1, 127, 128, 16_383, 16_384, 300_000].map((length, seed) =>
    Uint8Array.from({ length }, (_, position) => (position * 31 + seed) & 0xff),
  );
  const body = Buffer.concat(messages.map(delimit));
  for (const chunkBytes of [1, 2, 3, 7, 4096, 70_000, body.length]) {
    const reader = new DelimitedReader(limit);
    const received: Uint8Array[] = [];
    for (let start = 0; start < body.length; start += chunkBytes) {
      reader.push(body.subarray(start, start + chunkBytes));
      for (let message = reader.next(); message; message = reader.next())
        received.push(Uint8Array.from(message));
    }
    expect(received.length).toBe(messages.length);
    for (const [index, message] of messages.entries()) {
      expect(Buffer.compare(message, received[index] ?? new Uint8Array(1))).toBe(0);
    }
    expect(reader.midMessage).toBe(false);
    expect(reader.offset).toBe(body.length);
  }
});

test('a message within one chunk is a view on it, not a copy', () => {
  const chunk = delimit(new Uint8Array(500));
  const reader = new DelimitedReader(limit);
  reader.push(chunk);
  expect(reader.next()?.buffer).toBe(chunk.buffer);
});

test('several chunks may wait undrawn', () => {
  const reader = new DelimitedReader(limit);
  for (let count = 0; count < 5; count++) reader.push(delimit(new Uint8Array(count)));
  expect(readAll(reader)).toEqual([0, 1, 2, 3, 4]);
});

test('a length beyond the limit is refused before its bytes come, with its place', () => {
  const reader = new DelimitedReader(1000);
  reader.push(delimit(new Uint8Array(10)));
  reader.push(Uint8Array.of(0xe9, 0x07));
  expect(reader.next()?.length).toBe(10);
  expect(() => reader.next()).toThrow(
    expect.objectContaining({ name: 'FaceStreamError', code: 'message_too_large', byteOffset: 11 }),
  );
});

test('a prefix of more than five bytes is no length', () => {
  const reader = new DelimitedReader(limit);
  reader.push(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x01));
  expect(() => reader.next()).toThrow(FaceStreamError);
});

test('an announced length costs no memory until its bytes come', () => {
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 100 }, () => {
    const reader = new DelimitedReader(0xffffffff);
    reader.push(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3));
    expect(reader.next()).toBeUndefined();
    return reader;
  });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  expect(readers.every((reader) => reader.midMessage)).toBe(true);
});
