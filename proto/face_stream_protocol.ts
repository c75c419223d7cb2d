import { FaceStreamError, type FaceStreamErrorCode, type FaceStreamLimits } from './face_stream_error.ts';

/** Topology of the vertices that frames may carry. */
export interface MeshTopology {
  /** Vertices of each frame that carries any. */
  readonly vertexCount: number;
  /** Vertex indices, three a triangle, counter-clockwise from outside. Empty if the stream has none. */
  readonly triangleIndices: Uint32Array;
}

/** First message: what holds for the whole stream. */
export interface FaceStreamHeader {
  readonly kind: 'header';
  /** The caller's trace identifier; empty if the stream has none. */
  readonly traceId: string;
  /** Nominal frames per second, hertz. */
  readonly frameRate: number;
  /** Names of the weights by position; unique. Empty only if there is a mesh, which then moves alone. */
  readonly channelNames: readonly string[];
  readonly mesh: MeshTopology | undefined;
}

/**
 * The head's rigid motion away from rest: rotation about the origin, then translation. Right-handed, +Y
 * up, the face looks along +Z.
 */
export interface HeadPose {
  /** x y z, metres. */
  readonly translation: readonly [number, number, number];
  /** Quaternion x y z w of length 1. */
  readonly rotation: readonly [number, number, number, number];
}

/** Directions of the eyes relative to the head, radians; yaw positive to the face's own left, pitch up. */
export interface EyeGaze {
  readonly leftYaw: number;
  readonly leftPitch: number;
  readonly rightYaw: number;
  readonly rightPitch: number;
}

/** The face at one moment. Its arrays are the receiver's own: nothing else keeps or reuses them. */
export interface FaceStreamFrame {
  readonly kind: 'frame';
  /** Position in the stream, from 0. */
  readonly index: number;
  /** Seconds since the start of the audio; greater than that of the frame before. */
  readonly timeCode: number;
  /** One weight per channel, nominally 0..1, finite. */
  readonly weights: Float32Array<ArrayBuffer>;
  readonly headPose: HeadPose | undefined;
  readonly eyeGaze: EyeGaze | undefined;
  /** Positions in metres, x y z by vertex. */
  readonly vertices: Float32Array<ArrayBuffer> | undefined;
}

/** Last message of a stream that is complete. */
export interface FaceStreamEnd {
  readonly kind: 'end';
  readonly frameCount: number;
  /** Seconds of audio that the frames cover. */
  readonly duration: number;
}

/** Last message of a stream that failed on the server. */
export interface FaceStreamFailure {
  readonly kind: 'error';
  /** The server's error code; at most 64 characters. */
  readonly code: string;
  /** The server's message for a person, untrusted; at most 1,000 characters, no control characters. */
  readonly message: string;
}

export type FaceStreamMessage = FaceStreamHeader | FaceStreamFrame | FaceStreamEnd | FaceStreamFailure;

/** A decoder of one stream, whatever its schema: our own or one that the user brought. */
export interface FaceStreamReader {
  /**
   * Takes the next bytes of the body and yields the messages that they complete. Messages before a fault are
   * yielded before the fault is thrown. Messages that the caller does not draw stay for the next call. Don't
   * overwrite the chunk before the iterator is done.
   *
   * @throws {FaceStreamError} after which every further call throws the same.
   */
  push(chunk: Uint8Array): Iterable<FaceStreamMessage>;
  /**
   * Ends the body; yields messages that only then are known to be complete.
   *
   * @throws {FaceStreamError} `truncated` if the stream isn't complete.
   */
  finish(): Iterable<FaceStreamMessage>;
}

const maxTraceIdLength = 256;
const maxChannelNameLength = 128;
const maxFailureCodeLength = 64;
const maxFailureMessageLength = 1000;
/** Frames per second beyond which a rate is a mistake. */
const maxFrameRate = 1000;
/** How far from 1 a quaternion's length may be: allows for single precision and rounding. */
const quaternionTolerance = 0.01;

/** A frame as read from the wire, before it is checked against the header. */
export interface RawFrame {
  readonly timeCode: number;
  readonly weights: Float32Array<ArrayBuffer>;
  readonly headPose: HeadPose | undefined;
  readonly eyeGaze: EyeGaze | undefined;
  readonly vertices: Float32Array<ArrayBuffer> | undefined;
}

/** Checks the order and the limits of one stream. */
export class FaceStreamProtocol {
  readonly #limits: FaceStreamLimits;
  #header: FaceStreamHeader | undefined;
  #frameCount = 0;
  #lastTimeCode = Number.NEGATIVE_INFINITY;
  #ended = false;

  constructor(limits: FaceStreamLimits) {
    this.#limits = limits;
  }

  get header(): FaceStreamHeader | undefined {
    return this.#header;
  }

  get frameCount(): number {
    return this.#frameCount;
  }

  /** Time code of the last frame in seconds; -Infinity before the first. */
  get lastTimeCode(): number {
    return this.#lastTimeCode;
  }

  /** Whether the end or an error has come. */
  get ended(): boolean {
    return this.#ended;
  }

  /** @throws {FaceStreamError} `header_repeated`, `header_invalid`, `limit_exceeded`, `data_after_end` */
  acceptHeader(header: Omit<FaceStreamHeader, 'kind'>, byteOffset: number): FaceStreamHeader {
    this.#refuseAfterEnd(byteOffset);
    if (this.#header) {
      throw fault(
        'header_repeated',
        byteOffset,
        'sends a second header. Only one stream at a time can be read from a response',
      );
    }
    if (header.channelNames.length === 0 && !header.mesh) {
      throw fault('header_invalid', byteOffset, 'has neither channels nor a mesh');
    }
    this.#checkNames(header.channelNames, byteOffset);
    if (!(header.frameRate > 0 && header.frameRate <= maxFrameRate)) {
      throw fault(
        'header_invalid',
        byteOffset,
        `gives a frame rate of ${header.frameRate} per second; it must be above 0 and at most ${maxFrameRate}`,
      );
    }
    if (header.traceId.length > maxTraceIdLength) {
      throw fault(
        'limit_exceeded',
        byteOffset,
        `has a trace id of ${header.traceId.length} characters; ${maxTraceIdLength} are allowed`,
      );
    }
    if (header.mesh) this.#checkMesh(header.mesh, byteOffset);
    this.#header = { kind: 'header', ...header };
    return this.#header;
  }

  /**
   * @throws {FaceStreamError} `header_missing`, `weights_mismatch`, `vertices_mismatch`, `value_invalid`,
   * `time_code_not_increasing`, `limit_exceeded`, `data_after_end`
   */
  acceptFrame(frame: RawFrame, byteOffset: number): FaceStreamFrame {
    this.#refuseAfterEnd(byteOffset);
    const header = this.#header;
    const index = this.#frameCount;
    if (!header) {
      throw fault(
        'header_missing',
        byteOffset,
        'sends a frame before its header, so its channels have no names',
      );
    }
    if (index >= this.#limits.maxFrames) {
      throw fault(
        'limit_exceeded',
        byteOffset,
        `has more than ${this.#limits.maxFrames} frames. It was stopped there`,
      );
    }
    const { timeCode, weights, vertices, headPose, eyeGaze } = frame;
    if (!Number.isFinite(timeCode) || timeCode < 0) {
      throw fault('value_invalid', byteOffset, `gives frame ${index} the time code ${timeCode}`);
    }
    if (timeCode <= this.#lastTimeCode) {
      throw fault(
        'time_code_not_increasing',
        byteOffset,
        `runs back in time: frame ${index} is at ${rounded(timeCode)} s, the one before at ${rounded(this.#lastTimeCode)} s`,
      );
    }
    const channels = header.channelNames.length;
    if (weights.length !== channels) {
      throw fault(
        'weights_mismatch',
        byteOffset,
        `gives frame ${index} ${weights.length} weights for ${channels} channel names`,
      );
    }
    for (let channel = 0; channel < channels; channel++) {
      if (!Number.isFinite(weights[channel])) {
        throw fault(
          'value_invalid',
          byteOffset,
          `gives ${header.channelNames[channel]} in frame ${index} the weight ${weights[channel]}`,
        );
      }
    }
    if (vertices) this.#checkVertices(vertices, header.mesh, index, byteOffset);
    if (headPose && !isRigid(headPose)) {
      throw fault(
        'value_invalid',
        byteOffset,
        `gives frame ${index} a head pose that is no rotation and translation`,
      );
    }
    if (eyeGaze && !isFiniteGaze(eyeGaze)) {
      throw fault('value_invalid', byteOffset, `gives frame ${index} a gaze that is not finite`);
    }
    this.#lastTimeCode = timeCode;
    this.#frameCount = index + 1;
    return { kind: 'frame', index, timeCode, weights, headPose, eyeGaze, vertices };
  }

  /** @throws {FaceStreamError} `header_missing`, `frame_count_mismatch`, `value_invalid`, `data_after_end` */
  acceptEnd(frameCount: number, duration: number, byteOffset: number): FaceStreamEnd {
    this.#refuseAfterEnd(byteOffset);
    if (!this.#header) throw fault('header_missing', byteOffset, 'ends before its header');
    if (frameCount !== this.#frameCount) {
      throw fault(
        'frame_count_mismatch',
        byteOffset,
        `says it had ${frameCount} frames, but ${this.#frameCount} came`,
      );
    }
    if (!Number.isFinite(duration) || duration < 0) {
      throw fault('value_invalid', byteOffset, `gives its duration as ${duration} s`);
    }
    this.#ended = true;
    return { kind: 'end', frameCount, duration };
  }

  /** @throws {FaceStreamError} `data_after_end` */
  acceptFailure(code: string, message: string, byteOffset: number): FaceStreamFailure {
    this.#refuseAfterEnd(byteOffset);
    this.#ended = true;
    return {
      kind: 'error',
      code: readable(code, maxFailureCodeLength),
      message: readable(message, maxFailureMessageLength),
    };
  }

  /** @throws {FaceStreamError} `truncated` unless the stream has ended and no byte is left over. */
  acceptClose(midMessage: boolean, byteOffset: number): void {
    if (this.#ended && !midMessage) return;
    const where = `at byte ${byteOffset}${midMessage ? ', within a message' : ''}`;
    throw new FaceStreamError(
      'truncated',
      byteOffset,
      this.#header
        ? `The face stream broke off after ${this.#frameCount} ${this.#frameCount === 1 ? 'frame' : 'frames'}, ${where}. The connection was closed early or the server failed; try again.`
        : `The face stream ended before its header, ${where}. The server failed early, or it sends something other than the connection's stream schema.`,
    );
  }

  #refuseAfterEnd(byteOffset: number): void {
    if (this.#ended) throw fault('data_after_end', byteOffset, 'goes on after its end');
  }

  #checkNames(names: readonly string[], byteOffset: number): void {
    if (names.length > this.#limits.maxChannels) {
      throw fault(
        'limit_exceeded',
        byteOffset,
        `names ${names.length} channels; ${this.#limits.maxChannels} are allowed`,
      );
    }
    const seen = new Set<string>();
    for (const [position, name] of names.entries()) {
      if (!isUsableName(name)) {
        throw fault('header_invalid', byteOffset, `has no usable name for channel ${position}`);
      }
      if (seen.has(name)) throw fault('header_invalid', byteOffset, `names the channel ${name} twice`);
      seen.add(name);
    }
  }

  #checkMesh(mesh: MeshTopology, byteOffset: number): void {
    const { vertexCount, triangleIndices } = mesh;
    const triangles = triangleIndices.length / 3;
    if (vertexCount > this.#limits.maxVertices || triangles > this.#limits.maxTriangles) {
      throw fault(
        'limit_exceeded',
        byteOffset,
        `has a mesh of ${vertexCount} vertices and ${Math.ceil(triangles)} triangles; ${this.#limits.maxVertices} and ${this.#limits.maxTriangles} are allowed`,
      );
    }
    if (vertexCount < 1 || !Number.isInteger(triangles)) {
      throw fault('header_invalid', byteOffset, 'has a mesh without vertices or with half a triangle');
    }
    for (const index of triangleIndices) {
      if (index >= vertexCount) {
        throw fault(
          'header_invalid',
          byteOffset,
          `has a triangle at vertex ${index} in a mesh of ${vertexCount} vertices`,
        );
      }
    }
  }

  #checkVertices(
    vertices: Float32Array,
    mesh: MeshTopology | undefined,
    index: number,
    byteOffset: number,
  ): void {
    const expected = (mesh?.vertexCount ?? 0) * 3;
    if (vertices.length !== expected) {
      throw fault(
        'vertices_mismatch',
        byteOffset,
        `gives frame ${index} ${vertices.length} vertex coordinates where its header announces ${expected}`,
      );
    }
    for (let position = 0; position < vertices.length; position++) {
      if (!Number.isFinite(vertices[position])) {
        throw fault(
          'value_invalid',
          byteOffset,
          `gives vertex ${Math.floor(position / 3)} in frame ${index} a coordinate of ${vertices[position]}`,
        );
      }
    }
  }
}

/** A fault in what the server sent; `what` goes on from 'The face stream …'. */
function fault(code: FaceStreamErrorCode, byteOffset: number, what: string): FaceStreamError {
  return new FaceStreamError(
    code,
    byteOffset,
    `The face stream ${what} (byte ${byteOffset}). Check that the connection's stream schema is the server's.`,
  );
}

/**
 * Channel names become keys of morph target tables, here and in the programs that takes are exported to.
 * Names that reach an object's prototype or can't be printed are refused.
 */
function isUsableName(name: string): boolean {
  if (name.length === 0 || name.length > maxChannelNameLength) return false;
  if (name === '__proto__' || name === 'constructor' || name === 'prototype') return false;
  return !/\p{Cc}/u.test(name);
}

function isRigid({ translation, rotation }: HeadPose): boolean {
  const [x, y, z, w] = rotation;
  // Comparisons with NaN are false, so a NaN anywhere fails here.
  return (
    Number.isFinite(translation[0] + translation[1] + translation[2]) &&
    Math.abs(Math.hypot(x, y, z, w) - 1) <= quaternionTolerance
  );
}

function isFiniteGaze({ leftYaw, leftPitch, rightYaw, rightPitch }: EyeGaze): boolean {
  return Number.isFinite(leftYaw + leftPitch + rightYaw + rightPitch);
}

function readable(text: string, maxLength: number): string {
  const printable = text.replace(/\p{Cc}+/gu, ' ').trim();
  return printable.length > maxLength ? `${printable.slice(0, maxLength - 1)}…` : printable;
}

/** Seconds to a tenth of a millisecond, for a person. */
const rounded = (seconds: number): number => Number(seconds.toFixed(4));
