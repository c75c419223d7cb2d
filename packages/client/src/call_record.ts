import type { Message } from '@likeness/messages';
import type { Operation } from './interface_names.ts';

/** The planned cost of a call, before it is sent. */
export interface PlannedCall {
  profileId: string;
  operation: Operation;
  /** Seconds of audio. */
  seconds: number;
  /** Face frames to expect: seconds at the connection's frame rate. An estimate; the server decides. */
  frames: number;
  models: number;
  /** The order's key, if it has one: a repeated order has the same key and is billed once. */
  idempotencyKey?: string | undefined;
}

/** The result of a call for the journal: one per call, whatever the number of attempts. Holds no secret. */
export interface FinishedCall {
  profileId: string;
  profileName: string;
  operation: Operation;
  /** Trace id, model id, task id, or a download's address without its query. Empty if unknown. */
  subject: string;
  outcome: 'ok' | 'failed' | 'cancelled' | 'refused';
  /** HTTP status of the last attempt; null if no answer came. */
  httpStatus: number | null;
  envelopeCode: number | null;
  /** The reason of a failure; otherwise empty. */
  message: Message;
  /** Bytes of bodies, all attempts together. */
  bytesSent: number;
  bytesReceived: number;
  /** Milliseconds from the start of the last attempt to its answer's headers; null if none came. */
  firstByteMs: number | null;
  /** Total milliseconds, including waiting for a turn and pauses. */
  totalMs: number;
  /** Seconds of audio that the server accepted. */
  billedSeconds: number;
  /** Number of received face frames. */
  billedFrames: number;
  billedModels: number;
  /** Number of attempts. 0: it was never sent. */
  attempts: number;
  /**
   * A POST that may have been received, and billed, without a proper answer; not included in the sums above.
   */
  uncertain: boolean;
}
