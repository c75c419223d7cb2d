import type { Phase } from './wire.ts';

export type BreakReason = 'timeout' | 'cancelled' | 'too_large' | 'network';

/** A try that did not come to a whole answer. */
export class BrokenRoundTrip extends Error {
  readonly reason: BreakReason;
  readonly phase: Phase;
  /**
   * True where the server provably never got the whole request, so that it can't have acted on it. An answer
   * that has begun says that it did act, whatever was still to be sent.
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
