import type { ModelKind } from '@likeness/engine/models/model_record.ts';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** What comes before BullMQ's own keys. */
export const ticketPrefix = '{likeness}:tickets';

/** BullMQ's queues by what is made. */
export const ticketQueues = { head: 'heads', image: 'images' } as const satisfies Record<ModelKind, string>;

/**
 * A ticket for every model that waits: the right to make one, not which. BullMQ hands tickets to workers, watches
 * over those who took one, and hands it out again when they are gone; whoever has a ticket takes the model whose
 * turn it is (`take` in the records), the same one again with the same ticket. So owners take turns at any length
 * of the queue, which BullMQ itself does only for groups in its paid edition.
 */
export class Tickets {
  readonly #queues: Readonly<Record<ModelKind, Queue>>;
  /** Tickets that were missing at the last look, by kind. */
  readonly #missing = new Map<string, number>();

  constructor(redis: Redis, onProblem: (error: Error) => void) {
    const open = (name: string): Queue => {
      const queue = new Queue(name, { connection: redis, prefix: ticketPrefix });
      queue.on('error', onProblem);
      return queue;
    };
    this.#queues = { head: open(ticketQueues.head), image: open(ticketQueues.image) };
  }

  async add(kind: ModelKind, count = 1): Promise<void> {
    const ticket = { name: 'make', data: {}, opts: { removeOnComplete: true, removeOnFail: true } };
    if (count === 1) await this.#queues[kind].add(ticket.name, ticket.data, ticket.opts);
    else await this.#queues[kind].addBulk(Array.from({ length: count }, () => ticket));
  }

  /**
   * Makes up for tickets that a crash between a model's record and its ticket, or a Redis that forgot, has lost: those
   * that are missing at two looks in a row. One too many does no harm.
   *
   * @param waiting Models that wait, by kind.
   */
  async mend(waiting: Readonly<Partial<Record<string, string>>>): Promise<void> {
    for (const kind of ['head', 'image'] as const) {
      const { wait = 0, delayed = 0 } = await this.#queues[kind].getJobCounts('wait', 'delayed');
      const missing = Math.max(0, Number(waiting[kind] ?? 0) - wait - delayed);
      const since = Math.min(missing, this.#missing.get(kind) ?? 0);
      this.#missing.set(kind, missing - since);
      if (since > 0) await this.add(kind, since);
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#queues).map((queue) => queue.close()));
  }
}
