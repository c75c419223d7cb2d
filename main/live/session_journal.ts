import type { CallRecord } from '@likeness/journal/metered_call.ts';

/** Money held for a session; exactly one of `settle` and `release` ends it. */
export interface SessionReservation {
  /** Holds up to this cost in all. @throws Failure `cap_reached` */
  raise(plannedCost: number): void;
  settle(call: CallRecord): unknown;
  release(): void;
}
