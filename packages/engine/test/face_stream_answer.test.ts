import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sendMessages } from '../src/faces/face_stream_answer.ts';

test('a long answer to a slow reader keeps no listeners of what it waited for', async () => {
  const pieces = 24;
  const piece = new Uint8Array(256 * 1024);
  let waited = 0;
  const kept: number[] = [];
  const server = createServer(async (_request, response) => {
    const before = response.listenerCount('close') + response.listenerCount('error');
    for (let sent = 0; sent < pieces; sent++) {
      const sending = sendMessages(response, [piece]);
      if (response.writableNeedDrain) waited++;
      await sending;
      kept.push(response.listenerCount('close') + response.listenerCount('error') - before);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect((await answer.arrayBuffer()).byteLength).toBe(pieces * piece.length);
  } finally {
    server.close();
  }
  expect(waited).toBeGreaterThan(2);
  expect(Math.max(...kept)).toBe(0);
});

test('one of many streams goes on in each turn of the event loop, each as often as the others', async () => {
  const response = { destroyed: false, write: () => true } as unknown as ServerResponse;
  const sent = [0, 0, 0, 0, 0];
  let sinceTurn = 0;
  const mostInTurn: number[] = [];
  let isOver = false;
  const watch = (): void => {
    mostInTurn.push(sinceTurn);
    sinceTurn = 0;
    if (!isOver) setImmediate(watch);
  };
  const stream = async (at: number): Promise<void> => {
    for (let n = 0; n < 20; n++) {
      await sendMessages(response, [Uint8Array.of(1)]);
      sinceTurn += 1;
      sent[at]! += 1;
      expect(Math.max(...sent) - Math.min(...sent)).toBeLessThanOrEqual(1);
    }
  };
  const streams = sent.map((_, at) => stream(at));
  setImmediate(watch);
  await Promise.all(streams);
  isOver = true;
  expect(sent).toEqual([20, 20, 20, 20, 20]);
  expect(Math.max(...mostInTurn)).toBe(1);
});
