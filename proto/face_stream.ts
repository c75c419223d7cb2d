import protobuf from 'protobufjs/minimal.js';
import { defaultFaceStreamLimits, FaceStreamError, type FaceStreamLimits } from './face_stream_error.ts';
import {
  type FaceStreamEnd,
  type FaceStreamFailure,
  type FaceStreamFrame,
  type FaceStreamHeader,
  type FaceStreamMessage,
  FaceStreamProtocol,
  type FaceStreamReader,
} from './face_stream_protocol.ts';
import { DelimitedReader, delimit } from './framing.ts';
import { likeness } from './generated/face_animation.js';
import { keepWire, wireAt } from './placed_frame.ts';

const { StreamMessage } = likeness.v1;
type WireMessage = ReturnType<typeof StreamMessage.decode>;
type WireProperties = likeness.v1.StreamMessage.$Properties;

/**
 * Decodes a stream of `likeness.v1.StreamMessage` (proto/face_animation.proto) as it arrives, and validates
 * it: header first and once, as many weights as names, finite values, time codes that only increase, nothing
 * after the end.
 *
 * @example
 * const decoder = new FaceStreamDecoder();
 * for await (const chunk of body) {
 *   for (const message of decoder.push(chunk)) if (message.kind === 'frame') show(message.weights);
 * }
 * for (const message of decoder.finish()) use(message);
 */
export class FaceStreamDecoder implements FaceStreamReader {
  readonly #framing: DelimitedReader;
  readonly #protocol: FaceStreamProtocol;
  #failure: FaceStreamError | undefined;
  /** Bytes of the messages that came without a prefix. */
  #acceptedBytes = 0;

  /** @param limits Bounds that differ from {@link defaultFaceStreamLimits}. */
  constructor(limits: Partial<FaceStreamLimits> = {}) {
    const bounds = { ...defaultFaceStreamLimits, ...limits };
    this.#framing = new DelimitedReader(bounds.maxMessageBytes);
    this.#protocol = new FaceStreamProtocol(bounds);
  }

  push(chunk: Uint8Array): Iterable<FaceStreamMessage> {
    if (this.#failure) throw this.#failure;
    this.#framing.push(chunk);
    return this.#drain();
  }

  finish(): Iterable<FaceStreamMessage> {
    if (this.#failure) throw this.#failure;
    return this.#drainAndClose();
  }

  /**
   * Takes one whole message that came without a length prefix, as over a message port, and returns it.
   * Don't mix with `push`.
   *
   * @throws {FaceStreamError}
   */
  accept(bytes: Uint8Array): FaceStreamMessage {
    if (this.#failure) throw this.#failure;
    const byteOffset = this.#acceptedBytes;
    try {
      const message = this.#read(bytes, byteOffset);
      this.#acceptedBytes += bytes.length;
      return message;
    } catch (error) {
      this.#failure = error instanceof FaceStreamError ? error : malformed(byteOffset, error);
      throw this.#failure;
    }
  }

  *#drainAndClose(): Generator<FaceStreamMessage, void> {
    yield* this.#drain();
    this.#protocol.acceptClose(this.#framing.midMessage, this.#framing.offset);
  }

  *#drain(): Generator<FaceStreamMessage, void> {
    for (;;) {
      const message = this.#next();
      if (!message) return;
      yield message;
    }
  }

  #next(): FaceStreamMessage | undefined {
    if (this.#failure) throw this.#failure;
    try {
      const bytes = this.#framing.next();
      const message = bytes && this.#read(bytes, this.#framing.messageStart);
      if (message?.kind === 'frame') keepWire(message, bytes!);
      return message;
    } catch (error) {
      this.#failure = error instanceof FaceStreamError ? error : malformed(this.#framing.messageStart, error);
      throw this.#failure;
    }
  }

  #read(bytes: Uint8Array, byteOffset: number): FaceStreamMessage {
    const reader = new protobuf.Reader(bytes);
    reader.discardUnknown = true;
    const message = StreamMessage.decode(reader);
    // By `body`, not by presence: a message that sets several of a oneof means the last.
    switch (message.body) {
      case 'header':
        return this.#readHeader(message.header, byteOffset);
      case 'frame':
        return this.#readFrame(message.frame, byteOffset);
      case 'end':
        return this.#protocol.acceptEnd(message.end.frameCount ?? 0, message.end.duration ?? 0, byteOffset);
      case 'error':
        return this.#protocol.acceptFailure(
          message.error.code ?? '',
          message.error.message ?? '',
          byteOffset,
        );
      default:
        throw malformed(byteOffset, undefined);
    }
  }

  #readHeader(header: NonNullable<WireMessage['header']>, byteOffset: number): FaceStreamHeader {
    return this.#protocol.acceptHeader(
      {
        traceId: header.traceId ?? '',
        frameRate: header.frameRate ?? 0,
        channelNames: header.channelNames ?? [],
        mesh: header.mesh
          ? {
              vertexCount: header.mesh.vertexCount ?? 0,
              triangleIndices: Uint32Array.from(header.mesh.triangleIndices ?? []),
            }
          : undefined,
      },
      byteOffset,
    );
  }

  #readFrame(frame: NonNullable<WireMessage['frame']>, byteOffset: number): FaceStreamFrame {
    const pose = frame.headPose;
    const gaze = frame.eyeGaze;
    return this.#protocol.acceptFrame(
      {
        timeCode: frame.timeCode ?? 0,
        weights: new Float32Array(frame.weights ?? []),
        headPose: pose
          ? {
              translation: [pose.translationX ?? 0, pose.translationY ?? 0, pose.translationZ ?? 0],
              rotation: [pose.rotationX ?? 0, pose.rotationY ?? 0, pose.rotationZ ?? 0, pose.rotationW ?? 0],
            }
          : undefined,
        eyeGaze: gaze
          ? {
              leftYaw: gaze.leftYaw ?? 0,
              leftPitch: gaze.leftPitch ?? 0,
              rightYaw: gaze.rightYaw ?? 0,
              rightPitch: gaze.rightPitch ?? 0,
            }
          : undefined,
        vertices: frame.vertices?.length ? new Float32Array(frame.vertices) : undefined,
      },
      byteOffset,
    );
  }
}

/** What {@link encodeHeader} takes. */
export type HeaderToEncode = Pick<FaceStreamHeader, 'traceId' | 'frameRate' | 'channelNames'> &
  Partial<Pick<FaceStreamHeader, 'mesh'>>;

/** What {@link encodeFrame} takes: a frame without its place in the stream. */
export interface FrameToEncode {
  readonly timeCode: number;
  readonly weights: Float32Array;
  readonly headPose?: FaceStreamFrame['headPose'];
  readonly eyeGaze?: FaceStreamFrame['eyeGaze'];
  readonly vertices?: Float32Array | undefined;
}

/** The header with its length prefix. The sender keeps to the protocol; the encoders check nothing. */
export function encodeHeader(header: HeaderToEncode): Uint8Array<ArrayBuffer> {
  return delimit(toBytes({ header: wireHeader(header) }));
}

/** A frame with its length prefix. The bytes have a buffer of their own and may be transferred. */
export function encodeFrame(frame: FrameToEncode): Uint8Array<ArrayBuffer> {
  return delimit(toBytes({ frame: wireFrame(frame) }));
}

/** The end with its length prefix. */
export function encodeEnd(end: Omit<FaceStreamEnd, 'kind'>): Uint8Array<ArrayBuffer> {
  return delimit(toBytes({ end }));
}

/** The failure with its length prefix. */
export function encodeError(failure: Omit<FaceStreamFailure, 'kind'>): Uint8Array<ArrayBuffer> {
  return delimit(toBytes({ error: failure }));
}

/**
 * Any message without a length prefix, for a port that keeps messages apart by itself and whose other
 * side reads them with {@link FaceStreamDecoder.accept}. The bytes may be transferred.
 */
export function encodeBareMessage(message: FaceStreamMessage): Uint8Array<ArrayBuffer> {
  switch (message.kind) {
    case 'header':
      return toBytes({ header: wireHeader(message) }).slice();
    case 'frame':
      return toBytes({ frame: wireFrame(message) }).slice();
    case 'end':
      return toBytes({ end: { frameCount: message.frameCount, duration: message.duration } }).slice();
    case 'error':
      return toBytes({ error: { code: message.code, message: message.message } }).slice();
  }
}

/**
 * A frame without its vertices at another time, as {@link encodeBareMessage} makes it. One that {@link
 * FaceStreamDecoder} has read from a body keeps its own bytes: it is not encoded again.
 *
 * @param timeCode seconds
 */
export const encodeFrameAt = (frame: FaceStreamFrame, timeCode: number): Uint8Array<ArrayBuffer> =>
  wireAt(frame, timeCode) ?? encodeBareMessage({ ...frame, vertices: undefined, timeCode });

function wireHeader(header: HeaderToEncode): likeness.v1.Header.$Properties {
  const { traceId, frameRate, channelNames, mesh } = header;
  return {
    traceId,
    frameRate,
    channelNames: [...channelNames],
    ...(mesh && {
      mesh: { vertexCount: mesh.vertexCount, triangleIndices: asNumbers(mesh.triangleIndices) },
    }),
  };
}

function wireFrame(frame: FrameToEncode): likeness.v1.Frame.$Properties {
  const { timeCode, weights, headPose, eyeGaze, vertices } = frame;
  return {
    timeCode,
    weights: asNumbers(weights),
    ...(headPose && {
      headPose: {
        translationX: headPose.translation[0],
        translationY: headPose.translation[1],
        translationZ: headPose.translation[2],
        rotationX: headPose.rotation[0],
        rotationY: headPose.rotation[1],
        rotationZ: headPose.rotation[2],
        rotationW: headPose.rotation[3],
      },
    }),
    ...(eyeGaze && { eyeGaze }),
    ...(vertices && { vertices: asNumbers(vertices) }),
  };
}

/**
 * The message's bytes as a view on the writer's own buffer: both callers copy them once, to their exact size.
 */
function toBytes(message: WireProperties): Uint8Array<ArrayBuffer> {
  return StreamMessage.encode(message, new protobuf.Writer()).finish(true) as Uint8Array<ArrayBuffer>;
}

/**
 * protobufjs declares `number[]` but only indexes and counts; copying every frame would serve only the types.
 */
function asNumbers(values: Float32Array | Uint32Array): number[] {
  return values as ArrayLike<number> as number[];
}

function malformed(byteOffset: number, cause: unknown): FaceStreamError {
  return new FaceStreamError(
    'malformed_message',
    byteOffset,
    `The face stream has a message at byte ${byteOffset} that is not one of ours. Check that the connection's stream schema is the server's.`,
    { cause },
  );
}
