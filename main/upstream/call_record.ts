import type { Operation } from '#contract';
import type { Said } from '#sentences';

/** What a call will cost if it goes through, known before it is sent. */
export interface PlannedCall {
  profileId: string;
  operation: Operation;
  /** Seconds of audio. */
  seconds: number;
  /** Face frames to expect: seconds at the connection's frame rate. An estimate; the server decides. */
  frames: number;
  models: number;
}

/** What became of a call, for the journal: one a call, whatever the number of tries. Holds no secret. */
export interface FinishedCall {
  profileId: string;
  profileName: string;
  operation: Operation;
  /** Trace id, model id, task id, or a download's address without its query. Empty where none is known. */
  subject: string;
  outcome: 'ok' | 'failed' | 'cancelled' | 'refused';
  /** Of the last try; null where no answer came. */
  httpStatus: number | null;
  envelopeCode: number | null;
  /** Why it failed; empty where it did not. */
  message: Said;
  /** Bytes of bodies, all tries together. */
  bytesSent: number;
  bytesReceived: number;
  /** Milliseconds from the start of the last try to its answer's headers; null where none came. */
  firstByteMs: number | null;
  /** Milliseconds of all of it, waiting for a turn and pauses included. */
  totalMs: number;
  /** Seconds of audio that the server took. */
  billedSeconds: number;
  /** Face frames that came. */
  billedFrames: number;
  billedModels: number;
  /** Tries. 0: it was never sent. */
  attempts: number;
  /** A POST that may have been received, and billed, without a proper answer; not in the sums above. */
  uncertain: boolean;
}
