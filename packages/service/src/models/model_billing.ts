import type { Completion, ModelChange, ModelJobs } from '@likeness/engine/models/model_jobs.ts';
import { type ModelKind, modelState } from '@likeness/engine/models/model_record.ts';
import type { Journal } from '@likeness/journal/journal.ts';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { noUnits } from '../accounts/accounts.ts';
import type { UsageMeter } from '../accounts/usage_meter.ts';
import type { KeyRing } from '../keys/key_ring.ts';
import { billedIn, type EndedModel, madeModelLine } from './made_model.ts';
import type { ModelOrderEntry, OrderStore } from './order_store.ts';

export interface ModelBillingOptions {
  queue: Pick<ModelJobs, 'completions' | 'find' | 'watch'>;
  orders: OrderStore;
  journal: Pick<Journal, 'shared' | 'database'>;
  ring: Pick<KeyRing, 'byId'>;
  meter: UsageMeter;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  /** Called when a model has ended, before its order is closed; again if the process dies in between. */
  onEnd: (end: EndedModel) => Promise<void>;
  onProblem: (error: unknown) => void;
}

/** Completions to read in one go. */
const page = 200;
/** Interval of the search for missed completions, milliseconds. */
const sweepEvery = 60_000;
/** Closed orders are forgotten after this time, milliseconds: longer than a model is kept. */
const keepOrders = 31 * 24 * 3600 * 1000;

/**
 * Bills each finished model once, to the key that ordered it first. A failed or cancelled model costs
 * nothing.
 *
 * The queue writes a completion in the step that finishes a model. Billing reads on from the last billed one,
 * so that no crash loses or duplicates one: the journal refuses a second entry for a model.
 */
export class ModelBilling {
  readonly #options: ModelBillingOptions;
  readonly #inTurn = createMutex();
  readonly #unwatch: () => void;
  readonly #sweeping: NodeJS.Timeout;
  readonly #isBilled: (model: string) => boolean;
  /** A read of completions is already scheduled; it will find the current ones too. */
  #isToRead = false;

  constructor(options: ModelBillingOptions) {
    this.#options = options;
    this.#isBilled = billedIn(options.journal);
    this.#unwatch = options.queue.watch((change) => this.#onChange(change));
    this.#sweeping = setInterval(() => this.#later(() => this.#catchUp()), sweepEvery).unref();
    this.#later(() => this.#catchUp());
  }

  /** A key has ordered a model. Called before the caller is answered. */
  async ordered(order: ModelOrderEntry): Promise<void> {
    const { orders, clock } = this.#options;
    await orders.add(order, clock());
    const made = orders.claim(order.model);
    if (made) {
      const claimed = {
        id: order.model,
        owner: order.tenant,
        account: order.keyId,
        orderedAt: null,
        ...made,
      };
      this.#later(() => this.#bill(claimed));
    } else if (this.#isBilled(order.model)) orders.close(order.model);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#unwatch();
    await this.#inTurn(() => this.#readOn());
  }

  #onChange({ id, kind, state }: ModelChange): void {
    if (state === modelState.processing) return;
    if (state === modelState.success) this.#readSoon();
    else {
      // It may have been cancelled just after it was made: a made model is billed first.
      this.#later(async () => {
        await this.#readOn();
        await this.#close(id, state === modelState.fail ? kind : null);
      });
    }
  }

  #readSoon(): void {
    if (this.#isToRead) return;
    this.#isToRead = true;
    this.#later(async () => {
      this.#isToRead = false;
      await this.#readOn();
    });
  }

  /** Processes what happened while the service was down. */
  async #catchUp(): Promise<void> {
    await this.#readOn();
    const { orders, queue, clock } = this.#options;
    for (const { model, tenant } of orders.open()) {
      const found = (await queue.find(model, tenant)) ?? (await queue.find(model, tenant, 'image'));
      if (found?.state === modelState.processing || found?.state === modelState.success) continue;
      await this.#close(model, found?.kind ?? null);
    }
    orders.forgetBefore(clock() - keepOrders);
  }

  async #readOn(): Promise<void> {
    const { orders, queue } = this.#options;
    for (;;) {
      const made = await queue.completions(orders.cursor(), page);
      // In parallel, so that their lines share a flush of the journal.
      const bills = await Promise.allSettled(made.map((one) => this.#bill(one)));
      for (const [i, bill] of bills.entries()) {
        if (bill.status === 'rejected') throw bill.reason;
        const next = bills[i + 1];
        if (next?.status !== 'fulfilled') orders.moveTo(made[i]!.cursor);
      }
      if (made.length < page) return;
    }
  }

  /** @param kind The kind of a failed model; null: cancelled. */
  async #close(model: string, kind: ModelKind | null): Promise<void> {
    const { orders, clock, onEnd } = this.#options;
    const order = kind && orders.find(model);
    if (order) {
      const end = { id: model, owner: order.tenant, kind, at: clock(), isMade: false };
      await onEnd({ ...end, seconds: 0, orderedAt: null });
    }
    orders.close(model);
  }

  async #bill(made: Omit<Completion, 'cursor'>): Promise<void> {
    const { orders, journal, ring, meter, onEnd } = this.#options;
    // Not in the order store: the process died between accepting the order and recording it here.
    const order = orders.find(made.id) ?? (made.account ? { keyId: made.account, tenant: made.owner } : null);
    if (!order) {
      orders.putAside(made);
      return;
    }
    const { keyId, tenant } = order;
    if (!this.#isBilled(made.id)) {
      meter.use(keyId, { ...noUnits, models: 1 });
      const keyName = ring.byId(keyId)?.name ?? keyId;
      await journal.shared.append(madeModelLine(made, { keyId, keyName, tenant }));
    }
    const { id, at, kind, seconds, orderedAt } = made;
    await onEnd({ id, owner: tenant, kind, at, isMade: true, seconds, orderedAt });
    orders.close(made.id);
  }

  #later(work: () => Promise<void>): void {
    this.#inTurn(work).catch(this.#options.onProblem);
  }
}
