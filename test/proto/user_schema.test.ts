import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FaceStreamError } from '@likeness/proto/face_stream_error.ts';
import type { FaceStreamMessage } from '@likeness/proto/face_stream_protocol.ts';
import { delimit } from '@likeness/proto/framing.ts';
import { loadUserSchema } from '@likeness/proto/user_schema/user_schema.ts';
import { UserSchemaDecoder } from '@likeness/proto/user_schema/user_schema_decoder.ts';
import { UserSchemaError, type UserSchemaMapping } from '@likeness/proto/user_schema/user_schema_mapping.ts';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';

const plain = `
  syntax = "proto3";
  package acme;
  message FaceFrame {
    uint64 time_ms = 1;
    repeated float blend = 2;
    repeated string labels = 3;
    Inner inner = 4;
    message Inner { double depth = 1; }
    enum Mood { CALM = 0; }
    Mood mood = 5;
    repeated float xyz = 6;
    map<string, float> shapes = 7;
  }`;

const mapping: UserSchemaMapping = {
  message: 'acme.FaceFrame',
  framing: 'length-delimited',
  frames: '',
  weights: 'blend',
  timeCode: 'time_ms',
  timeCodeUnit: 'milliseconds',
  names: 'labels',
  channels: [],
  frameRate: 50,
};

/** What a server with this schema would send: encoded by protobufjs itself, not by our code. */
function encodeWith(proto: string, message: string, values: readonly object[]): Uint8Array[] {
  const type = protobuf.parse(proto, { keepCase: true }).root.lookupType(message);
  return values.map((value) => Uint8Array.from(type.encode(type.fromObject(value)).finish()));
}

function decode(
  proto: string,
  map: UserSchemaMapping,
  body: Uint8Array,
  chunkBytes = 7,
): FaceStreamMessage[] {
  const decoder = new UserSchemaDecoder(loadUserSchema(proto, map));
  const messages: FaceStreamMessage[] = [];
  for (let start = 0; start < body.length; start += chunkBytes) {
    messages.push(...decoder.push(body.subarray(start, start + chunkBytes)));
  }
  messages.push(...decoder.finish());
  return messages;
}

function frames(messages: readonly FaceStreamMessage[]): [number, number[]][] {
  return messages
    .filter((message) => message.kind === 'frame')
    .map((frame) => [frame.timeCode, [...frame.weights]]);
}

const rounded = (weights: number[]): number[] => [...Float32Array.from(weights)];

describe('a stream in the user’s own schema', () => {
  test('becomes header, frames and end', () => {
    const body = Buffer.concat(
      encodeWith(plain, 'acme.FaceFrame', [
        { labels: ['jawOpen', 'JawLeft'], blend: [0.5, 0] },
        { time_ms: 20, blend: [0.25, 1] },
      ]).map(delimit),
    );
    expect(decode(plain, { ...mapping, renames: { JawLeft: 'jawLeft' } }, body)).toEqual([
      { kind: 'header', traceId: '', frameRate: 50, channelNames: ['jawOpen', 'jawLeft'], mesh: undefined },
      {
        kind: 'frame',
        index: 0,
        timeCode: 0,
        weights: Float32Array.of(0.5, 0),
        headPose: undefined,
        eyeGaze: undefined,
        vertices: undefined,
      },
      {
        kind: 'frame',
        index: 1,
        timeCode: 0.02,
        weights: Float32Array.of(0.25, 1),
        headPose: undefined,
        eyeGaze: undefined,
        vertices: undefined,
      },
      { kind: 'end', frameCount: 2, duration: 0.02 + 1 / 50 },
    ]);
  });

  test('may have its names listed, its frames counted instead of timed, and vertices', () => {
    const body = Buffer.concat(
      encodeWith(plain, 'acme.FaceFrame', [
        { blend: [0.5], xyz: [0, 0, 0, 1, 0, 0] },
        { blend: [0.75], xyz: [0, 0, 0, 2, 0, 0] },
      ]).map(delimit),
    );
    const messages = decode(
      plain,
      { ...mapping, names: '', channels: ['jawOpen'], timeCode: '', vertices: 'xyz' },
      body,
    );
    expect(messages[0]).toMatchObject({ channelNames: ['jawOpen'], mesh: { vertexCount: 2 } });
    expect(messages[2]).toMatchObject({ timeCode: 0.02, vertices: Float32Array.of(0, 0, 0, 2, 0, 0) });
  });

  test('may move a mesh and nothing else', () => {
    const body = Buffer.concat(encodeWith(plain, 'acme.FaceFrame', [{ xyz: [0, 0, 1] }]).map(delimit));
    const messages = decode(plain, { ...mapping, weights: '', names: '', vertices: 'xyz' }, body);
    expect(messages.map((message) => message.kind)).toEqual(['header', 'frame', 'end']);
  });

  test('may keep its weights in a map, whose order no one promises', () => {
    const type = protobuf.parse(plain, { keepCase: true }).root.lookupType('acme.FaceFrame');
    const bytes = [
      { time_ms: 0, shapes: { jawOpen: 0.5, mouthClose: 0 } },
      { time_ms: 20, shapes: { mouthClose: 0.25, jawOpen: 1 } },
    ].map((value) => delimit(Uint8Array.from(type.encode(value).finish())));
    const messages = decode(
      plain,
      { ...mapping, weights: 'shapes.value', names: 'shapes.key' },
      Buffer.concat(bytes),
    );
    expect(frames(messages)).toEqual([
      [0, [0.5, 0]],
      [0.02, [1, 0.25]],
    ]);
  });

  test('may be a union of header and data with many frames a message, as Audio2Face-3D’s is', () => {
    const union = `
      syntax = "proto3";
      package a2f;
      message Stream { oneof part { Header header = 1; Data data = 2; Status status = 3; } }
      message Header { Skel skel = 1; message Skel { repeated string blend_shapes = 1; } }
      message Data { Anim anim = 1; }
      message Anim { repeated Timed blend_shape_weights = 1; }
      message Timed { double time_code = 1; repeated float values = 2 [packed = false]; }
      message Status { string message = 2; }`;
    const body = Buffer.concat(
      encodeWith(union, 'a2f.Stream', [
        { header: { skel: { blend_shapes: ['EyeBlinkLeft', 'JawOpen'] } } },
        {
          data: {
            anim: {
              blend_shape_weights: [
                { time_code: 1e9, values: [0, 0.5] },
                { time_code: 1e9 + 0.5, values: [0.25, 0] },
              ],
            },
          },
        },
        { data: { anim: { blend_shape_weights: [{ time_code: 1e9 + 1, values: [0.1, 0.2] }] } } },
        { status: { message: 'Out of credit' } },
      ]).map(delimit),
    );
    const messages = decode(
      union,
      {
        ...mapping,
        message: 'Stream',
        frames: 'data.anim.blend_shape_weights',
        weights: 'values',
        names: 'header.skel.blend_shapes',
        timeCode: 'time_code',
        timeCodeUnit: 'seconds',
        timeCodeOrigin: 'first-frame',
        errorMessage: 'status.message',
      },
      body,
    );
    expect(frames(messages)).toEqual([
      [0, [0, 0.5]],
      [0.5, [0.25, 0]],
      [1, rounded([0.1, 0.2])],
    ]);
    expect(messages[0]).toMatchObject({ channelNames: ['EyeBlinkLeft', 'JawOpen'] });
    expect(messages.at(-1)).toEqual({ kind: 'error', code: 'server_error', message: 'Out of credit' });
  });

  test('may be one message, with names and values together and zeros left out', () => {
    const single = `
      syntax = "proto3";
      message Animation { repeated Key keys = 1; repeated string note = 2; }
      message Key { int32 frame = 1; repeated Shape shapes = 2; }
      message Shape { float value = 1; }`;
    const [body] = encodeWith(single, 'Animation', [
      {
        note: ['jawOpen', 'tongueOut'],
        keys: [
          { frame: 0, shapes: [{ value: 0.5 }, {}] },
          { frame: 10, shapes: [{}, { value: 1 }] },
        ],
      },
    ]);
    const messages = decode(
      single,
      {
        ...mapping,
        message: 'Animation',
        framing: 'single',
        frames: 'keys',
        weights: 'shapes.value',
        timeCode: 'frame',
        timeCodeUnit: 'frames',
        names: 'note',
      },
      body!,
    );
    expect(frames(messages)).toEqual([
      [0, [0.5, 0]],
      [0.2, [0, 1]],
    ]);
  });

  test('is held to the same protocol as ours', () => {
    const body = (values: readonly object[]): Uint8Array =>
      Buffer.concat(encodeWith(plain, 'acme.FaceFrame', values).map(delimit));
    const code = (values: readonly object[], cut = 0): string => {
      try {
        const bytes = body(values);
        decode(plain, mapping, bytes.subarray(0, bytes.length - cut));
        return 'none';
      } catch (error) {
        return error instanceof FaceStreamError ? error.code : 'another error';
      }
    };
    const first = { labels: ['jawOpen'], blend: [0.5] };
    expect(code([first])).toBe('none');
    expect(code([])).toBe('truncated');
    expect(code([first], 1)).toBe('truncated');
    expect(code([{ blend: [0.5] }])).toBe('header_missing');
    expect(code([first, { time_ms: 20, blend: [0.5, 1] }])).toBe('weights_mismatch');
    expect(code([first, { time_ms: 20, blend: [Number.NaN] }])).toBe('value_invalid');
    expect(code([first, first])).toBe('time_code_not_increasing');
    expect(code([first, { time_ms: 20, labels: ['mouthClose'], blend: [1] }])).toBe('header_repeated');
  });
});

describe('a .proto or mapping that can’t be used says why', () => {
  const cases: [string, string, string, Partial<UserSchemaMapping>, string?][] = [
    ['no such message', 'message_missing', 'message', { message: 'acme.Face' }],
    ['no message named', 'message_missing', 'message', { message: '' }],
    ['no such field', 'field_missing', 'weights', { weights: 'blends' }],
    ['a wrong type', 'field_wrong_type', 'weights', { weights: 'labels' }],
    ['a message as weights', 'field_wrong_type', 'weights', { weights: 'inner' }],
    ['an enum as time', 'field_wrong_type', 'timeCode', { timeCode: 'mood' }],
    ['a path through a number', 'field_wrong_type', 'timeCode', { timeCode: 'time_ms.x' }],
    ['a path into a map', 'field_missing', 'weights', { weights: 'shapes.jawOpen' }],
    ['a frame that is a number', 'field_wrong_type', 'frames', { frames: 'blend' }],
    ['a field used twice', 'field_wrong_type', 'vertices', { vertices: 'blend' }],
    ['a name of Object', 'field_missing', 'weights', { weights: 'constructor' }],
    ['no weights', 'mapping_incomplete', 'weights', { weights: '' }],
    ['no names', 'mapping_incomplete', 'names', { names: '' }],
    ['no frame rate', 'mapping_incomplete', 'frameRate', { frameRate: 0 }],
    ['nonsense', 'proto_unreadable', 'proto', {}, 'message { ]'],
    ['an import', 'import_missing', 'proto', {}, `import "other.proto"; ${plain}`],
    ['a file from disk', 'import_missing', 'proto', {}, `import "/etc/passwd"; ${plain}`],
    ['too much', 'proto_too_large', 'proto', {}, ' '.repeat(300_000)],
    ['too many fields', 'proto_too_large', 'proto', {}, `message M {${'optional M f = 1;'.repeat(2001)}}`],
    ['too deep', 'proto_unreadable', 'proto', {}, `${'message M {'.repeat(500)}${'}'.repeat(500)}`],
    [
      'an unknown type',
      'message_missing',
      'timeCode',
      { timeCode: 'when' },
      'syntax = "proto3"; package acme; message FaceFrame { repeated float blend = 2; repeated string labels = 3; Elsewhere when = 9; }',
    ],
    ['__proto__', 'proto_unreadable', 'proto', {}, 'message __proto__ { string polluted = 1; }'],
    [
      'two of a name',
      'message_ambiguous',
      'message',
      { message: 'F' },
      'message A { message F {} } message B { message F {} }',
    ],
  ];

  test.each(cases)('%s: %s at %s', (_, code, entry, changes, proto = plain) => {
    const load = (): unknown => loadUserSchema(proto, { ...mapping, ...changes });
    expect(load).toThrow(UserSchemaError);
    expect(load).toThrow(expect.objectContaining({ code, entry }));
  });

  test('imports that protobufjs brings are followed', () => {
    const proto = `import "google/protobuf/timestamp.proto"; ${plain.replace('Mood mood = 5;', 'google.protobuf.Timestamp at = 5;')}`;
    const schema = loadUserSchema(`syntax = "proto3"; ${proto.replace('syntax = "proto3";', '')}`, {
      ...mapping,
      timeCode: 'at.seconds',
    });
    expect(schema.messageName).toBe('acme.FaceFrame');
  });
});

test('hostile names leave prototypes alone', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const proto = `
    syntax = "proto3";
    option (constructor).prototype.polluted = "x";
    option constructor.prototype.polluted = "x";
    message constructor { repeated float prototype = 1 [(prototype).constructor.polluted = "x"]; string toString = 2; }
    message hasOwnProperty { constructor valueOf = 1; repeated string constructor = 2; }
    enum prototype { option constructor = 1; toString = 0; }`;
  const schema = loadUserSchema(proto, {
    ...mapping,
    message: 'hasOwnProperty',
    weights: 'valueOf.prototype',
    names: 'constructor',
    timeCode: '',
  });
  expect(schema.messageName).toBe('hasOwnProperty');
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect('polluted' in {}).toBe(false);
});

test('no code is made from the user’s text', () => {
  const script = `
    const { loadUserSchema } = await import('./proto/user_schema/user_schema.ts');
    const { UserSchemaDecoder } = await import('./proto/user_schema/user_schema_decoder.ts');
    const schema = loadUserSchema(${JSON.stringify(plain)}, ${JSON.stringify({ ...mapping, names: '', channels: ['jawOpen'] })});
    const decoder = new UserSchemaDecoder(schema);
    const [header] = decoder.push(Uint8Array.of(6, 18, 4, 0, 0, 0, 63));
    process.stdout.write(JSON.stringify(header.channelNames));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
  );
  expect(stdout, stderr).toBe('["jawOpen"]');
});
