import type { Units } from '@likeness/engine/http/access.ts';
import type { ModelOrderEntry } from '../models/order_store.ts';
import type { Accounts, KeyCall } from './accounts.ts';
import { KeyTraffic } from './key_traffic.ts';
import type { UsageMeter } from './usage_meter.ts';

export interface LocalAccountsOptions {
  meter: UsageMeter;
  /** Whether a tenant has already ordered with this idempotency key. */
  isRepeated: (tenant: string, idempotencyKey: string) => boolean;
  onOrdered: (order: ModelOrderEntry) => Promise<void>;
}

/** The accounts of one machine alone. */
export class LocalAccounts implements Accounts {
  readonly #options: LocalAccountsOptions;
  readonly #traffic = new KeyTraffic();
  readonly #leaves = new Map<string, () => void>();
  readonly #reservations = new Map<string, (() => void)[]>();

  constructor(options: LocalAccountsOptions) {
    this.#options = options;
  }

  enter({ id, key }: KeyCall): void {
    this.#leaves.set(id, this.#traffic.enter(key));
  }

  reserve({ id, key }: KeyCall, planned: Readonly<Units>, repeats: string | null): void {
    const { meter, isRepeated } = this.#options;
    if (repeats !== null && isRepeated(key.tenant, repeats)) return;
    const release = meter.reserve(key, planned);
    this.#reservations.set(id, [...(this.#reservations.get(id) ?? []), release]);
  }

  async ordered({ id }: KeyCall, order: ModelOrderEntry): Promise<void> {
    // Recorded at once, so the order counts from here on; it reaches the disk a little later.
    const ordered = this.#options.onOrdered(order);
    this.#release(id);
    await ordered;
  }

  leave({ id, key }: KeyCall, used: Readonly<Units>): void {
    this.#leaves.get(id)?.();
    this.#leaves.delete(id);
    this.#options.meter.use(key.id, used);
    this.#release(id);
  }

  settle({ id }: KeyCall): void {
    this.#release(id);
  }

  #release(id: string): void {
    for (const release of this.#reservations.get(id) ?? []) release();
    this.#reservations.delete(id);
  }
}
