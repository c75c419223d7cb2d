import type { JournalEntry } from './journal_entry.ts';

/** A call, or a whole live session, before it is made, with its maximum cost. */
export interface PricedCall {
  profileId: string;
  profileName: string;
  operation: string;
  /** Trace id, model id or task id, as far as known. */
  subject: string;
  /** Maximum spending in a calendar month (UTC), in `currency`. Null: no cap. */
  monthlyCap: number | null;
  /** Three capital letters. */
  currency: string;
  /** In `currency`. 0: free, and never refused. */
  plannedCost: number;
  /**
   * The server may act on it although no answer came, so it is reserved even if it is free. Default: false.
   */
  entrusted?: boolean;
}

/** A finished call to a server, successful or not. `at` is the time of sending; default now. */
export type CallRecord = Omit<JournalEntry, 'sequence' | 'at' | 'kind' | 'hash'> & { at?: number };
