/**
 * Re-times a frame's encoded bytes, for passing a face on with only its time changed.
 */
import protobuf from 'protobufjs/minimal.js';
import type { FaceStreamFrame } from './face_stream_protocol.ts';

/**
 * Bytes by the frame that was read from them, without length prefix. They are a view: keeping the frame keeps
 * the received chunk.
 */
const wires = new WeakMap<FaceStreamFrame, Uint8Array>();

/** Tags of `likeness.v1.StreamMessage.frame` and of a frame's fields: number << 3 | wire type. */
const frameTag = 0x12;
const tags = { timeCode: 0x09, weights: 0x12, headPose: 0x1a, eyeGaze: 0x22 } as const;
/** Bytes of seven floats and of four, each with its tag. */
const poseBytes = 7 * 5;
const gazeBytes = 4 * 5;

export function keepWire(frame: FaceStreamFrame, bytes: Uint8Array): void {
  wires.set(frame, bytes);
}

/**
 * Returns the message that a frame was read from, with another time code and all other bytes unchanged. Null
 * if the message was not kept, has vertices, or has repeated or unknown fields.
 *
 * @param timeCode seconds
 */
export function wireAt(frame: FaceStreamFrame, timeCode: number): Uint8Array<ArrayBuffer> | null {
  const wire = wires.get(frame);
  const at = wire && timeCodeIn(wire, frame.weights.length);
  if (!wire || at === undefined) return null;
  const placed = new Uint8Array(wire);
  new DataView(placed.buffer).setFloat64(at, timeCode, true);
  return placed;
}

/** Where the time code's eight bytes begin. */
function timeCodeIn(wire: Uint8Array, channels: number): number | undefined {
  const reader = new protobuf.Reader(wire);
  if (reader.uint32() !== frameTag || reader.uint32() !== reader.len - reader.pos) return undefined;
  let at: number | undefined;
  let last = 0;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    // In ascending order, so that none occurs twice.
    if (tag <= last) return undefined;
    last = tag;
    if (tag === tags.timeCode) {
      at = reader.pos;
      reader.skip(8);
      continue;
    }
    const length = reader.uint32();
    if (length > maxBytes(tag, channels)) return undefined;
    reader.skip(length);
  }
  return at;
}

/** Bytes that a field takes; less than any field if it is unknown. */
function maxBytes(tag: number, channels: number): number {
  switch (tag) {
    case tags.weights:
      return 4 * channels;
    case tags.headPose:
      return poseBytes;
    case tags.eyeGaze:
      return gazeBytes;
    default:
      return -1;
  }
}
