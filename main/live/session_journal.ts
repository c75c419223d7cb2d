import type { CallRecord } from '@likeness/journal/metered_call.ts';

/** Money reserved for a session; exactly one of `settle` and `release` ends it. */
export interface SessionReservation {
  /** Reserves up to this total cost. @throws Failure `cap_reached` */
  raise(plannedCost: number): void;
  settle(call: CallRecord): unknown;
  release(): void;
}
