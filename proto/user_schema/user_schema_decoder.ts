import protobuf from 'protobufjs';
import { defaultFaceStreamLimits, FaceStreamError, type FaceStreamLimits } from '../face_stream_error.ts';
import {
  type FaceStreamMessage,
  FaceStreamProtocol,
  type FaceStreamReader,
} from '../face_stream_protocol.ts';
import { DelimitedReader } from '../framing.ts';
import type { UserSchema } from './user_schema.ts';
import type { UserSchemaMapping } from './user_schema_mapping.ts';
import { MessageContent, readMessage } from './user_schema_reader.ts';

/** Longest body of `single` framing, bytes: it must be held whole. */
const maxSingleBodyBytes = 64 * 1024 * 1024;

/**
 * Decodes a stream of the user's own messages into the messages of our protocol. Such a stream has neither
 * header nor end, so the header comes with the first frame and the end with the end of the body. A body that
 * is cut between two messages therefore looks complete.
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
