import type { Units } from '@likeness/engine/http/access.ts';
import type { ServiceKey } from '../keys/service_key.ts';
import type { ModelOrderEntry } from '../models/order_store.ts';

export const noUnits: Readonly<Units> = { seconds: 0, frames: 0, models: 0 };
export const unitNames = ['seconds', 'frames', 'models'] as const;

/** A call made with a key, by a unique name. */
export interface KeyCall {
  id: string;
  key: ServiceKey;
}

/**
 * Limits and usage of keys: of one machine alone, or of all machines that share a queue. A call's reservation
 * ends with the call.
 */
export interface Accounts {
  /**
   * @throws {Refusal} 429 `too_many_at_once` or `rate_exceeded`, with Retry-After; then nothing is reserved
   */
  enter(call: KeyCall): Promise<void> | void;
  /**
   * Reserves the usage that a call may need, so that concurrent calls can't exceed a cap together.
   *
   * @param repeats The order's idempotency key, if any: a repeated order reserves nothing more.
   * @throws {Refusal} 402 `cap_reached`; then nothing is reserved
   */
  reserve(call: KeyCall, planned: Readonly<Units>, repeats: string | null): Promise<void> | void;
  /**
   * A model was ordered: the order takes over the call's reservation. Called before the caller is answered.
   */
  ordered(call: KeyCall, order: ModelOrderEntry): Promise<void> | void;
  /** The call has ended; its journal line is not written yet. */
  leave(call: KeyCall, used: Readonly<Units>): void;
  /** The call's journal line is written, under this number; null if writing failed. */
  settle(call: KeyCall, sequence: number | null): void;
}
