import type protobuf from 'protobufjs';
import { FaceStreamError, type FaceStreamLimits } from '../face_stream_error.ts';
import type { MessagePlan, Target, ValuePlan } from './user_schema_plan.ts';

/**
 * Content of one user message. A frame becomes an object only when it is drawn, so a body of millions of
 * empty frames costs only a small multiple of its bytes.
 */
export class MessageContent {
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

/**
 * Reads one message up to `end`, taking what the plan names and skipping the rest. Its depth is the plan's.
 */
export function readMessage(
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
