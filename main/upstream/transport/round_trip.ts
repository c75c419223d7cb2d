import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { unwatch, type Watched, watch } from './phase_watch.ts';

/** How long each phase of one try may last, milliseconds. */
export interface PhaseTimeouts {
  /** Name lookup, TCP, proxy and TLS, until the request can be written. */
  connect: number;
  /** From the last progress of sending to the first byte of the answer. */
  firstByte: number;
  /** Between two pieces of the answer. Does not run while the reader of the answer is the slow one. */
  betweenBytes: number;
  /** All of it. */
  whole: number;
}

export type Phase = 'connect' | 'send' | 'firstByte' | 'body';

/** What one try moved; the caller adds up the tries of a call. */
export interface Meter {
  /** Bytes of the body that were handed to the socket. */
  bytesSent: number;
  /** Bytes of the answer's body. */
  bytesReceived: number;
  /** Milliseconds from the start of the try to the answer's headers; null where none came. */
  firstByteMs: number | null;
  httpStatus: number | null;
}

export function newMeter(): Meter {
  return { bytesSent: 0, bytesReceived: 0, firstByteMs: null, httpStatus: null };
}

export interface WireRequest {
  dispatcher: Dispatcher;
  origin: string;
  path: string;
  method: 'GET' | 'POST';
  /** Name, value, name, value … Holds `content-length` where the body is an iterable. */
  headers: string[];
  body?: Uint8Array | AsyncIterable<Uint8Array>;
  timeouts: PhaseTimeouts;
  meter: Meter;
  signal?: AbortSignal | undefined;
}

export interface WireHead {
  status: number;
  headers: IncomingHttpHeaders;
}

export interface CollectedAnswer extends WireHead {
  body: Buffer;
  /** True where the body went on and was cut at the limit. */
  cut: boolean;
}

export interface StreamedAnswer extends WireHead {
  /** The body as it arrives; can be read once. Leaving the loop early ends the request. */
  body: AsyncIterable<Buffer>;
}

export type BreakReason = 'timeout' | 'cancelled' | 'too_large' | 'network';

/** A try that did not come to a whole answer. */
export class BrokenRoundTrip extends Error {
  readonly reason: BreakReason;
  readonly phase: Phase;
  /**
   * True where the server provably never got the whole request, so that it can't have acted on it. An answer that has
   * begun says that it did act, whatever was still to be sent.
   */
  readonly neverReceived: boolean;
  readonly bytesReceived: number;
  /** The answer's status, where its headers came before the break. */
  readonly status: number | null;
  /** Milliseconds of the limit that was passed, for `timeout`. */
  readonly limit: number;
  /** True where that was the limit of the whole try, not of the phase. */
  readonly whole: boolean;
  /** What undici, Node or the request's own body reported, for `network`. */
  readonly error: Error | undefined;

  constructor(
    reason: BreakReason,
    details: {
      phase: Phase;
      neverReceived: boolean;
      bytesReceived: number;
      status?: number | null;
      limit?: number;
      whole?: boolean;
      error?: Error;
    },
  ) {
    super(`${reason} in phase ${details.phase}`);
    this.name = 'BrokenRoundTrip';
    this.reason = reason;
    this.phase = details.phase;
    this.neverReceived = details.neverReceived;
    this.bytesReceived = details.bytesReceived;
    this.status = details.status ?? null;
    this.limit = details.limit ?? 0;
    this.whole = details.whole ?? false;
    this.error = details.error;
  }
}

/**
 * Sends a request and gathers the whole answer.
 *
 * @param limit Most bytes of a body. @param over What happens beyond: `fail` breaks off with `too_large`, `cut`
 *   resolves with what came so far.
 * @throws BrokenRoundTrip
 */
export function collect(
  request: WireRequest,
  limit: number,
  over: 'fail' | 'cut' = 'fail',
): Promise<CollectedAnswer> {
  return new Promise((resolve, reject) => {
    new Collecting(request, limit, over, resolve, reject).start();
  });
}

/** Sends a request and resolves when the answer's headers are there. @throws BrokenRoundTrip, the body too */
export function open(request: WireRequest): Promise<StreamedAnswer> {
  return new Promise((resolve, reject) => {
    new Streaming(request, resolve, reject).start();
  });
}

/** Bytes of a refusal that are read for the server's words. */
const longestRefusal = 64 * 1024;

/** What a refusal says: as much of the body as comes, up to 64 KiB. A body that breaks off is no further news. */
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

/** The reason that undici is given when we end a request ourselves; it never reaches a caller. */
const ended = new Error('ended by the client');

/**
 * One request through undici's dispatcher, with the clock of its phases. Undici's own `request()` is not used:
 * it can't say whether a request was handed to the socket, on which it depends whether a POST may be repeated.
 */
abstract class RoundTrip implements Dispatcher.DispatchHandler, Watched {
  protected readonly request: WireRequest;
  protected controller: Dispatcher.DispatchController | undefined;
  protected settled = false;
  /** When something last moved, on the clock of `performance.now()`. */
  protected mark: number;
  #phase: Phase = 'connect';
  #received = 0;
  #sent = false;
  readonly #began: number;
  readonly #abort = (): void => this.break('cancelled');

  constructor(request: WireRequest) {
    this.request = request;
    this.#began = performance.now();
    this.mark = this.#began;
  }

  /** The answer's headers are there. */
  protected abstract head(head: WireHead): void;
  protected abstract data(chunk: Buffer): void;
  protected abstract end(): void;
  protected abstract fail(broken: BrokenRoundTrip): void;
  /** True while the reader of the answer holds it back, so that silence is not the server's. */
  protected abstract readonly heldBack: boolean;

  start(): void {
    const { dispatcher, origin, path, method, headers, body, signal } = this.request;
    if (signal?.aborted) {
      this.break('cancelled');
      return;
    }
    signal?.addEventListener('abort', this.#abort, { once: true });
    watch(this);
    dispatcher.dispatch(
      // Undici takes any iterable; its types know only Node's streams.
      {
        origin,
        path,
        method,
        headers,
        body: (body ?? null) as Uint8Array | null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Undici puts a request back in line when its connection goes away before use. One that was written
    // already and would cost money is not written again.
    const again = this.controller !== undefined && this.request.method !== 'GET';
    this.controller = controller;
    if (this.settled || again) {
      controller.abort(ended);
      if (again) this.break('network', new Error('the connection was lost'));
      return;
    }
    this.#enter('send');
  }

  onBodySent(chunk: Uint8Array): void {
    this.request.meter.bytesSent += chunk?.byteLength ?? 0;
    this.mark = performance.now();
  }

  onRequestSent(): void {
    this.#sent = true;
    if (this.#phase === 'send') this.#enter('firstByte');
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.settled || status < 200) return;
    this.#enter('body');
    this.request.meter.firstByteMs = this.mark - this.#began;
    this.request.meter.httpStatus = status;
    this.head({ status, headers });
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    this.mark = performance.now();
    this.#received += chunk.byteLength;
    this.request.meter.bytesReceived += chunk.byteLength;
    this.data(chunk);
  }

  onResponseEnd(): void {
    if (this.settled) return;
    this.settle();
    this.end();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.break('network', error);
  }

  protected settle(): void {
    this.settled = true;
    unwatch(this);
    this.request.signal?.removeEventListener('abort', this.#abort);
  }

  /** Ends the request without an error: the reader has what it wants. */
  protected leave(): void {
    if (this.settled) return;
    this.settle();
    this.controller?.abort(ended);
  }

  protected break(reason: BreakReason, error?: Error, limit = 0, whole = false): void {
    if (this.settled) return;
    this.settle();
    const broken = new BrokenRoundTrip(reason, {
      phase: this.#phase,
      neverReceived: this.#phase !== 'body' && (!this.#sent || refusedHandshake(error)),
      bytesReceived: this.#received,
      status: this.request.meter.httpStatus,
      limit,
      whole,
      ...(error && { error }),
    });
    this.fail(broken);
    this.controller?.abort(ended);
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.mark = performance.now();
  }

  check(now: number): void {
    const { timeouts } = this.request;
    if (now - this.#began >= timeouts.whole) {
      this.break('timeout', undefined, timeouts.whole, true);
      return;
    }
    if (this.heldBack) this.mark = now;
    const limit =
      this.#phase === 'connect'
        ? timeouts.connect
        : this.#phase === 'body'
          ? timeouts.betweenBytes
          : timeouts.firstByte;
    if (now - this.mark >= limit) this.break('timeout', undefined, limit);
  }
}

/**
 * A server that rejects our certificate says so in a TLS alert, which in TLS 1.3 comes after we began to write;
 * it has not looked at the request.
 */
function refusedHandshake(error: Error | undefined): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' && /^ERR_SSL_.*ALERT/.test(code);
}

class Collecting extends RoundTrip {
  protected readonly heldBack = false;
  readonly #limit: number;
  readonly #over: 'fail' | 'cut';
  readonly #resolve: (answer: CollectedAnswer) => void;
  readonly #reject: (broken: BrokenRoundTrip) => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: WireHead | undefined;

  constructor(
    request: WireRequest,
    limit: number,
    over: 'fail' | 'cut',
    resolve: (answer: CollectedAnswer) => void,
    reject: (broken: BrokenRoundTrip) => void,
  ) {
    super(request);
    this.#limit = limit;
    this.#over = over;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  protected head(head: WireHead): void {
    this.#head = head;
    if (this.#over === 'fail' && Number(head.headers['content-length']) > this.#limit)
      this.break('too_large');
  }

  protected data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= this.#limit) return;
    if (this.#over === 'fail') {
      this.break('too_large');
    } else {
      this.leave();
      this.#give(true);
    }
  }

  protected end(): void {
    this.#give(false);
  }

  protected fail(broken: BrokenRoundTrip): void {
    // A refusal whose words break off is a refusal all the same, such as one sent before the upload has ended.
    if (this.#head && this.#head.status >= 400 && broken.reason === 'network') this.#give(true);
    else this.#reject(broken);
  }

  #give(cut: boolean): void {
    const { status, headers } = this.#head as WireHead;
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status, headers, body: cut ? body.subarray(0, this.#limit) : body, cut });
  }
}

/** Bytes that wait for a slow reader before the server is held back, and below which it may go on. */
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

  protected get heldBack(): boolean {
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
    // What came before the break is given first: the reader keeps all that arrived.
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
