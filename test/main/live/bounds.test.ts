import { encodeSound } from '@likeness/proto/live/live_message.ts';
import { expect, test } from 'vitest';
import type { StudioStream } from '#contract';
import { AudioStreamClient } from '../../../main/live/audio_stream_client.ts';
import type { LiveService } from '../../../main/live/live_service.ts';
import { SampleQueue } from '../../../main/live/sample_queue.ts';
import { runSession } from '../../../main/live/session.ts';

/** A server that takes everything and answers nothing until it is let go. */
const silent = {
  async *audioToFace(_: unknown, { signal }: { signal: AbortSignal }): AsyncGenerator<never> {
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
    );
  },
};
const words = { first: 'start', middle: 'continue', last: 'end' };
const service = (streamWords: boolean): LiveService => ({
  profileId: 'built-in',
  service: silent,
  words,
  announced: async () => ({ streamWords, faceOptions: false }),
  usage: () => null,
});

function open(streamWords: boolean) {
  let say: (bytes: Uint8Array) => void = () => {};
  let close = (): void => {};
  const listens = Promise.withResolvers<void>();
  const stream: StudioStream = {
    send: () => {},
    onMessage: (listener) => {
      say = listener;
      listens.resolve();
    },
    onClose: (closer) => {
      close = () => closer();
    },
    close: () => close(),
  };
  const over = runSession({
    stream,
    sampleRate: 48_000,
    frameRate: 60,
    lookahead: 0,
    source: 'file',
    local: service(streamWords),
    server: null,
    startTake: () => Promise.reject(new Error('no takes here')),
    newTraceId: () => 't',
    now: Date.now,
    wait: () => Promise.resolve(),
    every: () => () => {},
    onDefect: () => {},
  });
  return {
    over,
    listens: listens.promise,
    say: (samples: Float32Array) => say(encodeSound({ capturedAt: 0, firstSample: 0, samples })),
    close: () => close(),
  };
}

test.each([true, false])(
  'sound of a file that nobody answers ends the session (streamed: %s)',
  async (streamed) => {
    const page = open(streamed);
    let error: unknown;
    page.over.catch((reason: unknown) => {
      error = reason;
    });
    await page.listens;
    const second = new Float32Array(48_000).fill(0.5);
    let sent = 0;
    for (; sent < 120 && error === undefined; sent++) {
      page.say(second);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(error).toMatchObject({ code: 'unsupported', message: /sent more audio than/ });
    // The page is 30 s ahead at most.
    expect(sent).toBeGreaterThan(30);
    expect(sent).toBeLessThan(80);
  },
);

test('sound in a million pieces counts as what it takes', async () => {
  const page = open(true);
  let error: unknown;
  page.over.catch((reason: unknown) => {
    error = reason;
  });
  await page.listens;
  let sent = 0;
  for (; sent < 100_000 && error === undefined; sent++) {
    page.say(new Float32Array(1));
    if (sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(error).toMatchObject({ code: 'unsupported' });
});

test('a voice that is stopped gives back what waited, and one without words holds no more than it must', async () => {
  const voice = (wholeUtterances: boolean): AudioStreamClient =>
    new AudioStreamClient({
      service: silent,
      words: wholeUtterances ? null : words,
      wholeWord: 'start',
      faceOptions: null,
      sampleRate: 48_000,
      least: 1,
      most: 2,
      maxWaiting: wholeUtterances ? 4 : Number.POSITIVE_INFINITY,
      newTraceId: () => 't',
      now: Date.now,
      wait: () => Promise.resolve(),
      onHeader: () => {},
      onFrame: () => {},
      onAnswer: () => {},
      onFailure: () => false,
    });
  const streamed = voice(false);
  for (let second = 0; second < 100; second++) streamed.push(new Float32Array(48_000));
  expect(streamed.waiting).toBeGreaterThan(90);
  streamed.stop();
  expect(streamed.waiting).toBe(0);
  const whole = voice(true);
  for (let second = 0; second < 600; second++) whole.push(new Float32Array(48_000).fill(0.5));
  expect(whole.waiting).toBeLessThanOrEqual(24);
  whole.stop();
  expect(whole.waiting).toBe(0);
});

test('a queue forgets all without a copy of it', () => {
  const queue = new SampleQueue();
  queue.push(new Float32Array(10));
  expect(queue.keepNewest(0)).toBe(10);
  expect([queue.length, queue.blocks]).toEqual([0, 0]);
});
