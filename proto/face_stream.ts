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

const { StreamMessage } = likeness.v1;
type WireMessage = ReturnType<typeof StreamMessage.decode>;
type WireMessageProperties = likeness.v1.StreamMessage.$Properties;

/**
 * Decodes a stream of `likeness.v1.StreamMessage` (proto/face_animation.proto) as it arrives, and holds
 * it to its protocol: header first and once, as many weights as names, finite values, time codes that
 * only increase, nothing after the end.
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
      return bytes && this.#read(bytes, this.#framing.messageStart);
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

/** The header's message with its length prefix. The sender keeps to the protocol; nothing is checked here. */
export function encodeHeader(
  header: Pick<FaceStreamHeader, 'traceId' | 'frameRate' | 'channelNames'> &
    Partial<Pick<FaceStreamHeader, 'mesh'>>,
): Uint8Array<ArrayBuffer> {
  return encode({
    header: {
      traceId: header.traceId,
      frameRate: header.frameRate,
      channelNames: [...header.channelNames],
      ...(header.mesh && {
        mesh: {
          vertexCount: header.mesh.vertexCount,
          triangleIndices: asNumbers(header.mesh.triangleIndices),
        },
      }),
    },
  });
}

/** What {@link encodeFrame} takes: a frame without its place in the stream. */
export type FrameToEncode = Pick<FaceStreamFrame, 'timeCode'> & { readonly weights: Float32Array } & {
  readonly headPose?: FaceStreamFrame['headPose'];
  readonly eyeGaze?: FaceStreamFrame['eyeGaze'];
  readonly vertices?: Float32Array | undefined;
};

/** A frame's message with its length prefix. The bytes are the caller's own and may be transferred. */
export function encodeFrame(frame: FrameToEncode): Uint8Array<ArrayBuffer> {
  const { timeCode, weights, headPose, eyeGaze, vertices } = frame;
  return encode({
    frame: {
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
    },
  });
}

/** The end's message with its length prefix. */
export function encodeEnd(end: Omit<FaceStreamEnd, 'kind'>): Uint8Array<ArrayBuffer> {
  return encode({ end });
}

/** The failure's message with its length prefix. */
export function encodeError(failure: Omit<FaceStreamFailure, 'kind'>): Uint8Array<ArrayBuffer> {
  return encode({ error: failure });
}

function encode(message: WireMessageProperties): Uint8Array<ArrayBuffer> {
  // Shared: the one copy is made with the prefix, into a buffer of exactly the message's size.
  return delimit(StreamMessage.encode(message, new protobuf.Writer()).finish(true));
}

/** protobufjs declares `number[]` but only indexes and counts; a copy of every frame would be for the types. */
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
