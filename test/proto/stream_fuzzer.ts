import { encodeBareMessage, FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import {
  FaceStreamError,
  type FaceStreamLimits,
  faceStreamErrorCodes,
} from '@likeness/proto/face_stream_error.ts';
import type { FaceStreamMessage, FaceStreamReader } from '@likeness/proto/face_stream_protocol.ts';
import { delimit } from '@likeness/proto/framing.ts';
import { loadUserSchema } from '@likeness/proto/user_schema/user_schema.ts';
import { UserSchemaDecoder } from '@likeness/proto/user_schema/user_schema_decoder.ts';
import { UserSchemaError, type UserSchemaMapping } from '@likeness/proto/user_schema/user_schema_mapping.ts';
import protobuf from 'protobufjs';

/** What a run of mutations did; it throws instead of returning if a decoder broke its word. */
export interface FuzzReport {
  readonly mutations: number;
  /** How many mutated streams were still read to the end. */
  readonly accepted: number;
  /** How many ended with each code; `proto:` before the codes of a mutated .proto. */
  readonly faults: ReadonlyMap<string, number>;
  /** The longest that one mutation took, milliseconds. */
  readonly slowest: number;
  /** The most that heap and array buffers grew over their size at the start, bytes. */
  readonly memoryGrowth: number;
}

/** Uniform numbers 0..1 from a seed: Mulberry32 (Tommy Ettinger, public domain). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A kind of stream: how to read it, and valid streams to start from, each as its messages. */
interface Specimen {
  readonly name: string;
  readonly newReader: () => FaceStreamReader;
  readonly delimited: boolean;
  readonly streams: readonly (readonly Uint8Array[])[];
}

/** Small enough that a mutation reaches them, large enough that no valid body does. */
const limits: Partial<FaceStreamLimits> = {
  maxMessageBytes: 64 * 1024,
  maxChannels: 64,
  maxVertices: 64,
  maxTriangles: 64,
  maxFrames: 8,
};

/** A mutation may take this long before it counts as a hang, milliseconds; machines that are shared stall. */
const hangAfter = 2000;
/** Heap and array buffers may grow by this before memory counts as unbounded, bytes. */
const maxGrowth = 256 * 1024 * 1024;

/**
 * Reads `count` mutated streams with both decoders, and mutated .proto texts with the schema loader.
 *
 * Each stream is read twice, whole and in random chunks: both must yield the same messages and the same
 * fault, every fault must be a FaceStreamError of the closed list, and every frame must keep the protocol.
 *
 * @throws {Error} that names the seed and the mutation, with the mutated bytes in hexadecimal
 */
export function fuzzStreams(count: number, seed: number, progress?: (done: number) => void): FuzzReport {
  const specimens = [likenessSpecimen(), ...userSpecimens()];
  for (const specimen of specimens) checkValid(specimen);
  const faults = new Map<string, number>();
  const baseline = memoryInUse();
  let accepted = 0;
  let slowest = 0;
  let memoryGrowth = 0;
  for (let index = 0; index < count; index++) {
    // Each mutation has a generator of its own, so one of a million can be run again alone.
    const random = seededRandom(seed + Math.imul(index, 0x9e3779b1));
    const started = performance.now();
    const outcome =
      index % 16 === 15
        ? loadMutatedProto(random, seed, index)
        : readMutatedStream(specimens, random, seed, index);
    const took = performance.now() - started;
    slowest = Math.max(slowest, took);
    if (took > hangAfter) throw new Error(`seed ${seed}, mutation ${index} took ${Math.round(took)} ms`);
    if (outcome === undefined) accepted += 1;
    else faults.set(outcome, (faults.get(outcome) ?? 0) + 1);
    if (index % 1000 === 999) {
      memoryGrowth = Math.max(memoryGrowth, memoryInUse() - baseline);
      if (memoryGrowth > maxGrowth) {
        throw new Error(`seed ${seed}, by mutation ${index}: memory grew by ${memoryGrowth} bytes`);
      }
      progress?.(index + 1);
    }
  }
  return { mutations: count, accepted, faults, slowest, memoryGrowth };
}

/** What isn't mutated must be read: a decoder that refuses everything would break no other rule. */
function checkValid({ name, newReader, delimited, streams }: Specimen): void {
  for (const messages of streams) {
    const body = join(...(delimited ? messages.map(delimit) : messages));
    const { fault } = readStream(newReader(), [body], () => name);
    if (fault) throw new Error(`${name}: a valid stream is refused`, { cause: fault });
  }
}

function readMutatedStream(
  specimens: readonly Specimen[],
  random: () => number,
  seed: number,
  index: number,
): string | undefined {
  const specimen = pick(specimens, random);
  const body = mutateStream(specimen, random);
  const where = (): string =>
    `seed ${seed}, mutation ${index}, ${specimen.name}: ${Buffer.from(body).toString('hex')}`;
  const whole = readStream(specimen.newReader(), [body], where);
  const chunked = readStream(specimen.newReader(), randomChunks(body, random), where);
  if (whole.summary !== chunked.summary) {
    throw new Error(`the chunks changed what was read: ${whole.summary} / ${chunked.summary}; ${where()}`);
  }
  return whole.fault?.code;
}

/** Everything that a reader yields, checked, with the fault that ended it. */
function readStream(
  reader: FaceStreamReader,
  chunks: readonly Uint8Array[],
  where: () => string,
): { summary: string; fault: FaceStreamError | undefined } {
  const messages: FaceStreamMessage[] = [];
  let fault: FaceStreamError | undefined;
  try {
    for (const chunk of chunks) for (const message of reader.push(chunk)) messages.push(message);
    for (const message of reader.finish()) messages.push(message);
  } catch (error) {
    if (!(error instanceof FaceStreamError)) {
      throw new Error(`a fault that is no FaceStreamError; ${where()}`, { cause: error });
    }
    fault = error;
  }
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const wrong = whatIsWrong(messages, fault, bytes);
  if (wrong) throw new Error(`${wrong}; ${where()}`);
  const frames = messages.filter((message) => message.kind === 'frame');
  const sum = frames.reduce((total, frame) => total + frame.timeCode + (frame.weights[0] ?? 0), 0);
  return {
    summary: `${messages.map((message) => message.kind[0]).join('')} ${sum} ${fault?.code} ${fault?.byteOffset}`,
    fault,
  };
}

/** What a consumer would rely on and not find, or `undefined`. */
function whatIsWrong(
  messages: readonly FaceStreamMessage[],
  fault: FaceStreamError | undefined,
  bytes: number,
): string | undefined {
  if (fault) {
    if (!faceStreamErrorCodes.includes(fault.code)) return `an unlisted code ${fault.code}`;
    if (!(fault.byteOffset >= 0 && fault.byteOffset <= bytes)) return `an offset of ${fault.byteOffset}`;
    if (fault.message.length < 20 || fault.message.length > 1000)
      return `a message of ${fault.message.length}`;
  } else if (messages.at(-1)?.kind !== 'end' && messages.at(-1)?.kind !== 'error') {
    return 'a stream accepted without an end';
  }
  let names = -1;
  let time = Number.NEGATIVE_INFINITY;
  for (const [position, message] of messages.entries()) {
    if (message.kind === 'header') {
      if (position !== 0) return 'a header that is not first';
      names = message.channelNames.length;
      if (new Set(message.channelNames).size !== names) return 'a name twice';
    } else if (message.kind === 'frame') {
      if (message.weights.length !== names) return 'a frame with other weights than names';
      if (!message.weights.every(Number.isFinite)) return 'a weight that is not finite';
      if (!(message.timeCode > time)) return 'time that does not increase';
      time = message.timeCode;
    } else if (position !== messages.length - 1) {
      return `a message after the ${message.kind}`;
    }
  }
  return undefined;
}

function loadMutatedProto(random: () => number, seed: number, index: number): string | undefined {
  const texts = userSchemas.map(({ proto }) => Buffer.from(proto));
  const at = Math.floor(random() * userSchemas.length);
  const { mapping } = userSchemas[at]!;
  const text = Buffer.from(mutate(texts[at]!, texts, random)).toString('utf8');
  try {
    loadUserSchema(text, mapping);
    return undefined;
  } catch (error) {
    if (error instanceof UserSchemaError) return `proto:${error.code}`;
    throw new Error(`a fault that is no UserSchemaError; seed ${seed}, mutation ${index}: ${text}`, {
      cause: error,
    });
  }
}

/**
 * Changes the stream's messages as a whole, or the bytes of one within right framing, or the body's bytes.
 */
function mutateStream(specimen: Specimen, random: () => number): Uint8Array {
  const { delimited, streams } = specimen;
  const messages = [...pick(streams, random)];
  const compose = (): Uint8Array => join(...(delimited ? messages.map(delimit) : messages));
  const kind = random();
  if (kind < 0.4) {
    return mutate(compose(), streams.flat(), random);
  }
  const at = Math.floor(random() * messages.length);
  if (kind < 0.7) {
    messages[at] = mutate(messages[at]!, streams.flat(), random);
    return compose();
  }
  const changes = 1 + Math.floor(random() * 2);
  for (let change = 0; change < changes; change++) {
    const from = Math.floor(random() * (messages.length + 1));
    switch (Math.floor(random() * 5)) {
      case 0:
        messages.splice(from, 1);
        break;
      case 1:
        messages.splice(from, 0, pick(pick(streams, random), random));
        break;
      case 2:
        messages.push(...pick(streams, random));
        break;
      case 3:
        messages.splice(from, 0, ...messages.splice(at, 1));
        break;
      default:
        messages.splice(from, 0, mutate(pick(pick(streams, random), random), streams.flat(), random));
    }
  }
  return compose();
}

/** One to five changes, of the kinds that break parsers: bits, lengths, cuts, copies, foreign pieces. */
function mutate(body: Uint8Array, others: readonly Uint8Array[], random: () => number): Uint8Array {
  let bytes = Uint8Array.from(body);
  const changes = 1 + Math.floor(random() * random() * 5);
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * bytes.length);
    const to = Math.min(bytes.length, at + 1 + Math.floor(random() * random() * 64));
    switch (Math.floor(random() * 9)) {
      case 0:
        if (bytes.length > 0) bytes[at]! ^= 1 << Math.floor(random() * 8);
        break;
      case 1:
        if (bytes.length > 0) bytes[at] = pick(troublesomeBytes, random);
        break;
      case 2:
        bytes = bytes.slice(0, at);
        break;
      case 3:
        bytes = join(bytes.subarray(0, at), bytes.subarray(to));
        break;
      case 4:
        bytes = join(bytes.subarray(0, to), bytes.subarray(at));
        break;
      case 5: {
        const other = pick(others, random);
        const from = Math.floor(random() * other.length);
        const piece = other.subarray(from, from + Math.floor(random() * 200));
        bytes = join(bytes.subarray(0, at), piece, bytes.subarray(random() < 0.5 ? at : to));
        break;
      }
      case 6:
        bytes = join(bytes.subarray(0, at), pick(troublesomePieces, random), bytes.subarray(to));
        break;
      case 7:
        bytes = join(bytes.subarray(0, at), pick(troublesomePieces, random), bytes.subarray(at));
        break;
      default:
        if (bytes.length > 0) bytes[at] = (bytes[at]! + (random() < 0.5 ? 1 : 255)) & 0xff;
    }
  }
  return bytes;
}

const troublesomeBytes = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x12, 0x0b, 0x0c];

const troublesomePieces = [
  // Lengths: 2^32 - 1, 2^31, a varint without an end, a padded zero.
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f),
  Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x08),
  new Uint8Array(12).fill(0xff),
  Uint8Array.of(0x80, 0x80, 0x80, 0x00),
  // Floats: NaN, infinity, the smallest double.
  Uint8Array.of(0, 0, 0xc0, 0x7f),
  Uint8Array.of(0, 0, 0x80, 0xff),
  Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0),
  // Groups that nest, many empty messages, many empty strings.
  new Uint8Array(200).fill(0x0b),
  new Uint8Array(300),
  Uint8Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 0x1a : 0)),
  // Text: not UTF-8, a surrogate, and names of prototypes.
  Uint8Array.of(0xc0, 0x80, 0xed, 0xa0, 0x80),
  Buffer.from('__proto__'),
  Buffer.from('constructor'),
  Buffer.from('{[(<"\'/*'),
];

function randomChunks(body: Uint8Array, random: () => number): Uint8Array[] {
  const max = pick([1, 3, 16, 200], random);
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < body.length; ) {
    const end = start + 1 + Math.floor(random() * max);
    chunks.push(body.slice(start, end));
    start = end;
  }
  return chunks;
}

function likenessSpecimen(): Specimen {
  const channelNames = ['jawOpen', 'mouthClose', 'tongueOut', 'viseme_aa'];
  const mesh = { vertexCount: 4, triangleIndices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
  const header: FaceStreamMessage = {
    kind: 'header',
    traceId: 'b0c7d4be-9f7f-4a39-8a43-1f3f3c1ab0ff',
    frameRate: 60,
    channelNames,
    mesh: undefined,
  };
  const frames = Array.from({ length: 5 }, (_, index): FaceStreamMessage & { kind: 'frame' } => ({
    kind: 'frame',
    index,
    timeCode: index / 60,
    weights: Float32Array.from(channelNames, (_name, channel) => (index * channel) / 16),
    headPose: { translation: [0.01 * index, 0, 0.02], rotation: [0, 0, 0, 1] },
    eyeGaze: { leftYaw: 0.1, leftPitch: 0, rightYaw: -0.1, rightPitch: 0 },
    vertices: undefined,
  }));
  const end: FaceStreamMessage = { kind: 'end', frameCount: frames.length, duration: frames.length / 60 };
  const vertices = new Float32Array(12).fill(0.1);
  const streams: FaceStreamMessage[][] = [
    [header, ...frames, end],
    [{ ...header, mesh }, ...frames.map((frame) => ({ ...frame, vertices })), end],
    [header, frames[0]!, { kind: 'error', code: 'busy', message: 'Try later' }],
  ];
  return {
    name: 'likeness',
    newReader: () => new FaceStreamDecoder(limits),
    delimited: true,
    streams: streams.map((messages) => messages.map(encodeBareMessage)),
  };
}

/** Schemas of the shapes that servers use, each with the messages of one valid stream. */
const userSchemas: readonly { proto: string; mapping: UserSchemaMapping; messages: readonly object[] }[] = [
  {
    proto: `syntax = "proto3"; package acme; // a frame a message
      message FaceFrame { uint64 time_ms = 1; repeated float blend = 2; repeated string labels = 3;
        repeated float xyz = 4; string failed = 5; repeated uint32 faces = 6; }`,
    mapping: {
      message: 'acme.FaceFrame',
      framing: 'length-delimited',
      frames: '',
      weights: 'blend',
      timeCode: 'time_ms',
      timeCodeUnit: 'milliseconds',
      names: 'labels',
      channels: [],
      frameRate: 50,
      vertices: 'xyz',
      triangles: 'faces',
      errorMessage: 'failed',
    },
    messages: [
      { labels: ['jawOpen', 'mouthClose'], blend: [0, 1], xyz: [0, 1, 2, 3, 4, 5], faces: [0, 1, 1] },
      { time_ms: 20, blend: [0.5, 0.25], xyz: [0, 1, 2, 3, 4, 5] },
      { time_ms: 40, blend: [0.5, 0.25], xyz: [0, 1, 2, 3, 4, 5] },
    ],
  },
  {
    proto: `syntax = "proto3"; package maps;
      message Frame { double t = 1; map<string, float> shapes = 2; }`,
    mapping: {
      message: 'Frame',
      framing: 'length-delimited',
      frames: '',
      weights: 'shapes.value',
      timeCode: 't',
      timeCodeUnit: 'seconds',
      names: 'shapes.key',
      channels: [],
      frameRate: 60,
    },
    messages: [
      { t: 0, shapes: { jawOpen: 0.5, tongueOut: 0 } },
      { t: 0.1, shapes: { tongueOut: 1, jawOpen: 0.5 } },
    ],
  },
  {
    proto: `syntax = "proto2"; package one;
      message Animation { repeated Key keys = 1; repeated string note = 2;
        message Key { optional sint64 frame = 1; repeated double shapes = 2; } }`,
    mapping: {
      message: 'one.Animation',
      framing: 'single',
      frames: 'keys',
      weights: 'shapes',
      timeCode: 'frame',
      timeCodeUnit: 'frames',
      names: 'note',
      channels: [],
      frameRate: 30,
      timeCodeOrigin: 'first-frame',
    },
    messages: [
      {
        note: ['jawOpen', 'jawLeft', 'jawRight'],
        keys: [
          { frame: 100, shapes: [0, 0.5, 1] },
          { frame: 101, shapes: [1, 0.5, 0] },
          { frame: 105, shapes: [1, 1, 1] },
        ],
      },
    ],
  },
];

function userSpecimens(): Specimen[] {
  return userSchemas.map(({ proto, mapping, messages }) => {
    const schema = loadUserSchema(proto, mapping);
    const type = protobuf.parse(proto, { keepCase: true }).root.lookupType(schema.messageName);
    const encoded = messages.map((message) =>
      Uint8Array.from(type.encode(type.fromObject(message)).finish()),
    );
    return {
      name: schema.messageName,
      newReader: () => new UserSchemaDecoder(schema, limits),
      delimited: mapping.framing === 'length-delimited',
      streams: [encoded],
    };
  });
}

function memoryInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let position = 0;
  for (const part of parts) {
    whole.set(part, position);
    position += part.length;
  }
  return whole;
}
