import { describe, expect, test, vi } from 'vitest';
import { newProfile } from '../../../preload/contract.ts';
import {
  answer,
  channelNames,
  delayed,
  encodeEnd,
  encodeError,
  endlessFaceStream,
  faceStreamBytes,
  frameBytes,
  headerBytes,
  html,
  json,
  protobuf,
  reset,
  resetInBody,
  stall,
  stallInBody,
} from '../../../test/fixtures/service/behaviours.ts';
import type { Behaviour } from '../../../test/fixtures/service/scripted_service.ts';
import type { UpstreamClient } from '../src/client.ts';
import type { FaceMessage } from '../src/operations/audio_to_face.ts';
import { everythingOf, expectNoSecret, failureOf, setStage, told } from './harness.ts';

const traceId = '7e6c0a3e-54f1-4d5d-8d0c-1f2b3c4d5e6f';
/** A WAV file's size of so many seconds at 16 kHz and 16 bits; the service looks at no more. */
const wav = (seconds: number): Uint8Array => new Uint8Array(44 + seconds * 32_000).fill(3);
const speak = (client: UpstreamClient, seconds = 1, signal?: AbortSignal): AsyncIterable<FaceMessage> =>
  client.audioToFace({ traceId, status: 'start', audio: wav(seconds), seconds }, signal ? { signal } : {});

async function gather(
  messages: AsyncIterable<FaceMessage>,
  into: FaceMessage[] = [],
): Promise<FaceMessage[]> {
  for await (const message of messages) into.push(message);
  return into;
}

describe('a face stream', () => {
  test('comes as header, frames and end, and is entered with what it costs', async () => {
    const { service, client, exchanges } = await setStage();
    const messages = await gather(speak(client, 2));
    expect(messages[0]).toMatchObject({ kind: 'header', traceId, frameRate: 60, channelNames });
    expect(messages.filter(({ kind }) => kind === 'frame')).toHaveLength(120);
    expect(messages[5]).toMatchObject({
      kind: 'frame',
      index: 4,
      weights: new Float32Array([0.5, 0.25, 0.125]),
    });
    expect(messages.at(-1)).toEqual({ kind: 'end', frameCount: 120, duration: 2 });

    const request = service.last('audio_to_face');
    expect(request.path).toBe('/v1/audio-to-face/mesh');
    expect(request.headers).toMatchObject({
      authorization: `Bearer ${service.accessToken}`,
      accept: 'application/x-protobuf',
      'content-type': 'application/json',
    });
    expect(JSON.parse(request.body.toString())).toEqual({
      traceId,
      status: 'start',
      data: Buffer.from(wav(2)).toString('base64'),
    });
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({
      operation: 'audio_to_face',
      subject: traceId,
      outcome: 'ok',
      httpStatus: 200,
      billedSeconds: 2,
      billedFrames: 120,
      bytesSent: request.body.byteLength,
      bytesReceived: faceStreamBytes(traceId, 120).byteLength,
    });
  });

  test.each([1, 7, 4096])('arrives whole in pieces of %i bytes', async (pieceBytes) => {
    const { service, client } = await setStage();
    service.script('audio_to_face', protobuf(faceStreamBytes(traceId, 30), pieceBytes));
    expect(await gather(speak(client))).toHaveLength(32);
  });

  test('long audio is sent as the same JSON, made while it is sent', async () => {
    const { service, client } = await setStage();
    const audio = Uint8Array.from({ length: 1_000_001 }, (_, at) => (at * 7) & 255);
    await gather(client.audioToFace({ traceId, status: 'äöü "quoted"', audio, seconds: 31 }));
    const { body, headers } = service.last('audio_to_face');
    expect(Number(headers['content-length'])).toBe(body.byteLength);
    const sent = JSON.parse(body.toString('utf8')) as { status: string; data: string };
    expect(sent.status).toBe('äöü "quoted"');
    expect(Buffer.from(sent.data, 'base64').equals(audio)).toBe(true);
  });

  test('a frame is there before the stream is over', async () => {
    const { service, client } = await setStage();
    let release: (() => void) | undefined;
    service.script('audio_to_face', async ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/x-protobuf' });
      response.write(Buffer.concat([headerBytes(traceId), frameBytes(0)]));
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      response.end(Buffer.concat([frameBytes(0.5), encodeEnd({ frameCount: 2, duration: 1 })]));
    });
    const kinds: string[] = [];
    for await (const { kind } of speak(client)) {
      kinds.push(kind);
      if (kinds.length === 2) release?.();
    }
    expect(kinds).toEqual(['header', 'frame', 'frame', 'end']);
  });

  test('a slow reader holds the server back instead of filling memory', async () => {
    const { service, client } = await setStage();
    const sent = { frames: 0 };
    service.script('audio_to_face', endlessFaceStream(sent));
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250));
    let read = 0;
    let filled = 0;
    for await (const _ of speak(client, 3000)) {
      if (++read < 10) continue;
      await pause();
      filled = sent.frames;
      await pause();
      break;
    }
    // What the sockets of both sides take is not ours; once they are full, nothing more may come.
    expect(sent.frames).toBe(filled);
  });

  test('leaving the loop ends the request, and what came is entered', async () => {
    const { service, client, exchanges } = await setStage();
    let closed: Promise<unknown> | undefined;
    service.script('audio_to_face', (turn) => {
      closed = new Promise((resolve) => turn.response.once('close', resolve));
      return endlessFaceStream()(turn);
    });
    for await (const { kind } of speak(client, 10)) if (kind === 'frame') break;
    await closed;
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({ outcome: 'cancelled', billedSeconds: 10, uncertain: false });
    expect(exchanges[0]?.billedFrames).toBeGreaterThan(0);
  });

  test('the turn is free again afterwards, however it ended', async () => {
    const { service, client } = await setStage({ endpoint: { concurrency: 1 } });
    service.script('audio_to_face', endlessFaceStream(), reset(), answer(500), protobuf(Buffer.from('junk')));
    for await (const _ of speak(client)) break;
    for (let count = 0; count < 3; count++) await failureOf(gather(speak(client)));
    expect((await gather(speak(client))).at(-1)).toMatchObject({ kind: 'end' });
  });

  test('nothing is sent before somebody listens', async () => {
    const { service, client } = await setStage();
    speak(client);
    await client.extensions();
    expect(service.requests.map(({ operation }) => operation)).toEqual(['get_model']);
  });

  test.each([true, false])('frame rate and lookahead go to who announces them: %s', async (announces) => {
    const { service, client } = await setStage({ service: { announce: announces ? ['face-options'] : [] } });
    const request = {
      traceId,
      status: 'start',
      audio: wav(1),
      seconds: 1,
      frameRate: 60,
      lookahead: 20,
    } as const;
    await gather(client.audioToFace(request));
    const sent = JSON.parse(service.last('audio_to_face').body.toString()) as Record<string, unknown>;
    expect([sent.frameRate, sent.lookahead]).toEqual(announces ? [60, 20] : [undefined, undefined]);
    expect(sent.data).toBe(Buffer.from(wav(1)).toString('base64'));
  });

  test.each([true, false])('a wish for less noise goes to who announces it: %s', async (announces) => {
    const { service, client } = await setStage({
      service: { announce: announces ? ['noise-suppression'] : [] },
    });
    const request = { traceId, status: 'start', audio: wav(1), seconds: 1, suppressNoise: true } as const;
    await gather(client.audioToFace({ ...request, lookahead: 20 }));
    const sent = JSON.parse(service.last('audio_to_face').body.toString()) as Record<string, unknown>;
    expect([sent.suppressNoise, sent.lookahead]).toEqual([announces ? true : undefined, undefined]);
  });

  test('what a call will cost is known before it is sent', async () => {
    const planned: unknown[] = [];
    const settled: unknown[] = [];
    const { client } = await setStage({
      beforeCall: (call) => {
        planned.push(call);
        return Promise.resolve();
      },
      onExchange: (_, call) => settled.push(call),
    });
    await gather(speak(client, 2));
    expect(settled[0]).toBe(planned[0]);
    expect(planned).toEqual([
      { profileId: 'scripted', operation: 'audio_to_face', seconds: 2, frames: 120, models: 0 },
    ]);
  });
});

describe('a stream schema of the user’s own', () => {
  const stream = {
    ...newProfile.stream,
    schema: 'custom' as const,
    proto: 'syntax = "proto3"; message Face { double t = 1; repeated float w = 2; }',
    mapping: {
      ...newProfile.stream.mapping,
      message: 'Face',
      timeCode: 't',
      timeCodeUnit: 'milliseconds' as const,
      weights: 'w',
      channels: ['a', 'b'],
      frameRate: 30,
    },
  };

  test('is read by its mapping', async () => {
    const { service, client, exchanges } = await setStage({ endpoint: { stream } });
    // t = 40 ms (field 1, double), w = [1, 0.5] (field 2, packed), with a length before it.
    const message = Buffer.concat([
      Buffer.from([19, 0x09]),
      doubleBytes(40),
      Buffer.from([0x12, 8]),
      floatBytes(1),
      floatBytes(0.5),
    ]);
    service.script('audio_to_face', protobuf(message));
    const messages = await gather(speak(client));
    expect(messages.map(({ kind }) => kind)).toEqual(['header', 'frame', 'end']);
    expect(messages[1]).toMatchObject({ timeCode: 0.04, weights: new Float32Array([1, 0.5]) });
    expect(exchanges[0]?.billedFrames).toBe(1);
  });

  test('that can’t be used is told before anything is sent', async () => {
    const { service, client } = await setStage({ endpoint: { stream: { ...stream, proto: 'message {' } } });
    const error = await failureOf(gather(speak(client)));
    expect([error.code, error.field]).toEqual(['invalid_input', 'stream.proto']);
    expect(error.message).toMatch(/^Audio to face: The stream schema of “Scripted” can't be used\. /);
    expect(service.requests).toHaveLength(0);
  });

  function doubleBytes(value: number): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  }
  function floatBytes(value: number): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return bytes;
  }
});

describe('what a person is told', () => {
  const billed = 'The seconds sent may be billed.';
  const kept = `The frames before that were read. ${billed}`;
  const good = faceStreamBytes(traceId, 10);
  const cases: [
    string,
    Behaviour,
    { words: string[]; before: number; seconds: number; uncertain?: boolean },
  ][] = [
    [
      'garbage',
      protobuf(Buffer.from('ffffffffffffffff', 'hex')),
      {
        words: [
          'upstream_broken',
          `Audio to face: HOST: The face stream has no readable message length at byte 0.`,
          billed,
        ],
        before: 0,
        seconds: 1,
      },
    ],
    [
      'a stream that is cut, though HTTP says that it is whole',
      protobuf(good.subarray(0, good.byteLength - 40)),
      {
        words: ['upstream_broken', 'Audio to face: HOST: The face stream broke off after', kept],
        before: 10,
        seconds: 1,
      },
    ],
    [
      'nothing',
      protobuf(Buffer.alloc(0)),
      {
        words: ['upstream_broken', 'Audio to face: HOST: The face stream ended before its header', billed],
        before: 0,
        seconds: 1,
      },
    ],
    [
      'time codes that run back',
      protobuf(Buffer.concat([headerBytes(), frameBytes(0.1), frameBytes(0.2), frameBytes(0.15)])),
      {
        words: [
          'upstream_broken',
          'Audio to face: HOST: The face stream runs back in time: frame 2 is at 0.15 s, the one before at 0.2 s',
          kept,
        ],
        before: 3,
        seconds: 1,
      },
    ],
    [
      'a failure that the server reports in the stream',
      protobuf(
        Buffer.concat([
          headerBytes(),
          frameBytes(0),
          encodeError({ code: 'audio_unreadable', message: 'no speech\nfound' }),
        ]),
      ),
      {
        words: [
          'upstream_refused',
          'Audio to face: HOST gave up after 1 frame (audio_unreadable): “no speech found”',
          `Check the audio before you send it again. ${billed}`,
        ],
        before: 2,
        seconds: 1,
      },
    ],
    [
      'a stream that never ends',
      endlessFaceStream(),
      {
        words: [
          'upstream_broken',
          'Audio to face: HOST: The face stream has more than 2640 frames. It was stopped there',
          kept,
        ],
        before: 2641,
        seconds: 1,
      },
    ],
    [
      'a message that would fill memory',
      protobuf(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3])),
      { words: ['upstream_broken', 'Audio to face: HOST: The face stream', billed], before: 0, seconds: 1 },
    ],
    [
      'a connection that is cut in the stream',
      resetInBody(good.subarray(0, 200), { 'content-type': 'application/x-protobuf' }),
      {
        words: [
          'upstream_broken',
          'Audio to face: The answer of HOST ended early after 200 bytes.',
          'The server may have received it and may bill it',
        ],
        before: 5,
        seconds: 1,
      },
    ],
    [
      'JSON under HTTP 200',
      json({ message: 'use /v2' }),
      {
        words: [
          'upstream_broken',
          'Audio to face: HOST answered with HTTP 200 (application/json), but the answer is not a protobuf stream. It begins: “{"message":"use /v2"}”',
          'Check that the address leads to the service',
        ],
        before: 0,
        seconds: 0,
        uncertain: true,
      },
    ],
    [
      'a JSON envelope that says no under HTTP 200',
      json({ code: 1007, message: 'balance is 0' }),
      {
        words: [
          'upstream_refused',
          'Audio to face: HOST answered with code 1007 “balance is 0”.',
          "The server's provider documents what its codes mean.",
        ],
        before: 0,
        seconds: 0,
      },
    ],
    [
      'a web page',
      html(),
      {
        words: [
          'upstream_broken',
          'Audio to face: HOST answered with HTTP 200 (text/html), but the answer is a web page, not data. It begins: “Please log in to the network”',
          'Check the Group A address: a login page, a proxy or a portal may be in between.',
        ],
        before: 0,
        seconds: 0,
        uncertain: true,
      },
    ],
    [
      '401',
      answer(401),
      {
        words: [
          'upstream_refused',
          'Audio to face: HOST refused the Group A access token (HTTP 401 Unauthorized).',
          'Check the Group A access token of “Scripted” in Settings → Connections; it may be wrong, expired, or not allowed to do this.',
        ],
        before: 0,
        seconds: 0,
      },
    ],
    [
      '413',
      answer(413),
      {
        words: [
          'upstream_refused',
          'Audio to face: The upload is too large for HOST (HTTP 413 Payload Too Large).',
          'Send shorter audio.',
        ],
        before: 0,
        seconds: 0,
      },
    ],
    [
      '500 with a body of unknown kind',
      answer(500, Buffer.from([0, 1, 2, 3, 4, 5]), { 'content-type': 'application/octet-stream' }),
      {
        words: [
          'upstream_refused',
          'Audio to face: HOST failed on its side (HTTP 500 Internal Server Error, application/octet-stream).',
          'The server may have received it and may bill it',
        ],
        before: 0,
        seconds: 0,
        uncertain: true,
      },
    ],
  ];
  test.each(cases)('%s', async (_, behaviour, { words, before, seconds, uncertain = false }) => {
    const { service, client, exchanges } = await setStage();
    service.script('audio_to_face', behaviour);
    const came: FaceMessage[] = [];
    const error = await failureOf(gather(speak(client), came));
    const [code, message = '', hint = ''] = told(error);
    expect([code, message.slice(0, words[1]?.length), hint.slice(0, words[2]?.length)]).toEqual(words);
    expect(came).toHaveLength(before);
    expect(service.count('audio_to_face')).toBe(1);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({ outcome: 'failed', billedSeconds: seconds, uncertain });
  });

  test('a token that the server says in the stream is not shown', async () => {
    const { service, client, exchanges } = await setStage();
    const words = `token ${service.accessToken} is out of seconds`;
    service.script('audio_to_face', protobuf(Buffer.from(encodeError({ code: 'quota', message: words }))));
    const error = await failureOf(gather(speak(client)));
    expect(error.message).toMatch(/gave up \(quota\): “token \[secret\] is out of seconds”$/);
    expectNoSecret(everythingOf(error) + JSON.stringify(exchanges), service);
  });

  test('silence in the middle', async () => {
    const { service, client, exchanges } = await setStage({ timeouts: { betweenBytes: 150 } });
    service.script(
      'audio_to_face',
      stallInBody(good.subarray(0, 150), { 'content-type': 'application/x-protobuf' }),
    );
    const [code, message] = told(await failureOf(gather(speak(client))));
    expect([code, message]).toEqual([
      'timeout',
      'Audio to face: HOST stopped in the middle of its answer: nothing for 150 ms after 150 bytes.',
    ]);
    expect(exchanges[0]).toMatchObject({ outcome: 'failed', billedSeconds: 1 });
  });

  test('a reader that takes its time is not the server’s silence', async () => {
    const { service, client } = await setStage({ timeouts: { betweenBytes: 100 } });
    service.script('audio_to_face', protobuf(faceStreamBytes(traceId, 2500), 64 * 1024));
    let count = 0;
    for await (const _ of speak(client, 60)) {
      if (++count === 100) await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(count).toBe(2502);
  });

  test('cancelled in the stream', async () => {
    const { service, client, exchanges } = await setStage();
    service.script('audio_to_face', endlessFaceStream());
    const controller = new AbortController();
    const error = await failureOf(
      (async () => {
        for await (const { kind } of speak(client, 600, controller.signal))
          if (kind === 'frame') controller.abort();
      })(),
    );
    expect(error.code).toBe('cancelled');
    expect(exchanges[0]).toMatchObject({ outcome: 'cancelled', billedSeconds: 600 });
  });

  test('cancelled while waiting for a turn', async () => {
    const { service, client, exchanges } = await setStage({ endpoint: { concurrency: 1 } });
    service.always('get_model', stall());
    const controller = new AbortController();
    const first = client.getModel('m', { signal: controller.signal }).catch(() => undefined);
    const waiting = failureOf(gather(speak(client, 1, controller.signal)));
    await vi.waitFor(() => expect(service.count('get_model')).toBe(1));
    controller.abort();
    expect((await waiting).code).toBe('cancelled');
    await first;
    expect(service.count('audio_to_face')).toBe(0);
    expect(exchanges.find(({ operation }) => operation === 'audio_to_face')).toMatchObject({
      outcome: 'cancelled',
      billedSeconds: 0,
      uncertain: false,
    });
  });

  test('turned away with Retry-After: sent again', async () => {
    const { service, client } = await setStage();
    service.script(
      'audio_to_face',
      answer(503, '', { 'retry-after': '1' }),
      delayed(5, protobuf(faceStreamBytes(traceId, 3))),
    );
    expect(await gather(speak(client))).toHaveLength(5);
  });

  test('audio that is none', async () => {
    const { client } = await setStage();
    const error = await failureOf(
      gather(client.audioToFace({ traceId, status: 'start', audio: new Uint8Array(), seconds: 1 })),
    );
    expect([error.code, error.field]).toEqual(['invalid_input', 'audio']);
    const other = await failureOf(
      gather(client.audioToFace({ traceId, status: 'start', audio: wav(1), seconds: Number.NaN })),
    );
    expect([other.code, other.field]).toEqual(['invalid_input', 'seconds']);
  });
});
