import type { LiveCommand } from '@likeness/proto/live/live_command.ts';
import { encodeOrder, encodeSound } from '@likeness/proto/live/live_message.ts';
import { decodeToStudio } from '@likeness/proto/live/live_message_to_studio.ts';
import { expect, test } from 'vitest';

const orders: LiveCommand[] = [
  { order: 'interrupt' },
  { order: 'record', name: 'Take 1', notes: '', model: '3f1b5a52-0000-4000-8000-000000000001' },
  { order: 'record', name: '', notes: '', model: '' },
  { order: 'stop_recording', latency: { p50: 41.5, p95: 80 } },
  { order: 'stop_recording', latency: null },
  { order: 'end' },
];

test.each(orders)('an order arrives as it was given: $order', (order) => {
  expect(decodeToStudio(encodeOrder(order))).toEqual({ kind: 'order', order });
});

test.each([
  { order: 'stop_recording', latency: { p50: 'a', p95: {} } },
  { order: 'stop_recording', latency: { p50: -1, p95: 1 } },
  { order: 'stop_recording' },
  { order: 'record', name: 7, notes: {}, model: [] },
  { order: 'record', name: 'x', notes: '', model: '../../elsewhere' },
  { order: 'record', name: 'x', notes: '', model: '', script: { text: 'a', language: 'de', fileName: '' } },
  { order: 'record', name: 'x'.repeat(2000), notes: '', model: '' },
  { order: 'erase everything' },
  { order: '__proto__' },
  {},
  [],
  null,
  'end',
])('what is no order is none of ours: %j', (order) => {
  expect(decodeToStudio(encodeOrder(order as unknown as LiveCommand))).toBeNull();
});

test('bytes at random are no message, or one that makes sense', () => {
  const sound = encodeSound({ capturedAt: 1, firstSample: 0, samples: new Float32Array(4) });
  let seed = 3;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < 5000; round++) {
    const bytes = Uint8Array.from(round % 2 ? sound : encodeOrder(orders[random(orders.length)]!));
    for (let at = 0; at < 1 + random(4); at++) bytes[random(bytes.length)] = random(256);
    const message = decodeToStudio(bytes.subarray(0, random(bytes.length + 1)));
    expect([undefined, 'sound', 'order']).toContain(message?.kind);
  }
});
