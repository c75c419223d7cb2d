import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { encodeArrival } from '@likeness/proto/take_stream.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { FilmFace } from '../../../../renderer/takes/video/film-face.ts';

const names = Array.from({ length: 200 }, (_, at) => `channel${at}`);
const count = 6000;

/** A `face.pb` whose frame n has n / 10,000 in its first channel. */
function faceFile(): Uint8Array<ArrayBuffer> {
  const messages = [
    encodeBareMessage({ kind: 'header', traceId: 't', frameRate: 30, channelNames: names, mesh: undefined }),
    ...Array.from({ length: count }, (_, index) =>
      encodeBareMessage({
        kind: 'frame',
        index,
        timeCode: index / 30,
        weights: new Float32Array(names.length).fill(index / 10_000),
        headPose: undefined,
        eyeGaze: undefined,
        vertices: undefined,
      }),
    ),
  ].map((message) => encodeArrival({ arrivedAt: 0, tier: 'afterwards', message }));
  const file = new Uint8Array(messages.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const message of messages) {
    file.set(message, at);
    at += message.length;
  }
  return file;
}

afterEach(() => vi.restoreAllMocks());

/** Answers as the studio does. @returns the ranges that were asked for */
function serve(file: Uint8Array<ArrayBuffer>): string[] {
  const asked: string[] = [];
  vi.spyOn(window, 'fetch').mockImplementation(async (_url, options) => {
    const range = new Headers(options?.headers).get('range') ?? '';
    asked.push(range);
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const part = file.slice(Number(from), Number(to) + 1);
    const headers = { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${file.length}` };
    return new Response(part, { status: 206, headers });
  });
  return asked;
}

test('a film’s face is read part by part, as far as it is drawn', async () => {
  const file = faceFile();
  const asked = serve(file);
  const face = await FilmFace.open('asset/film-source/a');
  expect(face.channelNames).toEqual(names);
  expect(asked).toHaveLength(1);
  for (const index of [0, 0, 1, 700, 3000, count - 1])
    expect((await face.frame(index))?.weights[0]).toBeCloseTo(index / 10_000, 6);
  // After the last the last is held, and nothing more is asked for.
  expect((await face.frame(count + 5))?.weights[0]).toBeCloseTo((count - 1) / 10_000, 6);
  expect(asked).toHaveLength(Math.ceil(file.length / 2 ** 20));
  expect(asked.length).toBeGreaterThan(3);
});

test('a take without a face has no frame, and a file that is gone says so', async () => {
  serve(new Uint8Array(0));
  expect(await (await FilmFace.open('a')).frame(3)).toBeUndefined();
  vi.spyOn(window, 'fetch').mockResolvedValue(new Response(null, { status: 404, statusText: 'Not Found' }));
  await expect(FilmFace.open('a')).rejects.toThrow('404');
});
