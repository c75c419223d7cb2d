import { encodeHeader, FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import { delimit } from '@likeness/proto/framing.ts';
import { decodeToPage, encodeSound } from '@likeness/proto/live/live_message.ts';
import { expect, test, vi } from 'vitest';
import type { StudioStream } from '#contract';
import { runSession } from '../../../main/live/session.ts';

/**
 * Bytes of a frame with one weight and a gaze, one of whose fields is a zero that is said: whoever encodes it
 * anew leaves it out.
 */
function frameOf(timeCode: number): Uint8Array {
  const frame = new Uint8Array(9 + 6 + 12);
  const view = new DataView(frame.buffer);
  view.setUint8(0, 0x09);
  view.setFloat64(1, timeCode, true);
  frame.set([0x12, 4], 9);
  view.setFloat32(11, 0.5, true);
  frame.set([0x22, 10, 0x0d, 0, 0, 0, 0, 0x15], 15);
  view.setFloat32(23, 0.25, true);
  return Uint8Array.of(0x12, frame.length, ...frame);
}

test('a frame passes through main as the engine made it but for its time code', async () => {
  const sent: Uint8Array[] = [];
  const hears: ((bytes: Uint8Array) => void)[] = [];
  let close = (): void => {};
  const stream: StudioStream = {
    send: (bytes) => sent.push(bytes),
    onMessage: (listener) => hears.push(listener),
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
    source: 'microphone',
    local: {
      profileId: 'built-in',
      words: { first: 'start', middle: 'continue', last: 'end' },
      announced: async () => ({ streamWords: true, faceOptions: true }),
      usage: () => null,
      service: {
        // One frame at 0.25 s of its trace, whatever is said.
        async *audioToFace() {
          const decoder = new FaceStreamDecoder();
          const header = encodeHeader({ traceId: 't', frameRate: 60, channelNames: ['jawOpen'] });
          for (const message of decoder.push(Buffer.concat([header, delimit(frameOf(0.25))])))
            if (message.kind !== 'error') yield message;
        },
      },
    },
    server: null,
    startTake: () => Promise.reject(new Error('no takes here')),
    newTraceId: () => 't',
    now: Date.now,
    wait: () => Promise.resolve(),
    every: () => () => {},
    onDefect: () => {},
  });
  await vi.waitFor(() => expect(hears).toHaveLength(1));
  // The trace begins when 5 ms of the session have passed.
  hears[0]!(encodeSound({ capturedAt: 0, firstSample: 0, samples: new Float32Array(960) }));
  const framesOf = () => sent.map(decodeToPage).filter((message) => message?.kind === 'frame');
  await vi.waitFor(() => expect(framesOf()).not.toEqual([]));
  const frames = framesOf();
  expect(frames).toHaveLength(1);
  const [frame] = frames;
  expect(frame?.kind === 'frame' && new Uint8Array(frame.message)).toEqual(frameOf(0.25 + 0.005));
  close();
  await over;
});
