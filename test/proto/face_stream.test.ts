import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import {
  encodeBareMessage,
  encodeEnd,
  encodeError,
  encodeFrame,
  encodeFrameAt,
  encodeHeader,
  FaceStreamDecoder,
  type FrameToEncode,
} from '@likeness/proto/face_stream.ts';
import type { FaceStreamErrorCode, FaceStreamLimits } from '@likeness/proto/face_stream_error.ts';
import { FaceStreamError } from '@likeness/proto/face_stream_error.ts';
import type { FaceStreamFrame, FaceStreamMessage } from '@likeness/proto/face_stream_protocol.ts';
import { delimit } from '@likeness/proto/framing.ts';
import { describe, expect, test } from 'vitest';

const names = ['jawOpen', 'mouthClose', 'tongueOut'];
const header = encodeHeader({ traceId: 'trace', frameRate: 60, channelNames: names });

function frame(timeCode: number, overrides: Partial<FrameToEncode> = {}): Uint8Array {
  return encodeFrame({ timeCode, weights: Float32Array.of(0.25, 0, 1), ...overrides });
}

/** Everything that a stream yields, and the fault that ended it, if one did. */
function read(
  parts: readonly Uint8Array[],
  limits: Partial<FaceStreamLimits> = {},
): { messages: FaceStreamMessage[]; fault: FaceStreamError | undefined } {
  const decoder = new FaceStreamDecoder(limits);
  const messages: FaceStreamMessage[] = [];
  try {
    for (const message of decoder.push(Buffer.concat(parts))) messages.push(message);
    for (const message of decoder.finish()) messages.push(message);
  } catch (error) {
    if (!(error instanceof FaceStreamError)) throw error;
    return { messages, fault: error };
  }
  return { messages, fault: undefined };
}

describe('a whole stream', () => {
  const mesh = { vertexCount: 3, triangleIndices: Uint32Array.of(0, 1, 2) };
  const sent: FaceStreamMessage[] = [
    { kind: 'header', traceId: 'b7e2', frameRate: 59.94, channelNames: arkitBlendshapeNames, mesh },
    {
      kind: 'frame',
      index: 0,
      timeCode: 0,
      weights: Float32Array.from({ length: 52 }, (_, channel) => channel / 64),
      headPose: undefined,
      eyeGaze: undefined,
      vertices: undefined,
    },
    {
      kind: 'frame',
      index: 1,
      timeCode: 1 / 60,
      weights: new Float32Array(52),
      headPose: { translation: [0.5, 0, -0.25], rotation: [0, 0, 0, 1] },
      eyeGaze: { leftYaw: 0.5, leftPitch: 0, rightYaw: -0.25, rightPitch: 0.125 },
      vertices: Float32Array.of(0, 0, 0, 0.5, 0, 0, 0, 0.5, 0),
    },
    { kind: 'end', frameCount: 2, duration: 2 / 60 },
  ];
  const body = Buffer.concat(
    sent.map((message) => {
      if (message.kind === 'header') return encodeHeader(message);
      if (message.kind === 'frame') return encodeFrame(message);
      return message.kind === 'end' ? encodeEnd(message) : encodeError(message);
    }),
  );

  test.each([1, 2, 5, 64, body.length])('comes back as sent, in chunks of %i bytes', (chunkBytes) => {
    const decoder = new FaceStreamDecoder();
    const received: FaceStreamMessage[] = [];
    for (let start = 0; start < body.length; start += chunkBytes) {
      received.push(...decoder.push(Uint8Array.from(body.subarray(start, start + chunkBytes))));
    }
    received.push(...decoder.finish());
    expect(received).toEqual(sent);
  });

  test('goes over a port, message by message without prefixes', () => {
    const decoder = new FaceStreamDecoder();
    const ported = sent.map((message) => {
      const bytes = encodeBareMessage(message);
      expect(bytes.buffer.byteLength).toBe(bytes.length);
      return decoder.accept(structuredClone(bytes, { transfer: [bytes.buffer] }));
    });
    expect(ported).toEqual(sent);
  });

  test('weights are the receiver’s own and can be transferred', () => {
    const frames = read([header, frame(0), frame(1)]).messages.filter((message) => message.kind === 'frame');
    expect(frames[0]?.weights.buffer.byteLength).toBe(12);
    structuredClone(frames[0]?.weights, { transfer: [frames[0]!.weights.buffer] });
    expect([...frames[1]!.weights]).toEqual([0.25, 0, 1]);
  });

  test('encoded messages are transferable on their own', () => {
    const bytes = frame(0);
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  test('a server’s error is a message, and may come first', () => {
    const { messages, fault } = read([encodeError({ code: 'audio_unreadable', message: 'No\u0007 RIFF\n' })]);
    expect(fault).toBeUndefined();
    expect(messages).toEqual([{ kind: 'error', code: 'audio_unreadable', message: 'No  RIFF' }]);
  });

  test('messages that are not drawn at once are not lost', () => {
    const decoder = new FaceStreamDecoder();
    decoder.push(header);
    decoder.push(frame(0));
    expect([...decoder.push(frame(1))].map((message) => message.kind)).toEqual(['header', 'frame', 'frame']);
  });

  test('floats that a sender did not pack, and fields that we don’t know, are read', () => {
    const jaw = Buffer.alloc(5);
    jaw.writeUInt8((2 << 3) | 5);
    jaw.writeFloatLE(0.5, 1);
    const unknown = Buffer.of((15 << 3) | 0, 7);
    const body = Buffer.concat([jaw, jaw, unknown, jaw]);
    const message = Buffer.concat([Buffer.of((2 << 3) | 2, body.length), body]);
    const { messages } = read([header, delimit(message)]);
    expect(messages[1]).toMatchObject({ kind: 'frame', weights: Float32Array.of(0.5, 0.5, 0.5) });
  });
});

describe('a stream that breaks its protocol', () => {
  const nan = Float32Array.of(0, Number.NaN, 0);
  const pose = (w: number): Partial<FrameToEncode> => ({
    headPose: { translation: [0, 0, 0], rotation: [0, 0, 0, w] },
  });
  const end = (frameCount: number): Uint8Array => encodeEnd({ frameCount, duration: 1 });
  const headerOf = (channelNames: string[], frameRate = 60): Uint8Array =>
    encodeHeader({ traceId: '', frameRate, channelNames });
  const meshHeader = (vertexCount: number, ...triangleIndices: number[]): Uint8Array =>
    encodeHeader({
      traceId: '',
      frameRate: 60,
      channelNames: names,
      mesh: { vertexCount, triangleIndices: Uint32Array.from(triangleIndices) },
    });

  const cases: [string, FaceStreamErrorCode, readonly Uint8Array[]][] = [
    ['nothing at all', 'truncated', []],
    ['a header alone', 'truncated', [header]],
    ['no end', 'truncated', [header, frame(0)]],
    ['half a frame', 'truncated', [header, frame(0).subarray(0, 9)]],
    ['half a prefix after the end', 'truncated', [header, end(0), Uint8Array.of(0x80)]],
    ['a frame first', 'header_missing', [frame(0)]],
    ['an end first', 'header_missing', [end(0)]],
    ['two headers', 'header_repeated', [header, header]],
    ['no names', 'header_invalid', [headerOf([])]],
    ['a name twice', 'header_invalid', [headerOf(['jawOpen', 'jawOpen'])]],
    ['a nameless channel', 'header_invalid', [headerOf([''])]],
    ['a name that reaches a prototype', 'header_invalid', [headerOf(['__proto__'])]],
    ['no frame rate', 'header_invalid', [headerOf(names, 0)]],
    ['a frame rate of NaN', 'header_invalid', [headerOf(names, Number.NaN)]],
    ['a triangle beyond the vertices', 'header_invalid', [meshHeader(3, 0, 1, 3)]],
    ['half a triangle', 'header_invalid', [meshHeader(3, 0, 1)]],
    ['too few weights', 'weights_mismatch', [header, frame(0, { weights: new Float32Array(2) })]],
    ['too many weights', 'weights_mismatch', [header, frame(0, { weights: new Float32Array(4) })]],
    ['a weight of NaN', 'value_invalid', [header, frame(0, { weights: nan })]],
    ['a time code of NaN', 'value_invalid', [header, frame(Number.NaN)]],
    ['a time code below zero', 'value_invalid', [header, frame(-1)]],
    ['a pose that is no rotation', 'value_invalid', [header, frame(0, pose(0))]],
    ['time that stands', 'time_code_not_increasing', [header, frame(1), frame(1)]],
    ['time that runs back', 'time_code_not_increasing', [header, frame(1), frame(0.5)]],
    ['vertices without topology', 'vertices_mismatch', [header, frame(0, { vertices: new Float32Array(9) })]],
    ['a wrong count', 'frame_count_mismatch', [header, frame(0), end(2)]],
    ['a frame after the end', 'data_after_end', [header, end(0), frame(0)]],
    ['a frame after an error', 'data_after_end', [encodeError({ code: 'x', message: '' }), frame(0)]],
    ['an empty message', 'malformed_message', [Uint8Array.of(0)]],
    [
      'a page of HTML',
      'malformed_message',
      [Buffer.from('<!doctype html><html><body>Sign in to the network first</body></html>\n')],
    ],
    ['JSON', 'truncated', [Buffer.from('{"code":401}')]],
  ];

  test.each(cases)('%s: %s', (_, code, parts) => {
    const { fault } = read(parts);
    expect(fault?.code).toBe(code);
    expect(fault?.message).toMatch(/^The face stream .*\.$/);
  });

  test('the place of the fault is the first byte of the message at fault', () => {
    expect(read([header, frame(1), frame(0)]).fault?.byteOffset).toBe(header.length + frame(1).length);
  });

  test('what came before the fault is kept', () => {
    expect(read([header, frame(0), frame(1), frame(1)]).messages.length).toBe(3);
  });

  test('after a fault the decoder stays at it', () => {
    const decoder = new FaceStreamDecoder();
    expect(() => [...decoder.push(frame(0))]).toThrow(FaceStreamError);
    expect(() => decoder.accept(header.subarray(1))).toThrow(FaceStreamError);
    expect(() => decoder.push(header)).toThrow(FaceStreamError);
    expect(() => decoder.finish()).toThrow(FaceStreamError);
  });

  test('limits hold: channels, vertices, frames, bytes', () => {
    expect(read([header], { maxChannels: 2 }).fault?.code).toBe('limit_exceeded');
    expect(read([meshHeader(4)], { maxVertices: 3 }).fault?.code).toBe('limit_exceeded');
    expect(read([header, frame(0), frame(1)], { maxFrames: 1 }).fault?.code).toBe('limit_exceeded');
    expect(read([header], { maxMessageBytes: 8 }).fault?.code).toBe('message_too_large');
  });
});

test('the decoder runs where code from strings is forbidden, as under the renderer’s CSP', () => {
  const script = `
    const { FaceStreamDecoder, encodeHeader } = await import('./proto/face_stream.ts');
    let refused = false;
    try { Function('return 1')(); } catch { refused = true; }
    const [message] = new FaceStreamDecoder().push(
      encodeHeader({ traceId: '', frameRate: 60, channelNames: ['jawOpen'] }));
    process.stdout.write(JSON.stringify([refused, message.channelNames]));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
  );
  expect(stdout, stderr).toBe('[true,["jawOpen"]]');
});

test('the generated code is that of the schema', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/proto-generate.ts', '--check'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});

describe('a frame at another time', () => {
  const pose = {
    headPose: { translation: [0.25, 0, 0], rotation: [0, 0, 0, 1] },
    eyeGaze: { leftYaw: 0.5, leftPitch: 0, rightYaw: -0.5, rightPitch: 0 },
  } as const;
  const readFrame = (bytes: Uint8Array, withHeader = header): FaceStreamFrame => {
    const { messages } = read([withHeader, bytes]);
    return messages[1] as FaceStreamFrame;
  };
  const bare = (delimited: Uint8Array): Uint8Array => delimited.subarray(delimited[0]! < 0x80 ? 1 : 2);

  test('keeps every byte but those of its time code', () => {
    const came = frame(0.5, pose);
    const placed = encodeFrameAt(readFrame(came), 7.25);
    const differing = [...bare(came)].flatMap((byte, at) => (byte === placed[at] ? [] : [at]));
    expect(placed.length).toBe(bare(came).length);
    // Tag and length of the frame, tag of the time code; then its eight bytes.
    expect(differing.every((at) => at >= 3 && at < 11)).toBe(true);
    expect(differing.length).toBeGreaterThan(0);
    expect(placed).toEqual(bare(frame(7.25, pose)));
    expect(readFrame(came).timeCode).toBe(0.5);
  });

  test('that another program wrote in another way passes as it came, too', () => {
    // No weights at all, said with a length of 0, which ours leaves out.
    const known = Uint8Array.of(0x12, 11, 0x09, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 0x12, 0);
    const lone = encodeHeader({
      traceId: '',
      frameRate: 60,
      channelNames: [],
      mesh: { vertexCount: 1, triangleIndices: new Uint32Array() },
    });
    expect(encodeFrameAt(readFrame(delimit(known), lone), 2)).toEqual(
      Uint8Array.of(0x12, 11, 0x09, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x12, 0),
    );
  });

  test('passes on no vertices, and nothing that we do not know', () => {
    const mesh = { vertexCount: 1, triangleIndices: new Uint32Array() };
    const withMesh = encodeHeader({ traceId: '', frameRate: 60, channelNames: names, mesh });
    const heavy = readFrame(frame(0.5, { ...pose, vertices: Float32Array.of(1, 2, 3) }), withMesh);
    expect(encodeFrameAt(heavy, 1)).toEqual(bare(frame(1, pose)));
    // A field 9 of a hundred bytes in the frame.
    const plain = bare(frame(0.5));
    const stuffed = Uint8Array.of(
      0x12,
      plain.length - 2 + 102,
      ...plain.subarray(2),
      0x4a,
      100,
      ...new Uint8Array(100),
    );
    expect(encodeFrameAt(readFrame(delimit(stuffed)), 1)).toEqual(bare(frame(1)));
    // Twice a time code: the last one counts.
    const twice = Uint8Array.of(0x12, plain.length - 2 + 9, ...plain.subarray(2), ...plain.subarray(2, 11));
    expect(encodeFrameAt(readFrame(delimit(twice)), 1)).toEqual(bare(frame(1)));
    // Made here and not read from anywhere.
    expect(encodeFrameAt({ ...readFrame(frame(0.5)) }, 1)).toEqual(bare(frame(1)));
  });
});
