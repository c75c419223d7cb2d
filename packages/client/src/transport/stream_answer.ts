import { BrokenRoundTrip } from './broken_round_trip.ts';
import { RoundTrip } from './round_trip.ts';
import type { CollectedAnswer, StreamedAnswer, WireHead, WireRequest } from './wire.ts';

/** Sends a request and resolves with the answer's headers. @throws BrokenRoundTrip, also from the body */
export function open(request: WireRequest): Promise<StreamedAnswer> {
  return new Promise((resolve, reject) => {
    new Streaming(request, resolve, reject).start();
  });
}

/** Maximum bytes of a refusal to read for the server's message. */
const longestRefusal = 64 * 1024;

/** Returns a refusal's body, up to 64 KiB. If it breaks off, the part received so far is used. */
export async function beginning({ status, headers, body }: StreamedAnswer): Promise<CollectedAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > longestRefusal) break;
    }
  } catch (error) {
    if (!(error instanceof BrokenRoundTrip) || error.reason === 'cancelled') throw error;
  }
  return {
    status,
    headers,
    body: Buffer.concat(chunks).subarray(0, longestRefusal),
    cut: size > longestRefusal,
  };
}

/** High and low water marks of the buffer for a slow reader, bytes. */
const highWater = 256 * 1024;

const lowWater = 64 * 1024;

class Streaming extends RoundTrip implements AsyncIterableIterator<Buffer> {
  readonly #resolve: (answer: StreamedAnswer) => void;
  readonly #reject: (broken: BrokenRoundTrip) => void;
  #chunks: Buffer[] = [];
  #queued = 0;
  #paused = false;
  #opened = false;
  #broken: BrokenRoundTrip | undefined;
  #waiting: { resolve(result: IteratorResult<Buffer>): void; reject(error: Error): void } | undefined;

  constructor(
    request: WireRequest,
    resolve: (answer: StreamedAnswer) => void,
    reject: (broken: BrokenRoundTrip) => void,
  ) {
    super(request);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  protected get isPaused(): boolean {
    return this.#paused;
  }

  protected head({ status, headers }: WireHead): void {
    this.#opened = true;
    this.#resolve({ status, headers, body: this });
  }

  protected data(chunk: Buffer): void {
    if (this.#waiting) {
      const { resolve } = this.#waiting;
      this.#waiting = undefined;
      resolve({ done: false, value: chunk });
      return;
    }
    this.#chunks.push(chunk);
    this.#queued += chunk.byteLength;
    if (this.#queued > highWater && !this.#paused) {
      this.#paused = true;
      this.controller?.pause();
    }
  }

  protected end(): void {
    this.#waiting?.resolve({ done: true, value: undefined });
    this.#waiting = undefined;
  }

  protected fail(broken: BrokenRoundTrip): void {
    this.#broken = broken;
    if (!this.#opened) {
      this.#reject(broken);
      return;
    }
    this.#waiting?.reject(broken);
    this.#waiting = undefined;
  }

  next(): Promise<IteratorResult<Buffer>> {
    const chunk = this.#chunks.shift();
    if (chunk) {
      this.#queued -= chunk.byteLength;
      if (this.#paused && this.#queued < lowWater) {
        this.#paused = false;
        this.mark = performance.now();
        this.controller?.resume();
      }
      return Promise.resolve({ done: false, value: chunk });
    }
    // Deliver the data from before the break first.
    if (this.#broken) return Promise.reject(this.#broken);
    if (this.settled) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<Buffer>> {
    this.#chunks = [];
    this.#queued = 0;
    this.leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Buffer> {
    return this;
  }
}
