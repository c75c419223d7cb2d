import type { JournalEntry } from '#contract';

/** A call that is over, as the journal takes it. */
export type CallRecord = Omit<JournalEntry, 'sequence' | 'at' | 'kind' | 'hash'> & { at?: number };

/** What is known of a session's call before it is made. */
export interface PlannedSession {
  profileId: string;
  profileName: string;
  operation: string;
  subject: string;
  monthlyCap: number | null;
  currency: string;
  plannedCost: number;
  /** Entered at the next start should the studio end under way, whatever it costs. */
  entrusted?: boolean;
}

/** Money held for a session; exactly one of `settle` and `release` ends it. */
export interface SessionReservation {
  /** Holds up to this cost in all. @throws Failure `cap_reached` */
  raise(plannedCost: number): void;
  settle(call: CallRecord): unknown;
  release(): void;
}
