/**
 * Reads a server's own stream of face frames by a `.proto` that the user brings and a mapping of its
 * fields. For main (Node): it pulls in protobufjs's parser, which the renderer has no use for.
 *
 * Reflection is used to understand the `.proto` only. The bytes are read by a walk over the mapped
 * fields, not by protobufjs's decoders: those are code made from the user's text at run time, and they
 * would build objects for the fields that nobody asked for.
 */
import protobuf from 'protobufjs';
import { defaultFaceStreamLimits, FaceStreamError, type FaceStreamLimits } from './face_stream_error.ts';
import { type FaceStreamMessage, FaceStreamProtocol, type FaceStreamReader } from './face_stream_protocol.ts';
import { DelimitedReader } from './framing.ts';

/**
 * Where a user's message holds what. Paths are field names joined by dots, as the `.proto` spells them;
 * a path may lead through repeated messages and maps (`shapes.key`, `shapes.value`), whose values are
 * then taken in order. An empty path means that the stream hasn't got it.
 */
export interface UserSchemaMapping {
  /** The message that the body consists of: its full name, or its last part where that is unique. */
  readonly message: string;
  /** `length-delimited`: a varint length before each message; `single`: the body is one message. */
  readonly framing: 'length-delimited' | 'single';
  /** Path of the repeated message that is one frame. Empty: each message with weights is a frame. */
  readonly frames: string;
  /** Path, within the frame, of its weights: float or double. May be empty if `vertices` isn't. */
  readonly weights: string;
  /** Path, within the frame, of its time code: any number. Empty: frames are `1 / frameRate` s apart. */
  readonly timeCode: string;
  readonly timeCodeUnit: 'seconds' | 'milliseconds' | 'microseconds' | 'frames';
  /** Path, within the message, of the channel names: strings. Empty: `channels` has them. */
  readonly names: string;
  /** Channel names by position, for a stream that doesn't carry them. */
  readonly channels: readonly string[];
  /** Frames per second, hertz. */
  readonly frameRate: number;
  /** Path, within the frame, of vertex positions x y z in metres: float or double. Default none. */
  readonly vertices?: string;
  /** Path, within the message, of triangle indices: an integer type. Default none. */
  readonly triangles?: string;
  /** Path, within the message, of a text that says what failed. Not empty: the stream ends as an error. */
  readonly errorMessage?: string;
  /** What the server calls a channel, and what it is here, such as `JawOpen` to `jawOpen`. */
  readonly renames?: Readonly<Record<string, string>>;
  /** What time code 0 is: the start of the audio, or (for clock times) the first frame. Default `audio`. */
  readonly timeCodeOrigin?: 'audio' | 'first-frame';
}

/** Everything that can be wrong with a user's `.proto` or its mapping. */
export type UserSchemaErrorCode =
  | 'proto_too_large'
  | 'proto_unreadable'
  | 'import_missing'
  | 'message_missing'
  | 'message_ambiguous'
  | 'field_missing'
  | 'field_wrong_type'
  | 'mapping_incomplete';

/** A user's `.proto` or mapping can't be used; `message` says what to change, in words for its author. */
export class UserSchemaError extends Error {
  override readonly name = 'UserSchemaError';
  readonly code: UserSchemaErrorCode;
  /** The entry of the mapping that is at fault, or `proto` for the text itself. */
  readonly entry: keyof UserSchemaMapping | 'proto';

  constructor(code: UserSchemaErrorCode, entry: keyof UserSchemaMapping | 'proto', message: string) {
    // The text quotes names of the user's .proto, which may be of any length.
    super(message.length > maxErrorLength ? `${message.slice(0, maxErrorLength)}…` : message);
    this.code = code;
    this.entry = entry;
  }
}

/** A `.proto` and its mapping, understood; any number of streams can be decoded with it. */
export interface UserSchema {
  readonly mapping: UserSchemaMapping;
  /** Full name of the message that the body consists of, without a leading dot. */
  readonly messageName: string;
  readonly plan: MessagePlan;
}

/** Longest `.proto` that is read, characters. */
const maxProtoLength = 256 * 1024;
/** Most fields and enum values that are read: protobufjs's time grows with the square of a message's fields. */
const maxProtoFields = 2000;
const maxErrorLength = 1000;
/** Longest body of `single` framing, bytes: it must be held whole. */
const maxSingleBodyBytes = 64 * 1024 * 1024;

type Target = 'weights' | 'vertices' | 'timeCode' | 'names' | 'triangles' | 'errorMessage';

/** What to do with the fields of one message type; fields that are not in it are skipped. */
interface MessagePlan {
  readonly fields: Map<number, FieldPlan>;
  /** Fields that stand once in the message: an absent one means its default, which the wire leaves out. */
  readonly singular: ValuePlan[];
}

type FieldPlan =
  | ValuePlan
  | { readonly kind: 'message'; readonly isFrame: boolean; readonly plan: MessagePlan };

interface ValuePlan {
  readonly kind: 'value';
  readonly target: Target;
  readonly scalar: Scalar;
  readonly repeated: boolean;
}

interface Scalar {
  readonly wireType: 0 | 1 | 2 | 5;
  readonly read: (reader: protobuf.Reader) => number | string;
}

const scalars: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['double', { wireType: 1, read: (reader) => reader.double() }],
  ['float', { wireType: 5, read: (reader) => reader.float() }],
  ['int32', { wireType: 0, read: (reader) => reader.int32() }],
  ['uint32', { wireType: 0, read: (reader) => reader.uint32() }],
  ['sint32', { wireType: 0, read: (reader) => reader.sint32() }],
  ['fixed32', { wireType: 5, read: (reader) => reader.fixed32() }],
  ['sfixed32', { wireType: 5, read: (reader) => reader.sfixed32() }],
  ['int64', { wireType: 0, read: (reader) => Number(reader.int64()) }],
  ['uint64', { wireType: 0, read: (reader) => Number(reader.uint64()) }],
  ['sint64', { wireType: 0, read: (reader) => Number(reader.sint64()) }],
  ['fixed64', { wireType: 1, read: (reader) => Number(reader.fixed64()) }],
  ['sfixed64', { wireType: 1, read: (reader) => Number(reader.sfixed64()) }],
  ['string', { wireType: 2, read: (reader) => reader.stringVerify() }],
]);

const typesFor: Readonly<Record<Target, readonly string[]>> = {
  weights: ['float', 'double'],
  vertices: ['float', 'double'],
  timeCode: [...scalars.keys()].filter((type) => type !== 'string'),
  names: ['string'],
  triangles: ['uint32', 'int32', 'fixed32'],
  errorMessage: ['string'],
};

/**
 * Understands a `.proto` text and a mapping of its fields.
 *
 * Only the imports that protobufjs brings (`google/protobuf/…`) can be followed; nothing is read from
 * disk or network.
 *
 * @throws {UserSchemaError} naming the entry of the mapping that is at fault
 */
export function loadUserSchema(protoText: string, mapping: UserSchemaMapping): UserSchema {
  const root = parseProto(protoText);
  const message = findMessage(root, mapping.message);
  const plan = newPlan();
  const frame = mapping.frames === '' ? { message, plan } : planFrames(message, plan, mapping.frames);
  if (mapping.weights === '' && !mapping.vertices) {
    throw new UserSchemaError('mapping_incomplete', 'weights', 'Name the field that holds the weights.');
  }
  if (mapping.weights !== '' && mapping.names === '' && mapping.channels.length === 0) {
    throw new UserSchemaError(
      'mapping_incomplete',
      'names',
      'Name the field that holds the channel names, or list the channels by position.',
    );
  }
  if (!(mapping.frameRate > 0 && Number.isFinite(mapping.frameRate))) {
    throw new UserSchemaError('mapping_incomplete', 'frameRate', 'Give the frames per second, above 0.');
  }
  planValue(frame.message, frame.plan, 'weights', mapping.weights);
  planValue(frame.message, frame.plan, 'vertices', mapping.vertices);
  planValue(frame.message, frame.plan, 'timeCode', mapping.timeCode);
  planValue(message, plan, 'names', mapping.names);
  planValue(message, plan, 'triangles', mapping.triangles);
  planValue(message, plan, 'errorMessage', mapping.errorMessage);
  return { mapping, messageName: plainName(message), plan };
}

function parseProto(text: string): protobuf.Root {
  if (text.length > maxProtoLength) {
    throw new UserSchemaError(
      'proto_too_large',
      'proto',
      `The .proto has ${text.length} characters; ${maxProtoLength} are read.`,
    );
  }
  const fields = text.match(/=\s*\d/g)?.length ?? 0;
  if (fields > maxProtoFields) {
    throw new UserSchemaError(
      'proto_too_large',
      'proto',
      `The .proto has ${fields} fields; ${maxProtoFields} are read. Leave out the messages that the stream doesn't use.`,
    );
  }
  // protobufjs keeps names as keys of plain objects. It guards this one itself; we don't lean on that.
  if (/\b__proto__\b/.test(text)) {
    throw new UserSchemaError('proto_unreadable', 'proto', 'The .proto uses the name __proto__. Rename it.');
  }
  const root = new protobuf.Root();
  let parsed: protobuf.IParserResult;
  try {
    parsed = protobuf.parse(text, root, { keepCase: true });
  } catch (error) {
    throw new UserSchemaError('proto_unreadable', 'proto', `The .proto can't be read: ${reasonOf(error)}.`);
  }
  for (const name of [...(parsed.imports ?? []), ...(parsed.weakImports ?? [])]) {
    const bundled = Object.hasOwn(protobuf.common, name) ? protobuf.common.get(name)?.nested : undefined;
    if (!bundled) {
      throw new UserSchemaError(
        'import_missing',
        'proto',
        `The .proto imports "${name}", which isn't here. Paste what it needs of that file into it and remove the import.`,
      );
    }
    root.addJSON(bundled);
  }
  return root;
}

function findMessage(root: protobuf.Root, name: string): protobuf.Type {
  const wanted = name.replace(/^\./, '');
  const all = messagesWithin(root);
  const exact = all.find((type) => plainName(type) === wanted);
  if (exact) return exact;
  const bySuffix = wanted === '' ? all : all.filter((type) => plainName(type).endsWith(`.${wanted}`));
  if (bySuffix.length === 1 && wanted !== '') return bySuffix[0]!;
  const listed = listNames((bySuffix.length > 0 ? bySuffix : all).map(plainName));
  if (bySuffix.length > 1 && wanted !== '') {
    throw new UserSchemaError(
      'message_ambiguous',
      'message',
      `Several messages are called ${wanted}: ${listed}.`,
    );
  }
  throw new UserSchemaError(
    'message_missing',
    'message',
    wanted === ''
      ? `Name the message that the server streams. The .proto has ${listed}.`
      : `The .proto has no message ${wanted}. It has ${listed}.`,
  );
}

function messagesWithin(namespace: protobuf.NamespaceBase): protobuf.Type[] {
  return namespace.nestedArray.flatMap((nested) => {
    const inner = nested instanceof protobuf.Namespace ? messagesWithin(nested) : [];
    return nested instanceof protobuf.Type ? [nested, ...inner] : inner;
  });
}

/** One step of a path: a field of a message, or the key or value of a map's entry. */
interface PathField {
  readonly id: number;
  readonly type: string;
  readonly repeated: boolean;
  readonly enters: PathMessage | undefined;
}

/** A message as paths see it: a type of the `.proto`, or the entry that a map is on the wire. */
type PathMessage = protobuf.Type | protobuf.MapField;

function newPlan(): MessagePlan {
  return { fields: new Map(), singular: [] };
}

function planFrames(
  message: protobuf.Type,
  plan: MessagePlan,
  path: string,
): { message: PathMessage; plan: MessagePlan } {
  const steps = path.split('.');
  const reached = descend(message, plan, 'frames', steps.slice(0, -1));
  const last = steps.at(-1)!;
  const field = fieldOf(reached.message, last, 'frames');
  if (!field.enters) {
    throw new UserSchemaError(
      'field_wrong_type',
      'frames',
      `${pathName(reached.message)}.${last} is ${article(field.type)}, not a message that could be a frame.`,
    );
  }
  const framePlan = newPlan();
  reached.plan.fields.set(field.id, { kind: 'message', isFrame: true, plan: framePlan });
  return { message: field.enters, plan: framePlan };
}

function planValue(message: PathMessage, plan: MessagePlan, target: Target, path: string | undefined): void {
  if (!path) return;
  const steps = path.split('.');
  const last = steps.at(-1)!;
  const reached = descend(message, plan, target, steps.slice(0, -1));
  const field = fieldOf(reached.message, last, target);
  const scalar = typesFor[target].includes(field.type) ? scalars.get(field.type) : undefined;
  if (!scalar || field.enters) {
    throw new UserSchemaError(
      'field_wrong_type',
      target,
      `${pathName(reached.message)}.${last} is ${article(field.type)}; for ${target} it must be ${typesFor[target].join(' or ')}.`,
    );
  }
  if (reached.plan.fields.has(field.id)) {
    throw new UserSchemaError(
      'field_wrong_type',
      target,
      `${pathName(reached.message)}.${last} is mapped twice; ${target} needs a field of its own.`,
    );
  }
  const value: ValuePlan = { kind: 'value', target, scalar, repeated: field.repeated };
  reached.plan.fields.set(field.id, value);
  if (!field.repeated) reached.plan.singular.push(value);
}

/** Follows `steps` into nested messages, and lets the plan follow too. */
function descend(
  start: PathMessage,
  startPlan: MessagePlan,
  entry: keyof UserSchemaMapping,
  steps: readonly string[],
): { message: PathMessage; plan: MessagePlan } {
  let message = start;
  let plan = startPlan;
  for (const step of steps) {
    const field = fieldOf(message, step, entry);
    if (!field.enters) {
      throw new UserSchemaError(
        'field_wrong_type',
        entry,
        `${pathName(message)}.${step} is ${article(field.type)}; the path can't go on through it.`,
      );
    }
    const known = plan.fields.get(field.id);
    if (known?.kind === 'message') {
      plan = known.plan;
    } else {
      const child: FieldPlan = { kind: 'message', isFrame: false, plan: newPlan() };
      plan.fields.set(field.id, child);
      plan = child.plan;
    }
    message = field.enters;
  }
  return { message, plan };
}

function fieldOf(message: PathMessage, name: string, entry: keyof UserSchemaMapping): PathField {
  if (message instanceof protobuf.MapField) return entryFieldOf(message, name, entry);
  const field = message.fieldsArray.find((candidate) => candidate.name === name);
  if (!field) {
    const listed = listNames(message.fieldsArray.map((candidate) => candidate.name));
    throw new UserSchemaError(
      'field_missing',
      entry,
      `The message ${pathName(message)} has no field ${name === '' ? 'without a name' : name}. It has ${listed}.`,
    );
  }
  if (field instanceof protobuf.MapField) {
    return { id: field.id, type: 'a map', repeated: true, enters: field };
  }
  return {
    id: field.id,
    type: field.type,
    repeated: field.repeated,
    enters: messageOf(message, field.type, entry),
  };
}

/** On the wire a map is a repeated message with its key as field 1 and its value as field 2. */
function entryFieldOf(map: protobuf.MapField, name: string, entry: keyof UserSchemaMapping): PathField {
  if (name === 'key') return { id: 1, type: map.keyType, repeated: false, enters: undefined };
  if (name === 'value') {
    return { id: 2, type: map.type, repeated: false, enters: messageOf(map.parent!, map.type, entry) };
  }
  throw new UserSchemaError(
    'field_missing',
    entry,
    `${pathName(map)} is a map: go on with ${map.name}.key or ${map.name}.value, not ${map.name}.${name}.`,
  );
}

/** The message that a field's type names; `undefined` for a scalar or an enum. */
function messageOf(
  scope: protobuf.NamespaceBase,
  type: string,
  entry: keyof UserSchemaMapping,
): protobuf.Type | undefined {
  if (Object.hasOwn(protobuf.types.basic, type)) return undefined;
  const found = scope.lookup(type, [protobuf.Type, protobuf.Enum]);
  if (!found) {
    throw new UserSchemaError(
      'message_missing',
      entry,
      `The .proto uses the type ${type}, which it does not define.`,
    );
  }
  return found instanceof protobuf.Type ? found : undefined;
}

/**
 * Decodes a stream of the user's own messages into the messages of our protocol. The header comes with
 * the first frame, and the end when the body ends, since such a stream has neither; a body that is cut
 * between two messages can therefore not be told from one that is complete.
 */
export class UserSchemaDecoder implements FaceStreamReader {
  readonly #schema: UserSchema;
  readonly #limits: FaceStreamLimits;
  readonly #protocol: FaceStreamProtocol;
  readonly #framing: DelimitedReader;
  /** The chunks of a `single` body. */
  readonly #body: Uint8Array[] = [];
  #bodyBytes = 0;
  /** The server's names by position, once they have come or were given. */
  #serverNames: readonly string[] | undefined;
  #triangles: number[] = [];
  #timeOrigin: number | undefined;
  #failure: FaceStreamError | undefined;

  constructor(schema: UserSchema, limits: Partial<FaceStreamLimits> = {}) {
    this.#schema = schema;
    this.#limits = { ...defaultFaceStreamLimits, ...limits };
    this.#protocol = new FaceStreamProtocol(this.#limits);
    this.#framing = new DelimitedReader(this.#limits.maxMessageBytes);
    if (schema.mapping.weights === '') this.#serverNames = [];
    else if (schema.mapping.names === '') this.#serverNames = schema.mapping.channels;
  }

  push(chunk: Uint8Array): Iterable<FaceStreamMessage> {
    if (this.#failure) throw this.#failure;
    if (this.#schema.mapping.framing === 'length-delimited') {
      this.#framing.push(chunk);
      return this.#guard(this.#drain());
    }
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > maxSingleBodyBytes) {
      this.#body.length = 0;
      this.#failure = new FaceStreamError(
        'message_too_large',
        0,
        `The response is longer than ${maxSingleBodyBytes} bytes, the most that is read as a single message. Send shorter audio, or choose length-delimited framing if the server has it.`,
      );
      throw this.#failure;
    }
    this.#body.push(Uint8Array.from(chunk));
    return [];
  }

  finish(): Iterable<FaceStreamMessage> {
    if (this.#failure) throw this.#failure;
    return this.#guard(this.#close());
  }

  /** Remembers the fault that ends the stream, and lets nothing but FaceStreamError out. */
  *#guard(messages: Iterable<FaceStreamMessage>): Generator<FaceStreamMessage, void> {
    try {
      yield* messages;
    } catch (error) {
      this.#failure =
        error instanceof FaceStreamError ? error : this.#malformed(this.#framing.messageStart, error);
      throw this.#failure;
    }
  }

  *#drain(): Generator<FaceStreamMessage, void> {
    for (;;) {
      if (this.#failure) throw this.#failure;
      const bytes = this.#framing.next();
      if (!bytes) return;
      yield* this.#read(bytes, this.#framing.messageStart);
    }
  }

  *#close(): Generator<FaceStreamMessage, void> {
    const { framing, frameRate } = this.#schema.mapping;
    if (framing === 'length-delimited') {
      yield* this.#drain();
    } else {
      const body = concatenate(this.#body.splice(0), this.#bodyBytes);
      yield* this.#read(body, 0);
    }
    const protocol = this.#protocol;
    const offset = framing === 'single' ? this.#bodyBytes : this.#framing.offset;
    const midMessage = framing === 'length-delimited' && this.#framing.midMessage;
    if (protocol.header && !protocol.ended && !midMessage) {
      yield protocol.acceptEnd(protocol.frameCount, protocol.lastTimeCode + 1 / frameRate, offset);
    }
    protocol.acceptClose(midMessage, offset);
  }

  *#read(bytes: Uint8Array, byteOffset: number): Generator<FaceStreamMessage, void> {
    const content = new MessageContent(this.#limits);
    try {
      const reader = new protobuf.Reader(bytes);
      readMessage(reader, bytes.length, this.#schema.plan, content, byteOffset);
      if (this.#schema.mapping.frames === '' && content.hasFrameValues) content.endFrame(byteOffset);
    } catch (error) {
      throw error instanceof FaceStreamError ? error : this.#malformed(byteOffset, error);
    }
    if (content.triangles.length > 0) this.#triangles = content.triangles;
    const order = this.#takeNames(content.names, byteOffset);
    for (let index = 0; index < content.frameCount; index++) {
      yield* this.#readFrame(content, index, order, byteOffset);
    }
    if (content.errorMessage !== '') {
      yield this.#protocol.acceptFailure('server_error', content.errorMessage, byteOffset);
    }
  }

  *#readFrame(
    content: MessageContent,
    index: number,
    order: readonly number[] | undefined,
    byteOffset: number,
  ): Generator<FaceStreamMessage, void> {
    const vertices = content.vertices.slice(index);
    if (!this.#protocol.header && !this.#protocol.ended)
      yield this.#acceptHeader(vertices.length, byteOffset);
    const weights = content.weights.slice(index);
    yield this.#protocol.acceptFrame(
      {
        timeCode: this.#secondsOf(content.timeCodes[index]!),
        weights:
          order && order.length === weights.length ? weights.map((_, at) => weights[order[at]!]!) : weights,
        headPose: undefined,
        eyeGaze: undefined,
        vertices: vertices.length > 0 ? vertices : undefined,
      },
      byteOffset,
    );
  }

  #acceptHeader(vertexValues: number, byteOffset: number): FaceStreamMessage {
    const { mapping } = this.#schema;
    if (!this.#serverNames) {
      throw new FaceStreamError(
        'header_missing',
        byteOffset,
        `The face stream sends a frame before any channel names (byte ${byteOffset}). Check the mapping of names, or list the channels by position.`,
      );
    }
    const renames = new Map(Object.entries(mapping.renames ?? {}));
    return this.#protocol.acceptHeader(
      {
        traceId: '',
        frameRate: mapping.frameRate,
        channelNames: this.#serverNames.map((name) => renames.get(name) ?? name),
        mesh:
          vertexValues > 0
            ? {
                vertexCount: Math.floor(vertexValues / 3),
                triangleIndices: Uint32Array.from(this.#triangles),
              }
            : undefined,
      },
      byteOffset,
    );
  }

  /**
   * Keeps the first names that come. Where a later message names the same channels in another order, as
   * a map may, returns where in its weights each of our channels stands.
   */
  #takeNames(names: readonly string[], byteOffset: number): readonly number[] | undefined {
    if (names.length === 0) return undefined;
    const known = this.#serverNames;
    if (!known) {
      this.#serverNames = names;
      return undefined;
    }
    if (names.length === known.length && names.every((name, at) => name === known[at])) return undefined;
    const positions = new Map(names.map((name, at) => [name, at]));
    const order = known.map((name) => positions.get(name) ?? -1);
    if (names.length !== known.length || order.includes(-1)) {
      throw new FaceStreamError(
        'header_repeated',
        byteOffset,
        `The face stream changes its channel names at byte ${byteOffset}. Check the mapping of names.`,
      );
    }
    return order;
  }

  #secondsOf(timeCode: number): number {
    const { timeCode: path, timeCodeUnit, timeCodeOrigin, frameRate } = this.#schema.mapping;
    if (path === '') return this.#protocol.frameCount / frameRate;
    if (timeCodeOrigin !== 'first-frame') return timeCode / unitsPerSecond(timeCodeUnit, frameRate);
    this.#timeOrigin ??= timeCode;
    return (timeCode - this.#timeOrigin) / unitsPerSecond(timeCodeUnit, frameRate);
  }

  #malformed(byteOffset: number, cause: unknown): FaceStreamError {
    return new FaceStreamError(
      'malformed_message',
      byteOffset,
      `The face stream has no readable ${this.#schema.messageName} at byte ${byteOffset}. Check the connection's .proto, message and framing.`,
      { cause },
    );
  }
}

/** What one message of the user's held: no frame is an object until it is drawn, so a body of millions of
 * empty frames costs no more than a small multiple of its bytes. */
class MessageContent {
  readonly weights = new FrameValues();
  readonly vertices = new FrameValues();
  readonly timeCodes: number[] = [];
  readonly names: string[] = [];
  readonly triangles: number[] = [];
  errorMessage = '';
  timeCode = 0;
  readonly #limits: FaceStreamLimits;

  constructor(limits: FaceStreamLimits) {
    this.#limits = limits;
  }

  get frameCount(): number {
    return this.timeCodes.length;
  }

  get hasFrameValues(): boolean {
    return this.weights.inFrame > 0 || this.vertices.inFrame > 0;
  }

  /** Closes a frame over the values since the last. @throws {FaceStreamError} `limit_exceeded` */
  endFrame(byteOffset: number): void {
    if (this.timeCodes.length >= this.#limits.maxFrames) {
      throw this.#tooMany(`${this.#limits.maxFrames} frames`, byteOffset);
    }
    this.weights.endFrame();
    this.vertices.endFrame();
    this.timeCodes.push(this.timeCode);
    this.timeCode = 0;
  }

  /** @throws {FaceStreamError} `limit_exceeded` */
  take(target: Target, value: number | string, byteOffset: number): void {
    if (typeof value === 'string') {
      if (target === 'errorMessage') {
        this.errorMessage = value;
      } else {
        if (this.names.length >= this.#limits.maxChannels) {
          throw this.#tooMany(`${this.#limits.maxChannels} channel names`, byteOffset);
        }
        this.names.push(value);
      }
    } else if (target === 'timeCode') {
      this.timeCode = value;
    } else if (target === 'triangles') {
      if (this.triangles.length >= this.#limits.maxTriangles * 3) {
        throw this.#tooMany(`${this.#limits.maxTriangles} triangles`, byteOffset);
      }
      this.triangles.push(value);
    } else {
      (target === 'weights' ? this.weights : this.vertices).push(value);
    }
  }

  #tooMany(what: string, byteOffset: number): FaceStreamError {
    return new FaceStreamError(
      'limit_exceeded',
      byteOffset,
      `The face stream has more than ${what} in one message (byte ${byteOffset}). Check the mapping.`,
    );
  }
}

/** The floats of many frames, one after the other. */
class FrameValues {
  #values = new Float32Array(64);
  #length = 0;
  readonly #ends: number[] = [];

  get inFrame(): number {
    return this.#length - (this.#ends.at(-1) ?? 0);
  }

  push(value: number): void {
    this.#reserve(1);
    this.#values[this.#length++] = value;
  }

  /** Takes `bytes` of packed little-endian floats. */
  pushPacked(bytes: Uint8Array): void {
    const count = bytes.length / 4;
    this.#reserve(count);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < count; at++) this.#values[this.#length + at] = view.getFloat32(at * 4, true);
    this.#length += count;
  }

  endFrame(): void {
    this.#ends.push(this.#length);
  }

  /** A copy of one frame's values. */
  slice(frame: number): Float32Array<ArrayBuffer> {
    return this.#values.slice(this.#ends[frame - 1] ?? 0, this.#ends[frame]);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#values.length) return;
    const grown = new Float32Array(Math.max(this.#values.length * 2, this.#length + count));
    grown.set(this.#values.subarray(0, this.#length));
    this.#values = grown;
  }
}

/** Reads one message up to `end`, taking what the plan names and skipping the rest. Its depth is the plan's. */
function readMessage(
  reader: protobuf.Reader,
  end: number,
  plan: MessagePlan,
  content: MessageContent,
  byteOffset: number,
): void {
  // No read may pass this message's end into the next: the same bound that protobufjs's decoders set.
  const outerEnd = reader.len;
  if (end > outerEnd) throw new RangeError(`message ends at ${end}, beyond ${outerEnd}`);
  reader.len = end;
  const singular = plan.singular.length > 0 ? new Map<ValuePlan, number | string>() : undefined;
  while (reader.pos < end) {
    const tag = reader.tag();
    const wireType = tag & 7;
    const field = plan.fields.get(tag >>> 3);
    if (field?.kind === 'message' && wireType === 2) {
      const size = reader.size();
      readMessage(reader, reader.pos + size, field.plan, content, byteOffset);
      if (field.isFrame) content.endFrame(byteOffset);
    } else if (field?.kind === 'value' && wireType === field.scalar.wireType) {
      const value = field.scalar.read(reader);
      if (field.repeated) content.take(field.target, value, byteOffset);
      else singular?.set(field, value);
    } else if (field?.kind === 'value' && wireType === 2 && field.repeated) {
      readPacked(reader, field, content, byteOffset);
    } else {
      reader.skipType(wireType, 0, tag >>> 3);
    }
  }
  if (reader.pos !== end) throw new RangeError(`message ends at ${end}, was read to ${reader.pos}`);
  reader.len = outerEnd;
  for (const field of plan.singular) {
    const absent = field.scalar.wireType === 2 ? '' : 0;
    content.take(field.target, singular?.get(field) ?? absent, byteOffset);
  }
}

function readPacked(
  reader: protobuf.Reader,
  field: ValuePlan,
  content: MessageContent,
  byteOffset: number,
): void {
  const size = reader.size();
  const end = reader.pos + size;
  if (end > reader.len) throw new RangeError(`packed field ends at ${end}, beyond ${reader.len}`);
  const isFloats = field.scalar.wireType === 5 && (field.target === 'weights' || field.target === 'vertices');
  if (isFloats && size % 4 === 0) {
    content[field.target === 'weights' ? 'weights' : 'vertices'].pushPacked(
      reader.buf.subarray(reader.pos, end),
    );
    reader.pos = end;
    return;
  }
  const outerEnd = reader.len;
  reader.len = end;
  while (reader.pos < end) content.take(field.target, field.scalar.read(reader), byteOffset);
  reader.len = outerEnd;
}

function unitsPerSecond(unit: UserSchemaMapping['timeCodeUnit'], frameRate: number): number {
  switch (unit) {
    case 'seconds':
      return 1;
    case 'milliseconds':
      return 1e3;
    case 'microseconds':
      return 1e6;
    case 'frames':
      return frameRate;
  }
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let position = 0;
  for (const chunk of chunks) {
    whole.set(chunk, position);
    position += chunk.length;
  }
  return whole;
}

function plainName(object: protobuf.ReflectionObject): string {
  return object.fullName.replace(/^\./, '');
}

function pathName(message: PathMessage): string {
  return message instanceof protobuf.MapField
    ? `${plainName(message.parent!)}.${message.name}`
    : plainName(message);
}

function article(type: string): string {
  if (type === 'a map') return type;
  return Object.hasOwn(protobuf.types.basic, type) ? `of type ${type}` : `a ${type}`;
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 12);
  if (names.length > shown.length) shown.push(`${names.length - shown.length} more`);
  return shown.length > 0 ? shown.join(', ') : 'none';
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\.$/, '').slice(0, 300);
}
