import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type BreakReason, BrokenRoundTrip } from './broken_round_trip.ts';
import { unwatch, type Watched, watch } from './phase_watch.ts';
import type { Phase, WireHead, WireRequest } from './wire.ts';

/** The reason passed to undici when we end a request ourselves; it never reaches a caller. */
const ended = new Error('ended by the client');

/**
 * One request through undici's dispatcher, with a timeout per phase. Undici's own `request()` is not used
 * because it can't say whether a request was handed to the socket, which decides whether a POST may be
 * repeated.
 */
export abstract class RoundTrip implements Dispatcher.DispatchHandler, Watched {
  protected readonly request: WireRequest;
  protected controller: Dispatcher.DispatchController | undefined;
  protected settled = false;
  /** Time of the last progress, as in `performance.now()`. */
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

  /** Called when the answer's headers have arrived. */
  protected abstract head(head: WireHead): void;
  protected abstract data(chunk: Buffer): void;
  protected abstract end(): void;
  protected abstract fail(broken: BrokenRoundTrip): void;
  /** True while the reader applies backpressure, so that silence is not the server's fault. */
  protected abstract readonly isPaused: boolean;

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
    // Undici requeues a request when its connection closes before use. A billed one that was already written
    // is not written again.
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

  /** Ends the request without an error: the reader is done. */
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
    if (this.isPaused) this.mark = now;
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
 * A server that rejects our certificate sends a TLS alert. In TLS 1.3 it comes after we began to write, but
 * the server has not read the request.
 */
function refusedHandshake(error: Error | undefined): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' && /^ERR_SSL_.*ALERT/.test(code);
}
