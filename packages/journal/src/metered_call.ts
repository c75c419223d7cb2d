import type { JournalEntry } from './journal_entry.ts';

/** A call, or a whole live session, that is about to be made, and what it may cost at most. */
export interface PricedCall {
  profileId: string;
  profileName: string;
  operation: string;
  /** Trace id, model id or task id, as far as known. */
  subject: string;
  /** Most that may be spent in a calendar month (UTC), in `currency`. Null: no cap. */
  monthlyCap: number | null;
  /** Three capital letters. */
  currency: string;
  /** In `currency`. 0: costs nothing, and is never refused. */
  plannedCost: number;
  /**
   * The server may act on it although no answer came, so it is held even if it costs nothing. Default: false.
   */
  entrusted?: boolean;
}

/** A call to a server that has ended, whether it succeeded or not. `at` is when it was sent; default now. */
export type CallRecord = Omit<JournalEntry, 'sequence' | 'at' | 'kind' | 'hash'> & { at?: number };
