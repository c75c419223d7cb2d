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
  /** A model is over, before its order is closed: told again should the process die in between. */
  onEnd: (end: EndedModel) => Promise<void>;
  onProblem: (error: unknown) => void;
}

/** Completions read in one go. */
const page = 200;
/** How often it is looked for what was missed, milliseconds. */
const sweepEvery = 60_000;
/** Orders that are over are forgotten after so long, milliseconds: longer than a model is kept. */
const keepOrders = 31 * 24 * 3600 * 1000;

/**
 * Bills each model once, when it is made: to the key that ordered it first. What failed, or was taken back before
 * it was made, costs nothing.
 *
 * The queue writes a completion in the step that finishes a model; here they are read on from where the last one
 * was billed, so that no crash loses or doubles one: the journal itself refuses a second entry of a model.
 */
export class ModelBilling {
  readonly #options: ModelBillingOptions;
  readonly #inTurn = createMutex();
  readonly #unwatch: () => void;
  readonly #sweeping: NodeJS.Timeout;
  readonly #isBilled: (model: string) => boolean;
  /** A reading of completions waits for its turn: it will find those of now. */
  #isToRead = false;

  constructor(options: ModelBillingOptions) {
    this.#options = options;
    this.#isBilled = billedIn(options.journal);
    this.#unwatch = options.queue.watch((change) => this.#onChange(change));
    this.#sweeping = setInterval(() => this.#later(() => this.#catchUp()), sweepEvery).unref();
    this.#later(() => this.#catchUp());
  }

  /** A key has ordered a model. Before its caller is answered. */
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
      // Taken back perhaps just after it was made: what is made is billed first.
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

  /** What happened while nobody looked. */
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
      // Together: their lines share a flush of the journal.
      const bills = await Promise.allSettled(made.map((one) => this.#bill(one)));
      for (const [i, bill] of bills.entries()) {
        if (bill.status === 'rejected') throw bill.reason;
        const next = bills[i + 1];
        if (next?.status !== 'fulfilled') orders.moveTo(made[i]!.cursor);
      }
      if (made.length < page) return;
    }
  }

  /** @param kind Of one that failed; null: it was taken back. */
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
    // Not in the book: the process died between taking the order and noting it here.
    const order = orders.find(made.id) ?? (made.account ? { keyId: made.account, tenant: made.owner } : null);
    if (!order) {
      orders.putBy(made);
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
