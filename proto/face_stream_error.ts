/** Everything that can be wrong with a stream of face frames. A closed list: the border maps each one. */
export const faceStreamErrorCodes = [
  /** A length prefix is not a varint of at most five bytes. The body is not length-delimited protobuf. */
  'malformed_length',
  /** A message announces more bytes than {@link FaceStreamLimits.maxMessageBytes}. */
  'message_too_large',
  /** A message's bytes are not the protobuf message that the schema describes. */
  'malformed_message',
  /** A frame or the end came before the header. */
  'header_missing',
  /** A second header came, or the channel names changed in mid-stream. */
  'header_repeated',
  /** The header's names, frame rate or topology can't be used. */
  'header_invalid',
  /** A frame has another number of weights than the header has names. */
  'weights_mismatch',
  /** A frame has another number of vertex coordinates than the header's topology has. */
  'vertices_mismatch',
  /** A weight, coordinate, pose, gaze, time or duration is NaN, infinite or out of its range. */
  'value_invalid',
  /** A frame's time code is not greater than the one before. */
  'time_code_not_increasing',
  /** The end counts other frames than came. */
  'frame_count_mismatch',
  /** More channels, vertices, triangles, frames or characters than {@link FaceStreamLimits} allows. */
  'limit_exceeded',
  /** Bytes follow the end or the error message. */
  'data_after_end',
  /** The body ended inside a message, or before the end message. */
  'truncated',
] as const;

export type FaceStreamErrorCode = (typeof faceStreamErrorCodes)[number];

/**
 * A stream of face frames can't be read any further. `message` is one or two sentences for a person that say
 * what is wrong, where, and what to do; `code` is for programs.
 */
export class FaceStreamError extends Error {
  override readonly name = 'FaceStreamError';
  readonly code: FaceStreamErrorCode;
  /** Offset in the body, in bytes, of the first byte of the message at fault. */
  readonly byteOffset: number;

  constructor(code: FaceStreamErrorCode, byteOffset: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.byteOffset = byteOffset;
  }
}

/** Limits on a stream. The defaults allow any real head and a working day of frames. */
export interface FaceStreamLimits {
  /** Bytes of one message. Default 8 MiB. Memory held for a stream never passes a small multiple of it. */
  readonly maxMessageBytes: number;
  /** Weight channels. Default 1,024. */
  readonly maxChannels: number;
  /** Vertices of the mesh. Default 200,000. */
  readonly maxVertices: number;
  /** Triangles of the mesh. Default 400,000. */
  readonly maxTriangles: number;
  /** Frames of the stream; ends an endless one. Default 2,000,000 (9 hours at 60 frames per second). */
  readonly maxFrames: number;
}

export const defaultFaceStreamLimits: FaceStreamLimits = {
  maxMessageBytes: 8 * 1024 * 1024,
  maxChannels: 1024,
  maxVertices: 200_000,
  maxTriangles: 400_000,
  maxFrames: 2_000_000,
};
