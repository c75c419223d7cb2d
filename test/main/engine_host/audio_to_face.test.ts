import { randomUUID } from 'node:crypto';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { FaceStreamMessage } from '@likeness/proto/face_stream_protocol.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  blob,
  entries,
  finished,
  generate,
  picture,
  startTestEngine,
  type TestEngine,
  temporaryFolder,
} from '../../support/service/engine_harness.ts';

let engine: TestEngine;
const folder = temporaryFolder();
beforeAll(async () => {
  engine = await startTestEngine({ folder: folder.path, limits: { traceIdle: 800, openTraces: 3 } });
});
afterAll(async () => {
  await engine.kill('SIGTERM');
  folder.remove();
});

const send = (body: unknown, headers: Record<string, string> = {}, to = engine): Promise<Response> =>
  fetch(`${to.url}/v1/audio-to-face/mesh`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${to.accessToken}`,
      'content-type': 'application/json',
      accept: 'application/x-protobuf',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const bytesOf = async (response: Response): Promise<Uint8Array> => {
  expect(response.status, response.ok ? '' : await response.clone().text()).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
};

function decode(...bodies: Uint8Array[]): FaceStreamMessage[] {
  const decoder = new FaceStreamDecoder();
  const messages = bodies.flatMap((body) => [...decoder.push(body)]);
  return [...messages, ...decoder.finish()];
}

/** 16-bit samples of a tone, interleaved. */
function tone(seconds: number, sampleRate = 16_000, channels = 1): Buffer {
  const bytes = Buffer.alloc(Math.round(seconds * sampleRate) * channels * 2);
  for (let i = 0; i < bytes.length / 2; i++) {
    bytes.writeInt16LE(
      Math.round(12_000 * Math.sin((Math.floor(i / channels) * 440 * 2 * Math.PI) / sampleRate)),
      i * 2,
    );
  }
  return bytes;
}

function wav(
  samples: Buffer,
  { sampleRate = 16_000, channels = 1, bits = 16, format = 1, claimed = samples.length } = {},
): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE((36 + claimed) >>> 0, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(format, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE((sampleRate * channels * bits) / 8, 28);
  header.writeUInt16LE((channels * bits) / 8, 32);
  header.writeUInt16LE(bits, 34);
  header.write('data', 36);
  header.writeUInt32LE(claimed, 40);
  return Buffer.concat([header, samples]);
}
const start = (audio: Buffer, more: object = {}) => ({
  traceId: randomUUID(),
  status: 'start',
  data: audio.toString('base64'),
  ...more,
});

describe('a whole utterance', () => {
  it('comes back as header, frames in order and an end that counts them', async () => {
    const order = start(wav(tone(2)));
    const response = await send(order);
    expect(response.headers.get('content-type')).toMatch(/^application\/x-protobuf/);
    const messages = decode(await bytesOf(response));
    expect(messages[0]).toMatchObject({
      kind: 'header',
      traceId: order.traceId,
      frameRate: 60,
      channelNames: ['jawOpen', 'mouthClose'],
    });
    const frames = messages.filter(({ kind }) => kind === 'frame');
    expect(frames.length).toBeGreaterThanOrEqual(120);
    expect(messages.at(-1)).toMatchObject({ kind: 'end', frameCount: frames.length, duration: 2 });
  });

  it('is sent as it is made, not at the end', async () => {
    const response = await send(start(wav(tone(300))));
    const reader = response.body!.getReader();
    let chunks = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) chunks++;
    expect(chunks).toBeGreaterThan(10);
  });

  it('may be raw PCM with a stated rate, stereo, 30 frames a second, or a WAV without an end', async () => {
    const raw = decode(
      await bytesOf(
        await send(start(tone(1, 48_000, 2), { sampleRate: 48_000, channels: 2, frameRate: 30 })),
      ),
    );
    expect(raw[0]).toMatchObject({ frameRate: 30 });
    expect(raw.at(-1)).toMatchObject({ kind: 'end', duration: 1 });
    const streamed = decode(await bytesOf(await send(start(wav(tone(1), { claimed: 0xffffffff })))));
    expect(streamed.at(-1)).toMatchObject({ kind: 'end', duration: 1 });
    const floats = Buffer.from(new Float32Array(16_000).fill(0.5).buffer);
    const float = decode(await bytesOf(await send(start(wav(floats, { bits: 32, format: 3 })))));
    expect(float.at(-1)).toMatchObject({ kind: 'end', duration: 1 });
  });
});

describe('vertices', () => {
  it('come with every frame where they are asked for, moved by its weights', async () => {
    const messages = decode(await bytesOf(await send(start(wav(tone(0.5)), { vertices: true }))));
    expect(messages[0]).toMatchObject({
      mesh: { vertexCount: 3, triangleIndices: Uint32Array.of(0, 1, 2) },
    });
    const frames = messages.filter((one) => one.kind === 'frame');
    expect(frames.length).toBeGreaterThanOrEqual(30);
    for (const { weights, vertices } of frames) {
      expect([...vertices!]).toEqual([0, 0, 0, 1, 0, 0, 0, -weights[0]!, 0]);
    }
  });

  it('go on in the parts that follow, which need not ask again', async () => {
    const order = start(wav(tone(0.2)), { vertices: true });
    await bytesOf(await send(order));
    const [header, frame] = decode(
      await bytesOf(await send({ ...start(tone(0.2)), traceId: order.traceId, status: 'end' })),
    );
    expect(header).toMatchObject({ mesh: { vertexCount: 3 } });
    expect(frame).toMatchObject({ kind: 'frame', vertices: expect.any(Float32Array) });
  });

  it('stay away otherwise', async () => {
    const [header, frame] = decode(await bytesOf(await send(start(wav(tone(0.2))))));
    expect(header).toMatchObject({ kind: 'header', mesh: undefined });
    expect(frame).toMatchObject({ kind: 'frame', vertices: undefined });
    const wrong = await send(start(wav(tone(0.2)), { vertices: 1 }));
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ code: 'field_wrong_value', field: 'vertices' });
  });
});

describe('a voice in parts', () => {
  it('is the whole, however it is cut', async () => {
    const framesOf = (messages: FaceStreamMessage[]) => messages.filter((one) => one.kind === 'frame');
    const audio = tone(1.5);
    const whole = framesOf(decode(await bytesOf(await send(start(wav(audio))))));
    const traceId = randomUUID();
    const parts: FaceStreamMessage[][] = [];
    const part = async (status: string, data: Buffer): Promise<void> => {
      // Each answer is a stream of its own, with header and end.
      parts.push(decode(await bytesOf(await send({ traceId, status, data: data.toString('base64') }))));
    };
    await part('start', wav(audio.subarray(0, 1000)));
    for (let at = 1000; at < audio.length; at += 6400) {
      const piece = audio.subarray(at, at + 6400);
      await part('continue', at % 3 === 0 ? piece : wav(piece));
    }
    await part('end', Buffer.alloc(0));
    const frames = parts.flatMap(framesOf);
    expect(frames.map(({ timeCode }) => timeCode)).toEqual(whole.map(({ timeCode }) => timeCode));
    // But for what was thought to be the end of the utterance when there was no more of it.
    const thought = framesOf(parts[0]!).length - 1;
    const weightsBut = (list: typeof whole) => list.toSpliced(thought, 1).map(({ weights }) => weights);
    expect(weightsBut(frames)).toEqual(weightsBut(whole));
  });

  it('is refused where its order is broken', async () => {
    const traceId = randomUUID();
    const data = tone(0.1).toString('base64');
    const raw = { sampleRate: 16_000 };
    const code = async (body: object): Promise<unknown> =>
      ((await (await send(body)).json()) as { code: string }).code;
    expect(await code({ traceId, status: 'continue', data })).toBe('trace_not_open');
    expect(await code({ traceId, status: 'end', data: '' })).toBe('trace_not_open');
    await bytesOf(await send({ traceId, status: 'start', data, ...raw }));
    expect(await code({ traceId, status: 'start', data, ...raw })).toBe('trace_reused');
    expect(await code({ traceId, status: 'continue', data: '' })).toBe('audio_empty');
    expect(await code({ traceId, status: 'continue', data, sampleRate: 8000 })).toBe('audio_changed');
    await bytesOf(await send({ traceId, status: 'end', data }));
    expect(await code({ traceId, status: 'continue', data })).toBe('trace_not_open');
    expect(await code({ traceId, status: 'start', data, ...raw })).toBe('trace_reused');
  });

  it('ends by itself when nobody goes on, and is one of a bounded number', async () => {
    const data = tone(0.1).toString('base64');
    const open = async (): Promise<Response> => {
      const traceId = randomUUID();
      await bytesOf(await send({ traceId, status: 'start', data, sampleRate: 16_000 }));
      return send({ traceId, status: 'continue', data });
    };
    await new Promise((resolve) => setTimeout(resolve, 900));
    for (let i = 0; i < 3; i++) await bytesOf(await open());
    const fourth = await send({ traceId: randomUUID(), status: 'start', data, sampleRate: 16_000 });
    expect(fourth.status).toBe(503);
    expect(fourth.headers.get('retry-after')).toBe('1');
    expect(await fourth.json()).toMatchObject({ code: 'too_many_traces' });
    await new Promise((resolve) => setTimeout(resolve, 900));
    await bytesOf(await open());
  });

  it('does not stand in the way of whole utterances, however many come', async () => {
    for (let i = 0; i < 8; i++) await bytesOf(await send(start(wav(tone(0.1)))));
  });

  it('that was refused has not used up its traceId', async () => {
    const order = start(wav(tone(0.2)));
    expect((await send({ ...order, data: 'RIFF' })).status).toBe(400);
    await bytesOf(await send(order));
  });
});

describe('a request that is wrong', () => {
  const good = () => start(wav(tone(0.1)));
  it.each<[string, () => unknown, number, string]>([
    ['not JSON', () => '{"traceId":', 400, 'json_malformed'],
    ['a list', () => [], 400, 'json_malformed'],
    ['no traceId', () => ({ ...good(), traceId: undefined }), 400, 'field_wrong_value'],
    ['a traceId that is no UUID', () => ({ ...good(), traceId: 'abc' }), 400, 'field_wrong_value'],
    ['no status', () => ({ ...good(), status: undefined }), 400, 'status_unknown'],
    ['an unknown status', () => ({ ...good(), status: 'middle' }), 400, 'status_unknown'],
    ['a number for data', () => ({ ...good(), data: 7 }), 400, 'field_wrong_value'],
    ['an unknown field', () => ({ ...good(), rate: 7 }), 400, 'field_unknown'],
    ['bad base64', () => ({ ...good(), data: '*not base64*' }), 400, 'audio_not_base64'],
    ['cut base64', () => ({ ...good(), data: good().data.slice(0, -3) }), 400, 'audio_not_base64'],
    ['not audio', () => start(Buffer.from('hello, this is text')), 400, 'audio_unreadable'],
    ['an MP3', () => start(Buffer.from([0xff, 0xfb, 0x90, 0x44, 0, 0, 0, 0])), 400, 'audio_unreadable'],
    ['a WAV without data', () => start(wav(Buffer.alloc(0)).subarray(0, 36)), 400, 'audio_unreadable'],
    ['an empty WAV', () => start(wav(Buffer.alloc(0))), 400, 'audio_empty'],
    ['nothing', () => ({ ...good(), data: '' }), 400, 'audio_empty'],
    ['µ-law', () => start(wav(Buffer.alloc(800), { format: 7, bits: 8 })), 400, 'audio_unsupported'],
    ['4 kHz', () => start(wav(Buffer.alloc(800), { sampleRate: 4000 })), 400, 'audio_unsupported'],
    ['no channels', () => start(wav(Buffer.alloc(800), { channels: 0 })), 400, 'audio_unsupported'],
    ['half a sample', () => start(Buffer.alloc(801), { sampleRate: 16_000 }), 400, 'audio_unreadable'],
  ])('%s', async (_name, body, status, code) => {
    const response = await send(body());
    expect(response.status).toBe(status);
    const refusal = (await response.json()) as { code: string; message: string };
    expect(refusal.code).toBe(code);
    expect(refusal.message.length).toBeGreaterThan(10);
  });

  it('a wrong Content-Type or Accept', async () => {
    expect((await send(good(), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send(good(), { accept: 'application/json' })).status).toBe(406);
    expect((await send(good(), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('is told in Chinese to who asks for it', async () => {
    const response = await send({ ...good(), data: '' }, { 'accept-language': 'zh-TW' });
    expect(await response.json()).toMatchObject({ message: '音频为空。' });
  });

  it('more audio than a trace may have, whole or in parts', async () => {
    const small = temporaryFolder();
    const strict = await startTestEngine({ folder: small.path, limits: { traceSeconds: 2 } });
    try {
      const whole = await send(start(wav(tone(2.1))), {}, strict);
      expect(whole.status).toBe(413);
      expect(await whole.json()).toMatchObject({ code: 'audio_too_long', field: 'data' });
      const first = start(wav(tone(1.5)));
      await bytesOf(await send(first, {}, strict));
      const second = await send({ ...first, status: 'continue' }, {}, strict);
      expect(await second.json()).toMatchObject({ code: 'audio_too_long' });
    } finally {
      await strict.kill();
      small.remove();
    }
  });
});

describe('an engine without its computing parts', () => {
  it('says so honestly: an error in the stream, status 4 for a model', async () => {
    const other = temporaryFolder();
    const empty = await startTestEngine({ entry: entries.empty, folder: other.path });
    try {
      const messages = decode(await bytesOf(await send(start(wav(tone(0.5))), {}, empty)));
      expect(messages).toEqual([expect.objectContaining({ code: 'speech_missing' })]);
      const { finished, generate, blob, picture } = await import('../../support/service/engine_harness.ts');
      const { body } = await generate(empty, { file: blob(await picture(1)), sex: '1' });
      expect(await finished(empty, body.data.modelId as string)).toMatchObject({
        status: 4,
        failMessage: expect.stringContaining('portrait part is missing'),
        downloadLink: '',
      });
    } finally {
      await empty.kill();
      other.remove();
    }
  });
});

it('heads come second while a voice goes on, and not for a sound that is sent whole', async () => {
  const place = temporaryFolder();
  const other = await startTestEngine({ folder: place.path });
  try {
    // The portrait part is there from the first head on.
    const { body } = await generate(other, { sex: '1', file: blob(await picture(1)) });
    await finished(other, String(body.data.modelId));
    const whole = start(wav(tone(0.3)));
    await bytesOf(await send(whole, {}, other));
    expect(other.output()).not.toContain('heads yield');
    const first = start(wav(tone(0.02)));
    await bytesOf(await send(first, {}, other));
    for (let part = 0; part < 5; part++)
      await bytesOf(await send({ ...first, status: 'continue' }, {}, other));
    await vi.waitFor(() => expect(other.output()).toContain('heads yield'));
    expect(other.output()).not.toContain('heads go on');
    await vi.waitFor(() => expect(other.output()).toContain('heads go on'), 10_000);
    expect(other.output().match(/heads yield/g)).toHaveLength(1);
  } finally {
    await other.kill('SIGTERM');
    place.remove();
  }
});
