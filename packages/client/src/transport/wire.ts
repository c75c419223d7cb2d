import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** Timeout of each phase of one attempt, milliseconds. */
export interface PhaseTimeouts {
  /** Name lookup, TCP, proxy and TLS, until the request can be written. */
  connect: number;
  /** From the last progress of sending to the first byte of the answer. */
  firstByte: number;
  /** Between two chunks of the answer. Does not run while the reader applies backpressure. */
  betweenBytes: number;
  /** All of it. */
  whole: number;
}

export type Phase = 'connect' | 'send' | 'firstByte' | 'body';

/** Traffic of one attempt; the caller adds up a call's attempts. */
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
  method: 'GET' | 'POST' | 'DELETE';
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
  /** True if the body was longer and was cut at the limit. */
  cut: boolean;
}

export interface StreamedAnswer extends WireHead {
  /** The body as it arrives; can be read once. Leaving the loop early ends the request. */
  body: AsyncIterable<Buffer>;
}
