import type { Message } from '@likeness/messages';

export const journalOutcomes = ['ok', 'failed', 'cancelled', 'refused'] as const;

/** The interface's stated latency target: P95 in milliseconds. */
export const latencyTargetMs = 900;

/** A row of the journal. Times are milliseconds since 1970. */
export interface JournalEntry {
  sequence: number;
  at: number;
  /** A call to a server, or an action of the program itself. */
  kind: 'call' | 'event';
  profileId: string;
  profileName: string;
  operation: string;
  /** Trace id, model id or task id. */
  subject: string;
  outcome: (typeof journalOutcomes)[number];
  httpStatus: number | null;
  envelopeCode: number | null;
  /** Short reason of a failure. */
  message: Message;
  bytesSent: number;
  bytesReceived: number;
  /** Milliseconds to the first byte of the answer; null if none came. */
  firstByteMs: number | null;
  totalMs: number;
  billedSeconds: number;
  billedFrames: number;
  billedModels: number;
  cost: number;
  currency: string;
  /** SHA-256 over the entry and the one before it, hex. */
  hash: string;
}

/** Conditions that an entry must meet; all are optional. */
export interface JournalFilter {
  profileId?: string | undefined;
  operation?: string | undefined;
  outcome?: JournalEntry['outcome'] | undefined;
  /** Free text over subject, message and profile name. */
  text?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** Milliseconds to the first byte, per operation. */
export interface Latency {
  operations: { operation: string; count: number; p50: number; p95: number; withinTarget: boolean }[];
  /** The newest measurements, oldest first. */
  recent: { at: number; operation: string; milliseconds: number; ok: boolean }[];
}
