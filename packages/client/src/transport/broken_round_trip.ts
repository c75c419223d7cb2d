import type { Phase } from './wire.ts';

export type BreakReason = 'timeout' | 'cancelled' | 'too_large' | 'network';

/** An attempt without a complete answer. */
export class BrokenRoundTrip extends Error {
  readonly reason: BreakReason;
  readonly phase: Phase;
  /**
   * True if the server provably never got the whole request, so it can't have acted on it. If an answer has
   * begun, the server did act, even if the request was not completely sent.
   */
  readonly neverReceived: boolean;
  readonly bytesReceived: number;
  /** The answer's status, if its headers arrived. */
  readonly status: number | null;
  /** The exceeded limit, milliseconds, for `timeout`. */
  readonly limit: number;
  /** True if that was the limit of the whole attempt rather than of a phase. */
  readonly whole: boolean;
  /** The error from undici, Node or the request's own body, for `network`. */
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
