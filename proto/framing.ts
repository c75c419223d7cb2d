import { FaceStreamError } from './face_stream_error.ts';

/** A message that straddles chunks starts in a buffer of at most this size and grows as its bytes arrive. */
const firstPartialBytes = 64 * 1024;
/** Five bytes of seven bits hold the 32 bits that protobuf allows a length. */
const maxLengthBytes = 5;
const noBytes = new Uint8Array(0);

/**
 * Puts a message's length before it, as a base-128 varint (protobuf's delimited form).
 *
 * @example delimit(new Uint8Array(300)).subarray(0, 2) // 0xac 0x02
 */
export function delimit(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix: number[] = [];
  let rest = message.length;
  while (rest > 0x7f) {
    prefix.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  prefix.push(rest);
  const delimited = new Uint8Array(prefix.length + message.length);
  delimited.set(prefix);
  delimited.set(message, prefix.length);
  return delimited;
}

/**
 * Splits a body that arrives in chunks of any size into its length-delimited messages.
 *
 * A message that lies within one chunk is handed out as a view on that chunk, without a copy: don't
 * overwrite a chunk before `next()` has returned `undefined`. One that straddles chunks is copied once,
 * into a buffer that grows only as bytes arrive, so a large announced length costs nothing by itself.
 *
 * @example
 * reader.push(chunk);
 * for (let message = reader.next(); message; message = reader.next()) use(message);
 */
export class DelimitedReader {
  readonly #maxMessageBytes: number;
  readonly #queue: Uint8Array[] = [];
  #chunk: Uint8Array = noBytes;
  #position = 0;
  /** Bytes of all chunks before the current one. */
  #consumed = 0;

  /** The length prefix as far as it has been read. */
  #length = 0;
  #lengthBytes = 0;
  #lengthComplete = false;
  #messageStart = 0;

  #partial: Uint8Array | undefined;
  #partialBytes = 0;

  /** @param maxMessageBytes Longest message that is accepted, bytes, without its prefix. */
  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Offset in the body of the length prefix of the last message begun, bytes. */
  get messageStart(): number {
    return this.#messageStart;
  }

  /** Offset in the body up to which bytes have been read, bytes. */
  get offset(): number {
    return this.#consumed + this.#position;
  }

  /** Whether the bytes read so far end inside a message or its prefix. */
  get midMessage(): boolean {
    return this.#lengthBytes > 0;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.#queue.push(chunk);
  }

  /**
   * The next whole message, or `undefined` until more is pushed.
   *
   * @throws {FaceStreamError} `malformed_length`, `message_too_large`
   */
  next(): Uint8Array | undefined {
    for (;;) {
      if (this.#position === this.#chunk.length && !this.#nextChunk()) return undefined;
      if (!this.#lengthComplete && !this.#readLength()) continue;
      const message = this.#partial ? this.#fillPartial() : this.#readMessage();
      if (message) {
        this.#length = 0;
        this.#lengthBytes = 0;
        this.#lengthComplete = false;
        return message;
      }
    }
  }

  #nextChunk(): boolean {
    this.#consumed += this.#chunk.length;
    this.#position = 0;
    this.#chunk = this.#queue.shift() ?? noBytes;
    return this.#chunk.length > 0;
  }

  /** Reads on in the prefix; false when the chunk ended within it. */
  #readLength(): boolean {
    if (this.#lengthBytes === 0) this.#messageStart = this.offset;
    while (this.#position < this.#chunk.length) {
      const byte = this.#chunk[this.#position++]!;
      // Not a shift: the fifth byte reaches beyond 31 bits.
      this.#length += (byte & 0x7f) * 2 ** (7 * this.#lengthBytes);
      this.#lengthBytes += 1;
      if (byte < 0x80) {
        if (this.#length > this.#maxMessageBytes) {
          throw new FaceStreamError(
            'message_too_large',
            this.#messageStart,
            `The face stream announces a message of ${this.#length} bytes at byte ${this.#messageStart}; ${this.#maxMessageBytes} is the most that is read. Check that the connection's stream schema and framing are those of the server.`,
          );
        }
        this.#lengthComplete = true;
        return true;
      }
      if (this.#lengthBytes === maxLengthBytes) {
        throw new FaceStreamError(
          'malformed_length',
          this.#messageStart,
          `The face stream has no readable message length at byte ${this.#messageStart}. The server may be sending something other than length-delimited protobuf: check the connection's stream schema.`,
        );
      }
    }
    return false;
  }

  /** The whole message as a view, or a start on a copy when the chunk ends within it. */
  #readMessage(): Uint8Array | undefined {
    const start = this.#position;
    const available = this.#chunk.length - start;
    if (available >= this.#length) {
      this.#position = start + this.#length;
      return this.#chunk.subarray(start, this.#position);
    }
    if (available === 0) return undefined;
    this.#partial = new Uint8Array(Math.min(this.#length, Math.max(firstPartialBytes, available * 2)));
    this.#partial.set(this.#chunk.subarray(start));
    this.#partialBytes = available;
    this.#position = this.#chunk.length;
    return undefined;
  }

  #fillPartial(): Uint8Array | undefined {
    let partial = this.#partial!;
    const taken = Math.min(this.#length - this.#partialBytes, this.#chunk.length - this.#position);
    const filled = this.#partialBytes + taken;
    if (filled > partial.length) {
      const grown = new Uint8Array(Math.min(this.#length, Math.max(partial.length * 2, filled)));
      grown.set(partial.subarray(0, this.#partialBytes));
      partial = grown;
      this.#partial = grown;
    }
    partial.set(this.#chunk.subarray(this.#position, this.#position + taken), this.#partialBytes);
    this.#position += taken;
    this.#partialBytes = filled;
    if (filled < this.#length) return undefined;
    this.#partial = undefined;
    this.#partialBytes = 0;
    return partial;
  }
}
