import type { Units } from '@likeness/engine/http/access.ts';
import type { ServiceKey } from '../keys/service_key.ts';
import type { ModelOrderEntry } from '../models/order_store.ts';

export const noUnits: Readonly<Units> = { seconds: 0, frames: 0, models: 0 };
export const unitNames = ['seconds', 'frames', 'models'] as const;

/** A call of a key, by a name of its own. */
export interface KeyCall {
  id: string;
  key: ServiceKey;
}

/**
 * What keys may do now, and what they have used: of one machine alone, or of all that share a queue. What it holds
 * for a call is given back when the call has ended.
 */
export interface Accounts {
  /** @throws {Refusal} 429 `too_many_at_once` or `rate_exceeded`, with Retry-After; then nothing is held */
  enter(call: KeyCall): Promise<void> | void;
  /**
   * Holds what a call may use, so that calls under way can't pass a cap together.
   *
   * @param repeats The idempotency key of the order, if any: what was ordered before takes no more room.
   * @throws {Refusal} 402 `cap_reached`; then nothing is held
   */
  reserve(call: KeyCall, planned: Readonly<Units>, repeats: string | null): Promise<void> | void;
  /** A model was ordered: from now on it is held by its order, not by the call. Before the caller is answered. */
  ordered(call: KeyCall, order: ModelOrderEntry): Promise<void> | void;
  /** The call has ended; its line is not written yet. */
  leave(call: KeyCall, used: Readonly<Units>): void;
  /** Its line is written, under this number; null where it could not be. */
  settle(call: KeyCall, sequence: number | null): void;
}
